import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { USUAL_RATING } from "#db/words/ratings";
import { shownRanking } from "~/features/players/shared/facets.server";
import { USUAL_WEIGHT } from "./shared/ranking";

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
      UPDATE profiles SET (feedback_score, total_ratings, ranking_score) = (
        SELECT avg(f.rating), count(*),
          (${USUAL_WEIGHT * USUAL_RATING} + total(f.rating)) / (${USUAL_WEIGHT} + count(*))
        FROM user_feedback AS f WHERE f.reviewed_id = profiles.user_id AND ${isShown}
      )
      WHERE user_id IN (${players})`),
    facets: db.run(sql`
      UPDATE player_facets SET ranking_score = (
        SELECT ${shownRanking} FROM profiles WHERE profiles.user_id = player_facets.user_id
      )
      WHERE user_id IN (${players})`),
  };
}
