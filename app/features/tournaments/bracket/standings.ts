import { DEFAULT_TIE_BREAKS, type TieBreaks } from "#db/words/tie-breaks";
import { ROUNDS_TO_WIN } from "~/game/scores";
import { type RankedTeam, rankTeams, type Tally } from "./group-order";
import { type BracketMatch, readMatches } from "./matches";
import type { Snapshot } from "./snapshot";

/** A team's place in the tournament. */
export interface TeamStanding extends Tally {
  /** From 1. Teams that share their places all have the best of them. */
  place: number;
  /** The last of the shared places; equals `place` if the team doesn't share it. */
  lastPlace: number;
}

/** A team's place in its group. */
export type GroupStanding = RankedTeam & { place: number };

/** The fields of a match that count for its teams' records. */
type CountedMatch = Pick<BracketMatch, "slots" | "status">;

/**
 * The groups of a round robin in order, each with its teams, best first: by matches won, then by the tournament's
 * tie-breaks (`rankTeams`).
 */
export const groupTables = (snapshot: Snapshot, tieBreaks: TieBreaks = DEFAULT_TIE_BREAKS): GroupStanding[][] =>
  tablesOf(readMatches(snapshot), seedsOf(snapshot), tieBreaks);

/**
 * The same as `groupTables`, from the matches alone.
 * @param seeds each team's place in the seeding
 */
export function tablesOf(
  matches: readonly Pick<BracketMatch, "part" | "group" | "slots" | "status">[],
  seeds: ReadonlyMap<string, number>,
  tieBreaks: TieBreaks,
): GroupStanding[][] {
  const groups = new Map<number, { played: CountedMatch[]; tieBreak: CountedMatch[] }>();
  for (const match of matches) {
    if (match.part !== "group" && match.part !== "tie-break") continue;
    const group = groups.get(match.group) ?? { played: [], tieBreak: [] };
    groups.set(match.group, group);
    group[match.part === "group" ? "played" : "tieBreak"].push(match);
  }
  return [...groups.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, { played, tieBreak }]) => {
      const records = [...recordsOf(played, seeds, tieBreaks).values()];
      const tieBreakRecords = recordsOf(tieBreak, seeds, tieBreaks);
      return rankTeams(records, played, tieBreakRecords, tieBreaks).map((team, index) => ({
        ...team,
        place: index + 1,
      }));
    });
}

/**
 * Ranks all teams, best first, at any point in the tournament. In an elimination, teams that stay in longer rank
 * higher. Of the teams eliminated in the same round, those that forfeited rank behind the others (except in `legacy`
 * tournaments). Teams that still share their places are listed by maps won and lost, then by seed. In a round robin
 * with play-offs, the teams that reached them come first.
 * @param disqualified teams that rank last in their groups
 */
export function standings(
  snapshot: Snapshot,
  tieBreaks: TieBreaks = DEFAULT_TIE_BREAKS,
  disqualified: ReadonlySet<string> = new Set(),
): TeamStanding[] {
  const matches = readMatches(snapshot);
  const records = recordsOf(matches, seedsOf(snapshot), tieBreaks);
  const progress = progressOf(snapshot, matches, tieBreaks, disqualified);
  const reached = ({ team }: Tally) => progress.get(team) ?? 0;
  const sorted = [...records.values()].sort((a, b) => reached(b) - reached(a) || byMapsAndSeed(a, b));
  const stages = sorted.map(reached);
  return sorted.map((record, index) => ({
    ...record,
    place: stages.indexOf(stages[index] as number) + 1,
    lastPlace: stages.lastIndexOf(stages[index] as number) + 1,
  }));
}

/**
 * Returns the team at the top of the standings once all matches are decided; null before. Ignores disqualifications, so
 * the team needn't be the winner.
 */
export function champion(snapshot: Snapshot, tieBreaks: TieBreaks = DEFAULT_TIE_BREAKS): string | null {
  const matches = readMatches(snapshot);
  if (matches.some(({ status }) => status === "ready" || status === "waiting")) return null;
  return standings(snapshot, tieBreaks)[0]?.team ?? null;
}

/** The number of rounds by which a team eliminated by forfeit ranks behind others eliminated in the same round. */
const FORFEIT_PENALTY = 0.125;

/** Rates each team's progress: the higher, the further. Teams that share their places have the same number. */
function progressOf(
  snapshot: Snapshot,
  matches: readonly BracketMatch[],
  tieBreaks: TieBreaks,
  disqualified: ReadonlySet<string>,
): Map<string, number> {
  const progress = new Map<string, number>();
  const raise = (team: string | null, to: number) => {
    if (team !== null) progress.set(team, Math.max(progress.get(team) ?? 0, to));
  };
  // A single group is ranked by its table. With several, the teams outside the play-offs are ranked by their place in
  // their own group.
  const outTeams = disqualifiedInGroups(disqualified, matches);
  const tables = groupTables(snapshot, tieBreaks).map((table) =>
    disqualifiedLast(table, ({ team }) => outTeams.has(team)),
  );
  const beaten = new Set(
    matches.flatMap(({ slots, status }) =>
      status === "finished" ? slots.filter(({ won }) => !won).map(({ team }) => team) : [],
    ),
  );
  const forfeitPenalty = tieBreaks === "legacy" ? 0 : FORFEIT_PENALTY;
  for (const table of tables) {
    for (const [index, { team, forfeits }] of table.entries()) {
      // Below teams that forfeit their first match of the play-offs.
      raise(team, (1 - FORFEIT_PENALTY) / 2 - (index + 1 + (forfeits > 0 ? forfeitPenalty : 0)) / 1_000);
    }
  }
  for (const { part, round, slots, status } of matches) {
    if (part === "group" || part === "tie-break" || status === "idle") continue;
    for (const { team, won, forfeited } of slots) {
      const penalty = forfeited ? forfeitPenalty : 0;
      switch (part) {
        // A team that loses here is not out: its progress then follows from the losers' bracket. A team without a
        // defeat ranks above all teams of the losers' bracket.
        case "winners":
          raise(team, beaten.has(team) ? 0 : 500 + round);
          break;
        case "losers":
          raise(team, round + (won ? 0.5 : 0) - penalty);
          break;
        // Both teams lost their semi-finals; this match separates them.
        case "third-place":
          raise(team, round - 1 + (won ? 0.25 : 0));
          break;
        case "grand-final":
          raise(team, 1_000 + round + (won ? 0.5 : 0));
          break;
        default:
          raise(team, round + (won || status === "bye" ? 0.5 : 0) - penalty);
      }
    }
  }
  return progress;
}

const byMapsAndSeed = (a: Tally, b: Tally) =>
  b.mapDifference - a.mapDifference || b.mapsWon - a.mapsWon || a.seed - b.seed;

const seedsOf = (snapshot: Snapshot) =>
  new Map(snapshot.participant.map(({ id, name }) => [name, (id as number) + 1] as const));

/**
 * Each team's record. A forfeited match counts as 13 rounds to none on every map needed to win it. In tournaments from
 * before tie-breaks could be chosen, it counts no maps.
 */
function recordsOf(
  matches: readonly CountedMatch[],
  seeds: ReadonlyMap<string, number>,
  tieBreaks: TieBreaks,
): Map<string, Tally> {
  const records = new Map<string, Tally>();
  const recordOf = (team: string) => {
    const known = records.get(team);
    if (known) return known;
    const record: Tally = { ...UNPLAYED, team, seed: seeds.get(team) as number };
    records.set(team, record);
    return record;
  };
  for (const { slots, status } of matches) {
    if (status !== "finished") {
      for (const { team } of slots) if (team !== null) recordOf(team);
      continue;
    }
    const isForfeit = slots.some(({ forfeited }) => forfeited);
    const maps = slots.map(({ score, rounds }) =>
      isForfeit && tieBreaks !== "legacy" ? (rounds ?? 0) / ROUNDS_TO_WIN : (score ?? 0),
    ) as [number, number];
    slots.forEach(({ team, won, rounds, forfeited }, side) => {
      if (team === null) return;
      const record = recordOf(team);
      const [own, other] = side === 0 ? maps : [maps[1], maps[0]];
      record.played++;
      if (won) record.won++;
      else record.lost++;
      if (forfeited) record.forfeits++;
      record.mapsWon += own;
      record.mapDifference += own - other;
      record.roundsWon += rounds ?? 0;
      record.roundDifference += (rounds ?? 0) - (slots[1 - side]?.rounds ?? 0);
    });
  }
  return records;
}

const UNPLAYED = {
  played: 0,
  won: 0,
  lost: 0,
  mapDifference: 0,
  mapsWon: 0,
  roundDifference: 0,
  roundsWon: 0,
  forfeits: 0,
};

/**
 * Moves disqualified teams behind the others. If that makes two teams neighbours, `separatedBy` becomes the first step
 * that separated them; null if they differ in wins.
 */
export function disqualifiedLast<Row extends Pick<RankedTeam, "separatedBy" | "separatedAt">>(
  table: readonly Row[],
  isDisqualified: (row: Row) => boolean,
): Row[] {
  const stay: Row[] = [];
  const out: Row[] = [];
  /** The rows after the last one that stays. */
  let behind: Row[] = [];
  for (const row of table) {
    behind.push(row);
    if (isDisqualified(row)) {
      out.push({ ...row, separatedBy: null });
      continue;
    }
    const isByWins = stay.length === 0 || behind.some(({ separatedBy }) => separatedBy === null);
    const first = behind.reduce((one, other) => (other.separatedAt < one.separatedAt ? other : one));
    stay.push({ ...row, separatedBy: isByWins ? null : first.separatedBy, separatedAt: first.separatedAt });
    behind = [];
  }
  return [...stay, ...out];
}

/**
 * Finds the teams that count as disqualified in their groups. A team that has advanced to the play-offs doesn't: it
 * keeps its place in its group. `findUnaffectedBracket` in `play/disqualify.ts` compares times instead, because it
 * needs the teams that were already disqualified when the tie-breaks or play-offs were drawn. The matches don't show
 * that: a team disqualified during the tie-breaks had no effect on their draw, and one disqualified before them can
 * still advance if no other team is left.
 * @param matches all matches of the tournament
 */
export function disqualifiedInGroups(
  disqualified: Iterable<string>,
  matches: readonly Pick<BracketMatch, "part" | "slots">[],
): Set<string> {
  const out = new Set(disqualified);
  for (const { part, slots } of matches) {
    if (part === "group" || part === "tie-break") continue;
    for (const { team } of slots) if (team !== null) out.delete(team);
  }
  return out;
}
