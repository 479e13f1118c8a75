import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { nameOf } from "~/features/players/shared/name.server";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * SQL condition that a request to join awaits its author's answer. A block between the author and the player hides the
 * request from the author, who couldn't accept it either.
 * @param request the query's name for `join_requests`
 * @param authorId the author of the post, as an id or an SQL expression
 */
export const awaitsAnswer = (
  request: { state: SQL | SQLiteColumn; userId: SQL | SQLiteColumn },
  authorId: SQL | string,
): SQL => sql`(${request.state} = 'pending' AND NOT ${blockBetween(sql`${request.userId}`, authorId)})`;

/**
 * Builds the statement that corrects authors' unread news of requests after one has been answered, ended or hidden: the
 * news then names the latest of the players who still wait for an answer, and counts no more than those. If there is
 * none, the news stays as it is.
 * @param posts `SELECT id` of the posts
 */
export const passOnRequestNews = (db: Database, posts: SQL) => {
  const waitingFor = sql`FROM ${joinRequests} AS ${r}
    WHERE ${r.postId} = ${p.id} AND ${awaitsAnswer(r, sql`${p.userId}`)}`;
  return db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data},
      '$.name', ${nameOf(sql`waiting.asker`)}, '$.causedBy', waiting.asker,
      '$.count', min(waiting.number, json_extract(${notifications.data}, '$.count')))
    FROM (
      SELECT ${p.id} AS post, ${p.userId} AS author, (SELECT count(*) ${waitingFor}) AS number,
        (SELECT ${r.userId} ${waitingFor} ORDER BY ${r.createdAt} DESC LIMIT 1) AS asker
      FROM ${lfgPosts} AS ${p} WHERE ${p.id} IN (${posts})
    ) AS waiting
    WHERE ${notifications.userId} = waiting.author AND ${notifications.kind} = ${newsKinds("join-request")}
      AND ${notifications.subject} = 'post:' || waiting.post AND ${notifications.readAt} IS NULL
      AND waiting.asker IS NOT NULL`);
};
