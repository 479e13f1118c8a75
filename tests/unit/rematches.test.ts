import { expect, test } from "vitest";
import { LOSER_ORDERINGS } from "~/features/tournaments/bracket/draw";
import { draw } from "../support/fair-end";
import { compareRematches, drawnRematches, everyOrder, rematches } from "../support/rematches";

const placesFor = (teams: number) => 2 ** Math.ceil(Math.log2(teams));
const ours = (teams: number) => rematches(teams, LOSER_ORDERINGS[placesFor(teams)] ?? []);

test("the losers of a double elimination fall as their order says", async () => {
  for (const teams of [4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 24, 32, 40, 64, 100, 128, 256]) {
    expect(drawnRematches(await draw("double_elimination", teams)), `${teams} teams`).toEqual(ours(teams));
  }
});

test("no order of the library's puts off longer a second meeting of two of 4 to 64 teams, byes or not", () => {
  for (let teams = 4; teams <= 64; teams++) {
    const best = everyOrder(placesFor(teams))
      .map((order) => rematches(teams, order))
      .reduce((least, other) => (compareRematches(other, least) < 0 ? other : least));
    expect(ours(teams), `${teams} teams`).toEqual(best);
  }
});

test("of 16 teams nobody meets in the losers' bracket at once whom they beat in the match before they fell", () => {
  // Only the two finals' losers may: whoever loses the winners' final meets the last of the losers.
  expect(ours(16).slice(0, 2)).toEqual([0, 2]);
});
