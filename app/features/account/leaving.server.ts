import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts } from "#db/schema";
import { bare } from "#db/sql";
import { lapsing } from "~/features/teams/shared/lapsing.server";
import { endingSessions } from "~/platform/session/session.server";

/**
 * The statements by which an account withdraws, for a while or for good: its sessions end and its open posts close, and
 * who still waited for an answer is told. They belong in one transaction.
 * @returns `sessions.ended` answers the ids of the sessions that ended, for `closeSessions`; `requests.told` who was told
 */
export function leaving(db: Database, userId: string, now: Date) {
  const moment = now.getTime();
  // A literal, as in the partial index.
  const posts = sql`SELECT ${lfgPosts.id} FROM ${lfgPosts} WHERE ${lfgPosts.userId} = ${userId}
    AND ${lfgPosts.isActive} = 1`;
  return {
    sessions: endingSessions(db, userId),
    requests: lapsing(db, posts, moment),
    posts: db.run(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.isActive)} = 0, ${bare(lfgPosts.closedAt)} = ${moment},
        ${bare(lfgPosts.updatedAt)} = ${moment} WHERE ${lfgPosts.id} IN (${posts})`),
  };
}
