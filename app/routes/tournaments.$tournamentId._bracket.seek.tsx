import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findOwnSearch } from "~/features/tournaments/registration/queries.server";
import { alreadyInSome, NOT_OPEN, refuseObstacle } from "~/features/tournaments/registration/refusals";
import { seekSchema } from "~/features/tournaments/registration/schema";
import { SeekForm } from "~/features/tournaments/registration/seek-form";
import { seekTeam } from "~/features/tournaments/registration/seekers.server";
import { tellTournament } from "~/features/tournaments/tell-tournament.server";
import { useTournament } from "~/features/tournaments/use-tournament";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const FAILED = "Error saving";

export const meta: MetaFunction<typeof loader> = () => privatePage("Look for a Team");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const userId = await claimedUserId(context, request);
  const [, own] = await Promise.all([requireViewer(context, request), findOwnSearch(context.db, tournamentId, userId)]);
  return { own: own ?? null };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: seekSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "registration", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const wish = { ...submission.value, tournamentId, userId: viewer.id };
    const sought = await seekTeam(context.db, wish, context.now.getTime());
    switch (sought.outcome) {
      case "missing":
        return notFound(context, request);
      case "not-open":
        return refuseForm(context, submission, FAILED, NOT_OPEN);
      case "alone":
        return refuseForm(context, submission, FAILED, {
          status: 409,
          error: "Everyone plays alone in this tournament.",
        });
      case "twice":
        return refuseForm(context, submission, FAILED, alreadyInSome);
      case "obstacle":
        return refuseForm(context, submission, FAILED, refuseObstacle(sought));
      default:
        tellTournament(context, tournamentId);
        return redirectWithToast(context, `/tournaments/${tournamentId}/teams`, {
          kind: "success",
          title: "You are on the list",
          description: "Captains who miss a player find you there.",
        });
    }
  });
}

/** Offline the dialog stays open, with what was entered. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function SeekDialog() {
  const { own } = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  const closeTo = `/tournaments/${tournament.id}`;
  return (
    <RouteDialog title="Look for a Team" closeTo={closeTo}>
      <SeekForm reply={useActionData<FormReply>()} own={own} closeTo={closeTo} />
    </RouteDialog>
  );
}
