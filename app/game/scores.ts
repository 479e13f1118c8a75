import type { GameMap } from "./maps";

/** How one map of a match ended: rounds won by the first and by the second side. */
export interface MapResult {
  /** Null where nobody said. */
  map: GameMap | null;
  rounds: [number, number];
}

/** Rounds that win a map, unless the other side has 12 by then. */
export const ROUNDS_TO_WIN = 13;

/**
 * Whether a map can end like this: 13 rounds win, from 12 to 12 on two more than the others do (the game's overtime).
 */
export function isMapScore([one, two]: readonly [number, number]): boolean {
  const [most, least] = one > two ? [one, two] : [two, one];
  if (!Number.isInteger(most) || !Number.isInteger(least) || least < 0) return false;
  return most === ROUNDS_TO_WIN ? least <= ROUNDS_TO_WIN - 2 : most > ROUNDS_TO_WIN && most - least === 2;
}

/** Maps that win a match. @param bestOf 1, 3 or 5 */
export const mapsToWin = (bestOf: number): number => (bestOf + 1) / 2;

/** Maps won by each side. */
export const mapScore = (maps: readonly MapResult[]): [number, number] => [
  maps.filter(({ rounds: [one, two] }) => one > two).length,
  maps.filter(({ rounds: [one, two] }) => two > one).length,
];

/** Rounds won by each side, over all maps. */
export const roundScore = (maps: readonly MapResult[]): [number, number] =>
  maps.reduce<[number, number]>(([one, two], { rounds }) => [one + rounds[0], two + rounds[1]], [0, 0]);

/** Whether two captains say the same: each map as it ended, under the same name where both name it. */
export const isSameScore = (one: readonly MapResult[], two: readonly MapResult[]): boolean =>
  one.length === two.length &&
  one.every(({ map, rounds }, index) => {
    const other = two[index];
    return String(rounds) === String(other?.rounds) && (map === null || !other?.map || map === other.map);
  });

/** Why a match can't have ended like this. `map` is the one it is about, from 0; null for the match as a whole. */
export interface ScoreProblem {
  map: number | null;
  problem: "not-a-map-score" | "unfinished" | "too-many-maps" | "played-on" | "same-map";
}

/**
 * Looks for what is wrong with a match's score: each map must be won, none is played twice, and the match ends with the map
 * that decides it.
 * @param bestOf 1, 3 or 5
 * @returns the first problem; null when it is a score
 */
export function findScoreProblem(maps: readonly MapResult[], bestOf: number): ScoreProblem | null {
  if (maps.length > bestOf) return { map: null, problem: "too-many-maps" };
  for (const [index, { map, rounds }] of maps.entries()) {
    if (Math.max(...mapScore(maps.slice(0, index))) === mapsToWin(bestOf)) return { map: index, problem: "played-on" };
    if (!isMapScore(rounds)) return { map: index, problem: "not-a-map-score" };
    if (map && maps.findIndex((other) => other.map === map) < index) return { map: index, problem: "same-map" };
  }
  return Math.max(...mapScore(maps)) === mapsToWin(bestOf) ? null : { map: null, problem: "unfinished" };
}
