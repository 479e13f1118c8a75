import { and, eq, getTableColumns, isNull } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";

/** A player's profile; undefined when the account has none. */
export function findProfile(db: Database, userId: string) {
  return db.select().from(profiles).where(eq(profiles.userId, userId)).get();
}

/** That others see an account: it is neither suspended nor about to be deleted. A condition on `users`. */
export const isAround = and(isNull(users.suspendedAt), isNull(users.deletionDueAt));

/**
 * A player's profile for who comes by; undefined when there is none to see.
 * @param viewerId who sees their own in any case
 */
export function findPublicProfile(db: Database, userId: string, viewerId: string | undefined) {
  return db
    .select(getTableColumns(profiles))
    .from(profiles)
    .innerJoin(users, and(eq(users.id, profiles.userId), userId === viewerId ? undefined : isAround))
    .where(eq(profiles.userId, userId))
    .get();
}
