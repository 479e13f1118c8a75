import fc from "fast-check";
import { expect, test } from "vitest";
import { LOSER_ORDERINGS } from "~/features/tournaments/bracket/draw";
import { allOrders, compareRematches, rematches } from "../support/rematches";

test.each([
  [128, 65, 12],
  [256, 129, 4],
])("no other ordering delays rematches longer in a bracket of %i places", (places, least, numRuns) => {
  const orders = allOrders(places);
  fc.assert(
    fc.property(fc.integer({ min: least, max: places }), (teams) => {
      const ours = rematches(teams, LOSER_ORDERINGS[places] ?? []);
      for (const order of orders) expect(compareRematches(ours, rematches(teams, order))).toBeLessThanOrEqual(0);
    }),
    { numRuns, examples: [[places], [least]] },
  );
});
