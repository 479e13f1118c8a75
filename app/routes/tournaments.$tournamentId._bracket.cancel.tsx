import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { CancelForm } from "~/features/tournaments/hosting/cancel-form";
import { cancelTournament } from "~/features/tournaments/hosting/commands.server";
import { cancelSchema } from "~/features/tournaments/hosting/schema";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { tellTournament } from "~/features/tournaments/tell-tournament.server";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

const FAILED = "Error cancelling tournament";

export const meta: MetaFunction = () => privatePage("Cancel Tournament");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const userId = await claimedUserId(context, request);
  const [, tournament] = await Promise.all([requireViewer(context, request), findTournament(context.db, id, userId)]);
  if (!tournament?.viewer.isInCharge) notFound(context, request);
  const isOver = tournament.state === "finished" || tournament.state === "cancelled";
  // As the answer to a form the dialog stays, and says that it came too late.
  if (isOver && !context.submitted) throw redirect(`/tournaments/${id}`);
  return { id, title: tournament.title, teams: tournament.currentParticipants + tournament.waitingTeams };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: cancelSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, tournament, limit] = await Promise.all([
      context.viewer(),
      findTournament(context.db, id, userId),
      userId ? countUse(context, "tournamentChange", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (!tournament?.viewer.isInCharge) return notFound(context, request);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const deed = { tournamentId: id, userId: viewer.id, now: context.now };
    const told = await cancelTournament(context.db, submission.value.reason, deed);
    if (!told) {
      const error = "This tournament is over already, so it can't be cancelled.";
      return refuseForm(context, submission, FAILED, { status: 409, error });
    }
    tellTournament(context, id);
    tellUnread(context, ...told);
    return redirectWithToast(context, `/tournaments/${id}`, {
      kind: "success",
      title: "Tournament cancelled",
      description: "Everyone who has registered is told.",
    });
  });
}

/** Offline the dialog stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function CancelTournament() {
  const { id, title, teams } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Cancel Tournament" closeTo={`/tournaments/${id}`}>
      <CancelForm reply={reply} title={title} teams={teams} closeTo={`/tournaments/${id}`} />
    </RouteDialog>
  );
}
