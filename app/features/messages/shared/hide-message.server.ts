import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, messages, notifications } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { dropOriginal, keepOriginal, originalOf, readOriginal } from "~/features/moderation/shared/originals.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import { nameOf } from "~/features/players/shared/name.server";
import type { RequestContext } from "~/platform/context";
import { callRoom } from "~/platform/rooms/rooms.server";
import { presentMessage, senderSince } from "../queries.server";
import { REMOVED_MESSAGE, removedText } from "../rules";
import { countUnreadAfter } from "./unread-messages.server";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const o = alias(conversationMembers, "o");

/** The `SELECT` of one column of a message, as an SQL expression. */
const columnOf = (id: string, column: SQL) => sql`(SELECT ${column} FROM ${messages} AS ${m} WHERE ${m.id} = ${id})`;

/**
 * Builds the statements that hide a message: others read a note in its place, in the thread and in the list of
 * conversations. It is no longer counted as unread, and no news quotes it: news of this message alone disappears, and
 * news of several messages has the note in place of its text. A member who now has no unread message loses the unread
 * news, too.
 * @param condition SQL that is true if the message is to be hidden
 */
export function hideChatMessage(db: Database, id: string, now: Date, condition: SQL) {
  const conversation = columnOf(id, sql`${m.conversationId}`);
  const isAboutChat = (members = sql``) => sql`${notifications.userId} IN (
      SELECT ${o.userId} FROM ${conversationMembers} AS ${o} WHERE ${o.conversationId} = ${conversation} ${members}
    ) AND ${notifications.kind} IN (${newsKinds("contact", "message")})
    AND ${notifications.subject} = ${subjectSql("conversation", conversation)} AND ${condition}`;
  const isQuoting = sql`${isAboutChat()} AND ${notifications.createdAt} = ${columnOf(id, sql`${m.createdAt}`)}`;
  return {
    original: keepOriginal(
      db,
      "message",
      id,
      sql`SELECT json_object('preview', ${c.lastPreview}) AS original FROM ${messages} AS ${m}
        JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId} AND ${c.lastSeq} = ${m.seq}
        WHERE ${m.id} = ${id} AND ${m.hiddenAt} IS NULL`,
      now,
      condition,
    ),
    hide: db.run(sql`UPDATE ${messages} SET ${bare(messages.hiddenAt)} = ${now.getTime()}
      WHERE ${messages.id} = ${id} AND ${messages.hiddenAt} IS NULL AND ${condition}`),
    preview: preview(db, id, sql`${REMOVED_MESSAGE}`, condition),
    unread: recountUnread(db, id, sql`${conversationMembers.unreadCount}`, condition),
    forgetNews: db.run(sql`DELETE FROM ${notifications}
      WHERE ${isQuoting} AND coalesce(json_extract(${notifications.data}, '$.count'), 1) = 1`),
    // After `unread`, which counts without this message.
    forgetUnreadNews: db.run(sql`DELETE FROM ${notifications}
      WHERE ${isAboutChat(sql`AND ${o.unreadCount} = 0`)} AND ${notifications.readAt} IS NULL`),
    rewordNews: db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data},
        '$.preview', ${REMOVED_MESSAGE}) WHERE ${isQuoting}`),
  };
}

/** Builds the statements that show a hidden message again. News of it doesn't come back. */
export function restoreChatMessage(db: Database, id: string, condition: SQL) {
  const kept = originalOf("message", id, "preview");
  return {
    show: db.run(sql`UPDATE ${messages} SET ${bare(messages.hiddenAt)} = NULL
      WHERE ${messages.id} = ${id} AND ${condition}`),
    preview: preview(db, id, kept, sql`${kept} IS NOT NULL AND ${condition}`),
    unread: recountUnread(db, id, sql`${conversationMembers.unreadCount} + 1`, condition),
    original: readOriginal(db, "message", id, condition),
    drop: dropOriginal(db, "message", id, condition),
  };
}

/** Builds the statement that changes the preview of the message's conversation, if the message is its last. */
const preview = (db: Database, id: string, words: SQL, condition: SQL) =>
  db.run(sql`UPDATE ${conversations} SET ${bare(conversations.lastPreview)} = ${words}
    WHERE ${conversations.id} = ${columnOf(id, sql`${m.conversationId}`)}
      AND ${conversations.lastSeq} = ${columnOf(id, sql`${m.seq}`)} AND ${condition}`);

/**
 * Builds the statement that counts unread messages again, for members who haven't read as far as this message.
 * @param most the highest possible count, as an SQL expression
 */
const recountUnread = (db: Database, id: string, most: SQL, condition: SQL) =>
  db.run(sql`
    UPDATE ${conversationMembers} SET ${bare(conversationMembers.unreadCount)} = min(${most}, ${countUnreadAfter(
      sql`${conversationMembers.conversationId}`,
      sql`${conversationMembers.userId}`,
      sql`${conversationMembers.lastReadSeq}`,
    )})
    WHERE ${conversationMembers.conversationId} = ${columnOf(id, sql`${m.conversationId}`)}
      AND ${conversationMembers.lastReadSeq} < ${columnOf(id, sql`${m.seq}`)} AND ${condition}`);

/** A message, and one of the members of its conversation. */
interface Reader {
  userId: string;
  hasBlocked: number;
  conversationId: string;
  seq: number;
  senderId: string | null;
  senderName: string | null;
  content: string;
  createdAt: number;
  senderSince: number | null;
  isRemoved: number;
}

/** Sends a message that was hidden or shown again to the open tabs of its conversation, and updates their counts. */
export function tellChangedMessage(context: Pick<RequestContext, "db" | "env" | "origin" | "defer">, id: string): void {
  context.defer(async () => {
    const readers = await listReaders(context.db, id);
    const [first] = readers;
    if (!first) return;
    const { conversationId, seq, senderId, senderName, content, createdAt, senderSince, isRemoved } = first;
    const send = (words: string, to: string[], hiddenFrom: string[] = []) => {
      const stored = { id, seq, senderId, content: words, createdAt, senderSince, senderName };
      const message = { ...presentMessage(stored, context), isChanged: true } as const;
      const frame = { type: "message", message } as const;
      return callRoom(() => context.env.CONVERSATION_ROOMS.getByName(conversationId).tell(frame, { to, hiddenFrom }));
    };
    const ids = (those: Reader[]) => those.map(({ userId }) => userId);
    const isHiddenFrom = ({ hasBlocked: has }: Reader) => Boolean(has) && !isRemoved;
    const others = readers.filter(({ userId }) => userId !== senderId);
    const words = (isOwn: boolean) => (isRemoved ? removedText(content, isOwn) : content);
    await send(words(false), ids(others.filter((one) => !isHiddenFrom(one))), ids(others.filter(isHiddenFrom)));
    if (senderId !== null) await send(words(true), [senderId]);
    tellInboxes(context, readers, { conversationId });
  });
}

const listReaders = (db: Database, id: string): Promise<Reader[]> =>
  db.all(sql`
    SELECT ${m.conversationId} AS conversationId, ${m.seq} AS seq, ${m.senderId} AS senderId, ${m.content} AS content,
      ${m.createdAt} AS createdAt, ${m.hiddenAt} IS NOT NULL AS isRemoved,
      ${senderSince(sql`${m.content}`, sql`${m.senderId}`)} AS senderSince,
      iif(${c.pairKey} IS NULL, ${nameOf(sql`${m.senderId}`)}, NULL) AS senderName, ${o.userId} AS userId,
      ${c.pairKey} IS NULL AND ${hasBlocked(sql`${o.userId}`, sql`${m.senderId}`)} AS hasBlocked
    FROM ${messages} AS ${m} JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId}
    JOIN ${conversationMembers} AS ${o} ON ${o.conversationId} = ${c.id}
    WHERE ${m.id} = ${id}`);
