import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { pressTeamsButton } from "~/features/tournaments/registration/check-in-action.server";
import { listSeekers, listTeams } from "~/features/tournaments/registration/queries.server";
import { teamsButtonSchema } from "~/features/tournaments/registration/schema";
import { SeekerList } from "~/features/tournaments/registration/seeker-list";
import { TeamList } from "~/features/tournaments/registration/team-list";
import { useTournament } from "~/features/tournaments/use-tournament";
import type { ToastReply } from "~/platform/forms/forms";
import { refuseAction } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ params, matches }) =>
  publicPage({
    title: "Teams",
    description: "The teams of a VALORANT tournament on Lineup.",
    path: `/tournaments/${params.tournamentId}/teams`,
    origin: originOf(matches),
    indexed: false,
  });

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, claim } = context;
  const [viewer, teams, seekers] = await Promise.all([
    context.viewer(),
    listTeams(db, id),
    listSeekers(db, id, claim?.userId),
  ]);
  return { teams, seekers, viewerId: viewer?.id ?? null };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const button = teamsButtonSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!button.success) notFound(context, request);
  const userId = await claimedUserId(context, request);
  const [viewer, limit] = await Promise.all([requireViewer(context, request), countUse(context, "roster", userId)]);
  if (!limit.allowed) return refuseAction(context, "Error", tooManyTries(limit.retryAfter));
  const pressed = await pressTeamsButton(context, button.data.intent, { tournamentId, userId: viewer.id });
  if (pressed.outcome === "missing") return notFound(context, request);
  if (pressed.outcome === "refused") return refuseAction(context, "Error", pressed);
  return redirectWithToast(context, pressed.to ?? `/tournaments/${tournamentId}`, pressed.toast);
}

export default function TeamsTab() {
  const { teams, seekers, viewerId } = useLoaderData<typeof loader>();
  const { tournament, team } = useTournament();
  useReplyToast(useActionData<ToastReply>());
  return (
    <>
      <TeamList teams={teams} ownId={team?.id ?? null} />
      {tournament.teamSize > 1 && tournament.state === "open" && (
        <SeekerList seekers={seekers} viewerId={viewerId} isCaptain={team?.isCaptain ?? false} canSeek={!team} />
      )}
    </>
  );
}
