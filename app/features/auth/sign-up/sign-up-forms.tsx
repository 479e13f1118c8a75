import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { RiotAccountData } from "~/features/riot/rules";
import { MAX_GAME_NAME_LENGTH } from "~/features/riot/rules";
import { SlowRiot } from "~/features/riot/shared/slow-riot";
import { splitTyped } from "~/features/riot/shared/split-typed";
import { VERIFICATION_REGION_LABELS, VERIFICATION_REGIONS } from "~/game/regions";
import type { FormReply } from "~/platform/forms/forms";
import type { HumanCheckOffer } from "~/platform/forms/human-check";
import { Button } from "~/ui/button";
import { BrowserZoneField } from "~/ui/forms/browser-zone-field";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextField } from "~/ui/forms/field";
import { Honeypot } from "~/ui/forms/honeypot";
import { HumanCheck } from "~/ui/forms/human-check";
import { NextStep } from "~/ui/forms/next-step";
import { PasswordField } from "~/ui/forms/password-field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Notice } from "~/ui/notice";
import { MIN_PASSWORD_LENGTH } from "../rules";
import { SUBMIT_HEIGHT } from "../shared/submit-height";
import { StepIndicator } from "./step-indicator";

/** Step 1 of the sign-up: email and password. `email` fills the field again after `Back`. */
export function SignUpAccountForm({
  reply,
  email,
  humanCheck,
}: {
  reply: FormReply | undefined;
  email: string;
  humanCheck: HumanCheckOffer | null;
}) {
  const { formProps, props, summary, busy } = useServerForm<{ email: string; password: string }>({
    id: "sign-up",
    reply,
    defaultValue: { email },
    labels: { email: "Email", password: "Password" },
  });
  return (
    <Form method="post" {...formProps} className="grid gap-[18px]">
      <Honeypot />
      <BrowserZoneField />
      <StepIndicator step={1} className="mb-1.5" />
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <TextField {...props("email")} type="email" autoComplete="email" inputMode="email" required />
      <PasswordField
        {...props("password")}
        autoComplete="new-password"
        minLength={MIN_PASSWORD_LENGTH}
        required
        hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
      />
      <Button variant="primary" name="intent" value="next" busy={busy} busyLabel="One moment" className={SUBMIT_HEIGHT}>
        Next: Verify Riot Account
      </Button>
      <HumanCheck key={reply?.toast.id} offer={humanCheck} purpose="sign-up" />
    </Form>
  );
}

export interface RiotStep {
  gameName: string;
  tagLine: string;
  region: string;
  /** The account found for the entered values. */
  account: Pick<RiotAccountData, "gameName" | "tagLine" | "region"> | null;
  /**
   * Set if the account can't be verified because another player holds it; `hasSignOn` says whether Riot Sign-On is
   * configured.
   */
  heldByOther: { hasSignOn: boolean } | null;
}

/** Step 2 of the sign-up: the Riot account. Once it is found, the sign-up can be completed. */
export function SignUpRiotForm({ reply, riot }: { reply: FormReply | undefined; riot: RiotStep }) {
  const { formProps, props, summary, busy } = useServerForm<{ gameName: string; tagLine: string; region: string }>({
    id: "verify",
    reply,
    defaultValue: { gameName: riot.gameName, tagLine: riot.tagLine, region: riot.region },
    labels: { gameName: "Game Name", tagLine: "Tag", region: "Region" },
    onInput: () => readFields(),
  });
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ complete: true, changed: false });
  const readFields = () => {
    if (!form.current) return;
    splitTyped(form.current);
    const {
      gameName = "",
      tagLine = "",
      region = "",
    } = Object.fromEntries(new FormData(form.current)) as Record<string, string>;
    setTyped({
      complete: gameName.trim() !== "" && tagLine.trim() !== "",
      changed: gameName !== riot.gameName || tagLine !== riot.tagLine || region !== riot.region,
    });
  };
  // Runs in the browser only: without JavaScript, and until hydration, no button is disabled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a response may bring other values
  useEffect(readFields, [riot, reply]);
  const account = typed.changed ? null : riot.account;
  const isAsking = useNavigation().formData?.get("intent") === "verify";

  return (
    <Form method="post" {...formProps} ref={form} className="grid gap-[18px]">
      <BrowserZoneField />
      <StepIndicator step={2} verified={account !== null && !riot.heldByOther} className="mb-1.5" />
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <NextStep next={reply?.next} />
      <div className="grid grid-cols-[minmax(0,1fr)_104px] gap-3">
        <TextField {...props("gameName")} limit={MAX_GAME_NAME_LENGTH} autoComplete="off" spellCheck={false} required />
        {/* Not `required`: the name's field also accepts a whole Riot ID, even without JavaScript. */}
        <TextField {...props("tagLine")} prefix="#" autoComplete="off" spellCheck={false} />
      </div>
      <SelectField {...props("region")}>
        {VERIFICATION_REGIONS.map((region) => (
          <option key={region} value={region}>
            {VERIFICATION_REGION_LABELS[region]}
          </option>
        ))}
      </SelectField>
      {account && (
        <Notice
          variant={riot.heldByOther ? "info" : "good"}
          title="Account Verified!"
          role="status"
          className="md:bg-raised"
        >
          We found{" "}
          <strong className="font-semibold wrap-anywhere">
            {account.gameName}#{account.tagLine}
          </strong>{" "}
          at Riot ({VERIFICATION_REGION_LABELS[account.region]})
          {riot.heldByOther ? <HeldByOther {...riot.heldByOther} /> : FOUND}
        </Notice>
      )}
      {/* Enter submits with a form's first button, so `Back` comes second in the document and first on the screen. */}
      <div className="flex flex-row-reverse gap-2.5">
        {account ? (
          <Button
            variant="primary"
            name="intent"
            value="complete"
            className={`flex-1 ${SUBMIT_HEIGHT}`}
            busy={busy}
            busyLabel="Signing up"
          >
            Complete Signup
          </Button>
        ) : (
          <Button
            variant="primary"
            name="intent"
            value="verify"
            className={`flex-1 ${SUBMIT_HEIGHT}`}
            disabled={!typed.complete}
            busy={busy}
            busyLabel="Asking Riot"
          >
            Verify
          </Button>
        )}
        <Button name="intent" value="back" formNoValidate className={SUBMIT_HEIGHT}>
          Back
        </Button>
      </div>
      <SlowRiot isAsking={isAsking} />
      {account && <p className="text-meta text-muted">If you change anything, verify again.</p>}
    </Form>
  );
}

const FOUND =
  ". That shows the account exists. Your rank is what you say it is: you choose it in your profile, and players see it as self-reported.";

function HeldByOther({ hasSignOn }: { hasSignOn: boolean }) {
  return (
    <>
      , but <strong className="font-semibold">another player here holds this Riot account.</strong> You can still sign
      up, without the Verified mark.{" "}
      {hasSignOn
        ? "If the account is yours, sign up and then link it with Riot Sign-On under Settings, Linked Accounts. Otherwise enter another Riot account."
        : "Or enter another Riot account."}
    </>
  );
}
