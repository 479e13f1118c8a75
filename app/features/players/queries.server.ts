import { and, eq, getTableColumns, isNull } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";

/** Finds a player's profile; undefined if the account has none. */
export function findProfile(db: Database, userId: string) {
  return db.select().from(profiles).where(eq(profiles.userId, userId)).get();
}

/** SQL condition on `users` that others may see an account: it is neither suspended nor about to be deleted. */
export const isActiveAccount = and(isNull(users.suspendedAt), isNull(users.deletionDueAt));

/**
 * Finds a player's profile for a visitor; undefined if there is none, or they may not see it.
 * @param viewerId the visitor, who always sees their own profile
 */
export function findPublicProfile(db: Database, userId: string, viewerId: string | undefined) {
  return db
    .select(getTableColumns(profiles))
    .from(profiles)
    .innerJoin(users, and(eq(users.id, profiles.userId), userId === viewerId ? undefined : isActiveAccount))
    .where(eq(profiles.userId, userId))
    .get();
}
