import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { recountScores } from "../scores.server";
import { correctReviewNews } from "./review-news.server";

/**
 * Builds the statements that hide or restore a review, recount both players' scores, and correct the unread news of
 * it. A hidden review stays stored, so its author still has to wait 14 days before reviewing the same player again.
 * @param condition SQL that is true if the review is to change
 * @returns the statements; `changed.rowsAffected` is 0 if nothing changed, and `news.removed` returns the reviewed
 *   player if they have lost news
 */
export function switchReview(db: Database, id: string, isHidden: boolean, now: Date, condition: SQL) {
  const reviewed = sql`
    SELECT ${userFeedback.reviewedId} AS player FROM ${userFeedback} WHERE ${userFeedback.id} = ${id}`;
  return {
    changed: db.run(sql`
      UPDATE ${userFeedback} SET ${bare(userFeedback.hiddenAt)} = ${isHidden ? now.getTime() : null}
      WHERE ${userFeedback.id} = ${id} AND ${userFeedback.hiddenAt} IS ${isHidden ? sql`` : sql`NOT`} NULL
        AND ${condition}`),
    recount: recountScores(
      db,
      sql`${reviewed}
        UNION ALL SELECT ${userFeedback.reviewerId} FROM ${userFeedback}
        WHERE ${userFeedback.id} = ${id} AND ${userFeedback.reviewerId} IS NOT NULL`,
    ),
    news: correctReviewNews(db, reviewed),
  };
}
