import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, messages, type Snapshot } from "#db/schema";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { type ConversationRef, isMemberOf } from "~/features/messages/shared/membership.server";
import { nameOf } from "~/features/players/shared/name.server";
import { type Subject, selectSubject } from "./shared/subjects.server";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const me = alias(conversationMembers, "me");
const other = alias(conversationMembers, "other");

/**
 * Finds the current version of a subject that a reporter may see and isn't the author of.
 * @param reporterId null for visitors
 */
export async function findSubject(
  db: Database,
  subject: Subject,
  reporterId: string | null,
): Promise<Snapshot | undefined> {
  const [row] = await db.all<{ snapshot: string }>(selectSubject(subject, reporterId));
  return row && (JSON.parse(row.snapshot) as Snapshot);
}

/** Maximum number of messages that the form offers. */
const OFFERED = 20;
/** Number of messages that are read to find them: a member's own and hidden ones aren't offered. */
const SEARCHED = 100;
/** Number of characters read of each message: more than its preview shows. */
const PREVIEW_READ = 400;

/** A message by another member, as the form offers it. */
interface ReportableMessage {
  id: string;
  /** Null once the account is gone. */
  author: string | null;
  /** The beginning of its text; empty if the message is hidden. */
  content: string;
  /** Whether the thread hides it from the member, because they have blocked its author. */
  isHidden: boolean;
  /** Milliseconds since 1970. */
  createdAt: number;
}

type MessageRow = Omit<ReportableMessage, "isHidden"> & {
  senderId: string | null;
  isRemoved: number;
  hasBlocked: number;
};

/** A conversation that a member may report from. */
interface ReportableChat {
  /** The other player in a conversation of two; null in a party, and once the account is gone. */
  other: { id: string; name: string } | null;
  isPair: boolean;
  /** The latest messages by others that moderators have not hidden, newest first. */
  messages: ReportableMessage[];
}

/**
 * Finds one of a player's conversations, with the messages that they can report.
 * @param from the message to begin with; if it doesn't exist or is the player's own, no messages are offered
 * @returns undefined if the player isn't a member
 */
export async function findReportableChat(
  db: Database,
  conversation: ConversationRef,
  userId: string,
  from: string | null,
): Promise<ReportableChat | undefined> {
  const last = sql`(SELECT ${messages.seq} FROM ${messages} WHERE ${messages.id} = ${from}
    AND ${messages.conversationId} = ${conversation})`;
  const [[head], rows] = await Promise.all([
    db.all<{ isPair: number; otherId: string | null; otherName: string | null }>(sql`
      SELECT ${c.pairKey} IS NOT NULL AS isPair, ${other.userId} AS otherId,
        ${nameOf(sql`${other.userId}`)} AS otherName
      FROM ${conversationMembers} AS ${me} JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId}
      LEFT JOIN ${conversationMembers} AS ${other} ON ${c.pairKey} IS NOT NULL
        AND ${other.conversationId} = ${c.id} AND ${other.userId} <> ${me.userId}
      WHERE ${me.conversationId} = ${conversation} AND ${me.userId} = ${userId}`),
    db.all<MessageRow>(sql`
      SELECT ${m.id} AS id, ${m.senderId} AS senderId, ${nameOf(sql`${m.senderId}`)} AS author,
        substr(${m.content}, 1, ${PREVIEW_READ}) AS content, ${m.createdAt} AS createdAt,
        ${m.hiddenAt} IS NOT NULL AS isRemoved, ${hasBlocked(userId, sql`${m.senderId}`)} AS hasBlocked
      FROM ${messages} AS ${m}
      WHERE ${m.conversationId} = ${conversation} AND ${isMemberOf(conversation, userId)}
        ${from === null ? sql`` : sql`AND ${m.seq} <= ${last}`}
      ORDER BY ${m.seq} DESC LIMIT ${SEARCHED}`),
  ]);
  if (!head) return undefined;
  const received = rows.filter(({ senderId }) => senderId !== userId);
  const offered = received.filter(({ isRemoved }) => !isRemoved).slice(0, OFFERED);
  const isFound = from === null || received[0]?.id === from;
  const messageOf = ({ id, author, content, createdAt, hasBlocked: hasBlockedAuthor }: MessageRow) => {
    const isHidden = !head.isPair && Boolean(hasBlockedAuthor);
    return { id, author, content: isHidden ? "" : content, createdAt, isHidden };
  };
  return {
    other: head.otherId === null ? null : { id: head.otherId, name: head.otherName ?? "" },
    isPair: Boolean(head.isPair),
    messages: isFound ? offered.map(messageOf) : [],
  };
}
