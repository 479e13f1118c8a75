import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, joinRequests, lfgPosts, messages, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { originalOf } from "~/features/moderation/shared/originals.server";
import { displayName, UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import type { NamedAs } from "../kind";
import { NOTIFICATION_KINDS } from "../kinds";
import { subjectSql } from "./subjects.server";

/*
 * Other players' notifications that name a player. The player may have left a chat or had another name, so the
 * notifications are found by the player's messages and requests, and by who caused them.
 */

const c = alias(conversations, "c");
const news = alias(notifications, "news");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");
const them = alias(conversationMembers, "them");
const written = alias(messages, "written");

/** Lists the kinds whose named player has the part `as`, for SQL's `IN`. */
const kindsNaming = (as: NamedAs): SQL =>
  newsKinds(...NOTIFICATION_KINDS.filter(({ names }) => names === as).map(({ name }) => name));

/**
 * True for `news` that a player caused. Notifications from before `causedBy` existed don't say who caused them: they
 * count as the player's if they show one of the player's names.
 * @param isCertain true for news that nobody else can have caused
 */
const isCausedBy = (id: string, isCertain = sql`0`): SQL => {
  const unnamed = displayName({ userId: id, riotGameName: null, riotId: null });
  return sql`coalesce(json_extract(${news.data}, '$.causedBy') = ${id}, ${isCertain}
    OR json_extract(${news.data}, '$.name') IN (${nameOf(sql`${id}`)}, ${unnamed}, ${originalOf("player", id, "name")}))`;
};

/**
 * Selects the ids of news that names a player as the sender.
 * @param chats `SELECT id` of the conversations to search
 */
export const selectNewsOfMessages = (id: string, chats: SQL): SQL => sql`
  SELECT ${news.id} FROM ${conversations} AS ${c}
  JOIN ${conversationMembers} AS ${them} ON ${them.conversationId} = ${c.id} AND ${them.userId} <> ${id}
  JOIN ${notifications} AS ${news} ON ${news.userId} = ${them.userId}
    AND ${news.kind} IN (${kindsNaming("sender")}) AND ${news.subject} = ${subjectSql("conversation", c.id)}
  WHERE ${c.id} IN (${chats}) AND ${isCausedBy(id, sql`${c.pairKey} IS NOT NULL`)}`;

const NEWS_OF_REQUESTS: Record<Exclude<NamedAs, "sender">, (id: string) => SQL> = {
  asker: (id) => sql`
    SELECT ${news.id} FROM ${joinRequests} AS ${r} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
    JOIN ${notifications} AS ${news} ON ${news.userId} = ${p.userId}
      AND ${news.kind} IN (${kindsNaming("asker")}) AND ${news.subject} = ${subjectSql("post", p.id)}
    WHERE ${r.userId} = ${id} AND ${isCausedBy(id)}`,
  author: (id) => sql`
    SELECT ${news.id} FROM ${lfgPosts} AS ${p} JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${p.id}
    JOIN ${notifications} AS ${news} ON ${news.userId} = ${r.userId}
      AND ${news.kind} IN (${kindsNaming("author")}) AND ${news.subject} = ${subjectSql("post", p.id)}
    WHERE ${p.userId} = ${id} AND ${isCausedBy(id)}`,
};

/** Selects the ids of news that names a player as the one who asked to join a post, or as a post's author. */
export const selectNewsOfRequests = (id: string): SQL =>
  sql.join(
    Object.values(NEWS_OF_REQUESTS).map((select) => select(id)),
    sql` UNION ALL `,
  );

/**
 * Builds the statement that makes other players' notifications name a player as pages do. It comes after the statement
 * that changes the name.
 */
export function renameInNews(db: Database, id: string, condition: SQL) {
  const name = nameOf(sql`${id}`);
  const chats = sql`SELECT ${written.conversationId} FROM ${messages} AS ${written} WHERE ${written.senderId} = ${id}`;
  return db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data}, '$.name', ${name})
    WHERE ${condition} AND ${notifications.id} IN (
      ${selectNewsOfMessages(id, chats)} UNION ALL ${selectNewsOfRequests(id)}
    ) AND json_extract(${notifications.data}, '$.name') <> ${name}`);
}

/** Builds the statement that removes the named player from news. @param which `SELECT id` of the news */
export const forgetNameInNews = (db: Database, which: SQL, condition = sql`1`) =>
  db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data},
      '$.name', ${UNKNOWN_PLAYER}, '$.causedBy', NULL)
    WHERE ${condition} AND ${notifications.id} IN (${which})`);
