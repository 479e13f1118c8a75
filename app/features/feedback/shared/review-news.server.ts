import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { notifications, userFeedback } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { isShown } from "./visible-reviews.server";

const f = alias(userFeedback, "f");

/**
 * Builds the statements that correct a player's unread news of feedback after some of the feedback has been hidden, or
 * the player has blocked the author of some. Afterwards the news counts only the rest, and is removed if nothing is
 * left. News that is already correct stays as it is.
 * @param player the player's id, as an SQL expression
 * @returns the statements; `removed` returns the player if they have lost the news
 */
export function correctReviewNews(db: Database, player: SQL) {
  const unread = sql`${notifications.userId} = (${player}) AND ${notifications.kind} = ${newsKinds("feedback-received")}
    AND ${notifications.readAt} IS NULL`;
  const count = sql`json_extract(${notifications.data}, '$.count')`;
  return {
    recount: db.run(sql`
      UPDATE ${notifications}
      SET ${bare(notifications.data)} = json_set(${notifications.data}, '$.count', min(${count}, (
        SELECT count(*) FROM ${userFeedback} AS ${f} WHERE ${f.reviewedId} = ${notifications.userId} AND ${isShown}
          AND ${f.revealedAt} >= coalesce(json_extract(${notifications.data}, '$.since'), 0)
          AND NOT ${hasBlocked(sql`${f.reviewedId}`, sql`${f.reviewerId}`)}
      ))) WHERE ${unread}`),
    removed: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications} WHERE ${unread} AND ${count} = 0 RETURNING ${notifications.userId} AS userId`),
  };
}
