import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { data, redirect } from "@remix-run/cloudflare";
import { endAllSessions, endOtherSessions } from "~/features/auth/sessions/sessions.server";
import { settingsAddress } from "~/features/settings/subjects";
import type { RequestContext } from "~/platform/context";
import { tooManyTries } from "~/platform/limits/refusal";
import { countOwnUse } from "~/platform/limits/uses.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { endSession } from "~/platform/session/store.server";
import { ButtonLink } from "~/ui/button";
import { ErrorPage } from "~/ui/page/error-page";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Sign out");

/** The page has only a sentence and a link. */
export const handle = { withoutScript: true };

/** GET changes nothing. The page is rendered only after a refused form. */
export const loader = ({ context }: LoaderFunctionArgs) => (context.submitted ? null : redirect("/"));

/** Ends sessions: `scope` is `local` (this browser's, and the default), `others` or `global`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const scope = (await request.formData()).get("scope") ?? "local";
  switch (scope) {
    case "local":
      return signOutHere(context);
    case "others":
    case "global":
      return signOutElsewhere(context, scope);
    default:
      return data(null, { status: 400 });
  }
}

async function signOutHere(context: RequestContext) {
  await endSession(context);
  return redirectWithToast(context, "/auth", { kind: "success", title: "Signed out" });
}

async function signOutElsewhere(context: RequestContext, scope: "others" | "global") {
  const { claim } = context;
  const [viewer, limit] = claim
    ? await Promise.all([context.viewer(), countOwnUse(context, "endSessions", claim)])
    : [null, null];
  // An ended session must not end others.
  if (!claim || !viewer) return signOutHere(context);
  const sessions = settingsAddress("sessions");
  if (!limit.allowed) {
    const { error } = tooManyTries(limit.retryAfter);
    return redirectWithToast(context, sessions, { kind: "error", title: "Error signing out", description: error });
  }
  if (scope === "global") {
    await endAllSessions(context, viewer);
    return redirectWithToast(context, "/auth", { kind: "success", title: "Signed out everywhere" });
  }
  const ended = await endOtherSessions(context, viewer, claim);
  return redirectWithToast(context, sessions, {
    kind: "success",
    title: "Other devices signed out",
    description:
      ended === 0 ? "There were no others." : `${ended} other ${ended === 1 ? "session" : "sessions"} ended.`,
  });
}

export default function SignOut() {
  return (
    <ErrorPage
      title="Nobody was signed out"
      text="Sign-out scope must be global, local or others."
      action={
        <ButtonLink to="/" variant="primary" size="landing" reloadDocument>
          Return to Home
        </ButtonLink>
      }
    />
  );
}
