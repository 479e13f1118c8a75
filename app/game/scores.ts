import type { GameMap } from "./maps";

/** The result of one map: rounds won by the first and by the second side. */
export interface MapResult {
  /** Null if the report doesn't name it. */
  map: GameMap | null;
  rounds: [number, number];
}

/** The rounds that win a map, unless the other side already has 12. */
export const ROUNDS_TO_WIN = 13;

/** Whether a map can end with this score: 13 rounds win; from 12–12 on, a lead of two rounds wins (overtime). */
export function isMapScore([one, two]: readonly [number, number]): boolean {
  const [most, least] = one > two ? [one, two] : [two, one];
  if (!Number.isInteger(most) || !Number.isInteger(least) || least < 0) return false;
  return most === ROUNDS_TO_WIN ? least <= ROUNDS_TO_WIN - 2 : most > ROUNDS_TO_WIN && most - least === 2;
}

/** The length of a match. */
export interface MatchLength {
  /** 1, 3 or 5. If a side starts one map up, that map is included. */
  bestOf: number;
  /** The side that starts one map up, 1 or 2; null in nearly all matches. */
  advantage: 1 | 2 | null;
}

/** Returns the number of maps that wins a match. @param bestOf 1, 3 or 5 */
export const mapsToWin = (bestOf: number): number => (bestOf + 1) / 2;

/** Returns the number of maps that a side must win by playing. */
export const mapsNeeded = ({ bestOf, advantage }: MatchLength, side: 1 | 2): number =>
  mapsToWin(bestOf) - (advantage === side ? 1 : 0);

/** Returns the maximum number of maps to play, not counting the one that a side starts with. */
export const mapsToPlay = ({ bestOf, advantage }: MatchLength): number => bestOf - (advantage === null ? 0 : 1);

/** Counts the maps won by each side, including the one that a side started with. */
export const mapScore = (
  maps: readonly MapResult[],
  { advantage }: Pick<MatchLength, "advantage">,
): [number, number] => [
  maps.filter(({ rounds: [one, two] }) => one > two).length + (advantage === 1 ? 1 : 0),
  maps.filter(({ rounds: [one, two] }) => two > one).length + (advantage === 2 ? 1 : 0),
];

/**
 * Returns " from 1–0" or " from 0–1" if a side starts one map up, else an empty string.
 * @param left the side whose maps come first
 */
export const describeStart = ({ advantage }: Pick<MatchLength, "advantage">, left: 1 | 2 = 1): string =>
  advantage === null ? "" : advantage === left ? " from 1–0" : " from 0–1";

/** Describes the length of a match: "best of 5", "best of 5 from 1–0". @param left as for `describeStart` */
export const describeLength = (length: MatchLength, left: 1 | 2 = 1): string =>
  `best of ${length.bestOf}${describeStart(length, left)}`;

/** Sums the rounds won by each side over all maps. */
export const roundScore = (maps: readonly MapResult[]): [number, number] =>
  maps.reduce<[number, number]>(([one, two], { rounds }) => [one + rounds[0], two + rounds[1]], [0, 0]);

/** Whether two reports agree: in the score of each map, and in its name if both give one. */
export const isSameScore = (one: readonly MapResult[], two: readonly MapResult[]): boolean =>
  one.length === two.length &&
  one.every(({ map, rounds }, index) => {
    const other = two[index];
    return String(rounds) === String(other?.rounds) && (map === null || !other?.map || map === other.map);
  });

/** Why a score is impossible. `map` is the index of the map concerned; null for the match as a whole. */
export interface ScoreProblem {
  map: number | null;
  problem: "not-a-map-score" | "unfinished" | "too-many-maps" | "played-on" | "same-map";
}

/**
 * Finds an error in a match's score. Each map must have a winner, no map may be played twice, and the match must end
 * with the map that decides it.
 * @param maps the maps that were played
 * @returns the first problem; null for a valid score
 */
export function findScoreProblem(maps: readonly MapResult[], length: MatchLength): ScoreProblem | null {
  const needed = mapsToWin(length.bestOf);
  if (maps.length > mapsToPlay(length)) return { map: null, problem: "too-many-maps" };
  for (const [index, { map, rounds }] of maps.entries()) {
    if (Math.max(...mapScore(maps.slice(0, index), length)) === needed) return { map: index, problem: "played-on" };
    if (!isMapScore(rounds)) return { map: index, problem: "not-a-map-score" };
    if (map && maps.findIndex((other) => other.map === map) < index) return { map: index, problem: "same-map" };
  }
  return Math.max(...mapScore(maps, length)) === needed ? null : { map: null, problem: "unfinished" };
}
