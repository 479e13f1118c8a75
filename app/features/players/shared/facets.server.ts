import { and, eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { playerFacets, profiles } from "#db/schema";
import { columnsOf } from "#db/sql";
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
  ${profiles.shares} IS NULL OR instr(${profiles.shares}, '"feedback"') > 0, ${profiles.rankingScore}, ${USUAL_RATING}
)`;

/** Writes a player's facets anew. `facets` are those of what they say themselves; being verified is added here. */
export function rewriteFacets(db: Database, userId: string, facets: readonly string[]) {
  return {
    forget: db.delete(playerFacets).where(eq(playerFacets.userId, userId)),
    write: db.run(sql`
      INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
      SELECT value, ${profiles.userId}, coalesce(${profiles.joinedAt}, 0), ${shownRanking}
        FROM ${profiles}, json_each(${JSON.stringify(facets)})
      WHERE ${profiles.userId} = ${userId}`),
    verified: markVerified(db, userId),
  };
}

/** Lists a player who has said nothing of themselves yet. */
export function listNewcomer(db: Database, userId: string) {
  return db.run(sql`
    INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
    SELECT ${EVERYONE}, ${profiles.userId}, coalesce(${profiles.joinedAt}, 0), ${shownRanking} FROM ${profiles}
      WHERE ${profiles.userId} = ${userId}
    ON CONFLICT DO NOTHING`);
}

/** Adds that a player is verified, if they are, and listed. */
export function markVerified(db: Database, userId: string) {
  return db.run(sql`
    INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
    SELECT ${VERIFIED}, ${profiles.userId}, coalesce(${profiles.joinedAt}, 0), ${shownRanking} FROM ${profiles}
    WHERE ${profiles.userId} = ${userId} AND ${profiles.riotVerifiedAt} IS NOT NULL AND ${profiles.isListed} = 1
    ON CONFLICT DO NOTHING`);
}

/** Takes away that players are verified. @param users their ids, as a subquery */
export function unmarkVerified(db: Database, users: SQLWrapper) {
  return db.delete(playerFacets).where(and(eq(playerFacets.facet, VERIFIED), inArray(playerFacets.userId, users)));
}
