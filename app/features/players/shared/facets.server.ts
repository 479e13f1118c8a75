import { and, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { playerFacets, profiles } from "#db/schema";
import { columnsOf } from "#db/sql";
import { USUAL_RATING } from "#db/words/ratings";
import { EVERYONE, facetsOf, VERIFIED } from "../directory/facets";

/*
 * The statements that keep `player_facets` in step with the profiles. Each belongs in the batch that changes the
 * profile, after that change: it reads from the profile whether the player is verified and listed, when they joined,
 * and their score.
 */

/**
 * The score by which a player in `profiles` is sorted. A player who keeps reviews private is sorted like one without
 * any, so that the order doesn't reveal what the page hides.
 */
export const shownRanking = sql`iif(
  ${profiles.shares} IS NULL OR instr(${profiles.shares}, '"feedback"') > 0, ${profiles.rankingScore}, ${USUAL_RATING}
)`;

/**
 * Builds the statements that replace a player's facets. `facets` come from the profile form; `verified` is added here.
 * @param condition SQL that is true if they are to be replaced
 */
export function rewriteFacets(db: Database, userId: string, facets: readonly string[], condition: SQL = sql`1`) {
  return {
    forget: db.delete(playerFacets).where(and(eq(playerFacets.userId, userId), condition)),
    write: db.run(sql`
      INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
      SELECT value, ${profiles.userId}, coalesce(${profiles.joinedAt}, 0), ${shownRanking}
        FROM ${profiles}, json_each(${JSON.stringify(facets)})
      WHERE ${profiles.userId} = ${userId} AND ${condition}`),
    verified: markVerified(db, userId),
  };
}

/** Builds the statement that adds a new player, whose profile is still empty, to the player directory. */
export function listNewcomer(db: Database, userId: string) {
  return db.run(sql`
    INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
    SELECT ${EVERYONE}, ${profiles.userId}, coalesce(${profiles.joinedAt}, 0), ${shownRanking} FROM ${profiles}
      WHERE ${profiles.userId} = ${userId}
    ON CONFLICT DO NOTHING`);
}

/** Builds the statement that adds the `verified` facet, if the player is verified and listed. */
export function markVerified(db: Database, userId: string) {
  return db.run(sql`
    INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
    SELECT ${VERIFIED}, ${profiles.userId}, coalesce(${profiles.joinedAt}, 0), ${shownRanking} FROM ${profiles}
    WHERE ${profiles.userId} = ${userId} AND ${profiles.riotVerifiedAt} IS NOT NULL AND ${profiles.isListed} = 1
    ON CONFLICT DO NOTHING`);
}

/**
 * Builds the statement that removes players' `verified` facets.
 * @param users their ids, as a subquery
 */
export function unmarkVerified(db: Database, users: SQLWrapper) {
  return db.delete(playerFacets).where(and(eq(playerFacets.facet, VERIFIED), inArray(playerFacets.userId, users)));
}

/**
 * Adds a player's tags to the lists of the directory, if it lists the player. For tags that were restored: SQL can't
 * fold them. If the tags change meanwhile, whatever changes them takes care of the lists.
 */
export async function addTagFacets(db: Database, userId: string): Promise<void> {
  const { personalityTags } = profiles;
  const profile = await db.select({ personalityTags }).from(profiles).where(eq(profiles.userId, userId)).get();
  if (!profile?.personalityTags) return;
  const facets = facetsOf(profile);
  await db.run(sql`
    INSERT INTO ${playerFacets} ${columnsOf(playerFacets, "facet", "userId", "joinedAt", "rankingScore")}
    SELECT tag.value, ${userId}, ${playerFacets.joinedAt}, ${playerFacets.rankingScore}
    FROM ${playerFacets}, json_each(${JSON.stringify(facets)}) AS tag
    WHERE ${playerFacets.userId} = ${userId} AND ${playerFacets.facet} = ${EVERYONE} AND EXISTS (
      SELECT 1 FROM ${profiles} WHERE ${and(eq(profiles.userId, userId), eq(personalityTags, profile.personalityTags))}
    )
    ON CONFLICT DO NOTHING`);
}
