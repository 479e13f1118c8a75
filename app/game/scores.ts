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

/** How long a match is. */
export interface MatchLength {
  /** 1, 3 or 5. Where a side starts one map up, that map is one of them. */
  bestOf: number;
  /** The side that starts one map up, 1 or 2; null in nearly all matches. */
  advantage: 1 | 2 | null;
}

/** Maps that win a match. @param bestOf 1, 3 or 5 */
export const mapsToWin = (bestOf: number): number => (bestOf + 1) / 2;

/** Maps that a side has to win by playing. */
export const mapsNeeded = ({ bestOf, advantage }: MatchLength, side: 1 | 2): number =>
  mapsToWin(bestOf) - (advantage === side ? 1 : 0);

/** The most maps that are played: the one that a side starts with is not. */
export const mapsToPlay = ({ bestOf, advantage }: MatchLength): number => bestOf - (advantage === null ? 0 : 1);

/** Maps won by each side, with the one that a side started with. */
export const mapScore = (
  maps: readonly MapResult[],
  { advantage }: Pick<MatchLength, "advantage">,
): [number, number] => [
  maps.filter(({ rounds: [one, two] }) => one > two).length + (advantage === 1 ? 1 : 0),
  maps.filter(({ rounds: [one, two] }) => two > one).length + (advantage === 2 ? 1 : 0),
];

/** " from 1–0" where a side starts one map up, else nothing. @param left the side whose maps come first */
export const sayStart = ({ advantage }: Pick<MatchLength, "advantage">, left: 1 | 2 = 1): string =>
  advantage === null ? "" : advantage === left ? " from 1–0" : " from 0–1";

/** "best of 5", "best of 5 from 1–0". @param left as for `sayStart` */
export const sayLength = (length: MatchLength, left: 1 | 2 = 1): string =>
  `best of ${length.bestOf}${sayStart(length, left)}`;

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
 * @param maps those that were played
 * @returns the first problem; null when it is a score
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
