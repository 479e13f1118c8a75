import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { recountScores } from "../scores.server";

/**
 * Builds the statements that hide or restore a review, and recount both players' scores. A hidden review stays stored,
 * so its author still has to wait 14 days before reviewing the same player again.
 * @param condition SQL that is true if the review is to change
 * @returns the statements; `changed.rowsAffected` is 0 if nothing changed
 */
export function switchReview(db: Database, id: string, isHidden: boolean, now: Date, condition: SQL) {
  return {
    changed: db.run(sql`
      UPDATE ${userFeedback} SET ${bare(userFeedback.hiddenAt)} = ${isHidden ? now.getTime() : null}
      WHERE ${userFeedback.id} = ${id} AND ${userFeedback.hiddenAt} IS ${isHidden ? sql`` : sql`NOT`} NULL
        AND ${condition}`),
    recount: recountScores(
      db,
      sql`SELECT ${userFeedback.reviewedId} AS player FROM ${userFeedback} WHERE ${userFeedback.id} = ${id}
        UNION ALL SELECT ${userFeedback.reviewerId} FROM ${userFeedback}
        WHERE ${userFeedback.id} = ${id} AND ${userFeedback.reviewerId} IS NOT NULL`,
    ),
  };
}
