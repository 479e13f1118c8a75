import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { isTournament } from "~/features/tournaments/play/queries.server";
import { pressTeamsButton } from "~/features/tournaments/registration/actions.server";
import { teamsButtonSchema } from "~/features/tournaments/registration/schema";
import { findOwnSearch, listSeekers } from "~/features/tournaments/registration/seekers/queries.server";
import { SeekerList } from "~/features/tournaments/registration/seekers/seeker-list";
import { TeamList } from "~/features/tournaments/registration/team-list";
import { listTeams } from "~/features/tournaments/registration/team-list.server";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { ToastReply } from "~/platform/forms/forms";
import { pageLinks } from "~/platform/lists/keyset.server";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import { readSearch, type SearchParams, writeSearch } from "~/platform/search-params/search-params";
import teamsStyles from "~/styles/tournament-teams.css";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: teamsStyles }];

export const meta: MetaFunction<typeof loader> = ({ params, matches }) =>
  publicPage({
    title: "Teams",
    description: "The teams of a VALORANT tournament on Lineup.",
    path: `/tournaments/${params.tournamentId}/teams`,
    origin: originOf(matches),
    indexed: false,
  });

const SEEKERS = { cursor: { kind: "cursor", by: "number" } } satisfies SearchParams;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, claim } = context;
  const { cursor } = readSearch(SEEKERS, new URL(request.url).searchParams);
  const [isKnown, viewer, teams, page, own] = await Promise.all([
    isTournament(context, id),
    context.viewer(),
    listTeams(db, id, claim?.userId),
    listSeekers(db, id, claim?.userId, cursor),
    claim && findOwnSearch(db, id, claim.userId),
  ]);
  if (!isKnown) notFound(context, request);
  const addressOf = (place: typeof cursor) =>
    `/tournaments/${id}/teams${writeSearch(SEEKERS, { cursor: place })}#seekers`;
  return {
    teams,
    seekers: page.items,
    pages: pageLinks(request, { cursor, page, addressOf }),
    isFirstPage: page.isFirst,
    isListed: Boolean(viewer && own),
    viewerId: viewer?.id ?? null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const tournamentId = tournamentIdOf(params, context, request);
  const button = teamsButtonSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!button.success) notFound(context, request);
  return answerButton(args, {
    limit: "roster",
    to: `/tournaments/${tournamentId}`,
    run: ({ viewer }) => pressTeamsButton(context, button.data.intent, { tournamentId, userId: viewer.id }),
  });
}

export default function TeamsTab() {
  const { teams, viewerId, ...list } = useLoaderData<typeof loader>();
  const { tournament, team } = useTournament();
  useReplyToast(useReply<ToastReply>());
  return (
    <>
      <TeamList teams={teams} ownId={team?.id ?? null} />
      {tournament.teamSize > 1 && tournament.state === "open" && (
        <SeekerList
          {...list}
          viewerId={viewerId}
          isCaptain={team?.isCaptain ?? false}
          canSeek={!team && !tournament.isHidden}
        />
      )}
    </>
  );
}
