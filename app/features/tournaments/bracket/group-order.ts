import type { TieBreaks } from "#db/words/tie-breaks";
import { type Step, stepsOf } from "../format/tie-breaks";
import type { BracketMatch } from "./matches";

/** A team's record so far. */
export interface Tally {
  team: string;
  played: number;
  won: number;
  lost: number;
  /** Maps won minus maps lost. */
  mapDifference: number;
  mapsWon: number;
  /** Rounds won minus rounds lost. */
  roundDifference: number;
  roundsWon: number;
  /** Matches that it forfeited. */
  forfeits: number;
  /** Its place in the seeding, from 1. */
  seed: number;
}

/** A team with its place in a group. */
export interface RankedTeam extends Tally {
  /** The tie-break step that puts the team behind the one above it; null if wins alone decide. */
  separatedBy: Step | null;
  /**
   * The number of earlier steps that narrowed the teams with this number of wins down to the set that `separatedBy`
   * split; 0 if it was the first.
   */
  separatedAt: number;
}

type CountedMatch = Pick<BracketMatch, "slots" | "status">;

/**
 * Ranks the teams of a group by matches won, and teams level on wins by the steps of the tournament's tie-breaks. After
 * each step that separates some of them, those still level start again at the first step: once one of three teams is
 * separated, the other two are compared only with each other. If no step separates two teams, the draw decides: the
 * better seed ranks first.
 * @param matches the group's matches, for head-to-head
 * @param tieBreakRecords each team's record in the tie-break, if one was played
 */
export function rankTeams(
  teams: readonly Tally[],
  matches: readonly CountedMatch[],
  tieBreakRecords: ReadonlyMap<string, Tally>,
  tieBreaks: TieBreaks,
): RankedTeam[] {
  const steps = stepsOf(tieBreaks);
  const separate = (level: readonly Tally[], from: readonly Step[], depth = 0): RankedTeam[] => {
    if (level.length < 2) return level.map((team) => ({ ...team, separatedBy: null, separatedAt: depth }));
    for (const [index, step] of from.entries()) {
      const value = weigh(step, level, matches, tieBreakRecords);
      const sets = groupByValue(level, value);
      if (sets.length === 1) continue;
      // Tournaments from before tie-breaks could be chosen continue with the next step instead.
      const next = tieBreaks === "legacy" ? from.slice(index + 1) : from;
      return sets.flatMap((set, place) =>
        separate(set, next, depth + 1).map((team, first) =>
          first === 0 && place > 0 ? { ...team, separatedBy: step, separatedAt: depth } : team,
        ),
      );
    }
    return [...level]
      .sort((a, b) => a.seed - b.seed)
      .map((team, index) => ({ ...team, separatedBy: index === 0 ? null : "draw", separatedAt: depth }));
  };
  return groupByValue(teams, ({ won }) => won).flatMap((level) => separate(level, [...steps, "tie-break"]));
}

/** Groups teams by value, the greatest value first. */
function groupByValue(teams: readonly Tally[], value: (team: Tally) => number): Tally[][] {
  const sets = new Map<number, Tally[]>();
  for (const team of teams) {
    const own = value(team);
    const set = sets.get(own);
    if (set) set.push(team);
    else sets.set(own, [team]);
  }
  return [...sets.entries()].sort(([a], [b]) => b - a).map(([, set]) => set);
}

/** Weights by which one win outweighs any map difference, and one map any round difference. */
const MATCH_WEIGHT = 1_000_000;
const MAP_WEIGHT = 10_000;

/** Returns a function that rates each of the level teams: the greater the number, the better. */
function weigh(
  step: Step,
  level: readonly Tally[],
  matches: readonly CountedMatch[],
  tieBreakRecords: ReadonlyMap<string, Tally>,
): (team: Tally) => number {
  switch (step) {
    case "forfeit":
      return ({ forfeits }) => (forfeits > 0 ? 0 : 1);
    case "head-to-head": {
      const wins = winsAmong(new Set(level.map(({ team }) => team)), matches);
      return ({ team }) => wins.get(team) ?? 0;
    }
    case "map-difference":
      return ({ mapDifference }) => mapDifference;
    case "round-difference":
      return ({ roundDifference }) => roundDifference;
    case "maps-won":
      return ({ mapsWon }) => mapsWon;
    case "rounds-won":
      return ({ roundsWon }) => roundsWon;
    case "tie-break":
      return ({ team }) => {
        const tally = tieBreakRecords.get(team);
        return tally
          ? tally.won * MATCH_WEIGHT + tally.mapDifference * MAP_WEIGHT + tally.roundDifference
          : Number.NEGATIVE_INFINITY;
      };
    case "draw":
      return ({ seed }) => -seed;
    default:
      return step satisfies never;
  }
}

/** Counts the matches that each team of a set has won against the others in it. */
function winsAmong(teams: ReadonlySet<string | null>, matches: readonly CountedMatch[]): Map<string, number> {
  const wins = new Map<string, number>();
  for (const { slots } of matches) {
    const winner = slots.find(({ won }) => won)?.team;
    if (!winner || !slots.every(({ team }) => teams.has(team))) continue;
    wins.set(winner, (wins.get(winner) ?? 0) + 1);
  }
  return wins;
}
