import { and, eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { playerFacets } from "#db/schema";
import { USUAL_RATING } from "#db/words/ratings";
import { EVERYONE, VERIFIED } from "../directory/facets";

/*
 * The statements that keep `player_facets` like the profiles. Each belongs into the batch that changes the profile, after
 * it: whether the player is verified and listed, since when they are here and how they rank is read from there.
 */

/**
 * What a player of `profiles` is sorted by: where those stand who have no reviews, if they keep theirs to themselves. The
 * order must not tell what the page doesn't.
 */
export const shownRanking = sql`iif(
  profiles.shares IS NULL OR instr(profiles.shares, '"feedback"') > 0, profiles.ranking_score, ${USUAL_RATING}
)`;

/** Writes a player's facets anew. `facets` are those of what they say themselves; being verified is added here. */
export function rewriteFacets(db: Database, userId: string, facets: readonly string[]) {
  return {
    forget: db.delete(playerFacets).where(eq(playerFacets.userId, userId)),
    write: db.run(sql`
      INSERT INTO player_facets (facet, user_id, joined_at, ranking_score)
      SELECT value, user_id, coalesce(joined_at, 0), ${shownRanking} FROM profiles, json_each(${JSON.stringify(facets)})
      WHERE user_id = ${userId}`),
    verified: markVerified(db, userId),
  };
}

/** Lists a player who has said nothing of themselves yet. */
export function listNewcomer(db: Database, userId: string) {
  return db.run(sql`
    INSERT INTO player_facets (facet, user_id, joined_at, ranking_score)
    SELECT ${EVERYONE}, user_id, coalesce(joined_at, 0), ${shownRanking} FROM profiles WHERE user_id = ${userId}
    ON CONFLICT DO NOTHING`);
}

/** Adds that a player is verified, if they are, and listed. */
export function markVerified(db: Database, userId: string) {
  return db.run(sql`
    INSERT INTO player_facets (facet, user_id, joined_at, ranking_score)
    SELECT ${VERIFIED}, user_id, coalesce(joined_at, 0), ${shownRanking} FROM profiles
    WHERE user_id = ${userId} AND riot_verified_at IS NOT NULL AND is_listed = 1
    ON CONFLICT DO NOTHING`);
}

/** Takes away that players are verified. @param users their ids, as a subquery */
export function unmarkVerified(db: Database, users: SQLWrapper) {
  return db.delete(playerFacets).where(and(eq(playerFacets.facet, VERIFIED), inArray(playerFacets.userId, users)));
}
