import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { userFeedback } from "#db/schema";
import { insertIf, transact } from "#db/statements";
import type { ReportReason } from "#db/words/report-reasons";
import { notify } from "~/features/notifications/shared/notify.server";
import { mayReview } from "./eligibility.server";
import { isSeenBy } from "./queries.server";
import { AGAIN_AFTER, type FeedbackTag, REVEALED_AFTER, type Stars } from "./rules";
import { isShown, recountScores } from "./scores.server";

/** What one player says of another, as the form holds it. */
export interface Feedback {
  id: string;
  reviewerId: string;
  reviewedId: string;
  rating: Stars;
  comment: string | null;
  tags: readonly FeedbackTag[];
}

export type GiveOutcome =
  /** It is stored; `isRevealed` says whether both have given theirs by now. `told` are those with news of it. */
  | { outcome: "given"; isRevealed: boolean; told: string[] }
  /** No such player. */
  | { outcome: "missing" }
  /** It would be for oneself. */
  | { outcome: "own" }
  /** They have neither played together nor talked with each other. */
  | { outcome: "stranger" }
  /** This player was given feedback in the last 14 days; the next is possible at `nextAt`. */
  | { outcome: "recent"; isRevealed: boolean; nextAt: number }
  /** It was revealed meanwhile. */
  | { outcome: "locked" }
  /** The form's id is somebody else's, or of feedback for another player. */
  | { outcome: "used" };

/**
 * Gives feedback, or changes what was given under this id, as long as it is hidden. If the other player has given theirs,
 * both are revealed and counted. Who may do what is decided by the statements themselves; the same form sent twice has
 * given once. One transaction.
 */
export async function giveFeedback(db: Database, feedback: Feedback, now: number): Promise<GiveOutcome> {
  const { id, reviewerId, reviewedId, rating, comment } = feedback;
  if (reviewerId === reviewedId) return { outcome: "own" };
  const tags = feedback.tags.length > 0 ? JSON.stringify(feedback.tags) : null;
  const recent = sql`
    FROM user_feedback AS before
    WHERE before.reviewer_id = ${reviewerId} AND before.reviewed_id = ${reviewedId}
      AND before.created_at > ${now - AGAIN_AFTER}`;
  // Of the other's only what this may answer: what is hidden, or came out because its time was up. What was revealed
  // together with earlier feedback has had its answer.
  const isMutual = sql`(
    EXISTS (
      SELECT 1 FROM user_feedback AS mine
      WHERE mine.id = ${id} AND mine.reviewer_id = ${reviewerId} AND mine.reviewed_id = ${reviewedId}
        AND mine.revealed_at IS NULL
    ) AND EXISTS (
      SELECT 1 FROM user_feedback AS theirs
      WHERE theirs.reviewer_id = ${reviewedId} AND theirs.reviewed_id = ${reviewerId}
        AND theirs.created_at > ${now - AGAIN_AFTER}
        AND (theirs.revealed_at IS NULL OR theirs.revealed_at >= theirs.due_at)
    )
  )`;
  const isRevealedNow = sql`EXISTS (SELECT 1 FROM user_feedback WHERE id = ${id} AND revealed_at = ${now})`;
  const hiddenBetween = (from: string, to: string): SQL => sql`
    SELECT f.id AS id, f.reviewed_id AS user_id FROM user_feedback AS f
    WHERE f.reviewer_id = ${from} AND f.reviewed_id = ${to} AND f.revealed_at IS NULL AND ${isMutual}`;
  const hidden = sql`${hiddenBetween(reviewerId, reviewedId)} UNION ALL ${hiddenBetween(reviewedId, reviewerId)}`;

  const { told, found } = await transact(db, {
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
      sql`${mayReview(reviewerId, reviewedId)} AND NOT EXISTS (SELECT 1 ${recent})
        AND NOT EXISTS (SELECT 1 FROM user_feedback WHERE id = ${id})`,
    ),
    change: db.run(sql`
      UPDATE user_feedback SET rating = ${rating}, comment = ${comment}, tags = ${tags}, updated_at = ${now}
      WHERE id = ${id} AND reviewer_id = ${reviewerId} AND reviewed_id = ${reviewedId} AND revealed_at IS NULL`),
    told: tellReviewed(db, sql`SELECT user_id FROM (${hidden})`, now),
    reveal: db.run(sql`UPDATE user_feedback SET revealed_at = ${now} WHERE id IN (SELECT id FROM (${hidden}))`),
    recount: recountScores(
      db,
      sql`SELECT value FROM json_each(${JSON.stringify([reviewerId, reviewedId])}) WHERE ${isRevealedNow}`,
    ),
    found: db.all<{
      isThere: number;
      /** Null while nothing has this id. */
      isOwn: number | null;
      isSame: number | null;
      revealedAt: number | null;
      recentAt: number | null;
      recentRevealed: number | null;
    }>(sql`
      SELECT EXISTS (SELECT 1 FROM users WHERE id = ${reviewedId}) AS isThere,
        iif(f.id IS NULL, NULL, f.reviewer_id IS ${reviewerId} AND f.reviewed_id = ${reviewedId}) AS isOwn,
        f.rating = ${rating} AND f.comment IS ${comment} AND f.tags IS ${tags} AS isSame,
        f.revealed_at AS revealedAt,
        (SELECT before.created_at ${recent}) AS recentAt,
        (SELECT before.revealed_at IS NOT NULL ${recent}) AS recentRevealed
      FROM (SELECT 1) LEFT JOIN user_feedback AS f ON f.id = ${id}`),
  });
  const [row] = found;
  if (!row?.isThere) return { outcome: "missing" };
  if (row.isOwn !== null) {
    if (!row.isOwn) return { outcome: "used" };
    return row.isSame
      ? { outcome: "given", isRevealed: row.revealedAt !== null, told: told.map(({ userId }) => userId) }
      : { outcome: "locked" };
  }
  if (row.recentAt !== null) {
    return { outcome: "recent", isRevealed: Boolean(row.recentRevealed), nextAt: row.recentAt + AGAIN_AFTER };
  }
  return { outcome: "stranger" };
}

/** The statement that tells players of feedback about them. @param recipients `SELECT user_id …`, one row for each review */
const tellReviewed = (db: Database, recipients: SQL, now: number) =>
  notify(db, {
    kind: "feedback-received",
    subject: sql`'feedback:' || to_tell.user_id`,
    data: sql`json_object()`,
    recipients,
    now,
  });

/**
 * Reveals feedback whose week is over, counts it, and tells those whom it is about. The cron calls it. What is due is
 * read first, so that the transaction knows its players; what was revealed meanwhile is left as it is.
 * @param limit of one run; what is left waits for the next
 * @returns who was told
 */
export async function revealDueFeedback(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const moment = now.getTime();
  const due = await db.all<{ id: string; reviewedId: string }>(sql`
    SELECT id, reviewed_id AS reviewedId FROM user_feedback
    WHERE revealed_at IS NULL AND due_at <= ${moment} ORDER BY due_at LIMIT ${limit}`);
  if (due.length === 0) return [];
  const ids = JSON.stringify(due.map(({ id }) => id));
  const players = JSON.stringify([...new Set(due.map(({ reviewedId }) => reviewedId))]);
  const hidden = sql`id IN (SELECT value FROM json_each(${ids})) AND revealed_at IS NULL`;
  const { told } = await transact(db, {
    told: tellReviewed(
      db,
      sql`SELECT reviewed_id AS user_id FROM user_feedback WHERE ${hidden} AND hidden_at IS NULL`,
      moment,
    ),
    reveal: db.run(sql`UPDATE user_feedback SET revealed_at = ${moment} WHERE ${hidden}`),
    recount: recountScores(db, sql`SELECT value FROM json_each(${players})`),
  });
  return told;
}

/** A complaint about a review, as the form holds it. */
export interface ReviewReport {
  id: string;
  reporterId: string;
  feedbackId: string;
  /** Whom the review is about. */
  reviewedId: string;
  reason: ReportReason;
  details: string | null;
}

/**
 * Keeps a report of a review for moderators, with what it says. The same form sent twice is one report.
 * @returns false when there is no such review, or none that the player sees and has not written
 */
export async function reportReview(db: Database, report: ReviewReport, now: number): Promise<boolean> {
  const { id, reporterId, feedbackId, reviewedId, reason, details } = report;
  const { kept } = await transact(db, {
    keep: db.run(sql`
      INSERT INTO reports (id, reporter_id, reported_id, feedback_id, reason, details, quoted_content, created_at)
      SELECT ${id}, ${reporterId}, f.reviewer_id, f.id, ${reason}, ${details},
        f.rating || ' of 5 stars' || coalesce(': ' || f.comment, ''), ${now}
      FROM user_feedback AS f JOIN profiles AS reviewed ON reviewed.user_id = f.reviewed_id
      WHERE f.id = ${feedbackId} AND f.reviewed_id = ${reviewedId} AND ${isShown}
        AND f.reviewer_id IS NOT ${reporterId} AND ${isSeenBy(reporterId)}
      ON CONFLICT (id) DO NOTHING`),
    kept: db.all<{ id: string }>(sql`
      SELECT id FROM reports WHERE id = ${id} AND reporter_id = ${reporterId} AND feedback_id = ${feedbackId}`),
  });
  return kept.length > 0;
}
