import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { TextField } from "~/ui/forms/field";
import { RoleChip } from "~/ui/game/role-chip";
import { Link } from "~/ui/link";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import type { RoomView } from "./present.server";

/** The room while the team's session lasts. */
type OpenRoom = NonNullable<RoomView["now"]>;

/** The button that marks the viewer as ready, or as not ready. */
export function ReadyButton({
  room: { isReady },
  here,
  size = "normal",
}: {
  room: OpenRoom;
  /** The page that shows the room and handles its forms. */
  here: string;
  size?: "row" | "normal";
}) {
  const intent = isReady ? "not-ready" : "ready";
  const busy = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" action={here} preventScrollReset className="flex-none">
      <Button name="intent" value={intent} size={size} variant={isReady ? "secondary" : "primary"} busy={busy}>
        {isReady ? "I'm not ready" : "Ready"}
      </Button>
    </Form>
  );
}

/** The party code, voice link and roles of a team, for its members to set and use. */
export function RoomPanel({ room, here, reply }: { room: OpenRoom; here: string; reply: FormReply | undefined }) {
  const { code, voice, roles, ends } = room;
  return (
    <div className="room-details">
      <Detail
        kind="party-code"
        label="Party code"
        placeholder="ABC123"
        set="Set Code"
        here={here}
        reply={reply}
        by={code?.by}
        setAt={code?.setAt}
        field={{ name: "partyCode", autoCapitalize: "characters", spellCheck: false, className: "room-code-field" }}
      >
        {code && (
          <>
            <span id="party-code" className="room-code">
              {code.value}
            </span>
            <CopyButton text={code.value} size="row" aria-describedby="party-code" />
          </>
        )}
      </Detail>
      <Detail
        kind="voice-link"
        label="Voice channel"
        placeholder="discord.gg/…"
        set="Set Link"
        here={here}
        reply={reply}
        by={voice?.by}
        setAt={voice?.setAt}
        field={{ name: "voiceLink", inputMode: "url", autoCapitalize: "none", spellCheck: false }}
      >
        {voice?.link && (
          <a
            href={voice.link.href}
            title={voice.link.address}
            target="_blank"
            // Sends the referrer, because the leaving page links back to this page.
            rel={`noopener ${voice.link.isLeaving ? "" : "noreferrer "}nofollow ugc`}
            className="link break-all"
          >
            {voice.link.text}
          </a>
        )}
        {voice && !voice.link && <span className="text-muted">From a player you blocked.</span>}
      </Detail>
      <div className="room-roles">
        <p className="room-label">Roles</p>
        <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-meta">
          {roles.covered.map((role) => (
            <RoleChip key={role} role={role} />
          ))}
          <span className={roles.missing.length > 0 ? "font-semibold" : "text-muted"}>
            {roles.missing.length > 0 ? `Missing: ${roles.missing.join(", ")}` : "All covered"}
          </span>
        </p>
      </div>
      <p className="room-ends">The code, the link and Ready are cleared when your session ends: {ends}.</p>
    </div>
  );
}

/** One of the team's details: its form or, once it is set, `children` and a button that clears it. */
function Detail({
  kind,
  label,
  placeholder,
  set,
  here,
  reply,
  by,
  setAt,
  field: { className, ...field },
  children,
}: {
  kind: "party-code" | "voice-link";
  label: string;
  placeholder: string;
  /** The label of the form's button. */
  set: string;
  here: string;
  reply: FormReply | undefined;
  /** The player who set it; null for the viewer. */
  by: { id: string; name: string } | null | undefined;
  /** When it was set, in milliseconds since 1970. */
  setAt: number | undefined;
  field: { name: string; className?: string } & Pick<
    JSX.IntrinsicElements["input"],
    "autoCapitalize" | "inputMode" | "spellCheck"
  >;
  /** Undefined while it isn't set. */
  children: ReactNode;
}) {
  const pressed = useNavigation().formData?.get("intent");
  const isSet = by !== undefined;
  const intent = `${isSet ? "clear" : "set"}-${kind}`;
  const { initialValue, error } = reply?.result ?? {};
  const isRefused = initialValue?.intent === intent;
  useReplyToast(isRefused ? reply : undefined);
  if (isSet) {
    return (
      <Form method="post" action={here} preventScrollReset>
        <p className="room-label">{label}</p>
        <input type="hidden" name="setAt" value={setAt} />
        <p className="room-value">
          {children}
          <Button name="intent" value={intent} variant="quiet" size="row" busy={pressed === intent}>
            {set.replace("Set", "Clear")}
          </Button>
        </p>
        {by && (
          <p className="room-by">
            From <bdi>{by.name}</bdi> ·{" "}
            <Link to={`/players/${by.id}/report`} className="link font-normal text-muted">
              Report
            </Link>
          </p>
        )}
      </Form>
    );
  }
  return (
    <Form method="post" action={here} preventScrollReset className={`room-form ${className ?? ""}`}>
      <TextField
        {...field}
        id={`${kind}-field`}
        label={label}
        placeholder={placeholder}
        autoComplete="off"
        required
        defaultValue={isRefused ? String(initialValue?.[field.name] ?? "") : ""}
        errors={isRefused ? [...(error?.[field.name] ?? []), ...(error?.[""] ?? [])] : []}
      />
      <Button name="intent" value={intent} busy={pressed === intent}>
        {set}
      </Button>
    </Form>
  );
}

/** Asks the members of a team whose session is over how it was. */
export function FeedbackQuestion({ feedback: { to, question } }: { feedback: NonNullable<RoomView["feedback"]> }) {
  return (
    <div className="room-head">
      <p className="room-next">{question}</p>
      <ButtonLink to={to} prefetch="intent" className="flex-none">
        Give Feedback
      </ButtonLink>
    </div>
  );
}
