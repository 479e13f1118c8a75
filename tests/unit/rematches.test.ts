import { expect, test } from "vitest";
import { LOSER_ORDERINGS } from "~/features/tournaments/bracket/draw";
import { draw } from "../support/fair-end";
import { allOrders, compareRematches, drawnRematches, rematches } from "../support/rematches";

const placesFor = (teams: number) => 2 ** Math.ceil(Math.log2(teams));
const ours = (teams: number) => rematches(teams, LOSER_ORDERINGS[placesFor(teams)] ?? []);

test("the losers of a double elimination drop in the order chosen for the size of its bracket", async () => {
  for (const teams of [4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 24, 32, 40, 64, 100, 128, 256]) {
    expect(drawnRematches(await draw("double_elimination", teams)), `${teams} teams`).toEqual(ours(teams));
  }
});

test("no other ordering delays rematches longer with 4 to 64 teams, with byes or without", () => {
  for (let teams = 4; teams <= 64; teams++) {
    const best = allOrders(placesFor(teams))
      .map((order) => rematches(teams, order))
      .reduce((least, other) => (compareRematches(other, least) < 0 ? other : least));
    expect(ours(teams), `${teams} teams`).toEqual(best);
  }
});

test("with 16 teams, no two teams meet again without a match in between", () => {
  // Only the loser of the winners' final can have a rematch after one match in between: it may meet its semi-final
  // opponent in the losers' final.
  expect(ours(16).slice(0, 2)).toEqual([0, 2]);
});
