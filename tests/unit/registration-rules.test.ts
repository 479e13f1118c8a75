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

describe("A tournament's rank limits", () => {
  const limits = { minRank: "Gold 1", maxRank: "Diamond 3" } as const;

  test("admit every verified player, with or without a rank, if neither is set", () => {
    const anyone = { minRank: null, maxRank: null };
    expect(obstacleOf({ isVerified: true, rank: null }, anyone)).toBeNull();
    expect(obstacleOf({ isVerified: true, rank: "Radiant" }, anyone)).toBeNull();
    expect(obstacleOf({ isVerified: false, rank: "Radiant" }, anyone)).toBe("unverified");
  });

  test("include both ends", () => {
    for (const rank of ["Gold 1", "Platinum 2", "Diamond 3"] as const) {
      expect(obstacleOf({ isVerified: true, rank }, limits)).toBeNull();
    }
    for (const rank of ["Silver 3", "Ascendant 1"] as const) {
      expect(obstacleOf({ isVerified: true, rank }, limits)).toBe("rank");
    }
  });

  test("require a rank even with a single limit", () => {
    expect(obstacleOf({ isVerified: true, rank: null }, { minRank: "Iron 1", maxRank: null })).toBe("no-rank");
    expect(obstacleOf({ isVerified: true, rank: null }, { minRank: null, maxRank: "Radiant" })).toBe("no-rank");
  });

  test("are written the way players say them", () => {
    expect(sayLimits(limits)).toBe("Gold 1 to Diamond 3");
    expect(sayLimits({ minRank: "Gold 1", maxRank: null })).toBe("Gold 1 and up");
    expect(sayLimits({ minRank: null, maxRank: "Gold 1" })).toBe("Gold 1 and below");
    expect(sayLimits({ minRank: "Gold 1", maxRank: "Gold 1" })).toBe("Gold 1");
    expect(sayLimits({ minRank: null, maxRank: null })).toBe("any rank");
  });
});

test("A team may have two substitutes, a single player none", () => {
  expect([1, 2, 3, 5].map(rosterLimit)).toEqual([1, 4, 5, 7]);
});

test("Missing players are counted in the singular and the plural", () => {
  expect([sayMissing(1), sayMissing(4)]).toEqual(["1 player short", "4 players short"]);
});

describe("A team can withdraw", () => {
  test("until check-in opens, and even later while it is on the waiting list", () => {
    expect(mayWithdraw(schedule, "entered", new Date("2026-12-05T17:29:59Z"))).toBe(true);
    expect(mayWithdraw(schedule, "entered", new Date("2026-12-05T17:30:00Z"))).toBe(false);
    expect(mayWithdraw(schedule, "waiting", new Date("2026-12-05T17:30:00Z"))).toBe(true);
  });

  test("until the tournament's date if it has no check-in", () => {
    const without = { ...schedule, checkInMinutes: 0 };
    expect(mayWithdraw(without, "entered", new Date("2026-12-05T17:59:59Z"))).toBe(true);
    expect(mayWithdraw(without, "entered", date)).toBe(false);
  });

  test("only before the tournament starts", () => {
    const early = new Date("2026-12-01T12:00:00Z");
    for (const state of ["running", "finished", "cancelled"] as const) {
      expect(mayWithdraw({ ...schedule, state }, "waiting", early)).toBe(false);
    }
  });
});
