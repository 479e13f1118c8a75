import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { nameOf } from "~/features/players/shared/name.server";

const news = alias(notifications, "news");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * SQL condition that a request to join awaits an answer from the post's author. A block between the author and the
 * player who asks hides the request from the author, who couldn't accept it anyway.
 * @param request the query's name for `join_requests`
 * @param authorId the author of the post, as an id or an SQL expression
 */
export const awaitsAnswer = (
  request: { state: SQL | SQLiteColumn; userId: SQL | SQLiteColumn },
  authorId: SQL | string,
): SQL => sql`(${request.state} = 'pending' AND NOT ${blockBetween(sql`${request.userId}`, authorId)})`;

/**
 * SQL condition that an author's unread news is about a request that awaits their answer: the request was made since
 * they last read the news. They know of earlier ones, even if they haven't answered them.
 * @param request as for `awaitsAnswer`
 * @param unread the query's name for the row of `notifications`; `since` in its data is the first unread request's time
 */
const isUnreadRequest = (
  request: Parameters<typeof awaitsAnswer>[0] & { createdAt: SQL | SQLiteColumn },
  authorId: SQL | string,
  unread: { data: SQL | SQLiteColumn },
): SQL =>
  sql`(${awaitsAnswer(request, authorId)}
    AND ${request.createdAt} >= coalesce(json_extract(${unread.data}, '$.since'), 0))`;

/**
 * Selects authors' unread news of their posts.
 * @param columns the columns; `news` is the notification, and `p` its post
 * @param posts `SELECT id` of the posts
 */
const selectUnreadNews = (columns: SQL, posts: SQL, kinds = newsKinds("join-request")): SQL => sql`
  SELECT ${columns} FROM ${lfgPosts} AS ${p} JOIN ${notifications} AS ${news} ON ${news.userId} = ${p.userId}
    AND ${news.kind} IN (${kinds}) AND ${news.subject} = ${subjectSql("post", p.id)}
    AND ${news.readAt} IS NULL
  WHERE ${p.id} IN (${posts})`;

/** The unread requests that the news is about, for a subquery of `selectUnreadNews`. */
const itsRequests = sql`FROM ${joinRequests} AS ${r}
  WHERE ${r.postId} = ${p.id} AND ${isUnreadRequest(r, sql`${p.userId}`, news)}`;

/** SQL condition on `notifications`: unread news none of whose requests awaits an answer any more. */
const isOver = (posts: SQL): SQL =>
  sql`${notifications.id} IN (${selectUnreadNews(sql`${news.id}`, posts)} AND NOT EXISTS (SELECT 1 ${itsRequests}))`;

/**
 * Builds the statements that correct authors' unread news after requests have been withdrawn, or hidden by a block: the
 * news is removed if it is about no other request, or else passed on.
 * @param posts `SELECT id` of the posts
 * @returns the statements; `removed` returns the authors who have lost news
 */
export const removeRequestNews = (db: Database, posts: SQL) => ({
  removed: db.all<{ userId: string }>(sql`
    DELETE FROM ${notifications} WHERE ${isOver(posts)} RETURNING ${notifications.userId} AS userId`),
  passOn: passOnRequestNews(db, posts),
});

/**
 * Builds the statements that correct authors' unread news after they have answered requests: the news is marked as read
 * if it is about no other request, or else passed on.
 * @param posts `SELECT id` of the posts
 * @returns the statements; `read` returns the authors whose news was marked as read
 */
export const resolveRequestNews = (db: Database, posts: SQL, now: number) => ({
  read: db.all<{ userId: string }>(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now} WHERE ${isOver(posts)}
    RETURNING ${notifications.userId} AS userId`),
  passOn: passOnRequestNews(db, posts),
});

/**
 * Builds the statement that marks as read the authors' unread news of posts that are closing: nobody waits for an
 * answer any more, and a warning that a post closes soon is out of date.
 * @param posts `SELECT id` of the posts
 * @returns the statement, which returns the authors
 */
export const resolveNewsOfClosing = (db: Database, posts: SQL, now: number) =>
  db.all<{ userId: string }>(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now} WHERE ${notifications.id} IN (
      ${selectUnreadNews(sql`${news.id}`, posts, newsKinds("join-request", "post-expiring"))}
    ) RETURNING ${notifications.userId} AS userId`);

/**
 * Builds the statement that passes news on to its remaining requests. The news then names the player with the latest of
 * these requests, and its count is at most their number. If there are none, the news stays as it is.
 */
const passOnRequestNews = (db: Database, posts: SQL) => {
  const columns = sql`${news.id} AS id, (SELECT count(*) ${itsRequests}) AS number,
    (SELECT ${r.userId} ${itsRequests} ORDER BY ${r.createdAt} DESC LIMIT 1) AS asker`;
  return db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data},
      '$.name', ${nameOf(sql`waiting.asker`)}, '$.causedBy', waiting.asker,
      '$.count', min(waiting.number, json_extract(${notifications.data}, '$.count')))
    FROM (${selectUnreadNews(columns, posts)}) AS waiting
    WHERE ${notifications.id} = waiting.id AND waiting.asker IS NOT NULL`);
};
