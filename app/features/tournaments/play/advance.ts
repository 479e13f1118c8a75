import type { Side } from "#party/wire/tournament-commands";
import { type MapResult, mapScore, mapsNeeded, roundScore } from "~/game/scores";
import { MINUTE } from "~/platform/dates/durations";
import { enterResult, type Result } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import { champion, standings, type TeamStanding } from "../bracket/standings";
import { type Decision, event, type Moment, nameOf, type PlayEvent } from "./decision";
import { rowsOf } from "./rows";
import { otherSide, type PlayMatch, type PlayState, type PlayTeam, teamOf } from "./state";

/* The progress of a tournament: a match ends, and the bracket determines which can be played next. */

/** The time that teams have to check in once both are known, in milliseconds. */
const CHECK_IN_TIME = 15 * MINUTE;

/** A match that ends, and how. */
interface Ending extends Moment {
  state: PlayState;
  match: PlayMatch;
  outcome: { maps: MapResult[] } | { forfeits: Side };
  /** The event that records the end; the result is added to its details. */
  record: PlayEvent;
}

/** A state, and the events that led to it. */
interface Advanced {
  state: PlayState;
  events: PlayEvent[];
}

/**
 * Ends a match. Its winner and loser move on, a disqualified team immediately forfeits its next match, and the last
 * match ends the tournament.
 */
export async function finish(ending: Ending): Promise<Decision> {
  const ended = await end(ending);
  return { ok: true, ...withChampion(await forfeitAll(ended, ending)) };
}

/**
 * Ends every open match of a disqualified team in favour of the other side, including matches that open as a result.
 */
export async function forfeitAll({ state, events }: Advanced, moment: Moment): Promise<Advanced> {
  for (;;) {
    const open = state.matches.find((match) => isOpen(match) && disqualifiedSide(state, match) !== null);
    if (!open) return { state, events };
    const forfeits = disqualifiedSide(state, open) as Side;
    const record = event("defaulted", open, null, {});
    const ended = await end({ ...moment, state, match: open, outcome: { forfeits }, record });
    state = ended.state;
    events = [...events, ...ended.events];
  }
}

const isOpen = ({ state }: PlayMatch) => state === "ready" || state === "reported" || state === "disputed";

/** Returns the disqualified side, the first one if both were disqualified; null if neither was. */
export function disqualifiedSide({ teams }: PlayState, match: Pick<PlayMatch, "team1" | "team2">): Side | null {
  const [one, two] = ([1, 2] as const).map(
    (side) => teams.find(({ id }) => id === teamOf(match, side))?.disqualification?.at ?? Number.POSITIVE_INFINITY,
  ) as [number, number];
  if (one === two && one === Number.POSITIVE_INFINITY) return null;
  return one < two ? 1 : 2;
}

async function end({ state, match, outcome, record, now, chance }: Ending): Promise<Advanced> {
  const result: Result =
    "maps" in outcome
      ? { scores: mapScore(outcome.maps, match), rounds: roundScore(outcome.maps) }
      : { forfeits: outcome.forfeits === 1 ? 0 : 1, mapsToWin: mapsNeeded(match, otherSide(outcome.forfeits)) };
  const snapshot = await enterResult(state.snapshot as Snapshot, match.id, result, state, disqualifiedTeams(state));
  const played = withBracket(withMatch(state, match), snapshot, { now, chance });
  const ended: PlayState = {
    ...played,
    matches: played.matches.map((row) =>
      row.id === match.id
        ? { ...row, maps: "maps" in outcome ? outcome.maps : null, finishedAt: now, confirmBy: null, deadlineAt: null }
        : row,
    ),
  };
  const [one, two] = "maps" in outcome ? mapScore(outcome.maps, match) : [0, 0];
  const winner = (one > two || ("forfeits" in outcome && outcome.forfeits === 2) ? 1 : 2) as Side;
  const playEvent: PlayEvent = {
    ...record,
    details: {
      ...record.details,
      one,
      two,
      winner: nameOf(state, teamOf(match, winner)),
      loser: nameOf(state, teamOf(match, otherSide(winner))),
      forfeit: "forfeits" in outcome ? 1 : 0,
    },
  };
  return { state: ended, events: [playEvent] };
}

/** Returns the currently disqualified teams. */
export const disqualifiedTeams = ({ teams }: PlayState): ReadonlySet<string> =>
  new Set(teams.flatMap(({ id, disqualification }) => (disqualification ? [id] : [])));

/** Finishes the tournament once its last match is decided: every team gets its final place. */
export function withChampion({ state, events }: Advanced): Advanced {
  const snapshot = state.snapshot as Snapshot;
  if (champion(snapshot, state.tieBreaks) === null) return { state, events };
  const places = finalPlaces(standings(snapshot, state.tieBreaks, disqualifiedTeams(state)), state.teams);
  const winnerTeamId = [...places].find(([, { place }]) => place === 1)?.[0] ?? null;
  return {
    state: {
      ...state,
      state: "finished",
      winnerTeamId,
      teams: state.teams.map((team) => ({ ...team, ...(places.get(team.id) ?? NO_PLACE) })),
    },
    events: [...events, { action: "won", match: null, actorId: null, details: { team: nameOf(state, winnerTeamId) } }],
  };
}

type FinalPlace = Pick<PlayTeam, "place" | "lastPlace">;

const NO_PLACE: FinalPlace = { place: null, lastPlace: null };

/**
 * Returns each team's final place. A disqualified team ranks below all teams that were still in at the time, and below
 * the teams that would share its place.
 */
function finalPlaces(standings: readonly TeamStanding[], teams: readonly PlayTeam[]): Map<string, FinalPlace> {
  const out = new Map(teams.flatMap(({ id, disqualification }) => (disqualification ? [[id, disqualification]] : [])));
  const reached = new Map(standings.map(({ team, place }) => [team, place]));
  const shared = new Map<number, string[]>();
  for (const { team, place } of standings) {
    if (!out.has(team)) shared.set(place, [...(shared.get(place) ?? []), team]);
  }
  const inOrder = [...shared.values()];
  let previous = -1;
  // Latest first: a team disqualified later was still in when the others went out.
  for (const [team, { left }] of [...out].sort(([, a], [, b]) => b.at - a.at)) {
    let before = 0;
    const index = inOrder.findIndex((group, at) => {
      const comesFirst = group.some(
        (other) => !out.has(other) && (reached.get(other) as number) <= (reached.get(team) as number),
      );
      if (before >= left && at > previous && !comesFirst) return true;
      before += group.length;
      return false;
    });
    previous = index < 0 ? inOrder.length : index;
    inOrder.splice(previous, 0, [team]);
  }
  const places = new Map<string, FinalPlace>();
  for (const group of inOrder) {
    const place = places.size + 1;
    const lastPlace = group.length > 1 ? places.size + group.length : null;
    for (const team of group) places.set(team, { place, lastPlace });
  }
  return places;
}

/**
 * Puts a new bracket into the state. Matches whose teams are now known are called: check-in begins, for a group match
 * only in its turn. A match that was called before keeps its deadline. Check-in never ends before the tournament's
 * date.
 */
export const withBracket = (state: PlayState, snapshot: Snapshot, moment: Moment): PlayState =>
  callMatches({ ...state, snapshot, matches: rowsOf(snapshot, state, state.matches) }, moment);

/** Calls the matches that can be played and have no deadline yet. @returns the same state if there are none */
export function callMatches(state: PlayState, moment: Moment): PlayState {
  const open = state.matches.filter(({ part, state: status }) => isInTurns(part) && status !== "finished");
  const called = state.matches.filter(
    (match) =>
      match.state === "ready" &&
      match.deadlineAt === null &&
      isItsTurn(match, open) &&
      // Players aren't called to a match that is forfeited immediately.
      disqualifiedSide(state, match) === null,
  );
  const deadlineAt = Math.max(moment.now, state.tournamentDate) + CHECK_IN_TIME;
  return called.reduce((next, match) => withMatch(next, { ...begin(match, moment), deadlineAt }), state);
}

/**
 * Opens a match and its chat: when its turn comes, or earlier if a command arrives for it. A match that is already open
 * stays as it is.
 */
export const begin = (match: PlayMatch, { now, chance: { newId } }: Moment): PlayMatch =>
  match.readyAt === null ? { ...match, readyAt: now, conversationId: match.conversationId ?? newId() } : match;

/** In these parts of a bracket, the teams of all matches are known from the start. */
const isInTurns = (part: PlayMatch["part"]) => part === "group" || part === "tie-break";

/**
 * Whether it is a match's turn. In a group all matches are known from the start, but a team plays one after the other:
 * its players are told, and check-in begins, when its matches of earlier rounds are over. Teams may play sooner.
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
