import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { HiddenTournament } from "~/features/tournaments/page/hidden-tournament";
import { LiveTournament } from "~/features/tournaments/page/use-tournament-room";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findReinstatement } from "~/features/tournaments/play/reinstatement.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { leaveGoneTeam, pressRosterButton } from "~/features/tournaments/registration/actions.server";
import { sayClosed } from "~/features/tournaments/registration/refusals";
import { mayDisqualify, mayWithdraw } from "~/features/tournaments/registration/rules";
import { rosterButtonSchema } from "~/features/tournaments/registration/schema";
import { listAcquaintances, listInvited } from "~/features/tournaments/registration/team/candidates.server";
import { SHOW_REASON } from "~/features/tournaments/registration/team/hidden-reason";
import { Invitations } from "~/features/tournaments/registration/team/invitations";
import { isRosterOpen } from "~/features/tournaments/registration/team/page";
import { findTeam } from "~/features/tournaments/registration/team/queries.server";
import { Roster } from "~/features/tournaments/registration/team/roster";
import { TeamHead } from "~/features/tournaments/registration/team/team-head";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { ButtonLink } from "~/ui/button";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { team, tournament } = data;
  return publicPage({
    title: `${team.name} – ${tournament.title}`,
    description: `A team of the VALORANT tournament ${tournament.title}.`,
    path: `/tournaments/${tournament.id}/teams/${team.id}`,
    origin: originOf(matches),
    indexed: false,
  });
};

export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const teamId = idParam(params, "teamId", context, request);
  const { db, claim, isPrefetch, now, origin } = context;
  const userId = claim?.userId;
  const subject = subjectOf("tournament-team", tournamentId, teamId);
  const place = { tournamentId, teamId };
  const [viewer, news, tournament, team, canReinstate, invited, acquaintances, unread] = await Promise.all([
    context.viewer(),
    userId ? findUnreadNews(db, userId, subject) : [],
    findTournament(db, tournamentId, userId),
    findTeam(db, place, userId),
    userId ? findReinstatement(db, place, userId) : null,
    userId ? listInvited(db, teamId, userId) : [],
    userId ? listAcquaintances(db, place, userId) : [],
    userId ? countUnread(db, userId, isPrefetch ? null : { subject }) : null,
  ]);
  if (!tournament || (tournament.hiddenAt && !viewer)) notFound(context, request);
  if (!team) {
    // Only an open page's own reload leaves for the teams: its team has withdrawn or was removed.
    if (context.isDocument || isPrefetch) notFound(context, request);
    throw leaveGoneTeam(context, tournamentId);
  }
  if (viewer) resolveNewsLater(context, viewer.id, news);
  const isCaptain = viewer !== null && team.captainId === viewer.id;
  const { inviteToken, captainId, isInvited, members, disqualification, disqualifiedAt, isReasonHidden, ...shown } =
    team;
  const isOrganiser = viewer !== null && tournament.viewer.isOrganiser;
  const isReferee = isOrganiser && !tournament.hiddenAt && mayDisqualify(tournament.state, team);
  const isMember = viewer !== null && members.some((member) => member.userId === viewer.id);
  const mayReadReason = disqualification !== null && (isOrganiser || isMember);
  const isHidden = isReasonHidden && !new URL(request.url).searchParams.has(SHOW_REASON);
  const { title, state, teamSize, hiddenAt } = tournament;
  const shownTournament = { id: tournamentId, title, state, teamSize, isHidden: hiddenAt !== null };
  return {
    tournament: shownTournament,
    closed: sayClosed(shownTournament, members.length),
    team: shown,
    // If the session has ended, remove the details that only the team may see: the query trusted the session's claim.
    members: viewer ? members : members.map((member) => ({ ...member, riotId: null, discordTag: null })),
    isCaptain,
    isOrganiser,
    disqualified:
      disqualification === null
        ? null
        : { reason: mayReadReason && !isHidden ? disqualification : null, isHidden: mayReadReason && isHidden },
    canDisqualify: isReferee && canReinstate !== false,
    hasLaterMatch: isReferee && canReinstate === false,
    isInvited: viewer !== null && isInvited,
    canWithdraw: isCaptain && mayWithdraw(tournament, team.state, now),
    inviteLink: isCaptain && inviteToken ? `${origin}/tournaments/${tournamentId}/join/${inviteToken}` : null,
    invited: isCaptain ? invited : [],
    acquaintances: isCaptain ? acquaintances : [],
    now: now.getTime(),
    ...presentFrame(viewer, unread),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const tournamentId = tournamentIdOf(params, context, request);
  const teamId = idParam(params, "teamId", context, request);
  const form = await request.formData();
  const button = rosterButtonSchema.safeParse({ ...Object.fromEntries(form), players: form.getAll("players") });
  return answerButton(args, {
    limit: "roster",
    to: `/tournaments/${tournamentId}/teams/${teamId}`,
    async run({ viewer }) {
      if (button.success) {
        return pressRosterButton(context, button.data, { tournamentId, teamId, userId: viewer.id });
      }
      if (form.get("intent") !== "invite") return "missing";
      return { status: 400, error: button.error.issues[0]?.message ?? "Choose who to invite." };
    },
  });
}

export default function TeamPage() {
  const page = useLoaderData<typeof loader>();
  useReplyToast(useReply<FormReply>());
  const { viewer, tournament } = page;
  return (
    <PublicPage viewer={viewer} unread={page.unread} className="pt-7 md:pt-8" dialog={<Outlet />}>
      {tournament.state !== "cancelled" && <LiveTournament id={tournament.id} since={page.now} />}
      <p className="text-meta">
        <Link to={`/tournaments/${tournament.id}/teams`} dir="auto" className="link wrap-anywhere">
          {tournament.title}
        </Link>
      </p>
      {tournament.isHidden && <HiddenTournament className="mt-4" />}
      <TeamHead page={page} />
      <Roster page={page} />
      {page.isCaptain && isRosterOpen(tournament) && tournament.teamSize > 1 && <Invitations page={page} />}
      {page.canWithdraw && (
        <p className="mt-10 max-w-[760px] border-t border-line pt-3">
          <ButtonLink to={`/tournaments/${tournament.id}/withdraw`} variant="quiet" className="-ml-3.5">
            Withdraw
          </ButtonLink>
        </p>
      )}
    </PublicPage>
  );
}
