import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_TIE_BREAKS, TIE_BREAKS, type TieBreaks } from "#db/words/tie-breaks";
import { drawBracket } from "~/features/tournaments/bracket/draw";
import { readMatches } from "~/features/tournaments/bracket/matches";
import { enterResult, findDependents, type Result, reopenMatch } from "~/features/tournaments/bracket/results";
import type { Snapshot } from "~/features/tournaments/bracket/snapshot";
import { champion, disqualifiedLast, groupTables, standings } from "~/features/tournaments/bracket/standings";
import type { Step, TieBreakRules } from "~/features/tournaments/format/tie-breaks";
import { matchName } from "~/features/tournaments/shared/match-names";
import { mapScore, roundScore } from "~/game/scores";
import { playable } from "../support/fair-end";

type Rounds = [number, number];

/** A match by the names of its teams, with the rounds of its maps. */
type Line = [one: string, two: string, ...maps: Rounds[]];

const rules = (tieBreaks: TieBreaks = DEFAULT_TIE_BREAKS, lastTieBreak: TieBreakRules["lastTieBreak"] = "draw") => ({
  tieBreaks,
  lastTieBreak,
});

const resultOf = (maps: readonly Rounds[]): { scores: Rounds; rounds: Rounds } => {
  const played = maps.map((rounds) => ({ map: null, rounds }));
  return { scores: mapScore(played, { advantage: null }), rounds: roundScore(played) };
};

/** The same result with the sides swapped. */
function swapSides(result: Result): Result {
  if ("forfeits" in result) return { ...result, forfeits: result.forfeits === 0 ? 1 : 0 };
  const [one, two] = result.scores;
  return { scores: [two, one], rounds: result.rounds && [result.rounds[1], result.rounds[0]] };
}

/** Enters a result for the open match of two teams. In a result, `forfeits` is 0 if the first of them forfeits. */
async function enter(snapshot: Snapshot, [one, two]: readonly [string, string], result: Result, by: TieBreakRules) {
  const match = playable(snapshot).find(({ slots }) => slots.every(({ team }) => team === one || team === two));
  if (!match) throw new Error(`${one} and ${two} have no match to play.`);
  return enterResult(snapshot, match.id, match.slots[0].team === one ? result : swapSides(result), by);
}

const drawGroup = (teams: readonly string[]) => drawBracket({ format: "round_robin", teams, groupSize: 16 });

async function playGroup(teams: readonly string[], lines: readonly Line[], by: TieBreakRules = rules()) {
  let now = await drawGroup(teams);
  for (const [one, two, ...maps] of lines) now = await enter(now, [one, two], resultOf(maps), by);
  return now;
}

const order = (snapshot: Snapshot, tieBreaks: TieBreaks = DEFAULT_TIE_BREAKS) =>
  groupTables(snapshot, tieBreaks).map((table) => table.map(({ team, separatedBy }) => [team, separatedBy]));

/**
 * Turns a difference in tennis games into a map. A game counts as two rounds, since a map is won by at least two.
 */
const by = (difference: number): Rounds => (difference > 0 ? [13, 13 - 2 * difference] : [13 + 2 * difference, 13]);

/**
 * Expects a table to be explained: each team ranks below the one above because it won fewer matches, or because of a
 * step whose figures separate the two.
 */
function expectExplained(snapshot: Snapshot, tieBreaks: TieBreaks) {
  for (const table of groupTables(snapshot, tieBreaks)) {
    for (const [index, lower] of table.entries()) {
      const upper = table[index - 1];
      if (!upper) continue;
      if (lower.separatedBy === null) {
        expect(upper.won).toBeGreaterThan(lower.won);
        continue;
      }
      expect(upper.won).toBe(lower.won);
      const figures = {
        forfeit: [lower.forfeits, upper.forfeits],
        "map-difference": [upper.mapDifference, lower.mapDifference],
        "round-difference": [upper.roundDifference, lower.roundDifference],
        "maps-won": [upper.mapsWon, lower.mapsWon],
        "rounds-won": [upper.roundsWon, lower.roundsWon],
        draw: [lower.seed, upper.seed],
      } as Record<string, [number, number]>;
      const [better, worse] = figures[lower.separatedBy] ?? [1, 0];
      expect(better, `${upper.team} before ${lower.team} by ${lower.separatedBy}`).toBeGreaterThan(worse);
    }
  }
}

describe("Level teams", () => {
  test("three players of the ATP Finals 2009, level on matches and sets, are separated by games", async () => {
    const players = ["Murray", "Federer", "Verdasco", "del Potro"];
    const played = await playGroup(players, [
      ["Murray", "del Potro", by(3), by(-3), by(4)],
      ["Federer", "Verdasco", by(-2), by(2), by(5)],
      ["del Potro", "Verdasco", by(2), by(-3), by(1)],
      ["Federer", "Murray", by(-3), by(3), by(5)],
      ["Murray", "Verdasco", by(2), by(-1), by(1)],
      ["del Potro", "Federer", by(4), by(-1), by(3)],
    ]);
    expect(order(played)).toEqual([
      [
        ["Federer", null],
        ["del Potro", "round-difference"],
        ["Murray", "round-difference"],
        ["Verdasco", null],
      ],
    ]);
  });

  /** Each of three has won one match of one map. Round differences: Aye +9, Cee 0, Bee −9. */
  const CYCLE: Line[] = [
    ["Aye", "Bee", [13, 2]],
    ["Bee", "Cee", [13, 11]],
    ["Cee", "Aye", [13, 11]],
  ];

  test("three that beat each other in best-of-ones are separated by round difference", async () => {
    const played = await playGroup(["Bee", "Cee", "Aye"], CYCLE);
    expect(order(played)).toEqual([
      [
        ["Aye", null],
        ["Cee", "round-difference"],
        ["Bee", "round-difference"],
      ],
    ]);
    expect(champion(played)).toBe("Aye");
  });

  test("the same three are separated by the seeding in tournaments without a choice of tie-breaks", async () => {
    const played = await playGroup(["Bee", "Cee", "Aye"], CYCLE, rules("legacy"));
    expect(order(played, "legacy")).toEqual([
      [
        ["Bee", null],
        ["Cee", "draw"],
        ["Aye", "draw"],
      ],
    ]);
  });

  test("two of five teams that stay level are separated by the match between them", async () => {
    // All five have won two of four. Ash and Birch both have +6 in rounds, and Birch has beaten Ash.
    const played = await playGroup(
      ["Ash", "Birch", "Cedar", "Dune", "Elm"],
      [
        ["Birch", "Ash", [13, 11]],
        ["Ash", "Cedar", [13, 5]],
        ["Ash", "Dune", [13, 11]],
        ["Cedar", "Birch", [13, 9]],
        ["Birch", "Dune", [13, 3]],
        ["Dune", "Cedar", [13, 11]],
        ["Elm", "Ash", [13, 11]],
        ["Elm", "Birch", [13, 11]],
        ["Cedar", "Elm", [13, 11]],
        ["Dune", "Elm", [13, 11]],
      ],
    );
    expect(order(played)).toEqual([
      [
        ["Birch", null],
        ["Ash", "head-to-head"],
        ["Elm", "round-difference"],
        ["Cedar", "round-difference"],
        ["Dune", "round-difference"],
      ],
    ]);
  });

  test("are separated by the host's own order of steps", async () => {
    // Ash, Birch and Cedar each have two wins: one against Dune, and one against another of the three.
    const lines: Line[] = [
      ["Ash", "Birch", [13, 11], [13, 11]],
      ["Birch", "Cedar", [13, 1], [1, 13], [13, 1]],
      ["Cedar", "Ash", [13, 11], [11, 13], [13, 11]],
      ["Ash", "Dune", [13, 11], [11, 13], [13, 11]],
      ["Birch", "Dune", [13, 0], [13, 0]],
      ["Cedar", "Dune", [13, 11], [13, 11]],
    ];
    const played = await playGroup(["Ash", "Birch", "Cedar", "Dune"], lines);
    const first = (tieBreaks: TieBreaks) =>
      order(played, tieBreaks)[0]
        ?.slice(0, 3)
        .map((row) => row.join(" ").trim());
    // Maps: Ash and Cedar +2, Birch +1. Rounds: Birch +34, Ash +4, Cedar −6.
    expect(first("map-difference,round-difference,head-to-head")).toEqual([
      "Ash",
      "Cedar round-difference",
      "Birch map-difference",
    ]);
    expect(first("map-difference,head-to-head,round-difference")).toEqual([
      "Cedar",
      "Ash head-to-head",
      "Birch map-difference",
    ]);
    expect(first("round-difference,map-difference,head-to-head")).toEqual([
      "Birch",
      "Ash round-difference",
      "Cedar round-difference",
    ]);
  });

  test("have a table even before the first result, and it names no step where wins decide", async () => {
    const drawn = await drawGroup(["Ash", "Birch", "Cedar"]);
    expect(order(drawn)[0]?.map(([team]) => team)).toEqual(["Ash", "Birch", "Cedar"]);
    const played = await enter(drawn, ["Birch", "Cedar"], resultOf([[13, 11]]), rules());
    expect(order(played)).toEqual([
      [
        ["Birch", null],
        ["Ash", null],
        ["Cedar", "map-difference"],
      ],
    ]);
  });
});

describe("A forfeit", () => {
  test("counts as 13 to 0 on every map needed, and puts the team behind those it is level with", async () => {
    let now = await drawGroup(["Ash", "Birch", "Cedar"]);
    now = await enter(
      now,
      ["Birch", "Ash"],
      resultOf([
        [13, 11],
        [13, 11],
      ]),
      rules(),
    );
    now = await enter(
      now,
      ["Ash", "Cedar"],
      resultOf([
        [13, 0],
        [13, 0],
      ]),
      rules(),
    );
    now = await enter(now, ["Birch", "Cedar"], { forfeits: 0, mapsToWin: 2 }, rules());
    const rows = groupTables(now)[0]?.map((row) => [row.team, row.separatedBy, row.mapDifference, row.roundDifference]);
    expect(rows).toEqual([
      ["Ash", null, 0, 22],
      ["Cedar", "head-to-head", 0, 0],
      ["Birch", "forfeit", 0, -22],
    ]);
  });

  test("leaves the other team no worse off than if it had won every map", async () => {
    const lines: Line[] = [
      ["Ash", "Birch", [13, 5]],
      ["Birch", "Cedar", [13, 5]],
    ];
    let now = await playGroup(["Cedar", "Birch", "Ash", "Dune"], lines);
    // Ash, Birch and Cedar each beat one of the others. Dune forfeits against Ash and Birch, and loses to Cedar.
    now = await enter(now, ["Cedar", "Ash"], resultOf([[13, 11]]), rules());
    now = await enter(now, ["Ash", "Dune"], { forfeits: 1 }, rules());
    now = await enter(now, ["Birch", "Dune"], { forfeits: 1 }, rules());
    now = await enter(now, ["Cedar", "Dune"], resultOf([[13, 11]]), rules());
    expect(order(now)).toEqual([
      [
        ["Ash", null],
        ["Birch", "round-difference"],
        ["Cedar", "round-difference"],
        ["Dune", null],
      ],
    ]);
  });

  test("puts a team behind those that played and lost in the same round of an elimination", async () => {
    let now = await drawBracket({ format: "single_elimination", teams: ["T1", "T2", "T3", "T4"], groupSize: 4 });
    now = await enter(now, ["T2", "T3"], { forfeits: 0 }, rules());
    now = await enter(now, ["T1", "T4"], resultOf([[13, 0]]), rules());
    now = await enter(now, ["T1", "T3"], resultOf([[13, 0]]), rules());
    expect(standings(now).map(({ team }) => team)).toEqual(["T1", "T3", "T4", "T2"]);
  });
});

describe("A tie-break match", () => {
  const ALL_EQUAL: Line[] = [
    ["Ash", "Birch", [13, 11]],
    ["Birch", "Cedar", [13, 11]],
    ["Cedar", "Ash", [13, 11]],
  ];
  const match = rules(DEFAULT_TIE_BREAKS, "match");
  const ofTieBreak = (snapshot: Snapshot) => readMatches(snapshot).filter(({ part }) => part === "tie-break");

  test("is played for the title by teams that are equal in everything", async () => {
    const level = await playGroup(["Ash", "Birch", "Cedar"], ALL_EQUAL, match);
    expect(ofTieBreak(level).map(matchName)).toEqual([
      "Group A, tie-break, round 1, match 1",
      "Group A, tie-break, round 2, match 1",
      "Group A, tie-break, round 3, match 1",
    ]);
    expect(champion(level)).toBeNull();
    let now = await enter(level, ["Cedar", "Ash"], resultOf([[13, 5]]), match);
    now = await enter(now, ["Cedar", "Birch"], resultOf([[13, 5]]), match);
    now = await enter(now, ["Ash", "Birch"], resultOf([[5, 13]]), match);
    expect(champion(now)).toBe("Cedar");
    expect(order(now)).toEqual([
      [
        ["Cedar", null],
        ["Birch", "tie-break"],
        ["Ash", "tie-break"],
      ],
    ]);
    // The table counts only the wins of the group.
    expect(groupTables(now)[0]?.map(({ won }) => won)).toEqual([1, 1, 1]);
  });

  test("is not played if the host chose to decide by the draw, which the table then names", async () => {
    const level = await playGroup(["Ash", "Birch", "Cedar"], ALL_EQUAL);
    expect(ofTieBreak(level)).toEqual([]);
    expect(order(level)[0]?.map(([, step]) => step)).toEqual([null, "draw", "draw"]);
    expect(champion(level)).toBe("Ash");
  });

  test("is not played if it would decide nothing", async () => {
    // Dune wins everything, so the other three are level for second place, which earns nothing.
    const won: Line[] = ["Ash", "Birch", "Cedar"].map((team) => ["Dune", team, [13, 5]]);
    const played = await playGroup(["Ash", "Birch", "Cedar", "Dune"], [...ALL_EQUAL, ...won], match);
    expect(ofTieBreak(played)).toEqual([]);
    expect(champion(played)).toBe("Dune");
  });

  /** Plays two groups: in the first all three teams are equal, in the second none are. */
  async function beforePlayoffs() {
    let now = await drawBracket({
      format: "round_robin",
      teams: ["Ash", "X", "Y", "Birch", "Cedar", "Z"],
      groupSize: 3,
    });
    const [first = [], second = []] = groupTables(now).map((table) => table.map(({ team }) => team));
    const [a, b, c] = first as [string, string, string];
    const [x, y, z] = second as [string, string, string];
    for (const pair of [
      [a, b],
      [b, c],
      [c, a],
      [x, y],
      [x, z],
      [y, z],
    ] as const) {
      now = await enter(now, pair, resultOf([[13, 11]]), match);
    }
    return { now, a, b, c };
  }

  test("comes before the play-offs, so reopening it removes them and reopening the group removes both", async () => {
    const { now, a, b, c } = await beforePlayoffs();
    expect(ofTieBreak(now)).toHaveLength(3);
    expect(readMatches(now).some(({ part }) => part === "playoffs")).toBe(false);
    let played = await enter(now, [a, b], resultOf([[5, 13]]), match);
    played = await enter(played, [b, c], resultOf([[13, 5]]), match);
    played = await enter(played, [c, a], resultOf([[13, 5]]), match);
    const playoffs = readMatches(played).filter(({ part }) => part === "playoffs");
    expect(playoffs.flatMap(({ slots }) => slots.map(({ team }) => team))).not.toContain(a);
    const [firstTieBreak] = ofTieBreak(played);
    expect(findDependents(played, firstTieBreak?.id as number)).toEqual(
      playoffs.flatMap(({ id, status }) => (status === "ready" ? [id] : [])).reverse(),
    );
    const again = await reopenMatch(played, firstTieBreak?.id as number);
    expect(
      readMatches(again)
        .map(({ part, status }) => `${part} ${status}`)
        .slice(-3),
    ).toEqual(["tie-break ready", "tie-break finished", "tie-break finished"]);
    expect(findDependents(played, 0)).toHaveLength(5);
    const groupsAgain = await reopenMatch(played, 0);
    expect(readMatches(groupsAgain).every(({ part }) => part === "group")).toBe(true);
    expect(playable(groupsAgain).map(({ id }) => id)).toEqual([0]);
  });
});

test("in any group, neighbours are separated by wins, or by a step whose figures differ", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 7 }),
      fc.constantFrom<TieBreaks>(...TIE_BREAKS),
      fc.infiniteStream(fc.nat({ max: 9 })),
      async (count, tieBreaks, dice) => {
        const roll = () => dice.next().value as number;
        let now = await drawGroup(Array.from({ length: count }, (_, index) => `T${index + 1}`));
        for (let [next] = playable(now); next; [next] = playable(now)) {
          const kind = roll();
          const result: Result =
            kind === 0 ? { forfeits: roll() % 2 === 0 ? 0 : 1 } : resultOf([roll() % 2 ? [13, roll()] : [roll(), 13]]);
          now = await enterResult(now, next.id, result, rules(tieBreaks));
        }
        expectExplained(now, tieBreaks);
      },
    ),
    { numRuns: 150 },
  );
});

describe("The step between two teams with a disqualified one between them", () => {
  type Row = { team: string; separatedBy: Step | null; separatedAt: number };
  const stepsOf = (...rows: Row[]) =>
    disqualifiedLast(rows, ({ team }) => team.startsWith("Out")).map(({ team, separatedBy }) => [team, separatedBy]);

  test("doesn't exist if wins separate them", () => {
    expect(
      stepsOf(
        { team: "T1", separatedBy: null, separatedAt: 0 },
        { team: "Out", separatedBy: "forfeit", separatedAt: 0 },
        { team: "T3", separatedBy: null, separatedAt: 0 },
      ),
    ).toEqual([
      ["T1", null],
      ["T3", null],
      ["Out", null],
    ]);
  });

  test("is the first that separated the level teams, not the nearest", () => {
    expect(
      stepsOf(
        { team: "T1", separatedBy: null, separatedAt: 0 },
        { team: "Out", separatedBy: "map-difference", separatedAt: 1 },
        { team: "T3", separatedBy: "forfeit", separatedAt: 0 },
        { team: "Out 2", separatedBy: "round-difference", separatedAt: 1 },
        { team: "T5", separatedBy: "draw", separatedAt: 2 },
      ),
    ).toEqual([
      ["T1", null],
      ["T3", "forfeit"],
      ["T5", "round-difference"],
      ["Out", null],
      ["Out 2", null],
    ]);
  });
});
