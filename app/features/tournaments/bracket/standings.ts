import { type BracketMatch, readMatches } from "./matches";
import type { Snapshot } from "./snapshot";

/** Where a team stands. */
export interface TeamStanding {
  team: string;
  /** From 1. Teams that went out of an elimination in the same round share the best of their places. */
  place: number;
  /** The last of the places that are shared; `place` where it is the team's alone. */
  lastPlace: number;
  played: number;
  won: number;
  lost: number;
  /** Maps won minus maps lost. */
  mapDifference: number;
  mapsWon: number;
  /** Its place in the seeding, from 1. */
  seed: number;
}

/** What a team has done so far. */
type Tally = Omit<TeamStanding, "place" | "lastPlace">;

/** What a match says of its teams. */
type Played = Pick<BracketMatch, "slots" | "standing">;

/**
 * The groups of a round robin, each with its teams, the best first: by matches won, then by the matches of those who are
 * level against each other, the difference of maps, maps won, and the seeding, which decides at the last.
 */
export function groupStandings(snapshot: Snapshot): string[][] {
  return groupTables(snapshot).map((table) => table.map(({ team }) => team));
}

/** The tables of a round robin's groups, in their order; `place` is the one in the group. */
export const groupTables = (snapshot: Snapshot): TeamStanding[][] => tablesOf(readMatches(snapshot), seedsOf(snapshot));

/**
 * The same from the matches alone.
 * @param seeds each team's place in the seeding
 */
export function tablesOf(
  matches: readonly Pick<BracketMatch, "part" | "group" | "slots" | "standing">[],
  seeds: ReadonlyMap<string, number>,
): TeamStanding[][] {
  const groups = new Map<number, Played[]>();
  for (const match of matches) {
    if (match.part === "group") groups.set(match.group, [...(groups.get(match.group) ?? []), match]);
  }
  return [...groups.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, played]) => {
      const records = recordsOf(played, seeds);
      const level = (a: Tally, b: Tally) => a.won === b.won;
      const among = (record: Tally) => {
        const rivals = new Set([...records.values()].filter((other) => level(record, other)).map(({ team }) => team));
        return played.filter(
          ({ slots }) =>
            slots.every(({ team }) => team !== null && rivals.has(team)) && winnerOf(slots) === record.team,
        ).length;
      };
      const direct = new Map([...records.values()].map((record) => [record.team, among(record)]));
      return [...records.values()]
        .sort(
          (a, b) =>
            b.won - a.won || (direct.get(b.team) as number) - (direct.get(a.team) as number) || byMapsAndSeed(a, b),
        )
        .map((record, index) => ({ ...record, place: index + 1, lastPlace: index + 1 }));
    });
}

/**
 * All teams, the best first: at any time of the tournament. In an elimination whoever stays in longer is better. Teams that
 * went out in the same round share their places, and are listed by maps won and lost, then by seed. In a round robin with play-offs those who reached
 * them come first.
 */
export function standings(snapshot: Snapshot): TeamStanding[] {
  const matches = readMatches(snapshot);
  const records = recordsOf(matches, seedsOf(snapshot));
  const progress = progressOf(snapshot, matches);
  const reached = ({ team }: Tally) => progress.get(team) ?? 0;
  const sorted = [...records.values()].sort((a, b) => reached(b) - reached(a) || byMapsAndSeed(a, b));
  const stages = sorted.map(reached);
  return sorted.map((record, index) => ({
    ...record,
    place: stages.indexOf(stages[index] as number) + 1,
    lastPlace: stages.lastIndexOf(stages[index] as number) + 1,
  }));
}

/** @returns the team that has won the tournament; null while that is open */
export function champion(snapshot: Snapshot): string | null {
  const matches = readMatches(snapshot);
  if (matches.some(({ standing }) => standing === "ready" || standing === "waiting")) return null;
  return standings(snapshot)[0]?.team ?? null;
}

/** How far each team has come: a number that grows with it, the same for those who went out in the same round. */
function progressOf(snapshot: Snapshot, matches: readonly BracketMatch[]): Map<string, number> {
  const progress = new Map<string, number>();
  const raise = (team: string | null, to: number) => {
    if (team !== null) progress.set(team, Math.max(progress.get(team) ?? 0, to));
  };
  // In groups alone the table says it; before play-offs the place in one's group does.
  const tables = groupTables(snapshot);
  const beaten = new Set(
    matches.flatMap(({ slots, standing }) =>
      standing === "finished" ? slots.filter(({ won }) => !won).map(({ team }) => team) : [],
    ),
  );
  for (const table of tables) for (const { team, place } of table) raise(team, 1 - place / 1_000);
  for (const { part, round, slots, standing } of matches) {
    if (part === "group" || standing === "idle") continue;
    for (const { team, won } of slots) {
      switch (part) {
        // Who loses here is not out: how far they come, the losers' bracket says. Who has not lost stands before it.
        case "winners":
          raise(team, beaten.has(team) ? 0 : 500 + round);
          break;
        case "losers":
          raise(team, round + (won ? 0.5 : 0));
          break;
        // Its teams are out, after the semi-finals: the match parts them.
        case "third-place":
          raise(team, round - 1 + (won ? 0.25 : 0));
          break;
        case "grand-final":
          raise(team, 1_000 + round + (won ? 0.5 : 0));
          break;
        default:
          raise(team, round + (won || standing === "bye" ? 0.5 : 0));
      }
    }
  }
  return progress;
}

const byMapsAndSeed = (a: Tally, b: Tally) =>
  b.mapDifference - a.mapDifference || b.mapsWon - a.mapsWon || a.seed - b.seed;

const seedsOf = (snapshot: Snapshot) =>
  new Map(snapshot.participant.map(({ id, name }) => [name, (id as number) + 1] as const));

const winnerOf = (slots: BracketMatch["slots"]) => slots.find(({ won }) => won)?.team ?? null;

function recordsOf(matches: readonly Played[], seeds: ReadonlyMap<string, number>): Map<string, Tally> {
  const records = new Map<string, Tally>();
  for (const { slots, standing } of matches) {
    slots.forEach(({ team, won, score }, side) => {
      if (team === null) return;
      const record = records.get(team) ?? {
        team,
        played: 0,
        won: 0,
        lost: 0,
        mapDifference: 0,
        mapsWon: 0,
        seed: seeds.get(team) as number,
      };
      records.set(team, record);
      if (standing !== "finished") return;
      record.played++;
      if (won) record.won++;
      else record.lost++;
      record.mapsWon += score ?? 0;
      record.mapDifference += (score ?? 0) - (slots[1 - side]?.score ?? 0);
    });
  }
  return records;
}
