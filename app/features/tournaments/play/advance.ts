import { enterResult, type Result } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import { champion, standings, type TeamStanding } from "../bracket/standings";
import { type MapResult, mapScore, mapsToWin, roundScore } from "../scores";
import type { Side } from "./commands";
import { type Chance, type Decision, nameOf, type PlayEvent } from "./decision";
import { rowsOf } from "./rows";
import { otherSide, type PlayMatch, type PlayState, teamOf } from "./state";

/* How a tournament advances: a match ends, and the bracket says which ones can be played next. */

const MINUTE = 60_000;

/** How long teams have to check in once both are known. Milliseconds. */
const CHECK_IN_TIME = 15 * MINUTE;
/** A match ends; who goes on stands in the next one, and with the last match the tournament is over. */
export async function finish(
  state: PlayState,
  match: PlayMatch,
  how: { maps: MapResult[] } | { forfeits: Side },
  what: PlayEvent,
  now: number,
  chance: Chance,
): Promise<Decision> {
  const result: Result =
    "maps" in how
      ? { scores: mapScore(how.maps), rounds: roundScore(how.maps) }
      : { forfeits: how.forfeits === 1 ? 0 : 1, mapsToWin: mapsToWin(match.bestOf) };
  const snapshot = await enterResult(state.snapshot as Snapshot, match.id, result, state);
  const played = withBracket(withMatch(state, match), snapshot, now, chance);
  const ended: PlayState = {
    ...played,
    matches: played.matches.map((row) =>
      row.id === match.id
        ? { ...row, maps: "maps" in how ? how.maps : null, finishedAt: now, confirmBy: null, deadlineAt: null }
        : row,
    ),
  };
  const [one, two] = "maps" in how ? mapScore(how.maps) : [0, 0];
  const winner = (one > two || ("forfeits" in how && how.forfeits === 2) ? 1 : 2) as Side;
  const said: PlayEvent = {
    ...what,
    details: {
      ...what.details,
      one,
      two,
      winner: nameOf(state, teamOf(match, winner)),
      loser: nameOf(state, teamOf(match, otherSide(winner))),
      forfeit: "forfeits" in how ? 1 : 0,
    },
  };
  return { ok: true, ...withWinner(ended, [said]) };
}

const placesOf = (standing: TeamStanding | undefined) => ({
  place: standing?.place ?? null,
  lastPlace: standing && standing.lastPlace > standing.place ? standing.lastPlace : null,
});

function withWinner(state: PlayState, events: PlayEvent[]): { state: PlayState; events: PlayEvent[] } {
  const snapshot = state.snapshot as Snapshot;
  const winnerTeamId = champion(snapshot, state.tieBreaks);
  if (winnerTeamId === null) return { state, events };
  const places = new Map(standings(snapshot, state.tieBreaks).map((standing) => [standing.team, standing]));
  return {
    state: {
      ...state,
      state: "finished",
      winnerTeamId,
      teams: state.teams.map((team) => ({ ...team, ...placesOf(places.get(team.id)) })),
    },
    events: [...events, { action: "won", match: null, actorId: null, details: { team: nameOf(state, winnerTeamId) } }],
  };
}

/**
 * The state with another bracket: matches whose teams are both known from now on can be played from now on; in a group each
 * in its turn, and one that is being played by then keeps its time. Nobody has to be there before the tournament's date.
 */
export function withBracket(state: PlayState, snapshot: Snapshot, now: number, chance: Chance): PlayState {
  const rows = rowsOf(snapshot, state, state.matches);
  const open = rows.filter(({ part, state: standing }) => isInTurns(part) && standing !== "finished");
  const matches = rows.map((match) =>
    match.state === "ready" && match.deadlineAt === null && isItsTurn(match, open)
      ? { ...begun(match, now, chance), deadlineAt: Math.max(now, state.tournamentDate) + CHECK_IN_TIME }
      : match,
  );
  return { ...state, snapshot, matches };
}

/** A match whose turn it is, or in which something happens before that: its teams can write to each other. */
export const begun = (match: PlayMatch, now: number, { newId }: Chance): PlayMatch =>
  match.readyAt === null ? { ...match, readyAt: now, conversationId: match.conversationId ?? newId() } : match;

/** In these parts all matches are known at once. */
const isInTurns = (part: PlayMatch["part"]) => part === "group" || part === "tie-break";

/**
 * In a group all matches are known from the start, but a team plays one after the other: news and the time to check in
 * come when those of earlier rounds are over. Whoever wants to play sooner may.
 */
const isItsTurn = (match: PlayMatch, open: readonly PlayMatch[]): boolean =>
  !isInTurns(match.part) ||
  !open.some(
    (other) =>
      other.part === match.part &&
      other.group === match.group &&
      other.round < match.round &&
      [other.team1, other.team2].some((team) => team === match.team1 || team === match.team2),
  );

export const withMatch = (state: PlayState, match: PlayMatch): PlayState => ({
  ...state,
  matches: state.matches.map((row) => (row.id === match.id ? match : row)),
});
