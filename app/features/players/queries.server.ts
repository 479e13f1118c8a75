import { and, eq, getTableColumns, not, sql } from "drizzle-orm";
import { isMarkedSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";

/** Finds a player's profile; undefined if the account has none. */
export function findProfile(db: Database, userId: string) {
  return db.select().from(profiles).where(eq(profiles.userId, userId)).get();
}

/**
 * Finds a player's profile for a visitor; undefined if there is none, or the player is suspended. Players whose account
 * is about to be deleted keep their page: they can still post and write, so others must be able to block and report
 * them.
 */
export function findPublicProfile(db: Database, userId: string) {
  return db
    .select({
      ...getTableColumns(profiles),
      // The page of a player who is about to be deleted is for those who meet them, not for search engines.
      isListed: sql`(${profiles.isListed} AND ${users.deletionDueAt} IS NULL)`.mapWith(Boolean),
    })
    .from(profiles)
    .innerJoin(users, and(eq(users.id, profiles.userId), not(isMarkedSuspended(users))))
    .where(eq(profiles.userId, userId))
    .get();
}
