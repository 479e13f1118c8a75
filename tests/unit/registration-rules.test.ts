import { describe, expect, test } from "vitest";
import {
  mayWithdraw,
  obstacleOf,
  rosterLimit,
  sayLimits,
  sayMissing,
} from "../../app/features/tournaments/registration/rules";

const date = new Date("2026-12-05T18:00:00Z");
const schedule = {
  state: "open",
  registrationDeadline: new Date("2026-12-04T18:00:00Z"),
  tournamentDate: date,
  checkInMinutes: 30,
} as const;

describe("Who may play", () => {
  const limits = { minRank: "Gold 1", maxRank: "Diamond 3" } as const;

  test("verified players do, of any rank and of none, where no rank is asked for", () => {
    const anyone = { minRank: null, maxRank: null };
    expect(obstacleOf({ isVerified: true, rank: null }, anyone)).toBeNull();
    expect(obstacleOf({ isVerified: true, rank: "Radiant" }, anyone)).toBeNull();
    expect(obstacleOf({ isVerified: false, rank: "Radiant" }, anyone)).toBe("unverified");
  });

  test("both ends of the limits belong to them", () => {
    for (const rank of ["Gold 1", "Platinum 2", "Diamond 3"] as const) {
      expect(obstacleOf({ isVerified: true, rank }, limits)).toBeNull();
    }
    for (const rank of ["Silver 3", "Ascendant 1"] as const) {
      expect(obstacleOf({ isVerified: true, rank }, limits)).toBe("rank");
    }
  });

  test("one limit is enough to ask for a rank", () => {
    expect(obstacleOf({ isVerified: true, rank: null }, { minRank: "Iron 1", maxRank: null })).toBe("no-rank");
    expect(obstacleOf({ isVerified: true, rank: null }, { minRank: null, maxRank: "Radiant" })).toBe("no-rank");
  });

  test("limits read as players say them", () => {
    expect(sayLimits(limits)).toBe("Gold 1 to Diamond 3");
    expect(sayLimits({ minRank: "Gold 1", maxRank: null })).toBe("Gold 1 and up");
    expect(sayLimits({ minRank: null, maxRank: "Gold 1" })).toBe("up to Gold 1");
    expect(sayLimits({ minRank: "Gold 1", maxRank: "Gold 1" })).toBe("Gold 1");
    expect(sayLimits({ minRank: null, maxRank: null })).toBe("any rank");
  });
});

test("A team has two substitutes, who plays alone has none", () => {
  expect([1, 2, 3, 5].map(rosterLimit)).toEqual([1, 4, 5, 7]);
  expect([sayMissing(1), sayMissing(4)]).toEqual(["1 player is missing", "4 players are missing"]);
});

describe("A team withdraws", () => {
  test("until check-in opens", () => {
    expect(mayWithdraw(schedule, "entered", new Date("2026-12-05T17:29:59Z"))).toBe(true);
    expect(mayWithdraw(schedule, "entered", new Date("2026-12-05T17:30:00Z"))).toBe(false);
    expect(mayWithdraw(schedule, "waiting", new Date("2026-12-05T17:30:00Z"))).toBe(true);
  });

  test("until the date where nobody checks in", () => {
    const without = { ...schedule, checkInMinutes: 0 };
    expect(mayWithdraw(without, "entered", new Date("2026-12-05T17:59:59Z"))).toBe(true);
    expect(mayWithdraw(without, "entered", date)).toBe(false);
  });

  test("only before the tournament has begun", () => {
    const early = new Date("2026-12-01T12:00:00Z");
    for (const state of ["running", "finished", "cancelled"] as const) {
      expect(mayWithdraw({ ...schedule, state }, "waiting", early)).toBe(false);
    }
  });
});
