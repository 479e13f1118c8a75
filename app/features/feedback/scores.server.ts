import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerFacets, profiles, userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { USUAL_RATING } from "#db/words/ratings";
import { shownRanking } from "~/features/players/shared/facets.server";
import { USUAL_WEIGHT } from "./shared/ranking";

const f = alias(userFeedback, "f");

/**
 * SQL condition that a review is shown and counted. Written as in the partial indexes of `user_feedback`, so that
 * SQLite uses them.
 */
export const isShown = sql.raw("revealed_at IS NOT NULL AND hidden_at IS NULL");

/**
 * Returns the statements that recount players' reviews: the displayed score, the number of reviews, and the score for
 * sorting, in the profile and in the directory. Run them after any change to shown reviews, in the same transaction.
 * Recounting can't drift, unlike a running sum.
 * @param players a `SELECT` of their ids
 */
export function recountScores(db: Database, players: SQL) {
  return {
    profiles: db.run(sql`
      UPDATE ${profiles} SET (${bare(profiles.feedbackScore)}, ${bare(profiles.totalRatings)},
        ${bare(profiles.rankingScore)}) = (
        SELECT avg(${f.rating}), count(*),
          (${USUAL_WEIGHT * USUAL_RATING} + total(${f.rating})) / (${USUAL_WEIGHT} + count(*))
        FROM ${userFeedback} AS ${f} WHERE ${f.reviewedId} = ${profiles.userId} AND ${isShown}
      )
      WHERE ${profiles.userId} IN (${players})`),
    facets: db.run(sql`
      UPDATE ${playerFacets} SET ${bare(playerFacets.rankingScore)} = (
        SELECT ${shownRanking} FROM ${profiles} WHERE ${profiles.userId} = ${playerFacets.userId}
      )
      WHERE ${playerFacets.userId} IN (${players})`),
  };
}
