import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { userFeedback, users } from "#db/schema";
import { bare } from "#db/sql";
import { insertIf, transact } from "#db/statements";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { haveMet } from "~/features/encounters/shared/met.server";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { notify, unreadSince } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { AGAIN_AFTER, type FeedbackTag, REVEALED_AFTER, type Stars } from "./rules";
import { recountScores } from "./scores.server";

const before = alias(userFeedback, "before");
const f = alias(userFeedback, "f");
const mine = alias(userFeedback, "mine");
const theirs = alias(userFeedback, "theirs");

/** A player's feedback for another, as the form submits it. */
interface Feedback {
  id: string;
  reviewerId: string;
  reviewedId: string;
  rating: Stars;
  comment: string | null;
  tags: readonly FeedbackTag[];
  /**
   * The version that the form was made from: when the feedback was last changed. Undefined for new feedback, and for
   * pages that were opened before the form contained it.
   */
  version?: string | undefined;
}

export type GiveOutcome =
  /**
   * The feedback is stored. `isRevealed`: whether it is revealed. `notified`: players who were notified of it, now or
   * perhaps in an earlier request.
   */
  | { outcome: "given"; isRevealed: boolean; notified: string[] }
  /** No such player. */
  | { outcome: "missing" }
  /** The player has tried to review themselves. */
  | { outcome: "own" }
  /** The two players have not met: see `haveMet`. */
  | { outcome: "stranger" }
  /** The reviewer gave this player feedback in the last 14 days, at `createdAt`. */
  | { outcome: "recent"; isRevealed: boolean; createdAt: number }
  /** The feedback has changed since the form's version, and is now at `version`. */
  | { outcome: "changed"; version: string }
  /** The feedback was revealed in the meantime, so it can no longer be changed. */
  | { outcome: "locked" }
  /** Moderators have hidden this feedback, or earlier feedback from the last 14 days. */
  | { outcome: "hidden" }
  /** The form's id belongs to someone else's feedback, or to feedback for another player. */
  | { outcome: "used" };

/**
 * Gives feedback, or changes the feedback with the same id until it is revealed or hidden by moderators. If the other
 * player has given theirs, both are revealed and counted. The statements check all permissions themselves, in one
 * transaction. Submitting the same form twice gives feedback once.
 */
export async function giveFeedback(writing: Writing, feedback: Feedback): Promise<GiveOutcome> {
  const { db } = writing;
  const now = writing.now.getTime();
  const { id, reviewerId, reviewedId, rating, comment } = feedback;
  if (reviewerId === reviewedId) return { outcome: "own" };
  const tags = feedback.tags.length > 0 ? JSON.stringify(feedback.tags) : null;
  const recent = sql`
    FROM ${userFeedback} AS ${before}
    WHERE ${before.reviewerId} = ${reviewerId} AND ${before.reviewedId} = ${reviewedId}
      AND ${before.createdAt} > ${now - AGAIN_AFTER}`;
  // True if both players have given each other feedback. The other player's must be unrevealed, or have been revealed
  // because its week was over. If it was revealed together with this player's earlier feedback, it has already been
  // answered.
  const isMutual = sql`(
    EXISTS (
      SELECT 1 FROM ${userFeedback} AS ${mine}
      WHERE ${mine.id} = ${id} AND ${mine.reviewerId} = ${reviewerId} AND ${mine.reviewedId} = ${reviewedId}
        AND ${mine.revealedAt} IS NULL
    ) AND EXISTS (
      SELECT 1 FROM ${userFeedback} AS ${theirs}
      WHERE ${theirs.reviewerId} = ${reviewedId} AND ${theirs.reviewedId} = ${reviewerId}
        AND ${theirs.createdAt} > ${now - AGAIN_AFTER}
        AND (${theirs.revealedAt} IS NULL OR ${theirs.revealedAt} >= ${theirs.dueAt})
    )
  )`;
  const isRevealedNow = sql`EXISTS (SELECT 1 FROM ${userFeedback} WHERE ${userFeedback.id} = ${id}
    AND ${userFeedback.revealedAt} = ${now})`;
  const unrevealedBetween = (from: string, to: string): SQL => sql`
    SELECT ${f.id} FROM ${userFeedback} AS ${f}
    WHERE ${f.reviewerId} = ${from} AND ${f.reviewedId} = ${to} AND ${f.revealedAt} IS NULL AND ${isMutual}`;
  const unrevealed = sql`
    ${unrevealedBetween(reviewerId, reviewedId)} UNION ALL ${unrevealedBetween(reviewedId, reviewerId)}`;

  const { notified, found } = await transact(db, {
    give: insertIf(
      db,
      userFeedback,
      {
        id,
        reviewerId,
        reviewedId,
        rating,
        comment,
        tags: feedback.tags.length > 0 ? [...feedback.tags] : null,
        createdAt: new Date(now),
        updatedAt: new Date(now),
        dueAt: new Date(now + REVEALED_AFTER),
      },
      sql`${haveMet(sql`${reviewerId}`, sql`${reviewedId}`)} AND NOT EXISTS (SELECT 1 ${recent})
        AND NOT EXISTS (SELECT 1 FROM ${userFeedback} WHERE ${userFeedback.id} = ${id})`,
    ),
    change: db.run(sql`
      UPDATE ${userFeedback} SET ${bare(userFeedback.rating)} = ${rating},
        ${bare(userFeedback.comment)} = ${comment},
        ${bare(userFeedback.tags)} = ${tags}, ${bare(userFeedback.updatedAt)} = ${now}
      WHERE ${userFeedback.id} = ${id} AND ${userFeedback.reviewerId} = ${reviewerId}
        AND ${userFeedback.reviewedId} = ${reviewedId} AND ${userFeedback.revealedAt} IS NULL
        AND ${userFeedback.hiddenAt} IS NULL
        AND ${userFeedback.updatedAt} = coalesce(${feedback.version ?? null}, ${userFeedback.updatedAt})`),
    flag: raiseFlags(writing, { kind: "review", id, reviewedId }, { comment }, reviewerId),
    notified: notifyReviewed(db, unrevealed, now),
    reveal: db.run(sql`UPDATE ${userFeedback} SET ${bare(userFeedback.revealedAt)} = ${now}
      WHERE ${userFeedback.id} IN (${unrevealed})`),
    recount: recountScores(
      db,
      sql`SELECT value AS player FROM json_each(${JSON.stringify([reviewerId, reviewedId])}) WHERE ${isRevealedNow}`,
    ),
    found: db.all<{
      isThere: number;
      /** Null if no feedback has this id. */
      isOwn: number | null;
      isSame: number | null;
      revealedAt: number | null;
      version: string;
      recentAt: number | null;
      recentRevealed: number | null;
      isHidden: number | null;
    }>(sql`
      SELECT EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${reviewedId}) AS isThere,
        iif(${f.id} IS NULL, NULL, ${f.reviewerId} IS ${reviewerId} AND ${f.reviewedId} = ${reviewedId}) AS isOwn,
        ${f.rating} = ${rating} AND ${f.comment} IS ${comment} AND ${f.tags} IS ${tags} AS isSame,
        ${f.revealedAt} AS revealedAt, cast(${f.updatedAt} AS TEXT) AS version,
        (SELECT ${before.createdAt} ${recent}) AS recentAt,
        (SELECT ${before.revealedAt} IS NOT NULL ${recent}) AS recentRevealed,
        iif(${f.id} IS NULL, (SELECT ${before.hiddenAt} IS NOT NULL ${recent}), ${f.hiddenAt} IS NOT NULL) AS isHidden
      FROM (SELECT 1) LEFT JOIN ${userFeedback} AS ${f} ON ${f.id} = ${id}`),
  });
  const [row] = found;
  if (!row?.isThere) return { outcome: "missing" };
  if (row.isOwn !== null) {
    if (!row.isOwn) return { outcome: "used" };
    if (row.isHidden) return { outcome: "hidden" };
    if (!row.isSame) return row.revealedAt ? { outcome: "locked" } : { outcome: "changed", version: row.version };
    const isRevealed = row.revealedAt !== null;
    // Names both players, even if this transaction notified neither of them: an earlier one may have done so, and its
    // response may have been lost.
    const concerned = isRevealed ? [reviewerId, reviewedId] : [];
    return { outcome: "given", isRevealed, notified: [...concerned, ...notified.map(({ userId }) => userId)] };
  }
  if (row.isHidden) return { outcome: "hidden" };
  if (row.recentAt !== null) {
    return { outcome: "recent", isRevealed: Boolean(row.recentRevealed), createdAt: row.recentAt };
  }
  return { outcome: "stranger" };
}

/**
 * Builds the statement that notifies players of feedback about them. It belongs before the statement that reveals the
 * feedback. It leaves out feedback that moderators have hidden, because no page shows it, and feedback whose author the
 * player has blocked.
 * @param ids a `SELECT` of the feedback's ids; feedback that is already revealed is left out
 */
const notifyReviewed = (db: Database, ids: SQL, now: number) =>
  notify(db, {
    kind: "feedback-received",
    subject: subjectSql("feedback", sql`to_tell.user_id`),
    data: sql`json_object('since', to_tell.since)`,
    recipients: sql`
      SELECT ${f.reviewedId} AS user_id,
        ${unreadSince(sql`${f.reviewedId}`, "feedback-received", subjectSql("feedback", f.reviewedId), now)} AS since
      FROM ${userFeedback} AS ${f}
      WHERE ${f.id} IN (${ids}) AND ${f.revealedAt} IS NULL AND ${f.hiddenAt} IS NULL
        AND NOT ${hasBlocked(sql`${f.reviewedId}`, sql`${f.reviewerId}`)}`,
    now,
  });

/**
 * Reveals feedback whose week is over, counts it, and notifies the players it is about; called by the cron job. Reads
 * the due feedback before the transaction, which needs to know the players. Skips feedback that was revealed in the
 * meantime.
 * @param limit maximum number per run; the rest wait for the next run
 * @returns the notified players
 */
export async function revealDueFeedback(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const moment = now.getTime();
  const due = await db.all<{ id: string; reviewerId: string | null; reviewedId: string }>(sql`
    SELECT ${userFeedback.id}, ${userFeedback.reviewerId} AS reviewerId, ${userFeedback.reviewedId} AS reviewedId
    FROM ${userFeedback}
    WHERE ${userFeedback.revealedAt} IS NULL AND ${userFeedback.dueAt} <= ${moment} ORDER BY ${userFeedback.dueAt}
      LIMIT ${limit}`);
  if (due.length === 0) return [];
  const ids = sql`SELECT value FROM json_each(${JSON.stringify(due.map(({ id }) => id))})`;
  const players = JSON.stringify([...new Set(due.flatMap(({ reviewerId, reviewedId }) => [reviewerId, reviewedId]))]);
  const { notified } = await transact(db, {
    notified: notifyReviewed(db, ids, moment),
    reveal: db.run(sql`UPDATE ${userFeedback} SET ${bare(userFeedback.revealedAt)} = ${moment}
      WHERE ${userFeedback.id} IN (${ids}) AND ${userFeedback.revealedAt} IS NULL`),
    recount: recountScores(db, sql`SELECT value AS player FROM json_each(${players}) WHERE value IS NOT NULL`),
  });
  return notified;
}
