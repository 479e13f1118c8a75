import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts } from "#db/schema";
import { bare } from "#db/sql";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { forgetUsesOfEach } from "~/platform/limits/uses.server";
import { resolveNewsOfClosing } from "./request-news.server";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/** The subject of the limit `joinNews`, as an SQL expression. @param request the query's name for `join_requests` */
export const joinNewsSubject = (request: { userId: SQLiteColumn; postId: SQLiteColumn }): SQL =>
  sql`${request.userId} || ':' || ${request.postId}`;

/**
 * Builds the statements that set requests to `lapsed`. Their players didn't withdraw them, so the author will be told
 * if they ask again, even within a day.
 * @param which an SQL condition that selects the unanswered requests
 */
export const lapse = (db: Database, which: SQL, now: number) => ({
  forgetNews: forgetUsesOfEach(
    db,
    "joinNews",
    sql`SELECT ${joinNewsSubject(joinRequests)} AS subject FROM ${joinRequests} WHERE ${which}`,
  ),
  lapse: db.run(sql`
    UPDATE ${joinRequests} SET ${bare(joinRequests.state)} = 'lapsed', ${bare(joinRequests.decidedAt)} = ${now}
    WHERE ${which}`),
});

/**
 * Builds the statements that end the open requests of posts that close: they notify the waiting players, set their
 * requests to `lapsed`, and mark the authors' news of the posts as read. They belong in the transaction that closes the
 * posts, before the statement that closes them.
 * @param posts `SELECT id` of the closing posts
 * @returns the statements; `notified` returns the notified players, and `news` the authors whose news was marked as
 *   read
 */
export const lapseRequests = (db: Database, posts: SQL, now: number) => ({
  notified: notify(db, {
    kind: "join-declined",
    subject: subjectSql("post", sql`to_tell.post_id`),
    data: sql`json_object('title', to_tell.title, 'reason', 'closed')`,
    by: sql`to_tell.author`,
    recipients: sql`
        SELECT ${r.userId} AS user_id, ${p.id} AS post_id, ${p.title} AS title, ${p.userId} AS author
        FROM ${lfgPosts} AS ${p} JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${p.id} AND ${r.state} = 'pending'
        WHERE ${p.id} IN (${posts})`,
    now,
  }),
  lapse: lapse(db, sql`${joinRequests.state} = 'pending' AND ${joinRequests.postId} IN (${posts})`, now),
  news: resolveNewsOfClosing(db, posts, now),
});

/**
 * Builds the statement that lists the players whose news changes when a post closes or is hidden: its author, and those
 * whose requests to join it have lapsed. Unlike `notified` above, it also finds them if the post was already closed.
 */
export const listLapsed = (db: Database, postId: string) =>
  db.all<{ userId: string }>(sql`
    SELECT ${p.userId} AS userId FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${postId}
    UNION ALL
    SELECT ${r.userId} FROM ${joinRequests} AS ${r} WHERE ${r.postId} = ${postId} AND ${r.state} = 'lapsed'`);
