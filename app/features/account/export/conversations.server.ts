import { and, eq, gt, notExists, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { conversationMembers, messages, profiles } from "#db/schema";
import { REMOVED_MESSAGE } from "~/features/messages/rules";
import { displayName, UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameColumns } from "~/features/players/shared/name.server";
import { PAGE_SIZE, paginate } from "./pages.server";

/**
 * The number of conversations that are read together, and of messages read with each. Further messages are read page by
 * page.
 */
const CONVERSATIONS_AT_ONCE = 20;
const FIRST_MESSAGES = 50;

/**
 * Exports conversations as JSON in pieces, because a single one may have more messages than should be in memory at
 * once.
 */
export async function* listConversations(db: Database, userId: string): AsyncGenerator<string> {
  // A new message moves its conversation to the end of this order: none is missed, but one may be listed twice.
  const found = new Set<string>();
  const { conversationId, listedAt } = conversationMembers;
  const listed = paginate<{ id: string; listedAt: Date }>((last) =>
    db
      .select({ id: conversationId, listedAt })
      .from(conversationMembers)
      .where(
        and(
          eq(conversationMembers.userId, userId),
          last && sql`(${listedAt}, ${conversationId}) > (${last.listedAt.getTime()}, ${last.id})`,
        ),
      )
      .orderBy(listedAt, conversationId)
      .limit(PAGE_SIZE),
  );
  for await (const { id } of listed) found.add(id);
  const ids = [...found];

  let separator = "\n";
  for (let start = 0; start < ids.length; start += CONVERSATIONS_AT_ONCE) {
    const group = ids.slice(start, start + CONVERSATIONS_AT_ONCE);
    const read = await Promise.all(
      group.map(async (id) => {
        const [others, first] = await Promise.all([
          listOthers(db, id, userId),
          listMessages(db, id, userId, 0, FIRST_MESSAGES),
        ]);
        return { id, others, first };
      }),
    );
    for (const { id, others, first } of read) {
      yield `${separator}{"id": ${JSON.stringify(id)}, "with": ${JSON.stringify(others)}, "messages": [`;
      separator = "\n]},\n";
      yield first.map((message) => `\n${JSON.stringify(message)}`).join(",");
      let [last, isLast] = [first.at(-1)?.seq ?? 0, first.length < FIRST_MESSAGES];
      while (!isLast) {
        const more = await listMessages(db, id, userId, last, PAGE_SIZE);
        yield more.map((message) => `,\n${JSON.stringify(message)}`).join("");
        [last, isLast] = [more.at(-1)?.seq ?? last, more.length < PAGE_SIZE];
      }
    }
  }
  if (ids.length > 0) yield "\n]}";
}

/** Lists the names of a conversation's other members; only `Unknown User` if none is left. */
async function listOthers(db: Database, conversationId: string, userId: string): Promise<string[]> {
  const rows = await db
    .select(nameColumns)
    .from(conversationMembers)
    .innerJoin(profiles, eq(profiles.userId, conversationMembers.userId))
    .where(and(eq(conversationMembers.conversationId, conversationId), sql`${profiles.userId} <> ${userId}`));
  return rows.length > 0 ? rows.map(displayName) : [UNKNOWN_PLAYER];
}

async function listMessages(db: Database, conversationId: string, userId: string, after: number, limit: number) {
  const rows = await db
    .select({
      id: messages.id,
      seq: messages.seq,
      senderId: messages.senderId,
      content: messages.content,
      postId: messages.postId,
      createdAt: messages.createdAt,
      hiddenAt: messages.hiddenAt,
      sender: nameColumns,
    })
    .from(messages)
    .leftJoin(profiles, eq(profiles.userId, messages.senderId))
    .where(and(eq(messages.conversationId, conversationId), gt(messages.seq, after)))
    .orderBy(messages.seq)
    .limit(limit);
  return rows.map(({ senderId, sender, ...message }) => ({
    ...message,
    // Only its sender's export contains the text of a hidden message.
    content: message.hiddenAt && senderId !== userId ? REMOVED_MESSAGE : message.content,
    from: senderId === userId ? "you" : sender ? displayName(sender) : UNKNOWN_PLAYER,
  }));
}

/**
 * Exports the player's own messages in chats that they have left, where the others can still see them. Pages by row id,
 * the order of the index on the sender.
 */
export async function* listMessagesInLeftChats(db: Database, userId: string) {
  const { id, conversationId, content, createdAt, hiddenAt } = messages;
  const place = sql<number>`messages.rowid`;
  const membership = db
    .select({ one: sql`1` })
    .from(conversationMembers)
    .where(and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, userId)));
  const rows = paginate<{ place: number }>((last) =>
    db
      .select({ place, id, conversationId, content, createdAt, hiddenAt })
      .from(messages)
      .where(and(eq(messages.senderId, userId), notExists(membership), gt(place, last?.place ?? 0)))
      .orderBy(place)
      .limit(PAGE_SIZE),
  );
  for await (const { place: _, ...message } of rows) yield message;
}
