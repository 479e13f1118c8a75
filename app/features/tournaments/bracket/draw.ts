import type { SeedOrdering } from "brackets-model";
import type { TieBreaks } from "#db/words/tie-breaks";
import type { Format, GrandFinal } from "#db/words/tournament-formats";
import { QUALIFIED } from "../format/formats";
import { type Step, stepsOf } from "../format/tie-breaks";
import { openSnapshot, type Snapshot, TOURNAMENT } from "./snapshot";
import type { GroupStanding } from "./standings";

/** Maximum number of teams in a group of a round robin. With 16, each team already plays 15 matches. */
export const LARGEST_GROUP = 16;

/**
 * Minimum number of teams in a group, unless only two play. In a group of two, both teams would advance whatever the
 * result.
 */
const SMALLEST_GROUP = 3;

/**
 * Minimum number of teams for a third-place match. With fewer, at most one semi-final is played, so only one team
 * loses.
 */
const MIN_FOR_THIRD_PLACE = 4;

/**
 * The orders in which the losers of each round of the winners' bracket drop into the losers' bracket, by the bracket's
 * number of places. Of all the library's orderings, these delay rematches the longest: `rematches.test.ts` in
 * `tests/unit` tries them all with up to 64 teams, and the one in `tests/properties` with samples of up to 256.
 */
export const LOSER_ORDERINGS: Readonly<Record<number, readonly SeedOrdering[]>> = {
  4: ["natural"],
  8: ["natural", "reverse"],
  16: ["natural", "reverse", "natural"],
  32: ["natural", "reverse", "reverse_half_shift", "reverse"],
  64: ["natural", "reverse", "reverse_half_shift", "half_shift", "natural"],
  128: ["natural", "reverse", "reverse_half_shift", "half_shift", "natural", "reverse"],
  256: ["natural", "reverse", "reverse_half_shift", "half_shift", "pair_flip", "reverse", "natural"],
};

/** The teams and settings that a bracket is drawn from. */
interface Draw {
  format: Format;
  /** The teams' ids, strongest first, without duplicates. */
  teams: readonly string[];
  /**
   * Maximum number of teams in a group of a round robin, 3–16. Groups of 3 or 4 may grow to 5, so that none has only
   * two.
   */
  groupSize: number;
  /** Whether the losers of a single elimination's semi-finals play for third place. */
  thirdPlace?: boolean;
  /** The kind of grand final of a double elimination. */
  grandFinal?: GrandFinal;
}

/**
 * Draws a tournament's bracket: all its matches, with the teams in their places. If the number of teams in an
 * elimination is not a power of two, the strongest teams have byes in the first round.
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
  const consolationFinal = thirdPlace && format === "single_elimination" && teams.length >= MIN_FOR_THIRD_PLACE;
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
 * Returns the number of groups to draw: as few as `groupSize` allows. Their sizes differ by at most one team, and none
 * has fewer than three teams (unless only two play). If groups of three or four would leave one or two teams over,
 * those teams join the other groups, which then hold up to five.
 */
export function groupCount(teams: number, groupSize: number): number {
  const size = Math.max(SMALLEST_GROUP, Math.min(LARGEST_GROUP, groupSize));
  return Math.max(1, Math.min(Math.ceil(teams / size), Math.floor(teams / SMALLEST_GROUP)));
}

/** Returns the number of teams that qualify from each group: for the play-offs or, in a single group, for the title. */
export const qualifiersPerGroup = (groups: readonly unknown[]): number => (groups.length > 1 ? QUALIFIED : 1);

/**
 * Draws the play-offs of a round robin with several groups, once all group matches are played. The first two of each
 * group take part, in the order of `seedPlayoffs`.
 * @param tables each group's teams, best first
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
 * Seeds the play-offs by place in the group, then by results. The best group winner is the first seed, so the best
 * winners have the byes. A runner-up gets the best seed left in the half of the bracket without its group's winner, so
 * two teams of a group can't meet before the final.
 * @param tables each group's teams, best first
 * @returns the teams' ids, first seed first
 */
export function seedPlayoffs(tables: readonly (readonly GroupStanding[])[], tieBreaks: TieBreaks): string[] {
  const placed = (place: number) =>
    tables.flatMap((table, group) => table.slice(place, place + 1).map((standing) => ({ ...standing, group })));
  const [winners, runnersUp] = [placed(0), placed(1)];
  // Tournaments from before tie-breaks could be chosen are seeded by the letters of their groups.
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

/** Whether a seed is in the upper half of a bracket. Seeds 1, 4, 5, 8, 9, 12 … are, whatever the bracket's size. */
const isInUpperHalf = (seed: number) => seed % 4 < 2;

/** Returns a comparison of teams from different groups. It uses averages per match, since group sizes may differ. */
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

/** Adds the tie-break between teams that no step separates: each of them plays every other once more. */
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

/** Fills the seeding up to a power of two. The free places come last, so they meet the strongest teams. */
function elimination(format: Exclude<Format, "round_robin">, teams: readonly string[], grandFinal?: GrandFinal) {
  const isDouble = format === "double_elimination";
  // With two places there would be no losers' bracket, so the first defeat would eliminate a team.
  const size = Math.max(isDouble ? 4 : 2, 2 ** Math.ceil(Math.log2(teams.length)));
  return {
    seeding: [...teams, ...Array<null>(size - teams.length).fill(null)],
    settings: {
      seedOrdering: ["inner_outer" as const, ...((isDouble && LOSER_ORDERINGS[size]) || [])],
      ...(isDouble && { grandFinal: grandFinal === "reset" ? ("double" as const) : ("simple" as const) }),
    },
  };
}
