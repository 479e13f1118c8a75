import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { unpackMatch } from "~/features/tournaments/bracket/listed-match";
import { MatchSections } from "~/features/tournaments/bracket/match-sections";
import { presentMatchList } from "~/features/tournaments/bracket/present.server";
import { listMatches, listTeamNames } from "~/features/tournaments/bracket/queries.server";
import { findOwnTeamId } from "~/features/tournaments/own-team.server";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import bracketStyles from "~/styles/bracket.css";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: bracketStyles }];

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, claim } = context;
  const userId = claim?.userId;
  const page = Number(new URL(request.url).searchParams.get("page"));
  const [viewer, rows, teams, ownTeamId, clock] = await Promise.all([
    context.viewer(),
    listMatches(db, id),
    listTeamNames(db, id),
    userId ? findOwnTeamId(db, id, userId) : undefined,
    context.clock(),
  ]);
  const reader = { clock, ownTeamId: viewer ? ownTeamId : undefined };
  return presentMatchList(rows, teams, reader, Number.isInteger(page) && page > 0 ? page : 1);
}

/** All matches of a tournament, the reader's own first. */
export default function MatchesTab() {
  const { tournament } = useTournament();
  const { matches, teams, own, total, ...list } = useLoaderData<typeof loader>();
  if (total === 0) {
    return <p className="pt-3 text-muted">The matches are drawn when the tournament starts.</p>;
  }
  const page = {
    tournamentId: tournament.id,
    matches: new Map(matches.map((match) => [match[0], unpackMatch(match)])),
    teams,
    own,
  };
  return <MatchSections list={list} page={page} />;
}
