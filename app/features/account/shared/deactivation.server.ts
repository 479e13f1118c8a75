import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts } from "#db/schema";
import { bare } from "#db/sql";
import { NO_PRESENCE, setPresence } from "~/features/lfg/shared/author-presence.server";
import { lapseRequests } from "~/features/teams/shared/lapse-requests.server";
import { deleteSessions } from "~/platform/session/store.server";

/**
 * Builds the statements that deactivate an account, temporarily or for good. They end its sessions and close its open
 * posts. Unanswered requests to join these posts end, too, and their senders are notified. The statements belong in one
 * transaction.
 * @param condition decides, when the statements run, whether they have any effect
 * @returns statements by name; `sessions.ended` yields the ids of the ended sessions, for `closeSessions`,
 *   `requests.notified` the notified players, and `posts` the ids of the closed posts, for `tellPostLists` and
 *   `tellTeams`
 */
export function deactivateAccount(db: Database, userId: string, now: Date, condition: SQL = sql`1`) {
  const moment = now.getTime();
  // A literal, not a parameter, so that SQLite uses the partial index.
  const posts = sql`SELECT ${lfgPosts.id} FROM ${lfgPosts} WHERE ${lfgPosts.userId} = ${userId}
    AND ${lfgPosts.isActive} = 1 AND ${condition}`;
  return {
    sessions: deleteSessions({ db, now }, userId, undefined, condition),
    requests: lapseRequests(db, posts, moment),
    posts: db.all<{ id: string }>(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.isActive)} = 0, ${bare(lfgPosts.closedAt)} = ${moment},
        ${bare(lfgPosts.updatedAt)} = ${moment}, ${setPresence(NO_PRESENCE)} WHERE ${lfgPosts.id} IN (${posts})
      RETURNING ${lfgPosts.id}`),
  };
}
