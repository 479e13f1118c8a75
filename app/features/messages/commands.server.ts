import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { conversationMembers, conversations, lfgPosts, messages, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { isLimited, limitEnd } from "~/features/moderation/shared/limits.server";
import { resolveNews } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import type { RequestContext } from "~/platform/context";
import { prepareUses, type RateLimitVerdict } from "~/platform/limits/uses.server";
import { isSessionOpen } from "~/platform/session/conditions.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { pairKey } from "./rules";
import { takesMessagesFrom } from "./shared/contact-policy.server";
import type { ConversationRef } from "./shared/membership.server";
import { countUnreadAfter } from "./shared/unread-messages.server";
import {
  areMet,
  firstUnmet,
  limitedUntil,
  type OutgoingMessage,
  outcomeOf,
  type Requirement,
  type Sending,
  type SendOutcome,
  storeMessage,
} from "./store-message.server";

const me = alias(conversationMembers, "me");

/**
 * Sends a message from the player named in the session claim to one of their conversations, in one transaction and one
 * round trip. The INSERT gives the message its place (`seq`); previews, unread counts and notifications change with it.
 * Sending a message again under the same id also returns `sent`, unless the words have changed.
 * @returns the verdict of the limits, and the outcome. If a limit is used up or the session isn't open, no message is
 *   stored, and the outcome must be ignored
 */
export async function sendMessage(
  context: Sending & Pick<RequestContext, "env" | "ip">,
  claim: SessionClaim,
  { id, message: content }: { id: string; message: string },
  conversationId: ConversationRef,
): Promise<{ limit: RateLimitVerdict; outcome: SendOutcome }> {
  const message = { id, senderId: claim.userId, content };
  const isOpen = isSessionOpen(claim, context.now);
  const { counts, isAllowed, judge } = prepareUses(
    context,
    [
      ["message", claim.userId],
      ["messagePerAddress", context.ip],
    ],
    isOpen,
  );
  const { counted, stored } = await transact(context.db, {
    counted: counts,
    stored: storeMessage(context, message, { conversation: sql`${conversationId}`, guard: isAllowed }),
  });
  return { limit: judge(counted), outcome: outcomeOf(context, message, stored) };
}

/**
 * Sends a message to a post's author, in the conversation of the two, which is created if there is none. One
 * transaction. The same words twice in a row are one message (`REPEAT_PERIOD`).
 * @param contact.authorId the post's author, as read before; whether the post is still open is decided here. Undefined
 *   if there is no such post any more: only a message that was sent before is then `sent`
 */
export async function contactAuthor(
  sending: Sending,
  { authorId, postId, ...message }: OutgoingMessage & { authorId: string | undefined; postId: string },
): Promise<SendOutcome> {
  if (authorId === message.senderId) return { outcome: "post-closed" };
  if (authorId === undefined) {
    const conversation = sql`(SELECT ${messages.conversationId} FROM ${messages} WHERE ${messages.id} = ${message.id})`;
    const sent = await transact(sending.db, storeMessage(sending, message, { conversation, guard: sql`0` }));
    const result = outcomeOf(sending, message, sent);
    return result.outcome === "missing" ? { outcome: "post-closed" } : result;
  }
  const guard = sql`EXISTS (
    SELECT 1 FROM ${lfgPosts}
    WHERE ${lfgPosts.id} = ${postId} AND ${lfgPosts.userId} = ${authorId} AND ${isOpenPost(sending.now.getTime())}
  )`;
  return startOrContinueConversation(sending, message, authorId, { postId, guard, otherwise: "post-closed" });
}

/**
 * Sends a message to a player directly, not about a post, in the conversation of the two, which is created if there is
 * none. One transaction.
 */
export async function contactPlayer(
  sending: Sending,
  { playerId, ...message }: OutgoingMessage & { playerId: string },
): Promise<SendOutcome> {
  if (playerId === message.senderId) return { outcome: "missing" };
  const guard = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${playerId})`;
  return startOrContinueConversation(sending, message, playerId, { guard, otherwise: "gone" });
}

/**
 * Sends a message in the conversation of two players, which is created if there is none.
 * @param place.otherwise the outcome if `guard` fails
 */
async function startOrContinueConversation(
  sending: Sending,
  message: OutgoingMessage,
  otherId: string,
  place: { postId?: string; guard: SQL; otherwise: "post-closed" | "gone" },
): Promise<SendOutcome> {
  const { db } = sending;
  const now = sending.now.getTime();
  const { id, senderId } = message;
  const { postId, guard, otherwise } = place;
  const key = pairKey(otherId, senderId);
  const conversation = sql`(SELECT ${conversations.id} FROM ${conversations} WHERE ${conversations.pairKey} = ${key})`;
  const requirements: Requirement<"blocked" | "unwanted" | "used" | typeof otherwise>[] = [
    ["blocked", sql`NOT ${blockBetween(sql`${otherId}`, senderId)}`],
    [otherwise, guard],
    ["unwanted", takesMessagesFrom(sql`${otherId}`, sql`${senderId}`)],
    // Otherwise the conversation would begin without a message, because ids are unique. If this message is sent again,
    // its conversation exists already.
    ["used", sql`NOT EXISTS (SELECT 1 FROM ${messages} WHERE ${messages.id} = ${id})`],
  ];
  const { sent, check } = await transact(db, {
    begin: db.run(sql`
      INSERT INTO ${conversations} ${columnsOf(conversations, "id", "pairKey", "createdAt")}
      SELECT ${uuidv7(now)}, ${key}, ${now} WHERE ${areMet(requirements)} AND NOT ${isLimited(senderId, "messaging", now)}
      ON CONFLICT ${columnsOf(conversations, "pairKey")} DO NOTHING`),
    addMembers: db.run(sql`
      INSERT INTO ${conversationMembers} ${columnsOf(
        conversationMembers,
        "conversationId",
        "userId",
        "listedAt",
        "joinedAt",
      )}
      SELECT ${conversations.id}, ${users.id}, ${now}, ${now} FROM ${conversations}, ${users}
      WHERE ${conversations.pairKey} = ${key} AND ${users.id} IN (${otherId}, ${senderId}) AND ${guard}
      ON CONFLICT DO NOTHING`),
    sent: storeMessage(sending, message, { conversation, guard, once: true, ...(postId && { postId }) }),
    check: db.get<{ refusal: (typeof requirements)[number][0] | null; limitedUntil: number | null }>(
      sql`SELECT ${firstUnmet(requirements)} AS refusal, ${limitEnd(senderId, "messaging", now)} AS limitedUntil`,
    ),
  });
  const result = outcomeOf(sending, message, sent);
  if (result.outcome === "sent") return result;
  if (check.limitedUntil !== null) return limitedUntil(check.limitedUntil);
  return check.refusal === null ? result : { outcome: check.refusal };
}

/**
 * Marks a conversation as read up to a message: recounts its unread messages, and resolves its notifications. An older
 * message doesn't move the mark back; a `seq` beyond the last message counts as the last.
 * @returns the place of the last message that the player has now read; undefined if they aren't a member
 */
export async function markRead(
  db: Database,
  conversationId: string,
  userId: string,
  seq: number,
  now: number,
): Promise<number | undefined> {
  const readSeq = sql`max(${conversationMembers.lastReadSeq}, min(${seq}, (SELECT ${conversations.lastSeq} FROM ${conversations}
    WHERE ${conversations.id} = ${conversationId})))`;
  const unread = countUnreadAfter(sql`${conversationId}`, userId, readSeq);
  const { found } = await transact(db, {
    read: db.run(sql`
      UPDATE ${conversationMembers} SET
        ${bare(conversationMembers.lastReadSeq)} = ${readSeq},
        ${bare(conversationMembers.unreadCount)} = iif(${conversationMembers.unreadCount} = 0, 0,
          min(${conversationMembers.unreadCount}, ${unread}))
      WHERE ${conversationMembers.conversationId} = ${conversationId} AND ${conversationMembers.userId} = ${userId}
        AND (${conversationMembers.lastReadSeq} < ${seq} OR ${conversationMembers.unreadCount} > 0)`),
    // A message may have arrived since the page was read. Its news stays unread, or it would never be pushed.
    resolveNews: resolveNews(
      db,
      userId,
      subjectOf("conversation", conversationId),
      now,
      sql`NOT EXISTS (SELECT 1 FROM ${conversationMembers} WHERE
        ${conversationMembers.conversationId} = ${conversationId} AND ${conversationMembers.userId} = ${userId}
        AND ${conversationMembers.unreadCount} > 0)`,
    ),
    found: db.all<{ lastReadSeq: number }>(sql`
      SELECT ${me.lastReadSeq} AS lastReadSeq FROM ${conversationMembers} AS ${me}
      WHERE ${me.conversationId} = ${conversationId} AND ${me.userId} = ${userId}`),
  });
  return found[0]?.lastReadSeq;
}
