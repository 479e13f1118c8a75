import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts } from "#db/schema";
import { endingSessions } from "~/platform/session.server";

/**
 * The statements by which an account withdraws, for a while or for good: its sessions end and its open posts close. They
 * belong in one batch.
 * @returns the first statement yields the ids of the sessions that ended, for `closeSessions`
 */
export function leaving(db: Database, userId: string, now: Date) {
  return [
    ...endingSessions(db, userId),
    db
      .update(lfgPosts)
      .set({ isActive: false, updatedAt: now })
      // A literal, as in the partial index.
      .where(and(eq(lfgPosts.userId, userId), eq(lfgPosts.isActive, sql`1`))),
  ] as const;
}
