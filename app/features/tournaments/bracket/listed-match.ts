import type { ShownTime } from "~/platform/dates/dates";
import { slotName } from "../shared/match-names";
import type { BracketMatch } from "./matches";

/**
 * How a match stands, for whoever looks at it: as the database says, but a match that both teams have checked in for is
 * `playing`.
 */
export type ListedState = "waiting" | "ready" | "playing" | "reported" | "disputed" | "finished" | "bye" | "idle";

/** Where a side comes from, as the database says it: `W12`, winner of match 12, or `L3`. */
export type Source = `W${number}` | `L${number}`;

/** A match as pages show it that list many. */
export interface ListedMatch extends Pick<BracketMatch, "id" | "part" | "group" | "round" | "rounds" | "number"> {
  bestOf: number;
  /** The side that starts one map up, 1 or 2; null in nearly all matches. */
  advantage: 1 | 2 | null;
  sources: readonly [Source | null, Source | null];
  /** Numbers in the page's list of teams; null while nobody is known, and for nobody. */
  teams: readonly [number | null, number | null];
  /** Maps won, once it is finished. */
  scores: readonly [number | null, number | null];
  /** The side that has won, 1 or 2. */
  winner: number | null;
  /** The side that has lost by forfeit, 1 or 2. */
  forfeit: number | null;
  state: ListedState;
  /** Until when its teams have to check in; null where they don't have to (yet, or any more). */
  checkInBy: ShownTime | null;
}

/** A match on its way to the browser: without names of fields, since there may be two thousand. */
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
    // Of two thousand matches one has it.
    ...(match.advantage === null ? ([] as const) : ([match.advantage] as const)),
  ] as const;

/** What `packMatch` has packed. */
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

/** Whether it is a match that two teams play, or will: not a bye, and not one that is never played. */
export const isPlayed = ({ state }: Pick<ListedMatch, "state">): boolean => state !== "bye" && state !== "idle";

/** The match whose winner or loser comes to a side, byes on the way passed by; null where the seeding says who it is. */
export function sourceOf(
  { sources }: Pick<ListedMatch, "sources">,
  side: 0 | 1,
  matches: Matches,
): { match: ListedMatch; outcome: "winner" | "loser" } | null {
  const source = sources[side];
  const match = source && matches.get(Number(source.slice(1)));
  if (!source || !match) return null;
  if (match.state !== "bye") return { match, outcome: source.startsWith("W") ? "winner" : "loser" };
  // Nobody plays for a bye: its other side is who comes.
  return sourceOf(match, 0, matches) ?? sourceOf(match, 1, matches);
}

/** Who will stand on a side that is open yet: "Winner of semi-final 2". */
export function openSide(match: ListedMatch, side: 0 | 1, matches: Matches): string {
  const source = sourceOf(match, side, matches);
  return source
    ? slotName({ from: { match: source.match.id, outcome: source.outcome } }, source.match)
    : "To be decided";
}
