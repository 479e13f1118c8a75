import { expect } from "vitest";
import { drawBracket } from "../../app/features/tournaments/bracket/draw";
import { type BracketMatch, readMatches } from "../../app/features/tournaments/bracket/matches";
import type { Snapshot } from "../../app/features/tournaments/bracket/snapshot";
import { champion, groupTables, standings } from "../../app/features/tournaments/bracket/standings";
import type { Format } from "../../db/words/tournament-formats";

/** The teams' names by seed: "T1" is the strongest. */
const teams = (count: number) => Array.from({ length: count }, (_, index) => `T${index + 1}`);

/** Draws a bracket of teams "T1" (the first seed), "T2" and so on. */
export const draw = (format: Format, count: number, groupSize = 8, thirdPlace = false) =>
  drawBracket({ format, teams: teams(count), groupSize, thirdPlace });

/** The matches whose teams are known and that have no result. */
export const playable = (snapshot: Snapshot) => readMatches(snapshot).filter(({ status }) => status === "ready");

/** Expects a finished tournament from `draw` to be fair: slots were earned, one team is left, and all have a place. */
export function expectFairEnd(played: Snapshot, format: Format, count: number) {
  const matches = readMatches(played);
  const finished = matches.filter(({ status }) => status === "finished");
  const lost = new Map<string, number>();
  const byNumber = new Map(matches.map((match) => [match.id, match]));
  for (const { id, part, slots } of finished) {
    const [one, two] = slots;
    expect(one.team, `match ${id}`).not.toBeNull();
    expect(two.team).not.toBeNull();
    expect(one.team).not.toBe(two.team);
    expect([one.won, two.won].filter(Boolean)).toHaveLength(1);
    for (const slot of slots) {
      // The two teams in the match for third place are out already, and a tie-break puts no team out.
      if (!["group", "tie-break", "third-place"].includes(part) && !slot.won)
        lost.set(slot.team as string, (lost.get(slot.team as string) ?? 0) + 1);
      // The team in this slot has won (or lost) exactly the match that the bracket says it comes from.
      if (!slot.from) continue;
      const source = byNumber.get(slot.from.match) as BracketMatch;
      const expected = source.slots.find(({ team, won }) =>
        source.status === "bye" ? team !== null : won === (slot.from?.outcome === "winner"),
      );
      expect(slot.team, `match ${id} from ${source.id}`).toBe(expected?.team);
    }
  }
  expect(matches.filter(({ status }) => status === "waiting" || status === "ready")).toEqual([]);
  const winner = champion(played) as string;
  const table = standings(played);
  expectWholePlaces(table);
  expect(table).toHaveLength(count);
  expect(new Set(table.map(({ team }) => team))).toEqual(new Set(teams(count)));
  if (format === "round_robin") return expectFairPlayoffs(played, winner, lost);
  const lives = format === "double_elimination" ? 2 : 1;
  for (const team of teams(count)) {
    if (team === winner) expect(lost.get(team) ?? 0).toBeLessThan(lives);
    else expect(lost.get(team), `${team} of ${count}`).toBe(lives);
  }
}

/** Expects teams to share a place only with their neighbours, and the next place to count all teams before it. */
function expectWholePlaces(table: readonly { place: number; lastPlace: number }[]) {
  for (const [index, { place, lastPlace }] of table.entries()) {
    const sharing = table.filter((other) => other.place === place);
    expect([place, lastPlace]).toEqual([
      table.findIndex((other) => other.place === place) + 1,
      place + sharing.length - 1,
    ]);
    expect(index + 1).toBeGreaterThanOrEqual(place);
    expect(index + 1).toBeLessThanOrEqual(lastPlace);
  }
}

/** With several groups, expects the best two of each to reach the play-offs, and all but the winner to lose there. */
function expectFairPlayoffs(played: Snapshot, winner: string, lost: ReadonlyMap<string, number>) {
  const tables = groupTables(played);
  const inPlayoffs = readMatches(played)
    .filter(({ part }) => part === "playoffs")
    .flatMap(({ slots }) => slots.flatMap(({ team }) => team ?? []));
  const through = tables.length > 1 ? tables.flatMap((table) => table.slice(0, 2).map(({ team }) => team)) : [];
  expect(new Set(inPlayoffs)).toEqual(new Set(through));
  for (const team of through) expect(lost.get(team) ?? 0, team).toBe(team === winner ? 0 : 1);
  if (tables.length > 1) return;
  // With a single group, no team has more wins than the team above it.
  const wins = new Map<string | null, number>();
  for (const { part, status, slots } of readMatches(played)) {
    if (part !== "group") continue;
    const victor = status === "finished" && slots.find(({ won }) => won);
    if (victor) wins.set(victor.team, (wins.get(victor.team) ?? 0) + 1);
  }
  const inOrder = standings(played).map(({ team }) => wins.get(team) ?? 0);
  expect(inOrder).toEqual([...inOrder].sort((a, b) => b - a));
}
