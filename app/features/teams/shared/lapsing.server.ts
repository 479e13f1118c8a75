import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notify } from "~/features/notifications/shared/notify.server";

/**
 * The two statements by which nobody waits in vain for posts that end: their players are told, and the requests lapse.
 * They belong in the transaction that closes the posts, before it does.
 * @param posts `SELECT id` of the posts that end now
 * @returns statements of which `told` answers who was told
 */
export const lapsing = (db: Database, posts: SQL, now: number) => ({
  told: notify(db, {
    kind: "join-declined",
    subject: sql`'post:' || to_tell.post_id`,
    data: sql`json_object('title', to_tell.title, 'reason', 'closed')`,
    recipients: sql`
        SELECT r.user_id AS user_id, p.id AS post_id, p.title AS title
        FROM lfg_posts AS p JOIN join_requests AS r ON r.post_id = p.id AND r.state = 'pending'
        WHERE p.id IN (${posts})`,
    now,
  }),
  lapse: db.run(sql`
      UPDATE join_requests SET state = 'lapsed', decided_at = ${now} WHERE state = 'pending' AND post_id IN (${posts})`),
});
