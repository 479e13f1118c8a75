import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_TIE_BREAKS } from "#db/words/tie-breaks";
import { seedPlayoffs } from "~/features/tournaments/bracket/draw";
import { readMatches } from "~/features/tournaments/bracket/matches";
import { enterResult } from "~/features/tournaments/bracket/results";
import { type GroupStanding, groupTables } from "~/features/tournaments/bracket/standings";
import { draw, playable } from "../support/fair-end";

/** A team in its place in a group, after three matches. */
const standing = (team: string, place: number, won: number, roundDifference: number): GroupStanding => ({
  team,
  place,
  separatedBy: null,
  separatedAt: 0,
  played: 3,
  won,
  lost: 3 - won,
  mapDifference: 2 * won - 3,
  mapsWon: won,
  roundDifference,
  roundsWon: 30 + roundDifference,
  forfeits: 0,
  seed: 1,
});

/** Groups with their first and second teams, "A1" and "A2". @param rounds their round differences */
const groups = (rounds: readonly (readonly [number, number])[]) =>
  rounds.map(([first, second], group) => [
    standing(`${String.fromCharCode(65 + group)}1`, 1, 3, first),
    standing(`${String.fromCharCode(65 + group)}2`, 2, 2, second),
  ]);

describe("Seeding the play-offs", () => {
  test("goes by place in the group, then by results, and keeps runners-up apart from their group's winner", () => {
    const tables = groups([
      [5, 9],
      [20, 1],
      [12, 4],
    ]);
    // B1 is in the upper half, C1 and A1 in the lower. So B2 goes to the lower half, A2 and C2 to the upper.
    expect(seedPlayoffs(tables, DEFAULT_TIE_BREAKS)).toEqual(["B1", "C1", "A1", "A2", "C2", "B2"]);
  });

  test("goes by the groups' letters in tournaments from before tie-breaks could be chosen", () => {
    const tables = groups([
      [5, 9],
      [20, 1],
      [12, 4],
    ]);
    expect(seedPlayoffs(tables, "legacy")).toEqual(["A1", "B1", "C1", "A2", "B2", "C2"]);
  });
});

describe("The play-offs of 2 to 16 groups", () => {
  /** Plays the groups at random. @param missing the number of groups with one team fewer */
  async function playGroups(groupCount: number, size: number, missing: number, roll: () => number) {
    let now = await draw("round_robin", groupCount * size - missing, size);
    for (const { id } of playable(now)) {
      const isFirst = roll() % 2 === 0;
      const loser = roll() % 12;
      now = await enterResult(now, id, {
        scores: isFirst ? [1, 0] : [0, 1],
        rounds: isFirst ? [13, loser] : [loser, 13],
      });
    }
    return now;
  }

  test("keep two teams of a group apart until the final, and give the byes to the best winners", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 16 }),
        fc.integer({ min: 3, max: 4 }),
        fc.nat({ max: 2 }),
        fc.infiniteStream(fc.nat({ max: 100 })),
        async (groupCount, size, less, dice) => {
          const now = await playGroups(groupCount, size, size === 4 ? less : 0, () => dice.next().value as number);
          const tables = groupTables(now);
          expect(tables).toHaveLength(groupCount);
          const groupOf = new Map(tables.flatMap((table, group) => table.map(({ team }) => [team, group] as const)));
          const first = readMatches(now).filter(({ part, round }) => part === "playoffs" && round === 1);
          const halves = [first.slice(0, first.length / 2), first.slice(first.length / 2)].map((half) =>
            half.flatMap(({ slots }) => slots.flatMap(({ team }) => team ?? [])),
          );
          expect(halves.flat()).toHaveLength(2 * groupCount);
          for (const half of halves) expect(new Set(half.map((team) => groupOf.get(team))).size).toBe(half.length);
          // Byes go to group winners first, and among them to those that won the larger share of their matches.
          const byes = first.flatMap(({ slots }) =>
            slots.some(({ isBye }) => isBye) ? slots.flatMap(({ team }) => team ?? []) : [],
          );
          const winners = tables.map(([winner]) => winner as GroupStanding);
          const share = ({ won, played }: GroupStanding) => won / played;
          const [withBye, without] = [true, false].map((has) =>
            winners.filter(({ team }) => byes.includes(team) === has),
          );
          expect(withBye).toHaveLength(Math.min(byes.length, groupCount));
          for (const one of withBye ?? []) {
            for (const other of without ?? []) expect(share(one)).toBeGreaterThanOrEqual(share(other));
          }
        },
      ),
      {
        numRuns: 60,
        // Try every number of groups.
        examples: Array.from({ length: 15 }, (_, index) => [index + 2, 3, 0, numbers()]),
      },
    );
  });
});

/** Pseudo-random numbers, the same in every run. */
const numbers = () => fc.stream(generate());

function* generate(): Generator<number> {
  for (let number = 7; ; number = (number * 31 + 11) % 101) yield number;
}
