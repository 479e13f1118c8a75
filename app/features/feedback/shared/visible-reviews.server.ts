import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { profiles, userFeedback } from "#db/schema";
import { SHARED_BY_DEFAULT } from "#db/words/sharing";

const f = alias(userFeedback, "f");
const reviewed = alias(profiles, "reviewed");

/**
 * SQL condition that a review is shown and counted. Written as in the partial indexes of `user_feedback`, so that
 * SQLite uses them.
 */
export const isShown = sql.raw("revealed_at IS NOT NULL AND hidden_at IS NULL");

/**
 * SQL condition that a viewer may see the review `f` of the player `reviewed`: either the viewer is that player, or
 * that player shows their feedback.
 * @param viewerId null for visitors
 */
export const isVisibleTo = (viewerId: string | null) => sql`(
  ${f.reviewedId} = ${viewerId} OR EXISTS (
    SELECT 1 FROM json_each(coalesce(${reviewed.shares}, ${JSON.stringify(SHARED_BY_DEFAULT)})) WHERE value = 'feedback'
  )
)`;
