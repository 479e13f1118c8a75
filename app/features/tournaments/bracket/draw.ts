import type { SeedOrdering } from "brackets-model";
import type { TieBreaks } from "#db/words/tie-breaks";
import type { Format, GrandFinal } from "#db/words/tournament-formats";
import { QUALIFIED } from "../format/formats";
import { type Step, stepsOf } from "../format/tie-breaks";
import { openSnapshot, type Snapshot, TOURNAMENT } from "./snapshot";
import type { GroupStanding } from "./standings";

/** Teams that one group of a round robin may hold: 16 already play 15 matches each. */
export const LARGEST_GROUP = 16;

/** The least that a group holds, where there are so many teams: of two, both would go on whoever wins. */
const SMALLEST_GROUP = 3;

/** Of fewer teams not both semi-finals are played, and there are no two losers to meet. */
const LEAST_FOR_THIRD_PLACE = 4;

/**
 * How the losers of each round of the winners' bracket fall into the losers' bracket, by its number of places. Of all orders
 * that the library knows these put a second meeting of two teams off longest: `tests/unit/rematches.test.ts` tries them all.
 */
export const FALLING: Readonly<Record<number, readonly SeedOrdering[]>> = {
  4: ["natural"],
  8: ["natural", "reverse"],
  16: ["natural", "reverse", "natural"],
  32: ["natural", "reverse", "reverse_half_shift", "reverse"],
  64: ["natural", "reverse", "reverse_half_shift", "half_shift", "natural"],
  128: ["natural", "reverse", "reverse_half_shift", "half_shift", "natural", "reverse"],
  256: ["natural", "reverse", "reverse_half_shift", "half_shift", "pair_flip", "reverse", "natural"],
};

/** What a bracket is drawn from. */
interface Draw {
  format: Format;
  /** The teams' ids, the strongest first; no two alike. */
  teams: readonly string[];
  /** The most teams in one group of a round robin, 3–16; groups of 3 or 4 may hold up to 5, so that none has two. */
  groupSize: number;
  /** In a single elimination the losers of the semi-finals play for third place. */
  thirdPlace?: boolean;
  /** Of a double elimination. */
  grandFinal?: GrandFinal;
}

/**
 * Draws a tournament's bracket: all of its matches, with the teams in their places. With a number of teams that is no power
 * of two the first rounds of the strongest are byes.
 * @throws RangeError with fewer than two teams
 */
export async function drawBracket({
  format,
  teams,
  groupSize,
  thirdPlace = false,
  grandFinal = "reset",
}: Draw): Promise<Snapshot> {
  if (teams.length < 2) throw new RangeError("A bracket needs two teams.");
  const { manager, snapshot } = openSnapshot();
  if (format === "round_robin") {
    await manager.create.stage({
      tournamentId: TOURNAMENT,
      name: "Groups",
      type: format,
      seeding: [...teams],
      settings: { groupCount: groupCount(teams.length, groupSize), seedOrdering: ["groups.seed_optimized"] },
    });
    return snapshot();
  }
  const { seeding, settings } = elimination(format, teams, grandFinal);
  const consolationFinal = thirdPlace && format === "single_elimination" && teams.length >= LEAST_FOR_THIRD_PLACE;
  await manager.create.stage({
    tournamentId: TOURNAMENT,
    name: "Bracket",
    type: format,
    seeding,
    settings: { ...settings, ...(consolationFinal && { consolationFinal }) },
  });
  return snapshot();
}

/**
 * How many groups there are: as few as their size allows, all of nearly the same number of teams, but none of less than three.
 * So where groups of three or four leave a team or two over, those come into the others: they hold five at most.
 */
export function groupCount(teams: number, groupSize: number): number {
  const size = Math.max(SMALLEST_GROUP, Math.min(LARGEST_GROUP, groupSize));
  return Math.max(1, Math.min(Math.ceil(teams / size), Math.floor(teams / SMALLEST_GROUP)));
}

/** How many of each group win something: a place in the play-offs, or of a single group the title. */
export const qualifying = (groups: readonly unknown[]): number => (groups.length > 1 ? QUALIFIED : 1);

/**
 * Draws the play-offs of a round robin with several groups, once all their matches are played, for the first two of each
 * group: `seedPlayoffs` says where they stand.
 * @param tables each group's teams, the best first
 */
export async function drawPlayoffs(
  groups: Snapshot,
  tables: readonly (readonly GroupStanding[])[],
  tieBreaks: TieBreaks,
): Promise<Snapshot> {
  const { manager, snapshot } = openSnapshot(groups);
  const { seeding, settings } = elimination("single_elimination", seedPlayoffs(tables, tieBreaks));
  await manager.create.stage({
    tournamentId: TOURNAMENT,
    name: "Play-offs",
    type: "single_elimination",
    seedingIds: idsOf(groups, seeding),
    settings,
  });
  return snapshot();
}

/**
 * Seeds the play-offs by the place in the group, then by results: the best winner of a group first, and with it the byes to
 * the best. A runner-up gets the best seed left in the half of the bracket where its group's winner is not, so that two of
 * a group can't meet before the final.
 * @param tables each group's teams, the best first
 * @returns the teams' ids, the first seed first
 */
export function seedPlayoffs(tables: readonly (readonly GroupStanding[])[], tieBreaks: TieBreaks): string[] {
  const placed = (place: number) =>
    tables.flatMap((table, group) => table.slice(place, place + 1).map((standing) => ({ ...standing, group })));
  const [winners, runnersUp] = [placed(0), placed(1)];
  // Tournaments from before go by the letters of the groups.
  if (tieBreaks === "legacy") return [...winners, ...runnersUp].map(({ team }) => team);
  winners.sort(byResults(tieBreaks));
  runnersUp.sort(byResults(tieBreaks));
  const halfOf = new Map(winners.map(({ group }, index) => [group, isInUpperHalf(index + 1)]));
  const seeded = [...winners];
  while (runnersUp.length > 0) {
    const isUpper = isInUpperHalf(seeded.length + 1);
    const next = runnersUp.findIndex(({ group }) => halfOf.get(group) !== isUpper);
    seeded.push(...runnersUp.splice(next, 1));
  }
  return seeded.map(({ team }) => team);
}

/** Whether a seed stands in the upper half of a bracket: 1, 4, 5, 8, 9, 12 … do, whatever its size. */
const isInUpperHalf = (seed: number) => seed % 4 < 2;

/** Compares teams of different groups: what they have done in each match on average, since groups differ by one team. */
function byResults(tieBreaks: TieBreaks) {
  const figures: Partial<Record<Step, (team: GroupStanding) => number>> = {
    "map-difference": ({ mapDifference, played }) => mapDifference / played,
    "round-difference": ({ roundDifference, played }) => roundDifference / played,
    "maps-won": ({ mapsWon, played }) => mapsWon / played,
    "rounds-won": ({ roundsWon, played }) => roundsWon / played,
  };
  const compared = [
    ({ won, played }: GroupStanding) => won / played,
    ...stepsOf(tieBreaks).flatMap((step) => figures[step] ?? []),
    ({ seed }: GroupStanding) => -seed,
  ];
  return (a: GroupStanding, b: GroupStanding): number => {
    const figure = compared.find((value) => value(a) !== value(b));
    return figure ? figure(b) - figure(a) : 0;
  };
}

/** Adds the matches by which teams that are equal in everything are parted: each of them plays each other once more. */
export async function drawTieBreak(groups: Snapshot, teams: readonly string[]): Promise<Snapshot> {
  const { manager, snapshot } = openSnapshot(groups);
  await manager.create.stage({
    tournamentId: TOURNAMENT,
    name: "Tie-break",
    type: "round_robin",
    seedingIds: idsOf(groups, teams),
    settings: { groupCount: 1 },
  });
  return snapshot();
}

/** The library's ids of teams; null for a free place. */
function idsOf({ participant }: Snapshot, teams: readonly (string | null)[]): (number | null)[] {
  const ids = new Map(participant.map(({ id, name }) => [name, id as number]));
  return teams.map((team) => (team === null ? null : (ids.get(team) as number)));
}

/** Places for a power of two of teams; the free ones, last, meet the strongest. */
function elimination(format: Exclude<Format, "round_robin">, teams: readonly string[], grandFinal?: GrandFinal) {
  const isDouble = format === "double_elimination";
  // With two places there would be no losers' bracket, and the first defeat the last.
  const size = Math.max(isDouble ? 4 : 2, 2 ** Math.ceil(Math.log2(teams.length)));
  return {
    seeding: [...teams, ...Array<null>(size - teams.length).fill(null)],
    settings: {
      seedOrdering: ["inner_outer" as const, ...((isDouble && FALLING[size]) || [])],
      ...(isDouble && { grandFinal: grandFinal === "reset" ? ("double" as const) : ("simple" as const) }),
    },
  };
}
