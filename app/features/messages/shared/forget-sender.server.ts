import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, messages } from "#db/schema";
import { bare } from "#db/sql";
import { forgetNameInNews, selectNewsOfMessages } from "~/features/notifications/shared/naming.server";

const me = alias(conversationMembers, "me");
const them = alias(conversationMembers, "them");
const written = alias(messages, "written");

/**
 * The maximum number of messages whose sender is removed in one transaction. The limit bounds the transaction for
 * players who have written a lot.
 */
const MESSAGES_AT_ONCE = 1_000;

/** True if messages still name a player as their sender. */
export const isSender = (userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${messages} WHERE ${messages.senderId} = ${userId})`;

/**
 * Builds the statements that remove the sender from some of a player's messages, and the player's name from the news of
 * those messages. Repeat them until no message names the player as its sender (`isSender`).
 */
export function forgetSender(db: Database, userId: string, condition: SQL) {
  // In the order of an index, so that all three statements find the same messages.
  const fromSome = sql`FROM ${messages} AS ${written} WHERE ${written.senderId} = ${userId} AND ${condition}
    ORDER BY ${written}.rowid LIMIT ${MESSAGES_AT_ONCE}`;
  return {
    // Found through the messages, because the player may have left those conversations.
    news: forgetNameInNews(db, selectNewsOfMessages(userId, sql`SELECT ${written.conversationId} ${fromSome}`)),
    lastSenders: db.run(sql`
      UPDATE ${conversations} SET ${bare(conversations.lastSenderId)} = NULL
      WHERE ${conversations.lastSenderId} = ${userId}
        AND ${conversations.id} IN (SELECT ${written.conversationId} ${fromSome})`),
    messages: db.run(sql`
      UPDATE ${messages} SET ${bare(messages.senderId)} = NULL
      WHERE ${messages.id} IN (SELECT ${written.id} ${fromSome})`),
  };
}

/** Builds the statement that deletes the conversations of which a player is the only member. */
export const deleteLoneConversations = (db: Database, userId: string, condition: SQL) =>
  db.run(sql`
    DELETE FROM ${conversations} WHERE ${condition} AND ${conversations.id} IN (
      SELECT ${me.conversationId} FROM ${conversationMembers} AS ${me}
      WHERE ${me.userId} = ${userId} AND NOT EXISTS (
        SELECT 1 FROM ${conversationMembers} AS ${them}
        WHERE ${them.conversationId} = ${me.conversationId} AND ${them.userId} <> ${me.userId}
      )
    )`);
