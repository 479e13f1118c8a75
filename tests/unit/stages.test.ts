import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Format, GrandFinal } from "#db/words/tournament-formats";
import { drawBracket } from "~/features/tournaments/bracket/draw";
import { type BracketMatch, readMatches } from "~/features/tournaments/bracket/matches";
import { sayLengths, stageOf } from "~/features/tournaments/format/stages";
import type { PlayMatch } from "~/features/tournaments/play/state";
import { matchName } from "~/features/tournaments/shared/match-names";
import { findScoreProblem, type MapResult, mapScore, mapsToPlay } from "~/game/scores";
import { Game, openTournament } from "../support/play-state";

const ELIMINATIONS = ["single_elimination", "double_elimination"] as const;

async function matchesOf(format: Format, teams: number, thirdPlace = false): Promise<BracketMatch[]> {
  const names = Array.from({ length: teams }, (_, index) => `T${index + 1}`);
  return readMatches(await drawBracket({ format, teams: names, groupSize: 4, thirdPlace }));
}

/** For each match, the number of further matches that its winner has to win for the title. */
function winsLeft(matches: readonly BracketMatch[]): Map<number, number> {
  const next = new Map<number, number>();
  for (const { id, part, slots } of matches) {
    if (part === "grand-final" && slots.some(({ from }) => from?.outcome === "loser")) continue;
    for (const { from } of slots) if (from?.outcome === "winner") next.set(from.match, id);
  }
  const left = (id: number): number => {
    const to = next.get(id);
    return to === undefined ? 0 : left(to) + 1;
  };
  return new Map(matches.map(({ id }) => [id, left(id)]));
}

/** The documented stage of a match. @param left the number of matches that its winner then has to win for the title */
function expectedStage(match: BracketMatch, left: number): string {
  const stageIn = (stages: readonly string[]) => stages[left] ?? "early";
  switch (match.part) {
    case "grand-final":
      return "final";
    case "third-place":
      return "semi";
    case "winners":
      return stageIn(["", "semi", "semi", "quarter"]);
    case "losers":
      return stageIn(["", "lower-final", "semi", "quarter"]);
    default:
      return stageIn(["final", "semi", "quarter"]);
  }
}

describe("The stage of a match", () => {
  test.each([
    ["single_elimination", 2, { Final: "final" }],
    ["single_elimination", 3, { "Semi-final": "semi", "Semi-final 1": "semi", Final: "final" }],
    [
      "single_elimination",
      4,
      { "Semi-final 1": "semi", "Semi-final 2": "semi", "Third-place match": "semi", Final: "final" },
    ],
    ["double_elimination", 2, { "Winners' final": "semi", "Grand final": "final", "Second grand final": "final" }],
    [
      "double_elimination",
      3,
      {
        "Winners' round 1, match 1": "semi",
        "Winners' final": "semi",
        "Losers' final": "lower-final",
        "Grand final": "final",
        "Second grand final": "final",
      },
    ],
    [
      "double_elimination",
      4,
      {
        "Winners' round 1, match 1": "semi",
        "Winners' round 1, match 2": "semi",
        "Winners' final": "semi",
        "Losers' round 1, match 1": "semi",
        "Losers' final": "lower-final",
        "Grand final": "final",
        "Second grand final": "final",
      },
    ],
  ] as const)("of a %s of %i teams", async (format, teams, stages) => {
    const matches = await matchesOf(format, teams, true);
    const named = Object.fromEntries(matches.map((match) => [matchName(match), stageOf(match)]));
    expect(named).toMatchObject(stages);
    const played = matches.filter(({ status }) => status === "ready" || status === "waiting");
    for (const match of played.filter(({ slots }) => slots.every(({ isBye }) => !isBye))) {
      expect(Object.keys(stages)).toContain(matchName(match));
    }
  });

  test("of any elimination follows from its distance to the title", async () => {
    const sizes = fc.integer({ min: 2, max: 256 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...ELIMINATIONS), sizes, fc.boolean(), async (format, teams, thirdPlace) => {
        const matches = await matchesOf(format, teams, thirdPlace);
        const left = winsLeft(matches);
        for (const match of matches) {
          expect(stageOf(match), matchName(match)).toBe(expectedStage(match, left.get(match.id) as number));
        }
      }),
      {
        numRuns: 40,
        examples: [...[2, 3, 4, 5, 8, 256].map((size) => ["double_elimination" as const, size, false])] as [],
      },
    );
  });

  test("is the early one in a group, while play-offs have the stages of an elimination", async () => {
    const game = new Game(
      openTournament(12, { format: "round_robin", bestOf: 1, quarterBestOf: 3, semiBestOf: 5, finalBestOf: 5 }),
    );
    await game.start();
    await game.playOut();
    const count = (part: string, bestOf: number) =>
      game.state.matches.filter((match) => match.part === part && match.bestOf === bestOf).length;
    expect([count("group", 1), count("playoffs", 3), count("playoffs", 5)]).toEqual([18, 4, 3]);
    expect(game.state.matches).toHaveLength(25);
  });

  test("decides how long a match is: as long as in the early rounds, unless the stage has its own length", async () => {
    const lengthsOf = async (changes: Parameters<typeof openTournament>[1]) => {
      const game = new Game(openTournament(16, { format: "double_elimination", ...changes }));
      await game.start();
      const names = [
        "Winners' round 1, match 1",
        "Winners' round 2, match 1",
        "Winners' round 3, match 1",
        "Winners' final",
        "Losers' round 3, match 1",
        "Losers' round 4, match 1",
        "Losers' round 5, match 1",
        "Losers' final",
        "Grand final",
      ];
      return names.map((name) => game.match(name).bestOf).join("");
    };
    expect(await lengthsOf({ bestOf: 1, finalBestOf: 3 })).toBe("111111113");
    expect(await lengthsOf({ bestOf: 1, lowerFinalBestOf: 5, finalBestOf: 5 })).toBe("111111155");
    expect(await lengthsOf({ bestOf: 1, quarterBestOf: 3, semiBestOf: 5, finalBestOf: 1 })).toBe("135513511");
  });

  test("is named in the rules if its matches have a length of their own", () => {
    const lengths = {
      bestOf: 1,
      quarterBestOf: null,
      semiBestOf: 3,
      lowerFinalBestOf: 3,
      finalBestOf: 5,
      grandFinal: "single",
    } as const;
    expect(sayLengths("double_elimination", lengths)).toBe(
      "Best of 1; semi-finals and losers' final best of 3; grand final best of 5",
    );
    expect(sayLengths("single_elimination", lengths)).toBe("Best of 1; semi-finals best of 3; final best of 5");
    expect(sayLengths("round_robin", { ...lengths, semiBestOf: null })).toBe(
      "Best of 1; in any play-offs, final best of 5",
    );
    expect(sayLengths("single_elimination", { ...lengths, semiBestOf: 1, finalBestOf: 1 })).toBe("Best of 1");
  });
});

const WON: [number, number] = [13, 7];
const LOST: [number, number] = [7, 13];
const maps = (...rounds: [number, number][]): MapResult[] => rounds.map((score) => ({ map: null, rounds: score }));

describe("A match in which one side starts one map up", () => {
  const five = { bestOf: 5, advantage: 1 } as const;

  test("ends when a side has enough maps to win, counting the one it started with", () => {
    expect(findScoreProblem(maps(WON, WON), five)).toBeNull();
    expect(mapScore(maps(WON, WON), five)).toEqual([3, 0]);
    expect(findScoreProblem(maps(LOST, LOST), five)).toEqual({ map: null, problem: "unfinished" });
    expect(findScoreProblem(maps(LOST, WON, LOST, LOST), five)).toBeNull();
    expect(mapScore(maps(LOST, WON, LOST, LOST), five)).toEqual([2, 3]);
    expect(findScoreProblem(maps(WON, WON, WON), five)).toEqual({ map: 2, problem: "played-on" });
    expect(findScoreProblem(maps(WON, LOST, LOST, WON, LOST), five)).toEqual({ map: null, problem: "too-many-maps" });
    expect(findScoreProblem(maps(LOST, LOST), { bestOf: 3, advantage: 1 })).toBeNull();
    expect(findScoreProblem(maps(LOST), { bestOf: 3, advantage: 2 })).toBeNull();
  });

  test("ends at exactly one point, however its maps go", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 3, 5),
        fc.constantFrom(null, 1, 2),
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        (bestOf, advantage, wins) => {
          fc.pre(bestOf > 1 || advantage === null);
          const length = { bestOf, advantage } as const;
          const all = maps(...wins.map((isWon) => (isWon ? WON : LOST)));
          const played = Array.from({ length: 5 }, (_, index) => all.slice(0, index + 1));
          const ends = played.filter((score) => findScoreProblem(score, length) === null);
          expect(ends).toHaveLength(1);
          const [end = []] = ends;
          expect(end.length).toBeLessThanOrEqual(mapsToPlay(length));
          expect(Math.max(...mapScore(end, length))).toBe((bestOf + 1) / 2);
        },
      ),
    );
  });
});

/** Plays every match before the grand final. @param wins whether the first side wins, match by match */
async function upToGrandFinal(teams: number, grandFinal: GrandFinal, wins: readonly boolean[]): Promise<Game> {
  const game = new Game(openTournament(teams, { format: "double_elimination", grandFinal, finalBestOf: 5 }));
  await game.start();
  for (let played = 0; ; played++) {
    const next = game.state.matches.find(({ state, part }) => state === "ready" && part !== "grand-final");
    if (!next) return game;
    await game.win(next, (wins[played % wins.length] ? next.team1 : next.team2) as string);
  }
}

const placesOf = ({ state }: Game) =>
  state.teams.flatMap(({ name, place }) => (place !== null && place < 3 ? [[place, name] as const] : [])).sort();

describe("The grand final", () => {
  const grandFinals = ({ state }: Game): PlayMatch[] => state.matches.filter(({ part }) => part === "grand-final");

  test.each(["single", "advantage", "reset"] as const)("%s: every tournament ends after it", async (kind) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 20 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.boolean(),
        async (teams, wins, winnersWin, secondWin) => {
          const game = await upToGrandFinal(teams, kind, wins);
          const [first] = grandFinals(game) as [PlayMatch];
          const [winners, losers] = [first.team1, first.team2] as [string, string];
          expect(first).toMatchObject({ bestOf: 5, advantage: kind === "advantage" ? 1 : null });
          expect(grandFinals(game)).toHaveLength(kind === "reset" ? 2 : 1);
          await game.win(first, winnersWin ? winners : losers);
          const isReset = kind === "reset" && !winnersWin;
          expect(game.state.state).toBe(isReset ? "running" : "finished");
          const firstWins = isReset ? secondWin : winnersWin;
          if (isReset) {
            const second = grandFinals(game)[1] as PlayMatch;
            expect(second).toMatchObject({ state: "ready", team1: winners, team2: losers, bestOf: 5, advantage: null });
            await game.win(second, secondWin ? winners : losers);
          } else if (kind === "reset") {
            expect(grandFinals(game)[1]?.state).toBe("idle");
          }
          expect(game.state.state).toBe("finished");
          expect(placesOf(game)).toEqual([
            [1, firstWins ? winners : losers],
            [2, firstWins ? losers : winners],
          ]);
          // Reopened, it can be played again.
          const last = grandFinals(game).findLast(({ state }) => state === "finished") as PlayMatch;
          await game.reopen(last);
          expect(grandFinals(game).find(({ id }) => id === last.id)).toMatchObject({
            state: "ready",
            advantage: kind === "advantage" ? 1 : null,
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  test("with an advantage starts at 1 to 0 in maps, and counts only the rounds that were played", async () => {
    const game = await upToGrandFinal(4, "advantage", [true]);
    const [final] = grandFinals(game) as [PlayMatch];
    const [winners, losers] = [final.team1, final.team2] as [string, string];
    for (const team of [winners, losers]) await game.execute(team, { type: "check-in", match: final.id });
    // At most four maps are played, with an hour for each.
    expect((grandFinals(game)[0]?.deadlineAt as number) - game.now).toBe(4 * 60 * 60 * 1000);
    const tries = (played: MapResult[]) => game.attempt(winners, { type: "report", match: final.id, maps: played });
    expect(await tries(maps(WON, WON, WON))).toBe("bad-score");
    expect(await tries(maps(LOST, LOST))).toBe("bad-score");
    expect(await tries(maps(WON, LOST, WON))).toBeNull();
    expect(game.events.at(-1)?.details).toMatchObject({ one: 3, two: 1, winner: winners });
    const expects = grandFinals(game)[0]?.reportedAt as number;
    await game.execute(losers, { type: "confirm", match: final.id, expects });
    expect(grandFinals(game)[0]).toMatchObject({ score1: 3, score2: 1, rounds1: 33, rounds2: 27, winner: 1 });
  });

  test("with an advantage, when forfeited, counts only the maps that the other side still needed", async () => {
    for (const [forfeiter, rounds] of [
      [1, [0, 39]],
      [2, [26, 0]],
    ] as const) {
      const game = await upToGrandFinal(4, "advantage", [true]);
      const [final] = grandFinals(game) as [PlayMatch];
      await game.execute("organiser", { type: "rule", match: final.id, forfeits: forfeiter });
      const [ended] = grandFinals(game) as [PlayMatch];
      expect([ended.rounds1, ended.rounds2, ended.forfeit]).toEqual([...rounds, forfeiter]);
    }
  });
});
