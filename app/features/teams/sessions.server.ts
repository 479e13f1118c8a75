import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, userFeedback } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { AGAIN_AFTER } from "~/features/feedback/rules";
import { titleFor } from "~/features/lfg/shared/hide-post.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { clearRooms } from "./room/clear.server";
import { SESSION_LENGTH } from "./rules";

const f = alias(userFeedback, "f");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * Selects the ids (`post`, `player`) of each player in posts' teams, including the authors.
 * @param posts the posts' ids, as an SQL expression
 */
const playersOf = (posts: SQL): SQL => sql`
  SELECT ${p.id} AS post, ${p.userId} AS player FROM ${lfgPosts} AS ${p} WHERE ${p.id} IN (${posts})
  UNION ALL
  SELECT ${r.postId}, ${r.userId} FROM ${joinRequests} AS ${r}
  WHERE ${r.postId} IN (${posts}) AND ${r.state} = 'accepted'`;

/**
 * Ends the sessions of teams that have played, at the time that `sessionEnd` returns. From then on, the team's players
 * count as having played together, each player who can give a teammate feedback is asked for it once, and the team's
 * room is cleared. One transaction.
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
        SELECT asked.player AS user_id, asked.post AS post_id, ${titleFor(sql`asked.player`, p)} AS title
        FROM (${playersOf(due)}) AS asked JOIN ${lfgPosts} AS ${p} ON ${p.id} = asked.post
        WHERE EXISTS (
          SELECT 1 FROM (${playersOf(sql`asked.post`)}) AS mate
          WHERE mate.player <> asked.player AND NOT EXISTS (
            SELECT 1 FROM ${userFeedback} AS ${f} WHERE ${f.reviewerId} = asked.player
              AND ${f.reviewedId} = mate.player AND ${f.createdAt} > ${moment - AGAIN_AFTER}
          )
        )`,
      now: moment,
    }),
    clear: clearRooms(db, due),
    ended: db.all<{ postId: string }>(sql`UPDATE ${lfgPosts} SET ${bare(lfgPosts.sessionEndedAt)} = ${moment}
      WHERE ${lfgPosts.id} IN (${due}) RETURNING ${lfgPosts.id} AS postId`),
  });
  return { notified, ended };
}
