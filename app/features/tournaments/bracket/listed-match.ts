import type { ShownTime } from "~/platform/dates/dates";
import { slotName } from "../shared/match-names";
import type { BracketMatch } from "./matches";

/** A match's state as pages show it: the database's state, or `playing` once both teams have checked in. */
export type ListedState = "waiting" | "ready" | "playing" | "reported" | "disputed" | "finished" | "bye" | "idle";

/**
 * The match that a side comes from, as the database writes it: `W12` is the winner of match 12, `L3` the loser of match
 * 3.
 */
export type Source = `W${number}` | `L${number}`;

/** A match as shown on pages that list many. */
export interface ListedMatch extends Pick<BracketMatch, "id" | "part" | "group" | "round" | "rounds" | "number"> {
  bestOf: number;
  /** The side that starts one map up, 1 or 2; null in nearly all matches. */
  advantage: 1 | 2 | null;
  sources: readonly [Source | null, Source | null];
  /** Numbers in the page's list of teams; null while a team isn't known, and where there is none. */
  teams: readonly [number | null, number | null];
  /** Maps won, once the match is finished. */
  scores: readonly [number | null, number | null];
  /** The side that won, 1 or 2. */
  winner: number | null;
  /** The side that lost by forfeit, 1 or 2. */
  forfeit: number | null;
  state: ListedState;
  /** When check-in ends; null while check-in isn't open. */
  checkInBy: ShownTime | null;
}

/** A match on its way to the browser: without field names, since a page may hold two thousand of them. */
type PackedMatch = ReturnType<typeof packMatch>;

export const packMatch = (match: ListedMatch) =>
  [
    match.id,
    match.part,
    match.group,
    match.round,
    match.rounds,
    match.number,
    match.bestOf,
    ...match.sources,
    ...match.teams,
    ...match.scores,
    match.winner,
    match.forfeit,
    match.state,
    match.checkInBy,
    // Hardly any match has an advantage, so the others leave it out.
    ...(match.advantage === null ? ([] as const) : ([match.advantage] as const)),
  ] as const;

/** Unpacks a match packed by `packMatch`. */
export const unpackMatch = (packed: PackedMatch): ListedMatch => ({
  id: packed[0],
  part: packed[1],
  group: packed[2],
  round: packed[3],
  rounds: packed[4],
  number: packed[5],
  bestOf: packed[6],
  sources: [packed[7], packed[8]],
  teams: [packed[9], packed[10]],
  scores: [packed[11], packed[12]],
  winner: packed[13],
  forfeit: packed[14],
  state: packed[15],
  checkInBy: packed[16],
  advantage: packed[17] ?? null,
});

export type Matches = ReadonlyMap<number, ListedMatch>;

/** Whether two teams play this match: false for a bye, and for a match that is never played. */
export const isPlayed = ({ state }: Pick<ListedMatch, "state">): boolean => state !== "bye" && state !== "idle";

/** Finds the match whose winner or loser fills a side, looking past byes; null if the seeding fills it. */
export function sourceOf(
  { sources }: Pick<ListedMatch, "sources">,
  side: 0 | 1,
  matches: Matches,
): { match: ListedMatch; outcome: "winner" | "loser" } | null {
  const source = sources[side];
  const match = source && matches.get(Number(source.slice(1)));
  if (!source || !match) return null;
  if (match.state !== "bye") return { match, outcome: source.startsWith("W") ? "winner" : "loser" };
  // A bye isn't played: its one team goes on, so look where that team comes from.
  return sourceOf(match, 0, matches) ?? sourceOf(match, 1, matches);
}

/** Describes a side whose team isn't known yet: "Winner of semi-final 2". */
export function openSide(match: ListedMatch, side: 0 | 1, matches: Matches): string {
  const source = sourceOf(match, side, matches);
  return source
    ? slotName({ from: { match: source.match.id, outcome: source.outcome } }, source.match)
    : "To be decided";
}
