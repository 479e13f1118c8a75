import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { unpackMatch } from "~/features/tournaments/bracket/listed-match";
import { MATCH_LIST } from "~/features/tournaments/bracket/match-list";
import { MatchSections } from "~/features/tournaments/bracket/match-sections";
import { presentMatchList } from "~/features/tournaments/bracket/present.server";
import { listMatches, listTeamNames } from "~/features/tournaments/bracket/queries.server";
import { findOwnTeamId } from "~/features/tournaments/own-team.server";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { isTournament } from "~/features/tournaments/play/queries.server";
import { notFound } from "~/platform/request/not-found.server";
import { readSearch, writeSearch } from "~/platform/search-params/search-params";
import bracketStyles from "~/styles/bracket.css";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: bracketStyles }];

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, claim } = context;
  const userId = claim?.userId;
  const { page } = readSearch(MATCH_LIST, new URL(request.url).searchParams);
  const [isKnown, viewer, rows, teams, ownTeamId, clock] = await Promise.all([
    isTournament(context, id),
    context.viewer(),
    listMatches(db, id),
    listTeamNames(db, id),
    userId ? findOwnTeamId(db, id, userId) : undefined,
    context.clock(),
  ]);
  if (!isKnown) notFound(context, request);
  const reader = { clock, ownTeamId: viewer ? ownTeamId : undefined };
  const { previous, next, ...list } = presentMatchList(rows, teams, reader, page);
  return { ...list, previous: addressOf(id, previous), next: addressOf(id, next) };
}

/** Returns the address of a page of the list. */
const addressOf = (tournamentId: string, page: number | null) =>
  page === null ? null : `/tournaments/${tournamentId}/matches${writeSearch(MATCH_LIST, { page })}`;

/** All matches of a tournament, the reader's own first. */
export default function MatchesTab() {
  const { tournament } = useTournament();
  const { matches, teams, own, total, previous, next, ...list } = useLoaderData<typeof loader>();
  if (total === 0) {
    return <p className="pt-3 text-muted">The matches are drawn when the tournament starts.</p>;
  }
  const page = {
    tournamentId: tournament.id,
    matches: new Map(matches.map((match) => [match[0], unpackMatch(match)])),
    teams,
    own,
  };
  return <MatchSections list={list} page={page} previous={previous} next={next} />;
}
