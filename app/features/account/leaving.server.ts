import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
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
  const posts = sql`SELECT id FROM lfg_posts WHERE user_id = ${userId} AND is_active = 1`;
  return {
    sessions: endingSessions(db, userId),
    requests: lapsing(db, posts, moment),
    posts: db.run(sql`
      UPDATE lfg_posts SET is_active = 0, closed_at = ${moment}, updated_at = ${moment} WHERE id IN (${posts})`),
  };
}
