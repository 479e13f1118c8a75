import { describe, expect, test } from "vitest";
import { sayPlace } from "~/features/tournaments/places";
import { newsOf } from "~/features/tournaments/play/news";
import { Game, openTournament } from "../support/play-state";

const hasThirdPlace = (game: Game) => game.state.matches.some(({ part }) => part === "third-place");

describe("Third place", () => {
  test.each([
    ["automatic", 7, false],
    ["automatic", 8, true],
    ["yes", 4, true],
    ["no", 16, false],
  ] as const)("with %s and %i teams is played for: %s", async (thirdPlace, teams, played) => {
    const game = new Game(openTournament(teams, { thirdPlace }));
    await game.start();
    expect(hasThirdPlace(game)).toBe(played);
  });

  test("is no matter of a double elimination, or of groups", async () => {
    for (const format of ["double_elimination", "round_robin"] as const) {
      const game = new Game(openTournament(8, { thirdPlace: "yes", format }));
      await game.start();
      expect(hasThirdPlace(game)).toBe(false);
    }
  });

  test("is shared where nobody plays for it, and everybody hears of their place", async () => {
    const game = new Game(openTournament(4));
    await game.start();
    await game.playOut();
    expect(game.places(sayPlace)).toEqual(["1st T1", "2nd T2", "3rd–4th T3", "3rd–4th T4"]);
    const news = newsOf(game.before, game.state, game.events.slice(-2), game.now);
    const finished = news.filter(({ kind }) => kind === "tournament-finished");
    expect(finished.map(({ userId, data }) => [userId, data.place, data.lastPlace])).toEqual([
      ["T1", 1, null],
      ["T2", 2, null],
      ["T3", 3, 4],
      ["T4", 3, 4],
    ]);
  });

  test("is decided by its match, without which the tournament isn't over", async () => {
    const game = new Game(openTournament(8));
    await game.start();
    await game.playOut("Third-place match");
    expect(game.state.state).toBe("running");
    await game.win(game.match("Third-place match"), "T4");
    expect(game.places(sayPlace).slice(0, 5)).toEqual(["1st T1", "2nd T2", "3rd T4", "4th T3", "5th–8th T5"]);
  });
});

test("Places are said as players say them", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map((place) => sayPlace(place, null))).toEqual(
    "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th".split(" "),
  );
  expect(sayPlace(5, 8)).toBe("5th–8th");
  expect(sayPlace(5, 5)).toBe("5th");
});
