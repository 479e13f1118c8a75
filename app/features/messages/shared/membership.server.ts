import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { conversationMembers } from "#db/schema";

const member = alias(conversationMembers, "member");

/** A conversation: its id, or an SQL expression that finds it. */
export type ConversationRef = string | SQL;

/** True if a player is a member of a conversation. */
export const isMemberOf = (conversation: ConversationRef, userId: string | SQL): SQL => sql`EXISTS (
  SELECT 1 FROM ${conversationMembers} AS ${member}
  WHERE ${member.conversationId} = ${conversation} AND ${member.userId} = ${userId}
)`;
