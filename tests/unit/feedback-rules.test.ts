import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AGAIN_AFTER,
  nextStep,
  type OwnFeedback,
  REVEALED_AFTER,
  REVIEW_LIST,
} from "../../app/features/feedback/rules";
import { feedbackSchema } from "../../app/features/feedback/schema";
import { rankingScore, USUAL_WEIGHT } from "../../app/features/feedback/shared/ranking";
import { reportSchema } from "../../app/features/reports/schema";
import { DAY } from "../../app/platform/dates/durations";
import { pageAfter, pageUpTo } from "../../app/platform/lists/keyset";
import { readSearch, writeSearch } from "../../app/platform/search-params/search-params";
import { uuidv7 } from "../../db/ids";
import { USUAL_RATING } from "../../db/words/ratings";
import { busyFeedback, demoFeedback, withScores } from "../../scripts/worlds/feedback";
import { makePlayers } from "../../scripts/worlds/players";

const stars = fc.integer({ min: 1, max: 5 });
const sumOf = (ratings: readonly number[]) => ratings.reduce((sum, one) => sum + one, 0);
const scoreOf = (ratings: readonly number[]) => rankingScore(ratings.length, sumOf(ratings));

describe("The ranking score", () => {
  test("is the usual rating if a player has no ratings, and otherwise lies between it and their mean", () => {
    expect(scoreOf([])).toBe(USUAL_RATING);
    fc.assert(
      fc.property(fc.array(stars, { minLength: 1, maxLength: 200 }), (ratings) => {
        const mean = sumOf(ratings) / ratings.length;
        const score = scoreOf(ratings);
        expect(score).toBeGreaterThanOrEqual(Math.min(mean, USUAL_RATING) - 1e-9);
        expect(score).toBeLessThanOrEqual(Math.max(mean, USUAL_RATING) + 1e-9);
      }),
    );
  });

  test("comes closer to the mean with more ratings", () => {
    fc.assert(
      fc.property(stars, fc.integer({ min: 1, max: 500 }), (rating, count) => {
        const distance = (ratings: number) => Math.abs(rating - rankingScore(ratings, ratings * rating));
        expect(distance(count + 1)).toBeLessThanOrEqual(distance(count));
        expect(distance(count)).toBeCloseTo(
          (Math.abs(rating - USUAL_RATING) * USUAL_WEIGHT) / (USUAL_WEIGHT + count),
          9,
        );
      }),
    );
  });

  test("never falls with a rating of five, and never rises with a rating of one", () => {
    fc.assert(
      fc.property(fc.array(stars, { maxLength: 100 }), (ratings) => {
        expect(scoreOf([...ratings, 5])).toBeGreaterThanOrEqual(scoreOf([...ratings, 4]));
        expect(scoreOf([...ratings, 5])).toBeGreaterThanOrEqual(scoreOf(ratings));
        expect(scoreOf([...ratings, 1])).toBeLessThanOrEqual(scoreOf(ratings));
      }),
    );
  });

  test("ranks a hundred ratings of 4.9 before a single 5, and no ratings before a single 1", () => {
    expect(rankingScore(100, 490)).toBeGreaterThan(rankingScore(1, 5));
    expect(rankingScore(0, 0)).toBeGreaterThan(rankingScore(1, 1));
  });
});

describe("A player's next step with feedback", () => {
  const now = Date.now();
  const last = (age: number, revealedAfter: number | null): OwnFeedback => ({
    id: uuidv7(),
    rating: 4,
    comment: null,
    tags: [],
    createdAt: now - age,
    updatedAt: now - age,
    dueAt: now - age + REVEALED_AFTER,
    revealedAt: revealedAfter === null ? null : now - age + revealedAfter,
    isHidden: false,
  });

  test.each([
    ["is to give it, as long as none was given", null, undefined, "give"],
    ["is to edit feedback that is still hidden", last(DAY, null), undefined, "edit"],
    ["is to wait, once it is revealed", last(DAY, 0), undefined, "wait"],
    [
      "is to wait if moderators hid it before it was revealed",
      { ...last(DAY, null), isHidden: true },
      undefined,
      "wait",
    ],
    ["is to wait until 14 days are over", last(AGAIN_AFTER - 1, REVEALED_AFTER), undefined, "wait"],
    ["is to give it again after 14 days", last(AGAIN_AFTER, REVEALED_AFTER), undefined, "give"],
    [
      "is to wait even after 14 days if the last feedback answered the latest request",
      last(20 * DAY, DAY),
      now - 21 * DAY,
      "wait",
    ],
    ["is to give it after 14 days if there was a request since", last(20 * DAY, DAY), now - 2 * DAY, "give"],
  ] as const)("%s", (_, given, asked, step) => {
    expect(nextStep(given, now, asked)).toBe(step);
  });
});

describe("The feedback form", () => {
  const read = (fields: Record<string, unknown>) => feedbackSchema.safeParse({ id: uuidv7(), rating: "4", ...fields });

  test("accepts one to five stars and a comment of 1000 characters, and sorts the tags like the list", () => {
    for (const rating of ["1", "2", "3", "4", "5"]) expect(read({ rating }).data?.rating).toBe(Number(rating));
    expect(read({ tags: ["on time", "friendly", "on time"] }).data?.tags).toEqual(["friendly", "on time"]);
    expect(read({ comment: `  ${"щ".repeat(1000)}\n` }).data?.comment).toHaveLength(1000);
    expect(read({}).data).toMatchObject({ tags: [], comment: null });
    expect(read({ comment: " \u200b \n" }).data?.comment).toBeNull();
  });

  test("refuses anything else", () => {
    for (const rating of ["0", "6", "4.5", "-1", "", "five", "1e0", undefined])
      expect(read({ rating }).success).toBe(false);
    for (const fields of [
      { tags: ["toxic"] },
      { comment: "x".repeat(1001) },
      { comment: "x".repeat(10_000) },
      { comment: "a\u202eb" },
      { id: "1" },
    ]) {
      expect(read(fields).success, JSON.stringify(fields).slice(0, 50)).toBe(false);
    }
    expect(reportSchema("review").safeParse({ id: uuidv7(), reason: "cheating" }).success).toBe(false);
  });
});

test("An address selects a page of reviews, or the newest page without a valid cursor", () => {
  const cursorIn = (query: string | Record<string, string>) =>
    readSearch(REVIEW_LIST, new URLSearchParams(query)).cursor;
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.constantFrom(pageAfter, pageUpTo), (key, way) => {
      const cursor = way({ key, id: uuidv7() });
      expect(cursorIn(writeSearch(REVIEW_LIST, { cursor }))).toEqual(cursor);
    }),
  );
  for (const value of ["", "1", "x_y", `-1_${uuidv7()}`, `1_${uuidv7()}'`, "9".repeat(20)]) {
    expect(cursorIn({ reviews: value })).toBeNull();
  }
});

test("The seeded worlds' scores match their feedback, and none of their players rates another twice", () => {
  const now = new Date();
  for (const [players, make] of [
    [makePlayers(12, now, "x"), demoFeedback],
    [makePlayers(200, now, "x"), busyFeedback],
  ] as const) {
    const feedback = make(players, now);
    expect(new Set(feedback.map(({ id }) => id)).size).toBe(feedback.length);
    for (const { user, profile, facets } of withScores(players, feedback)) {
      const received = feedback.filter(({ reviewedId, revealedAt }) => reviewedId === user.id && revealedAt);
      const sum = sumOf(received.map(({ rating }) => rating));
      expect(profile.totalRatings ?? 0).toBe(received.length);
      expect(profile.feedbackScore ?? null).toBe(received.length > 0 ? sum / received.length : null);
      for (const { rankingScore: ranked } of facets) expect(ranked).toBe(rankingScore(received.length, sum));
    }
    for (const one of feedback) {
      expect(one.reviewerId).not.toBe(one.reviewedId);
      expect(one.createdAt.getTime()).toBeLessThan(now.getTime());
      if (one.revealedAt) expect(one.revealedAt.getTime()).toBeLessThanOrEqual(now.getTime());
      else expect(one.dueAt.getTime()).toBeGreaterThan(now.getTime());
      const others = feedback.filter(
        (other) => other !== one && other.reviewerId === one.reviewerId && other.reviewedId === one.reviewedId,
      );
      if (one.reviewerId) expect(others).toEqual([]);
    }
  }
});
