import { and, asc, eq, inArray, isNotNull, isNull, ne } from "drizzle-orm";
import { expect } from "vitest";
import { rankingScore } from "../../app/features/feedback/shared/ranking";
import { uuidv7 } from "../../db/ids";
import { playerFacets, userFeedback } from "../../db/schema";
import type { TestApp } from "../support/app";
import type { Client, Fields, HttpResponse } from "../support/client";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { newVisitor, type Player, unique } from "./players";
import type { Visitor } from "./talk";

/** Gives a player feedback, as the dialog on their page does. */
export const giveFeedback = (client: Client, { id }: Pick<Player, "id">, fields: Fields = {}): Promise<HttpResponse> =>
  client.post(`/players/${id}/feedback`, { id: uuidv7(), rating: 4, ...fields });

/** Test helpers for the feedback of an app. */
export function reviewsIn(app: TestApp) {
  /** The feedback of one player for another, oldest first. */
  const feedbackBetween = (from: Pick<Player, "id">, to: Pick<Player, "id">) =>
    app.db
      .select()
      .from(userFeedback)
      .where(and(eq(userFeedback.reviewerId, from.id), eq(userFeedback.reviewedId, to.id)))
      .orderBy(asc(userFeedback.createdAt));

  const { notificationsOf, profileOf } = recordsIn(app);

  /** The number of reviews that each unread feedback notification of a player announces. */
  const feedbackNewsOf = async (player: Pick<Player, "id">) =>
    (await notificationsOf(player))
      .filter(({ kind, readAt }) => kind === "feedback-received" && readAt === null)
      .map(({ data }) => (data as { count: number }).count);

  /** Moves all times of one feedback back by `by` milliseconds, as if it had been given earlier. */
  async function backdate(feedbackId: string, by: number): Promise<void> {
    const row = await app.db.select().from(userFeedback).where(eq(userFeedback.id, feedbackId)).get();
    if (!row) throw new Error(`There is no feedback ${feedbackId}.`);
    const back = (moment: Date) => new Date(moment.getTime() - by);
    await app.db
      .update(userFeedback)
      .set({
        createdAt: back(row.createdAt),
        updatedAt: back(row.updatedAt),
        dueAt: back(row.dueAt),
        revealedAt: row.revealedAt && back(row.revealedAt),
      })
      .where(eq(userFeedback.id, feedbackId));
  }

  /** Expects a player's scores, in the profile and in the directory, to equal a recount of the revealed feedback. */
  async function expectRecount(player: Pick<Player, "id">): Promise<void> {
    const rows = await app.db
      .select()
      .from(userFeedback)
      .where(
        and(eq(userFeedback.reviewedId, player.id), isNotNull(userFeedback.revealedAt), isNull(userFeedback.hiddenAt)),
      );
    const sum = rows.reduce((stars, { rating }) => stars + rating, 0);
    const ranking = await recountRanking(player, rows);
    const { feedbackScore, totalRatings, rankingScore: stored } = await profileOf(player);
    expect({ feedbackScore, totalRatings, ranking: stored }).toEqual({
      feedbackScore: rows.length === 0 ? null : sum / rows.length,
      totalRatings: rows.length,
      ranking: expect.closeTo(ranking, 9),
    });
    const facets = await app.db.select().from(playerFacets).where(eq(playerFacets.userId, player.id));
    for (const facet of facets) expect(facet.rankingScore).toBeCloseTo(ranking, 9);
  }

  /** Recounts the score that ranks: a pair that only ever rates each other counts as one review with their mean. */
  async function recountRanking(
    { id }: Pick<Player, "id">,
    reviews: readonly (typeof userFeedback.$inferSelect)[],
  ): Promise<number> {
    const countOf = (reviewerId: string | null) => reviews.filter((one) => one.reviewerId === reviewerId).length;
    const repeated = [...new Set(reviews.map(({ reviewerId }) => reviewerId))].filter(
      (reviewerId): reviewerId is string => reviewerId !== null && countOf(reviewerId) > 1,
    );
    const isRevealed = and(isNotNull(userFeedback.revealedAt), isNull(userFeedback.hiddenAt));
    const [given, received] = await Promise.all([
      app.db
        .select()
        .from(userFeedback)
        .where(and(inArray(userFeedback.reviewerId, repeated), ne(userFeedback.reviewedId, id), isRevealed)),
      app.db
        .select()
        .from(userFeedback)
        .where(and(inArray(userFeedback.reviewedId, repeated), isRevealed)),
    ]);
    const isClosedPair = (reviewerId: string) =>
      !given.some((one) => one.reviewerId === reviewerId) &&
      !received.some((one) => one.reviewedId === reviewerId && one.reviewerId !== id);
    const weighted = reviews.map(({ reviewerId, rating }) => {
      const countsOnce = reviewerId !== null && repeated.includes(reviewerId) && isClosedPair(reviewerId);
      return { rating, weight: countsOnce ? 1 / countOf(reviewerId) : 1 };
    });
    const count = weighted.reduce((total, { weight }) => total + weight, 0);
    const stars = weighted.reduce((total, { rating, weight }) => total + rating * weight, 0);
    return rankingScore(count, stars);
  }

  const newMate = (profile: Parameters<typeof newVisitor>[1] = {}): Promise<Visitor> =>
    newVisitor(app, { riotGameName: unique("Mate "), ...profile });

  /** Two players who have played together. */
  async function newMates(): Promise<[Visitor, Visitor]> {
    const [one, two] = [await newMate(), await newMate()];
    await addSession(app.db, one.player, [two.player]);
    return [one, two];
  }

  return { feedbackBetween, feedbackNewsOf, profileOf, backdate, expectRecount, newMate, newMates };
}
