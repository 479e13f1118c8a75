import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { transact } from "#db/statements";
import { notify } from "~/features/notifications/shared/notify.server";
import { SESSION_LENGTH } from "./rules";

/**
 * Ends the sessions of teams that have played: two hours after the last spot was taken, else two hours after the author
 * closed the post to play with fewer, else with the post. From then on its players count as having played together, and each is asked for feedback, once. One transaction.
 * @param limit teams of one run; what is left waits for the next
 * @returns who was asked
 */
export async function endSessions(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const moment = now.getTime();
  const due = sql`
    SELECT id FROM lfg_posts
    WHERE taken_spots > 0 AND session_ended_at IS NULL
      AND iif(
        coalesce(filled_at, closed_at) IS NULL, expires_at <= ${moment},
        coalesce(filled_at, closed_at) <= ${moment - SESSION_LENGTH}
      )
    ORDER BY expires_at LIMIT ${limit}`;
  const { asked } = await transact(db, {
    markPlayed: db.run(sql`
      UPDATE join_requests SET played_at = ${moment}
      WHERE post_id IN (${due}) AND state = 'accepted' AND played_at IS NULL`),
    asked: notify(db, {
      kind: "feedback",
      subject: sql`'team:' || to_tell.post_id`,
      data: sql`json_object('title', to_tell.title)`,
      recipients: sql`
        SELECT r.user_id AS user_id, p.id AS post_id, p.title AS title
        FROM lfg_posts AS p JOIN join_requests AS r ON r.post_id = p.id AND r.state = 'accepted' WHERE p.id IN (${due})
        UNION ALL
        SELECT p.user_id, p.id, p.title FROM lfg_posts AS p
        WHERE p.id IN (${due})
          AND EXISTS (SELECT 1 FROM join_requests AS r WHERE r.post_id = p.id AND r.state = 'accepted')`,
      now: moment,
    }),
    end: db.run(sql`UPDATE lfg_posts SET session_ended_at = ${moment} WHERE id IN (${due})`),
  });
  return asked;
}
