import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { nameDevice } from "~/features/auth/sessions/device.server";
import { SessionList } from "~/features/auth/sessions/session-list";
import { endOneSession, listSessions, type SessionRow } from "~/features/auth/sessions/sessions.server";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { settingsAddress } from "~/features/settings/subjects";
import type { Clock } from "~/platform/dates/dates";
import { showMoment } from "~/platform/dates/time";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaim, requireViewer } from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Sessions");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const claim = requireClaim(context, request);
  const [, { own, others, hasMore }, clock] = await Promise.all([
    requireViewer(context, request),
    listSessions(context.db, claim, context.now),
    context.clock(),
  ]);
  return {
    own: own ? present(own, clock) : null,
    others: others.map((session) => present(session, clock)),
    hasMore,
  };
}

function present({ id, userAgent, place, createdAt, lastSeenAt }: SessionRow, clock: Clock) {
  return {
    // The SHA-256 of a random token: it identifies the session but can't open it.
    id,
    device: nameDevice(userAgent),
    place,
    lastSeenAt: showMoment(lastSeenAt ?? createdAt, clock),
    signedInAt: showMoment(createdAt, clock),
  };
}

/** Ends one of the player's sessions. Another player's session is answered like one that has already ended. */
export async function action(args: ActionFunctionArgs) {
  const sessionId = String((await args.request.formData()).get("session") ?? "");
  if (!/^[0-9a-f]{64}$/.test(sessionId)) throw new Response("No such session", { status: 400 });
  return answerButton(args, {
    failed: "Error signing out",
    limit: "endSessions",
    to: settingsAddress("sessions"),
    async run({ viewer }) {
      const ended = await endOneSession(args.context, viewer.id, sessionId);
      return { title: ended ? "Device signed out" : "That session has ended already" };
    },
  });
}

export { clientAction } from "~/platform/forms/forms";

export default function Sessions() {
  const sessions = useLoaderData<typeof loader>();
  useReplyToast(useReply<ToastReply>());
  return (
    <SettingsSection title="Sessions">
      <p className="mt-1 text-muted">
        Where you're signed in. Sessions end after 30 days unused. Don't recognise one? Sign it out and change your
        password.
      </p>
      <SessionList {...sessions} />
    </SettingsSection>
  );
}
