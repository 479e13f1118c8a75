import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerFacets, profiles, userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { USUAL_RATING } from "#db/words/ratings";
import { shownRanking } from "~/features/players/shared/facets.server";
import { USUAL_WEIGHT } from "./shared/ranking";

const f = alias(userFeedback, "f");

/** What is seen of a review, and counts. As the partial indexes of `user_feedback` have it. */
export const isShown = sql.raw("revealed_at IS NOT NULL AND hidden_at IS NULL");

/**
 * The statements that count players' reviews anew: the score that is shown, their number, and the score that ranks, in
 * the profile and in the directory. They belong after whatever changes what is shown, in its transaction. A recount
 * instead of a running sum: it can't drift.
 * @param players `SELECT` of their ids
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
