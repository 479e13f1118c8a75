import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { CancelForm } from "~/features/tournaments/hosting/cancel-form";
import { cancelTournament } from "~/features/tournaments/hosting/commands.server";
import { cancelSchema } from "~/features/tournaments/hosting/schema";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error cancelling tournament";

export const meta: MetaFunction = () => privatePage("Cancel Tournament");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, tournament] = await Promise.all([requireViewer(context, request), findTournament(context.db, id, userId)]);
  if (!tournament?.viewer.isInCharge) notFound(context, request);
  const isOver = tournament.state === "finished" || tournament.state === "cancelled";
  // This dialog is also the response to a form posted without JavaScript, and then says that it is too late.
  if (isOver && !context.submitted) throw redirect(`/tournaments/${id}`);
  return { id, title: tournament.title, teams: tournament.currentParticipants + tournament.waitingTeams };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const { db, now } = context;
  const id = tournamentIdOf(params, context, request);
  return answerForm(args, {
    schema: cancelSchema,
    failed: FAILED,
    limit: "tournamentChange",
    to: `/tournaments/${id}`,
    async alongside({ userId }) {
      const tournament = await findTournament(db, id, userId);
      return tournament?.viewer.isInCharge ? tournament : null;
    },
    async run({ value, viewer, found: tournament }) {
      const concerned = await cancelTournament(context, value.reason, { tournamentId: id, userId: viewer.id, now });
      // Also after a refusal: an earlier request may have cancelled the tournament, and its response may have been
      // lost.
      tellTournament(context, id);
      if (!concerned) return { status: 409, error: "This tournament is already over, so it can't be cancelled." };
      tellUnread(context, ...concerned);
      // The players of a hidden tournament aren't notified.
      const hasTold = !tournament.hiddenAt && tournament.currentParticipants + tournament.waitingTeams > 0;
      return {
        title: "Tournament cancelled",
        description: hasTold ? "We've told everyone who registered." : undefined,
      };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function CancelTournament() {
  const { id, title, teams } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Cancel Tournament" closeTo={`/tournaments/${id}`}>
      <CancelForm reply={reply} title={title} teams={teams} closeTo={`/tournaments/${id}`} />
    </RouteDialog>
  );
}
