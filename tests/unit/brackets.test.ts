import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawBracket, LARGEST_GROUP } from "~/features/tournaments/bracket/draw";
import { type BracketMatch, readMatches } from "~/features/tournaments/bracket/matches";
import { matchName, roundName, slotName } from "~/features/tournaments/bracket/names";
import { enterResult, hangingOn, MatchLocked, type Result, reopenMatch } from "~/features/tournaments/bracket/results";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import { champion, groupTables, standings } from "~/features/tournaments/bracket/standings";
import { FORMATS, type Format } from "~/features/tournaments/formats";

/** "T1" is the strongest. */
const teams = (count: number) => Array.from({ length: count }, (_, index) => `T${index + 1}`);

const draw = (format: Format, count: number, groupSize = 8) => drawBracket({ format, teams: teams(count), groupSize });

const playable = (snapshot: Snapshot) => readMatches(snapshot).filter(({ standing }) => standing === "ready");

const find = (snapshot: Snapshot, name: string) =>
  readMatches(snapshot).find((match) => matchName(match) === name) as BracketMatch;

const who = ({ slots }: BracketMatch) => slots.map(({ team, isBye }) => (isBye ? "bye" : team));

/** Plays what can be played, the stronger team winning, until nothing is left. */
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
  test("the strongest meet last, and the strongest have the byes", async () => {
    const snapshot = await draw("single_elimination", 6);
    expect(readMatches(snapshot).map((match) => [matchName(match), ...who(match)])).toEqual([
      ["Quarter-final 1", "T1", "bye"],
      ["Quarter-final 2", "T4", "T5"],
      ["Quarter-final 3", "T2", "bye"],
      ["Quarter-final 4", "T3", "T6"],
      ["Semi-final 1", "T1", null],
      ["Semi-final 2", "T2", null],
      ["Final", null, null],
    ]);
  });

  test("an open side says which match it waits for", async () => {
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

  test("one team is no tournament", async () => {
    await expect(draw("single_elimination", 1)).rejects.toThrow(RangeError);
  });

  test("groups hold at most 16 teams, and differ by one at most", async () => {
    for (const count of [2, 16, 17, 40, 255, 256]) {
      const tables = groupTables(await draw("round_robin", count, LARGEST_GROUP));
      const sizes = tables.map((table) => table.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
    }
  });

  test("rounds are called as players call them", () => {
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
  test("the strongest wins when the stronger always wins, and the table is the seeding", async () => {
    for (const format of FORMATS) {
      const played = await playOut(await draw(format, 8));
      expect(champion(played)).toBe("T1");
      expect(standings(played)[1]?.team).toBe("T2");
    }
  });

  test("with several groups the first two of each play on", async () => {
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

  test("whoever forfeits is out, and no map counts", async () => {
    const drawn = await draw("single_elimination", 2);
    const played = await enterResult(drawn, find(drawn, "Final").id, { forfeits: 0 });
    expect(champion(played)).toBe("T2");
    expect(find(played, "Final").slots.map(({ forfeited, won }) => [forfeited, won])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test("the second grand final is played only when the losers' winner takes the first", async () => {
    const upTo = async (result: typeof strongerWins) => {
      let now = await draw("double_elimination", 4);
      while (find(now, "Grand final").standing !== "finished") {
        const [next] = playable(now) as [BracketMatch];
        now = await enterResult(now, next.id, matchName(next) === "Grand final" ? result(next) : strongerWins(next));
      }
      return now;
    };
    const decided = await upTo(strongerWins);
    expect(find(decided, "Second grand final").standing).toBe("idle");
    expect(champion(decided)).toBe("T1");
    const open = await upTo(() => ({ scores: [0, 2] }));
    expect(champion(open)).toBeNull();
    expect(who(find(open, "Second grand final")).sort()).toEqual(["T1", "T2"]);
  });

  test("a match takes no second result, none before its teams are known, and no tie", async () => {
    const drawn = await draw("single_elimination", 4);
    const semi = find(drawn, "Semi-final 1").id;
    await expect(enterResult(drawn, find(drawn, "Final").id, { scores: [2, 0] })).rejects.toThrow(MatchLocked);
    await expect(enterResult(drawn, semi, { scores: [1, 1] })).rejects.toThrow(MatchLocked);
    await expect(enterResult(drawn, 99, { scores: [2, 0] })).rejects.toThrow(MatchLocked);
    const played = await enterResult(drawn, semi, { scores: [2, 0] });
    await expect(enterResult(played, semi, { scores: [0, 2] })).rejects.toThrow(MatchLocked);
  });
});

describe("Taking back", () => {
  test("a match is opened again together with those that hang on it, and with no others", async () => {
    const played = await playOut(await draw("single_elimination", 8));
    const id = (name: string) => find(played, name).id;
    expect(hangingOn(played, id("Quarter-final 1"))).toEqual([id("Final"), id("Semi-final 1")]);
    expect(hangingOn(played, id("Final"))).toEqual([]);
    const opened = await reopenMatch(played, id("Quarter-final 1"));
    expect(playable(opened).map(matchName)).toEqual(["Quarter-final 1"]);
    expect(who(find(opened, "Semi-final 1"))).toEqual([null, expect.any(String)]);
    expect(who(find(opened, "Final"))).toEqual([null, "T2"]);
    expect(find(opened, "Quarter-final 1").slots.map(({ score }) => score)).toEqual([null, null]);
  });

  test("what is not finished can't be opened again", async () => {
    const drawn = await draw("single_elimination", 4);
    await expect(reopenMatch(drawn, 0)).rejects.toThrow(MatchLocked);
  });

  test("a group match opened again takes the play-offs with it; they are drawn anew", async () => {
    const played = await playOut(await draw("round_robin", 8, 4));
    const opened = await reopenMatch(played, 0);
    expect(readMatches(opened).filter(({ part }) => part === "playoffs")).toEqual([]);
    expect(playable(opened).map(({ id }) => id)).toEqual([0]);
    expect(champion(await playOut(opened))).toBe("T1");
  });

  test.each(FORMATS)("any match of a %s can be opened again and played again", async (format) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 20 }),
        fc.nat(),
        fc.infiniteStream(fc.boolean()),
        async (count, which, coin) => {
          const flip = () => ({ scores: coin.next().value ? ([2, 1] as const) : ([1, 2] as const) });
          const played = await playOut(await draw(format, count, 5), flip);
          const finished = readMatches(played).filter(({ standing }) => standing === "finished");
          const { id } = finished[which % finished.length] as BracketMatch;
          const later = hangingOn(played, id);
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

/** What must hold of every tournament that is over. */
function expectFairEnd(played: Snapshot, format: Format, count: number) {
  const matches = readMatches(played);
  const finished = matches.filter(({ standing }) => standing === "finished");
  const lost = new Map<string, number>();
  const byNumber = new Map(matches.map((match) => [match.id, match]));
  for (const { id, part, slots } of finished) {
    const [one, two] = slots;
    expect(one.team, `match ${id}`).not.toBeNull();
    expect(two.team).not.toBeNull();
    expect(one.team).not.toBe(two.team);
    expect([one.won, two.won].filter(Boolean)).toHaveLength(1);
    for (const slot of slots) {
      if (part !== "group" && !slot.won) lost.set(slot.team as string, (lost.get(slot.team as string) ?? 0) + 1);
      // Whoever stands here has earned it: won, or lost, exactly where the bracket says that they come from.
      if (!slot.from) continue;
      const source = byNumber.get(slot.from.match) as BracketMatch;
      const expected = source.slots.find(({ team, won }) =>
        source.standing === "bye" ? team !== null : won === (slot.from?.outcome === "winner"),
      );
      expect(slot.team, `match ${id} from ${source.id}`).toBe(expected?.team);
    }
  }
  expect(matches.filter(({ standing }) => standing === "waiting" || standing === "ready")).toEqual([]);
  const winner = champion(played) as string;
  const table = standings(played);
  expect(table.map(({ place }) => place)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  expect(new Set(table.map(({ team }) => team))).toEqual(new Set(teams(count)));
  expect(table[0]?.team).toBe(winner);
  if (format === "round_robin") return;
  const lives = format === "double_elimination" ? 2 : 1;
  for (const team of teams(count)) {
    if (team === winner) expect(lost.get(team) ?? 0).toBeLessThan(lives);
    else expect(lost.get(team), `${team} of ${count}`).toBe(lives);
  }
}

describe("Any tournament", () => {
  const runs = { single_elimination: 450, double_elimination: 350, round_robin: 200 };

  test.each(FORMATS)(
    "a %s of 2 to 256 teams, played out at random, ends fairly",
    { timeout: 240_000 },
    async (format) => {
      await fc.assert(
        fc.asyncProperty(
          // Small ones more often: every number of byes turns up there, and they take no time.
          fc.oneof(
            { weight: 60, arbitrary: fc.integer({ min: 2, max: 24 }) },
            { weight: 1, arbitrary: fc.integer({ min: 25, max: 256 }) },
          ),
          fc.integer({ min: 3, max: 16 }),
          fc.infiniteStream(fc.nat({ max: 9 })),
          async (count, groupSize, dice) => {
            const roll = () => dice.next().value as number;
            let now = await draw(format, count, groupSize);
            for (let ready = playable(now); ready.length > 0; ready = playable(now)) {
              const next = ready[roll() % ready.length] as BracketMatch;
              const kind = roll();
              now = await enterResult(
                now,
                next.id,
                kind < 2 ? { forfeits: kind as 0 | 1 } : { scores: kind % 2 ? [2, roll() % 2] : [roll() % 2, 2] },
              );
            }
            expectFairEnd(now, format, count);
            expect(JSON.parse(JSON.stringify(now))).toEqual(now);
          },
        ),
        { numRuns: runs[format] },
      );
    },
  );
});
