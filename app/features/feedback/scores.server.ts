import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerFacets, profiles, userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { USUAL_RATING } from "#db/words/ratings";
import { shownRanking } from "~/features/players/shared/facets.server";
import { USUAL_WEIGHT } from "./shared/ranking";
import { isShown } from "./shared/visible-reviews.server";

const f = alias(userFeedback, "f");
const g = alias(userFeedback, "g");

/**
 * SQL condition that the reviewer exchanges reviews only with this player: all shown reviews that the reviewer has
 * given are of this player, and all that they have received are by this player.
 */
const isClosedPair = (reviewer: SQL, reviewed: SQL) => sql`(
  NOT EXISTS (
    SELECT 1 FROM ${userFeedback} AS ${g} WHERE ${g.reviewerId} = ${reviewer} AND ${g.reviewedId} <> ${reviewed}
      AND ${isShown}
  ) AND NOT EXISTS (
    SELECT 1 FROM ${userFeedback} AS ${g} WHERE ${g.reviewedId} = ${reviewer} AND ${g.reviewerId} IS NOT ${reviewed}
      AND ${isShown}
  )
)`;

/**
 * Builds the statements that recount players' reviews: the displayed score, the number of reviews, and the score for
 * sorting, in the profile and in the directory. Run them after any change to shown reviews, in the same transaction.
 * Recounting can't drift, unlike a running sum.
 *
 * For sorting, the reviews by someone who exchanges reviews only with this player count as a single review with their
 * mean rating. Otherwise one person with two accounts could raise a score every fortnight. A new review can end such a
 * pair, so the players whom the given ones have reviewed more than once are recounted, too.
 * @param players a `SELECT … AS player …` of both sides of the reviews that have changed
 */
export function recountScores(db: Database, players: SQL) {
  const everyone = sql`
    SELECT player FROM (${players}) UNION ALL SELECT ${f.reviewedId} FROM (${players}) AS changed
      CROSS JOIN ${userFeedback} AS ${f} ON ${f.reviewerId} = changed.player AND ${isShown} AND EXISTS (
        SELECT 1 FROM ${userFeedback} AS ${g} WHERE ${g.reviewerId} = ${f.reviewerId}
          AND ${g.reviewedId} = ${f.reviewedId} AND ${g.id} <> ${f.id} AND ${isShown}
      )`;
  const countsOnce = sql`(count(*) > 1 AND ${isClosedPair(sql`${f.reviewerId}`, sql`${profiles.userId}`)})`;
  return {
    profiles: db.run(sql`
      UPDATE ${profiles} SET (${bare(profiles.feedbackScore)}, ${bare(profiles.totalRatings)},
        ${bare(profiles.rankingScore)}) = (
        SELECT total(stars) / nullif(total(reviews), 0), cast(total(reviews) AS INTEGER),
          (${USUAL_WEIGHT * USUAL_RATING} + total(iif(once, stars / reviews, stars)))
            / (${USUAL_WEIGHT} + total(iif(once, 1, reviews)))
        FROM (
          SELECT count(*) AS reviews, total(${f.rating}) AS stars,
            ${f.reviewerId} IS NOT NULL AND ${countsOnce} AS once
          FROM ${userFeedback} AS ${f} WHERE ${f.reviewedId} = ${profiles.userId} AND ${isShown}
          GROUP BY ${f.reviewerId}
        )
      )
      WHERE ${profiles.userId} IN (${everyone})`),
    facets: db.run(sql`
      UPDATE ${playerFacets} SET ${bare(playerFacets.rankingScore)} = (
        SELECT ${shownRanking} FROM ${profiles} WHERE ${profiles.userId} = ${playerFacets.userId}
      )
      WHERE ${playerFacets.userId} IN (${everyone})`),
  };
}
