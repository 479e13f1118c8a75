import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DisqualifyForm, ReinstateForm } from "~/features/tournaments/match/disqualify-form";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { answerMatchForm } from "~/features/tournaments/play/actions.server";
import { refusalOf } from "~/features/tournaments/play/refusals";
import { disqualificationSchema } from "~/features/tournaments/play/schema";
import { findTournament } from "~/features/tournaments/queries.server";
import { mayDisqualify } from "~/features/tournaments/registration/rules";
import { SHOW_REASON } from "~/features/tournaments/registration/team/hidden-reason";
import { findTeam } from "~/features/tournaments/registration/team/queries.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireViewer } from "~/platform/session/guards.server";
import { reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Disqualify");

const pageOf = (tournamentId: string, teamId: string) => `/tournaments/${tournamentId}/teams/${teamId}`;

export const shouldRevalidate = reloadDialogIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const teamId = idParam(params, "teamId", context, request);
  const userId = context.claim?.userId;
  const [, tournament, team] = await Promise.all([
    requireViewer(context, request),
    findTournament(context.db, tournamentId, userId),
    findTeam(context.db, { tournamentId, teamId }, userId),
  ]);
  if (!tournament?.viewer.isOrganiser || !team) notFound(context, request);
  const here = pageOf(tournamentId, teamId);
  // This dialog is also the response to a form posted without JavaScript, and then says that it is too late.
  if (!mayDisqualify(tournament.state, team) && !context.submitted) {
    const late = tournament.state === "finished" ? refusalOf("over") : null;
    const description = late?.error ?? "You can only disqualify teams while the tournament is live.";
    throw redirectWithToast(context, here, { kind: "error", title: "Error", description });
  }
  const isHidden = team.isReasonHidden && !new URL(request.url).searchParams.has(SHOW_REASON);
  return {
    here,
    team: team.name,
    disqualification: team.disqualification !== null && {
      reason: isHidden ? null : team.disqualification,
      isHidden,
      expects: team.disqualifiedAt,
    },
  };
}

export function action(args: ActionFunctionArgs) {
  const tournamentId = tournamentIdOf(args.params, args.context, args.request);
  const team = idParam(args.params, "teamId", args.context, args.request);
  return answerMatchForm(
    args,
    { tournamentId, here: pageOf(tournamentId, team) },
    {
      limit: "ruling",
      schema: disqualificationSchema,
      command: (form) =>
        form.intent === "disqualify"
          ? { type: "disqualify", team, reason: form.reason }
          : { type: "reinstate", team, expects: form.expects },
      success: ({ intent }) =>
        intent === "reinstate"
          ? {
              title: "The team is back in",
              description: "We've told them. They'll play the matches they had forfeited.",
            }
          : { title: "Team disqualified", description: "We've told them why. Their open matches are forfeited." },
    },
  );
}

export { clientAction } from "~/platform/forms/forms";

export default function DisqualifyDialog() {
  const { here, team, disqualification } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title={disqualification ? "Undo Disqualification" : "Disqualify"} closeTo={here}>
      {disqualification ? (
        <ReinstateForm reply={reply} team={team} {...disqualification} closeTo={here} />
      ) : (
        <DisqualifyForm reply={reply} team={team} closeTo={here} />
      )}
    </RouteDialog>
  );
}
