import { describe, expect, test } from "vitest";
import { canQueue, highestAllowed, isQueueSize, queueRange } from "../../app/game/queue";
import { RANKS, type Rank, rankPosition } from "../../app/game/ranks";
import { canPlayTogether, REGIONS } from "../../app/game/regions";

/*
 * The rules once more, written by hand and in a different form than in the code: for each rank, the highest rank
 * allowed in a duo or trio whose lowest rank it is.
 */
const HIGHEST: Record<Rank, Rank> = {
  "Iron 1": "Silver 3",
  "Iron 2": "Silver 3",
  "Iron 3": "Silver 3",
  "Bronze 1": "Silver 3",
  "Bronze 2": "Silver 3",
  "Bronze 3": "Silver 3",
  "Silver 1": "Gold 3",
  "Silver 2": "Gold 3",
  "Silver 3": "Gold 3",
  "Gold 1": "Platinum 3",
  "Gold 2": "Platinum 3",
  "Gold 3": "Platinum 3",
  "Platinum 1": "Diamond 1",
  "Platinum 2": "Diamond 2",
  "Platinum 3": "Diamond 3",
  "Diamond 1": "Ascendant 1",
  "Diamond 2": "Ascendant 2",
  "Diamond 3": "Ascendant 3",
  "Ascendant 1": "Immortal 1",
  "Ascendant 2": "Immortal 2",
  "Ascendant 3": "Immortal 3",
  "Immortal 1": "Radiant",
  "Immortal 2": "Radiant",
  "Immortal 3": "Radiant",
  Radiant: "Radiant",
};

const pairs = RANKS.flatMap((one) => RANKS.map((other) => [one, other] as const));
const allowed = (one: Rank, other: Rank) => {
  const [low, high] = rankPosition(one) <= rankPosition(other) ? [one, other] : [other, one];
  return rankPosition(high) <= rankPosition(HIGHEST[low]);
};

describe("queueing together", () => {
  test("each rank has a highest partner", () => {
    expect(Object.fromEntries(RANKS.map((rank) => [rank, highestAllowed(rank)]))).toEqual(HIGHEST);
  });

  test("anyone may queue alone", () => {
    for (const rank of RANKS) expect(canQueue([rank])).toEqual({ allowed: true, reducedGains: false });
  });

  test.each([2, 3])("every pair of ranks in a party of %i is bound by the lower one", (size) => {
    expect(pairs).toHaveLength(625);
    for (const [one, other] of pairs) {
      const party = [one, other, ...Array<Rank>(size - 2).fill(one)];
      const verdict = allowed(one, other)
        ? { allowed: true, reducedGains: false }
        : { allowed: false, reason: "ranks" };
      expect(canQueue(party), party.join()).toEqual(verdict);
      expect(canQueue(party.toReversed()), party.join()).toEqual(verdict);
    }
  });

  test("a party of four can't queue, whatever its ranks", () => {
    for (const [one, other] of pairs) {
      expect(canQueue([one, one, other, other])).toEqual({ allowed: false, reason: "size" });
    }
  });

  test("a party of five may have any ranks, with reduced gains if a smaller party would not be allowed", () => {
    for (const [one, other] of pairs) {
      expect(canQueue([one, one, one, other, other])).toEqual({ allowed: true, reducedGains: !allowed(one, other) });
    }
  });

  test("no other number of players is a party", () => {
    expect([0, 1, 2, 3, 4, 5, 6].filter(isQueueSize)).toEqual([1, 2, 3, 5]);
    expect(canQueue([])).toEqual({ allowed: false, reason: "size" });
  });

  test("a rank's range of partners has no gaps, and includes the rank itself", () => {
    for (const rank of RANKS) {
      const { from, to } = queueRange(rank);
      const inRange = RANKS.filter((_, at) => at >= rankPosition(from) && at <= rankPosition(to));
      expect(inRange, rank).toEqual(RANKS.filter((other) => allowed(rank, other)));
      expect(inRange).toContain(rank);
    }
  });

  test("Platinum 2 plays with Gold 1 to Diamond 2", () => {
    expect(queueRange("Platinum 2")).toEqual({ from: "Gold 1", to: "Diamond 2" });
  });
});

describe("the regions that can be in one party", () => {
  test("are each region with itself, and the Americas with each other", () => {
    const partners = Object.fromEntries(
      REGIONS.map((one) => [one, REGIONS.filter((other) => canPlayTogether(one, other))]),
    );
    expect(partners).toEqual({
      "North America": ["North America", "Brazil", "Latin America"],
      Brazil: ["North America", "Brazil", "Latin America"],
      "Latin America": ["North America", "Brazil", "Latin America"],
      Europe: ["Europe"],
      "Asia Pacific": ["Asia Pacific"],
      Korea: ["Korea"],
    });
  });
});
