import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { BeforeStart } from "~/features/tournaments/bracket/before-start";
import { Bracket } from "~/features/tournaments/bracket/bracket";
import { Champions, winnersPath } from "~/features/tournaments/bracket/champions";
import { FinalPlaces } from "~/features/tournaments/bracket/final-places";
import { Groups } from "~/features/tournaments/bracket/groups";
import { unpackMatch } from "~/features/tournaments/bracket/listed-match";
import { presentBracket } from "~/features/tournaments/bracket/present.server";
import {
  findTieBreaks,
  listChampions,
  listMatches,
  listTeamNames,
} from "~/features/tournaments/bracket/queries.server";
import { readView } from "~/features/tournaments/bracket/view.server";
import { findOwnTeamId } from "~/features/tournaments/own-team.server";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { isTournament } from "~/features/tournaments/play/queries.server";
import { notFound } from "~/platform/request/not-found.server";
import bracketStyles from "~/styles/bracket.css";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { useInertBehindDialog } from "~/ui/dialogs/use-inert-behind-dialog";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: bracketStyles }];

export const shouldRevalidate = keepUnderDialog;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, claim } = context;
  const userId = claim?.userId;
  const [isKnown, viewer, rows, teams, champions, tieBreaks, ownTeamId, clock] = await Promise.all([
    isTournament(context, id),
    context.viewer(),
    listMatches(db, id),
    listTeamNames(db, id),
    listChampions(db, id, userId),
    findTieBreaks(db, id),
    userId ? findOwnTeamId(db, id, userId) : undefined,
    context.clock(),
  ]);
  if (!isKnown) notFound(context, request);
  return {
    ...presentBracket(rows, teams, tieBreaks?.tieBreaks, { clock, ownTeamId: viewer ? ownTeamId : undefined }),
    champions: champions.map(({ userId: memberId, ...player }) => ({ ...player, isYou: memberId === viewer?.id })),
    view: readView(context, request),
  };
}

/** The tournament's bracket, with the tournament's dialogs over it. */
export default function BracketTab() {
  return (
    <>
      <div {...useInertBehindDialog()}>
        <WholeBracket />
      </div>
      <Outlet />
    </>
  );
}

/** The bracket before, during and after play. */
function WholeBracket() {
  const { tournament, team, isOrganiser } = useTournament();
  const { matches: packed, teams, own, tables, places, winner, champions, view } = useLoaderData<typeof loader>();
  const page = useMemo(() => {
    const matches = new Map(packed.map((match) => [match[0], unpackMatch(match)]));
    return { tournamentId: tournament.id, matches, teams, own };
  }, [packed, teams, own, tournament.id]);
  if (packed.length === 0) {
    return tournament.state === "open" ? (
      <BeforeStart
        date={tournament.isDue ? null : tournament.date}
        seeding={tournament.seeding}
        teams={teams}
        own={own}
        seedingPage={isOrganiser && !tournament.isHidden ? `/tournaments/${tournament.id}/seeding` : null}
      />
    ) : (
      <p className="pt-3 text-muted">There's no bracket: the tournament never started.</p>
    );
  }
  return (
    <>
      <div className="mb-4 grid gap-x-16 empty:hidden lg:grid-cols-2">
        {tournament.winner && (
          <Champions
            name={tournament.winner}
            size={tournament.teamSize}
            players={champions}
            path={winner === null ? [] : winnersPath(page.matches.values(), winner)}
            page={page}
          />
        )}
        {places.length > 0 && <FinalPlaces tournamentId={tournament.id} places={places} ownTeamId={team?.id ?? null} />}
      </div>
      <div className="grid grid-cols-1 gap-10">
        {packed.some(([, part]) => part !== "group" && part !== "tie-break") && <Bracket page={page} view={view} />}
        {tables.length > 0 && <Groups tables={tables} rules={tournament} page={page} />}
      </div>
    </>
  );
}
