import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { shownTitle, titleFor } from "~/features/lfg/shared/hide-post.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { clearRooms } from "./room/clear.server";
import { SESSION_LENGTH } from "./rules";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * Ends the sessions of teams that have played, at the time that `sessionEnd` returns. From then on, the team's players
 * count as having played together, each is asked for feedback once, and the team's room is cleared. One transaction.
 * @param limit maximum number of teams per run; the rest wait for the next run
 * @returns the players who were asked, and the posts of the teams
 */
export async function endSessions(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ notified: { userId: string }[]; ended: { postId: string }[] }> {
  const moment = now.getTime();
  const due = sql`
    SELECT ${lfgPosts.id} FROM ${lfgPosts}
    WHERE ${lfgPosts.takenSpots} > 0 AND ${lfgPosts.sessionEndedAt} IS NULL
      AND iif(
        coalesce(${lfgPosts.filledAt}, ${lfgPosts.closedAt}) IS NULL, ${lfgPosts.expiresAt} <= ${moment},
        coalesce(${lfgPosts.filledAt}, ${lfgPosts.closedAt}) <= ${moment - SESSION_LENGTH}
      )
    ORDER BY ${lfgPosts.expiresAt} LIMIT ${limit}`;
  const { notified, ended } = await transact(db, {
    markPlayed: db.run(sql`
      UPDATE ${joinRequests} SET ${bare(joinRequests.playedAt)} = ${moment}
      WHERE ${joinRequests.postId} IN (${due}) AND ${joinRequests.state} = 'accepted'
        AND ${joinRequests.playedAt} IS NULL`),
    notified: notify(db, {
      kind: "feedback",
      subject: subjectSql("team", sql`to_tell.post_id`),
      data: sql`json_object('title', to_tell.title)`,
      recipients: sql`
        SELECT ${r.userId} AS user_id, ${p.id} AS post_id, ${titleFor(sql`${r.userId}`, p)} AS title
        FROM ${lfgPosts} AS ${p} JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${p.id} AND ${r.state} = 'accepted'
          WHERE ${p.id} IN (${due})
        UNION ALL
        SELECT ${p.userId}, ${p.id}, ${shownTitle(p)} FROM ${lfgPosts} AS ${p}
        WHERE ${p.id} IN (${due})
          AND EXISTS (SELECT 1 FROM ${joinRequests} AS ${r} WHERE ${r.postId} = ${p.id} AND ${r.state} = 'accepted')`,
      now: moment,
    }),
    clear: clearRooms(db, due),
    ended: db.all<{ postId: string }>(sql`UPDATE ${lfgPosts} SET ${bare(lfgPosts.sessionEndedAt)} = ${moment}
      WHERE ${lfgPosts.id} IN (${due}) RETURNING ${lfgPosts.id} AS postId`),
  });
  return { notified, ended };
}
