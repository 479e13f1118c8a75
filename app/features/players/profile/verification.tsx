import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { MAX_GAME_NAME_LENGTH, type VerifiedMark as VerifiedMarkWords } from "~/features/riot/rules";
import { SlowRiot } from "~/features/riot/shared/slow-riot";
import { splitTyped } from "~/features/riot/shared/split-typed";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { VERIFICATION_REGION_LABELS, VERIFICATION_REGIONS } from "~/game/regions";
import type { ShownMoment } from "~/platform/dates/time";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextField } from "~/ui/forms/field";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { UPDATE_RIOT_ID, VERIFY } from "./profile-rules";

/** The player's verified Riot account. */
interface VerifiedAccount {
  riotId: string;
  region: string | null;
  /** The verified mark's text, which depends on how the account was verified; null without a mark. */
  mark: VerifiedMarkWords | null;
  /** The time of the last sync, or else of the verification. */
  at: ShownMoment;
  hasSync: boolean;
}

/** The Riot account that the player signed up with, if another player holds it. */
interface HeldAccount {
  riotId: string;
  /** The path where Riot Sign-On can link it; null if that is not configured. */
  signOn: string | null;
}

/** `Account Verification`: the verified account, or the form to verify one. */
export function Verification({
  account,
  held,
  typed,
  reply,
}: {
  account: VerifiedAccount | null;
  /** Null if the player is verified or nobody else holds the account. */
  held: HeldAccount | null;
  /** The fields' initial values. */
  typed: { gameName: string; tagLine: string; region: string };
  reply: FormReply | undefined;
}) {
  return (
    <section aria-labelledby="account-verification" className="profile-section">
      <h2 id="account-verification" className="profile-legend">
        Account Verification
      </h2>
      {account ? (
        <>
          <p className="profile-aside">{account.mark && <VerifiedMark {...account.mark} />}</p>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-meta">
            <dt className="text-muted">Riot account</dt>
            <dd className="font-semibold wrap-anywhere">{account.riotId}</dd>
            {account.region && (
              <>
                <dt className="text-muted">Region</dt>
                <dd>{account.region}</dd>
              </>
            )}
            <dt className="text-muted">{account.hasSync ? "Last sync" : "Verified"}</dt>
            <dd>
              <RelativeTime moment={account.at} />
            </dd>
          </dl>
          <p className="mt-2.5 text-meta text-muted">We found this account at Riot. Your rank is what you say it is.</p>
          <UpdateForm reply={reply} />
        </>
      ) : (
        <>
          {held && <HeldNotice {...held} />}
          <VerificationForm typed={typed} reply={reply} />
        </>
      )}
    </section>
  );
}

/** For a player who changed their name at Riot. The account is looked up by its PUUID, so there is nothing to enter. */
function UpdateForm({ reply }: { reply: FormReply | undefined }) {
  const { formProps, summary } = useServerForm<Record<string, never>>({ id: "update-riot-id", reply, labels: {} });
  const isAsking = useNavigation().formData?.get("intent") === UPDATE_RIOT_ID;
  return (
    <Form method="post" preventScrollReset {...formProps} className="mt-4 grid justify-items-start gap-3">
      <ErrorSummary formErrors={summary.formErrors} />
      <NextStep next={reply?.next} />
      <p className="text-meta text-muted">Changed your Riot ID? Get the new one here. The account stays the same.</p>
      <Button name="intent" value={UPDATE_RIOT_ID} busy={isAsking} busyLabel="Asking Riot">
        Update Riot ID
      </Button>
      <SlowRiot isAsking={isAsking} />
    </Form>
  );
}

function HeldNotice({ riotId, signOn }: HeldAccount) {
  return (
    <Notice title={`Another player has ${riotId}`} className="mb-4">
      So you can't verify this Riot account.{" "}
      {signOn ? (
        <>
          If it's yours,{" "}
          <Link to={signOn} className="link">
            link it with Riot Sign-On
          </Link>
          . Otherwise verify another Riot account.
        </>
      ) : (
        "Verify another Riot account."
      )}
    </Notice>
  );
}

function VerificationForm({
  typed,
  reply,
}: {
  typed: { gameName: string; tagLine: string; region: string };
  reply: FormReply | undefined;
}) {
  const { formProps, props, summary } = useServerForm<{ gameName: string; tagLine: string; region: string }>({
    id: "verification",
    reply,
    defaultValue: typed,
    labels: { gameName: "Game Name", tagLine: "Tag", region: "Region" },
    onInput: () => checkComplete(),
  });
  const form = useRef<HTMLFormElement>(null);
  const [isComplete, setIsComplete] = useState(true);
  const checkComplete = () => {
    if (form.current) splitTyped(form.current);
    const fields = form.current ? [...new FormData(form.current)] : [];
    setIsComplete(fields.every(([, value]) => String(value).trim() !== ""));
  };
  // Runs only after hydration. Before that, and without JavaScript, the button stays enabled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer may bring other values
  useEffect(checkComplete, [reply]);
  const busy = useNavigation().formData?.get("intent") === VERIFY;
  return (
    <Form method="post" {...formProps} ref={form} className="grid gap-4">
      <p className="text-meta text-muted">Verify that your Riot account exists to get the mark beside your name.</p>
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <NextStep next={reply?.next} />
      <div className="grid grid-cols-[minmax(0,1fr)_104px] gap-3">
        <TextField {...props("gameName")} limit={MAX_GAME_NAME_LENGTH} autoComplete="off" spellCheck={false} required />
        {/* Not `required`: even without JavaScript, the name's field accepts a whole Riot ID. */}
        <TextField {...props("tagLine")} prefix="#" autoComplete="off" spellCheck={false} />
      </div>
      <SelectField {...props("region")}>
        {VERIFICATION_REGIONS.map((region) => (
          <option key={region} value={region}>
            {VERIFICATION_REGION_LABELS[region]}
          </option>
        ))}
      </SelectField>
      <Button
        name="intent"
        value={VERIFY}
        disabled={!isComplete}
        busy={busy}
        busyLabel="Asking Riot"
        className="justify-self-start"
      >
        Verify
      </Button>
      <SlowRiot isAsking={busy} />
    </Form>
  );
}
