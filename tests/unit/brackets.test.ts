import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FORMATS } from "#db/words/tournament-formats";
import { groupCount, LARGEST_GROUP } from "~/features/tournaments/bracket/draw";
import { type BracketMatch, readMatches } from "~/features/tournaments/bracket/matches";
import {
  enterResult,
  findDependents,
  MatchLocked,
  type Result,
  reopenMatch,
} from "~/features/tournaments/bracket/results";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import { champion, groupTables, standings } from "~/features/tournaments/bracket/standings";
import { matchName, roundName, slotName } from "~/features/tournaments/shared/match-names";
import { draw, expectFairEnd, playable } from "../support/fair-end";

const find = (snapshot: Snapshot, name: string) =>
  readMatches(snapshot).find((match) => matchName(match) === name) as BracketMatch;

const who = ({ slots }: BracketMatch) => slots.map(({ team, isBye }) => (isBye ? "bye" : team));

/** Plays every match that can be played until none is left; by default the stronger team wins. */
async function playOut(snapshot: Snapshot, result = strongerWins): Promise<Snapshot> {
  let now = snapshot;
  for (;;) {
    const [next] = playable(now);
    if (!next) return now;
    now = await enterResult(now, next.id, result(next));
  }
}

const strength = (team: string | null) => Number(team?.slice(1));

const strongerWins = ({ slots: [one, two] }: BracketMatch): Result => ({
  scores: strength(one.team) < strength(two.team) ? [2, 0] : [0, 2],
});

describe("Drawing", () => {
  test("lets the strongest teams meet last, and gives them the byes", async () => {
    const snapshot = await draw("single_elimination", 6);
    expect(readMatches(snapshot).map((match) => [matchName(match), ...who(match)])).toEqual([
      ["Quarter-final", "T1", "bye"],
      ["Quarter-final 1", "T4", "T5"],
      ["Quarter-final", "T2", "bye"],
      ["Quarter-final 2", "T3", "T6"],
      ["Semi-final 1", "T1", null],
      ["Semi-final 2", "T2", null],
      ["Final", null, null],
    ]);
  });

  test("numbers the matches of a round without gaps, and gives byes no number", async () => {
    for (const format of FORMATS) {
      for (const count of [3, 5, 6, 9, 11, 23]) {
        const rounds = new Map<string, number[]>();
        for (const match of readMatches(await draw(format, count))) {
          const round = `${match.part} ${match.group} ${match.round}`;
          if (match.status === "bye" || match.status === "idle") expect(match.number).toBe(0);
          else rounds.set(round, [...(rounds.get(round) ?? []), match.number]);
        }
        for (const [round, numbers] of rounds) {
          expect(numbers, `${format} of ${count}, ${round}`).toEqual(numbers.map((_, index) => index + 1));
        }
      }
    }
    const names = readMatches(await draw("double_elimination", 7)).map(matchName);
    expect(names.filter((name) => name.startsWith("Losers' round 1"))).toEqual([
      "Losers' round 1",
      "Losers' round 1, match 1",
    ]);
  });

  test("names the match that an open side waits for", async () => {
    const snapshot = await draw("double_elimination", 8);
    const matches = readMatches(snapshot);
    const said = (name: string) =>
      find(snapshot, name).slots.map((slot) => slotName(slot, matches[slot.from?.match ?? 0] as BracketMatch));
    expect(said("Winners' final")).toEqual([
      "Winner of winners' round 2, match 1",
      "Winner of winners' round 2, match 2",
    ]);
    expect(said("Losers' round 1, match 1")).toEqual([
      "Loser of winners' round 1, match 1",
      "Loser of winners' round 1, match 2",
    ]);
    expect(said("Grand final")).toEqual(["Winner of winners' final", "Winner of losers' final"]);
  });

  test("needs at least two teams", async () => {
    await expect(draw("single_elimination", 1)).rejects.toThrow(RangeError);
  });

  test("makes groups of at most 16 teams, whose sizes differ by at most one", async () => {
    for (const count of [2, 16, 17, 40, 255, 256]) {
      const tables = groupTables(await draw("round_robin", count, LARGEST_GROUP));
      const sizes = tables.map((table) => table.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
    }
  });

  test("gives each group at least three teams, and at most the chosen size (or five, if that is larger)", () => {
    for (let size = 3; size <= LARGEST_GROUP; size += 1) {
      // Two teams form one group.
      expect(groupCount(2, size)).toBe(1);
      for (let teams = 3; teams <= 256; teams += 1) {
        const groups = groupCount(teams, size);
        const [least, most] = [Math.floor(teams / groups), Math.ceil(teams / groups)];
        expect([least >= 3, most <= Math.max(size, 5)], `${teams} teams, groups of ${size}`).toEqual([true, true]);
        if (size > 4) expect(most).toBeLessThanOrEqual(size);
      }
    }
  });

  test.each([
    [4, 3, [4]],
    [5, 4, [5]],
    [7, 3, [4, 3]],
    [11, 3, [4, 4, 3]],
    [17, 16, [9, 8]],
  ])("puts %i teams, with a group size of %i, into groups of %j", async (count, size, sizes) => {
    const tables = groupTables(await draw("round_robin", count, size));
    expect(tables.map((table) => table.length).sort((a, b) => b - a)).toEqual(sizes);
  });

  test("gives rounds the names that players use", () => {
    const round = (part: BracketMatch["part"], number: number, rounds: number, group = 1) =>
      roundName({ part, round: number, rounds, group });
    expect([1, 2, 3, 4, 5].map((number) => round("bracket", number, 5))).toEqual([
      "Round of 32",
      "Round of 16",
      "Quarter-finals",
      "Semi-finals",
      "Final",
    ]);
    expect(round("losers", 4, 4)).toBe("Losers' final");
    expect(round("grand-final", 2, 2)).toBe("Second grand final");
    expect(round("group", 3, 7, 28)).toBe("Group AB, round 3");
  });
});

describe("Playing", () => {
  test("if the stronger team always wins, the first two seeds end up first and second", async () => {
    for (const format of FORMATS) {
      const played = await playOut(await draw(format, 8));
      expect(champion(played)).toBe("T1");
      expect(standings(played)[1]?.team).toBe("T2");
    }
  });

  test("with several groups, the first two of each go on to the play-offs", async () => {
    const played = await playOut(await draw("round_robin", 9, 3));
    const playoffs = readMatches(played).filter(({ part }) => part === "playoffs");
    const first = playoffs.filter(({ round }) => round === 1).flatMap(who);
    const qualified = groupTables(played).flatMap((table) => table.slice(0, 2).map(({ team }) => team));
    expect(new Set(first.filter((team) => team !== "bye"))).toEqual(new Set(qualified));
    expect(champion(played)).toBe("T1");
    expect(
      new Set(
        standings(played)
          .slice(0, 6)
          .map(({ team }) => team),
      ),
    ).toEqual(new Set(qualified));
  });

  test("a team that forfeits is out", async () => {
    const drawn = await draw("single_elimination", 2);
    const played = await enterResult(drawn, find(drawn, "Final").id, { forfeits: 0 });
    expect(champion(played)).toBe("T2");
    expect(find(played, "Final").slots.map(({ forfeited, won }) => [forfeited, won])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test("the second grand final is played only if the winner of the losers' bracket wins the first", async () => {
    const upTo = async (result: typeof strongerWins) => {
      let now = await draw("double_elimination", 4);
      while (find(now, "Grand final").status !== "finished") {
        const [next] = playable(now) as [BracketMatch];
        now = await enterResult(now, next.id, matchName(next) === "Grand final" ? result(next) : strongerWins(next));
      }
      return now;
    };
    const decided = await upTo(strongerWins);
    expect(find(decided, "Second grand final").status).toBe("idle");
    expect(champion(decided)).toBe("T1");
    const open = await upTo(() => ({ scores: [0, 2] }));
    expect(champion(open)).toBeNull();
    expect(who(find(open, "Second grand final")).sort()).toEqual(["T1", "T2"]);
  });

  test("a match refuses a second result, a result before its teams are known, and a tie", async () => {
    const drawn = await draw("single_elimination", 4);
    const semi = find(drawn, "Semi-final 1").id;
    await expect(enterResult(drawn, find(drawn, "Final").id, { scores: [2, 0] })).rejects.toThrow(MatchLocked);
    await expect(enterResult(drawn, semi, { scores: [1, 1] })).rejects.toThrow(MatchLocked);
    await expect(enterResult(drawn, 99, { scores: [2, 0] })).rejects.toThrow(MatchLocked);
    const played = await enterResult(drawn, semi, { scores: [2, 0] });
    await expect(enterResult(played, semi, { scores: [0, 2] })).rejects.toThrow(MatchLocked);
  });
});

describe("A match for third place", () => {
  test("is between the losers of the semi-finals, beside the final", async () => {
    const drawn = await draw("single_elimination", 8, 8, true);
    const matches = readMatches(drawn);
    const third = find(drawn, "Third-place match");
    expect(third.slots.map((slot) => slotName(slot, matches[slot.from?.match ?? 0] as BracketMatch))).toEqual([
      "Loser of semi-final 1",
      "Loser of semi-final 2",
    ]);
    const played = await playOut(drawn);
    expect(who(find(played, "Third-place match")).sort()).toEqual(["T3", "T4"]);
    expect(
      standings(played)
        .map(({ team, place }) => `${place} ${team}`)
        .slice(0, 5),
    ).toEqual(["1 T1", "2 T2", "3 T3", "4 T4", "5 T5"]);
  });

  test("has to be played before the tournament is over", async () => {
    let now = await draw("single_elimination", 4, 8, true);
    for (const name of ["Semi-final 1", "Semi-final 2", "Final"]) {
      now = await enterResult(now, find(now, name).id, strongerWins(find(now, name)));
    }
    expect(champion(now)).toBeNull();
    now = await enterResult(now, find(now, "Third-place match").id, { forfeits: 0 });
    expect(champion(now)).toBe("T1");
  });

  test("needs two losers of semi-finals, so a bracket of three teams has none", async () => {
    const drawn = await draw("single_elimination", 3, 8, true);
    expect(readMatches(drawn).map(({ part }) => part)).not.toContain("third-place");
  });

  test("is optional: without one, the losers of the semi-finals share third place", async () => {
    const table = standings(await playOut(await draw("single_elimination", 8)));
    expect(table.map(({ place, lastPlace }) => `${place}–${lastPlace}`)).toEqual([
      "1–1",
      "2–2",
      ...Array(2).fill("3–4"),
      ...Array(4).fill("5–8"),
    ]);
  });

  test("starts again when a semi-final is reopened, and so does the final", async () => {
    const played = await playOut(await draw("single_elimination", 8, 8, true));
    const id = (name: string) => find(played, name).id;
    expect(findDependents(played, id("Semi-final 2")).sort()).toEqual([id("Final"), id("Third-place match")].sort());
    const opened = await reopenMatch(played, id("Semi-final 2"));
    expect(playable(opened).map(matchName)).toEqual(["Semi-final 2"]);
    expect(who(find(opened, "Third-place match")).filter(Boolean)).toEqual(["T4"]);
    expectFairEnd(await playOut(opened), "single_elimination", 8);
  });
});

describe("Reopening", () => {
  test("a match reopens the matches that depend on it, and no others", async () => {
    const played = await playOut(await draw("single_elimination", 8));
    const id = (name: string) => find(played, name).id;
    expect(findDependents(played, id("Quarter-final 1"))).toEqual([id("Final"), id("Semi-final 1")]);
    expect(findDependents(played, id("Final"))).toEqual([]);
    const opened = await reopenMatch(played, id("Quarter-final 1"));
    expect(playable(opened).map(matchName)).toEqual(["Quarter-final 1"]);
    expect(who(find(opened, "Semi-final 1"))).toEqual([null, expect.any(String)]);
    expect(who(find(opened, "Final"))).toEqual([null, "T2"]);
    expect(find(opened, "Quarter-final 1").slots.map(({ score }) => score)).toEqual([null, null]);
  });

  test("a match without a result is refused", async () => {
    const drawn = await draw("single_elimination", 4);
    await expect(reopenMatch(drawn, 0)).rejects.toThrow(MatchLocked);
  });

  test("a group match removes the play-offs, which are drawn again later", async () => {
    const played = await playOut(await draw("round_robin", 8, 4));
    const opened = await reopenMatch(played, 0);
    expect(readMatches(opened).filter(({ part }) => part === "playoffs")).toEqual([]);
    expect(playable(opened).map(({ id }) => id)).toEqual([0]);
    expect(champion(await playOut(opened))).toBe("T1");
  });

  test.each(FORMATS)("any match of a %s lets it be played again", async (format) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 20 }),
        fc.nat(),
        fc.boolean(),
        fc.infiniteStream(fc.boolean()),
        async (count, which, thirdPlace, coin) => {
          const flip = () => ({ scores: coin.next().value ? ([2, 1] as const) : ([1, 2] as const) });
          const played = await playOut(await draw(format, count, 5, thirdPlace), flip);
          const finished = readMatches(played).filter(({ status }) => status === "finished");
          const { id } = finished[which % finished.length] as BracketMatch;
          const later = findDependents(played, id);
          const opened = await reopenMatch(played, id);
          expect(playable(opened).map((match) => match.id)).toContain(id);
          const gone = new Set([id, ...later]);
          for (const match of finished) {
            if (gone.has(match.id)) continue;
            expect(readMatches(opened).find((other) => other.id === match.id)).toEqual(match);
          }
          expectFairEnd(await playOut(opened, flip), format, count);
        },
      ),
      { numRuns: 40 },
    );
  });
});
