import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { conversationMembers, conversations, lfgPosts, messages, notifications, users } from "#db/schema";
import { bare, columnsOf, newsKinds } from "#db/sql";
import { transact } from "#db/statements";
import { blockBetween, hasBlocked } from "~/features/blocks/shared/blocks.server";
import type { Signing } from "~/features/flags/shared/leaving.server";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { isLimited, type Limited, limitEnd } from "~/features/moderation/shared/limits.server";
import { hasMuted, notify, resolveNews } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { hasPushOf, type InboxOwner } from "~/features/notifications/shared/unread.server";
import { nameOf } from "~/features/players/shared/name.server";
import type { RequestContext } from "~/platform/context";
import { MINUTE } from "~/platform/dates/durations";
import { configuredLimit } from "~/platform/limits/limits.server";
import { prepareUses, type RateLimitVerdict } from "~/platform/limits/uses.server";
import { isSessionOpen } from "~/platform/session/conditions.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { presentMessage, senderSince } from "./queries.server";
import { pairKey, previewOf, REMOVED_MESSAGE, type ThreadMessage } from "./rules";
import { knows, takesMessagesFrom } from "./shared/contact-policy.server";
import type { ConversationRef } from "./shared/membership.server";
import { countUnreadAfter } from "./shared/unread-messages.server";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const me = alias(conversationMembers, "me");
const o = alias(conversationMembers, "o");
const s = alias(messages, "s");
const recipient = alias(conversationMembers, "recipient");
const told = alias(notifications, "told");

/** The request in which a message is sent. */
type Sending = Writing & Signing;

/** A message to be stored. The sender's browser made its id. */
interface OutgoingMessage {
  id: string;
  senderId: string;
  content: string;
}

/**
 * If the contact dialog sends the words of the conversation's last message again within this time, in milliseconds, the
 * two count as one message: someone went back and submitted the form that the browser had restored.
 */
const REPEAT_PERIOD = 10 * MINUTE;

/** A member of a message's conversation, and whether they have blocked its sender. */
type Member = InboxOwner & { hasBlocked: number };

export type SendOutcome =
  /** `members` were in the conversation when the message was stored: only they may receive it. */
  | {
      outcome: "sent";
      conversationId: string;
      message: ThreadMessage;
      members: Member[];
      /** Whether it is the sender's first message to a player who had written to them. */
      isFirstAnswer: boolean;
      /** The place of the last message that the sender has read. */
      readSeq: number;
    }
  /**
   * The sender has already sent other words to this conversation under this id; when contacting a player outside a
   * thread, also if any other message has the id.
   */
  | { outcome: "used" }
  /** Not a member, no such conversation, a message to oneself, or, within a thread, an id that another message has. */
  | { outcome: "missing" }
  /** One of the two has blocked the other. */
  | { outcome: "blocked" }
  /** The other's account is gone. */
  | { outcome: "gone" }
  /** The other takes no messages from this player: see `takesMessagesFrom`. */
  | { outcome: "unwanted" }
  /** The sender has sent as many messages as are allowed before an answer from a player who doesn't know them. */
  | { outcome: "unanswered" }
  /** The post was closed in the meantime, or is the sender's own. */
  | { outcome: "post-closed" }
  | Limited;

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
    stored: store(context, message, { conversation: sql`${conversationId}`, guard: isAllowed }),
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
    const sent = await transact(sending.db, store(sending, message, { conversation, guard: sql`0` }));
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
    sent: store(sending, message, { conversation, guard, once: true, ...(postId && { postId }) }),
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
 * A condition for storing a message, as SQL, and the outcome if it isn't met. The statement that stores the message and
 * the one that reads why it wasn't stored use the same list, so that they always agree.
 */
type Requirement<Outcome extends SendOutcome["outcome"]> = readonly [outcome: Outcome, condition: SQL];

/** SQL condition that all requirements are met. */
const areMet = (requirements: readonly Requirement<SendOutcome["outcome"]>[]): SQL =>
  sql.join(
    requirements.map(([, condition]) => condition),
    sql` AND `,
  );

/** The outcome of the first requirement that isn't met, as an SQL expression; NULL if all are met. */
const firstUnmet = (requirements: readonly Requirement<SendOutcome["outcome"]>[]): SQL =>
  sql`CASE ${sql.join(
    requirements.map(([outcome, condition]) => sql`WHEN NOT (${condition}) THEN ${outcome}`),
    sql` `,
  )} END`;

interface Place {
  /** The conversation's id, as an SQL expression. */
  conversation: SQL;
  postId?: string;
  /** A further condition for storing the message. */
  guard?: SQL;
  /**
   * Whether a message isn't stored again if it repeats the conversation's last message: the same words about the same
   * post, from the same sender, within `REPEAT_PERIOD`.
   */
  once?: boolean;
}

/**
 * Builds the statements that store a message and everything that depends on it, then those that read the result:
 * `found` and `members`.
 */
function store(sending: Sending, { id, senderId, content }: OutgoingMessage, place: Place) {
  const { db } = sending;
  const now = sending.now.getTime();
  const { conversation, postId = null, guard = sql`1`, once = false } = place;
  const other = sql`(
    SELECT ${conversationMembers.userId} FROM ${conversationMembers}
      WHERE ${conversationMembers.conversationId} = ${c.id} AND ${conversationMembers.userId} <> ${senderId} LIMIT 1
  )`;
  const mostUnanswered = configuredLimit(sending.env, "unansweredMessages").times;
  const requirements: Requirement<PairRefusal>[] = [
    ["gone", sql`${other} IS NOT NULL`],
    ["blocked", sql`NOT ${blockBetween(other, senderId)}`],
    ["unwanted", takesMessagesFrom(other, sql`${senderId}`)],
    ["unanswered", sql`(${c.lastSeq} < ${mostUnanswered} OR ${knows(other, sql`${senderId}`)})`],
  ];
  // True only within this transaction and before `preview`, which sets the conversation's last_seq to `m.seq`.
  const isNew = sql`EXISTS (
    SELECT 1 FROM ${messages} AS ${m} JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId}
    WHERE ${m.id} = ${id} AND ${m.senderId} = ${senderId} AND ${c.id} = ${conversation} AND ${m.seq} > ${c.lastSeq}
  )`;
  const repeatedId = once
    ? sql`(
      SELECT ${s.id} FROM ${messages} AS ${s}
      WHERE ${s.conversationId} = ${c.id} AND ${s.seq} = ${c.lastSeq} AND ${s.senderId} = ${senderId}
        AND ${s.id} <> ${id}
        AND ${s.content} = ${content} AND ${s.postId} IS ${postId} AND ${s.createdAt} > ${now - REPEAT_PERIOD}
    )`
    : sql`NULL`;
  // In a group chat, members who have blocked the sender aren't notified of the message.
  const isBlocker = (userId: SQL) => hasBlocked(userId, senderId);
  const name = nameOf(sql`${senderId}`);
  const subject = subjectSql("conversation", conversation);
  const isRecipient = sql`${recipient.conversationId} = ${conversation} AND ${recipient.userId} <> ${senderId} AND ${isNew}`;
  // Whether this message isn't about a post, but an earlier one was and its notification is still unread. A player who
  // has turned off that kind since then gets an ordinary notification, because the old one can't change any more.
  const isUnreadContact = sql`${postId} IS NULL AND ${told.kind} = ${newsKinds("contact")}
    AND ${told.subject} = ${subject} AND ${told.readAt} IS NULL AND NOT ${hasMuted(sql`${told.userId}`, "contact")}`;
  return {
    store: db.run(sql`
      INSERT INTO ${messages} ${columnsOf(
        messages,
        "id",
        "conversationId",
        "seq",
        "senderId",
        "receiverId",
        "content",
        "postId",
        "createdAt",
      )}
      SELECT ${id}, ${c.id}, ${c.lastSeq} + 1, ${senderId}, iif(${c.pairKey} IS NULL,
        NULL, ${other}), ${content}, ${postId}, ${now}
      FROM ${conversations} AS ${c}
      JOIN ${conversationMembers} AS ${me} ON ${me.conversationId} = ${c.id} AND ${me.userId} = ${senderId}
      WHERE ${c.id} = ${conversation} AND ${guard} AND ${repeatedId} IS NULL AND NOT ${isLimited(senderId, "messaging", now)}
        AND (${c.pairKey} IS NULL OR (${areMet(requirements)}))
      ON CONFLICT ${columnsOf(messages, "id")} DO NOTHING`),
    // Sending a message doesn't mark others' messages as read: some may have arrived that the sender's page hasn't
    // shown. The page marks them as read when it shows them.
    listAndCount: db.run(sql`
      UPDATE ${conversationMembers} SET
        ${bare(conversationMembers.listedAt)} = iif(${isBlocker(sql`${conversationMembers.userId}`)},
          ${conversationMembers.listedAt}, max(${conversationMembers.listedAt}, ${now})),
        ${bare(conversationMembers.unreadCount)} = ${conversationMembers.unreadCount}
          + iif(${conversationMembers.userId} = ${senderId} OR ${isBlocker(sql`${conversationMembers.userId}`)}, 0, 1),
        ${bare(conversationMembers.lastReadSeq)} = iif(
          ${conversationMembers.userId} = ${senderId} AND ${conversationMembers.unreadCount} = 0,
          (SELECT ${messages.seq} FROM ${messages} WHERE ${messages.id} = ${id}), ${conversationMembers.lastReadSeq}),
        ${bare(conversationMembers.hasWritten)} =
          (${conversationMembers.hasWritten} OR ${conversationMembers.userId} = ${senderId})
      WHERE ${conversationMembers.conversationId} = ${conversation} AND ${isNew}`),
    tell: notify(db, {
      kind: postId ? "contact" : "message",
      subject,
      data: sql`json_object('name', ${name}, 'preview', ${previewOf(content)}, 'title', (
        SELECT ${lfgPosts.title} FROM ${lfgPosts} WHERE ${lfgPosts.id} = ${postId}
      ), 'party', (SELECT ${conversations.title} FROM ${conversations} WHERE ${conversations.id} = ${conversation}))`,
      by: sql`${senderId}`,
      // While a contact notification is unread, `tellAgain` changes it instead.
      recipients: sql`
        SELECT ${recipient.userId} FROM ${conversationMembers} AS ${recipient}
        WHERE ${isRecipient} AND NOT EXISTS (
          SELECT 1 FROM ${notifications} AS ${told} WHERE ${told.userId} = ${recipient.userId} AND ${isUnreadContact}
        )`,
      now,
    }),
    // The notification keeps its sentence and gets the latest words, which are pushed. The bell shows no second one.
    tellAgain: notify(db, {
      kind: "contact",
      subject,
      data: sql`json_set(to_tell.data, '$.name', ${name}, '$.preview', ${previewOf(content)})`,
      by: sql`${senderId}`,
      recipients: sql`
        SELECT ${told.userId}, ${told.data} FROM ${conversationMembers} AS ${recipient}
        JOIN ${notifications} AS ${told} ON ${told.userId} = ${recipient.userId} AND ${isUnreadContact}
        WHERE ${isRecipient}`,
      now,
    }),
    preview: db.run(sql`
      UPDATE ${conversations} SET
        ${bare(conversations.lastSeq)} = ${m.seq}, ${bare(conversations.lastPreview)} = ${previewOf(content)},
          ${bare(conversations.lastSenderId)} = ${senderId}, ${bare(conversations.lastMessageAt)} = ${now}
      FROM ${messages} AS ${m}
      WHERE ${m.id} = ${id} AND ${m.senderId} = ${senderId} AND ${conversations.id} = ${conversation}
        AND ${m.conversationId} = ${conversations.id} AND ${m.seq} > ${conversations.lastSeq}`),
    flag: raiseFlags(sending, { kind: "message", id, conversation }, { content }, senderId),
    found: db.all<StoredRow>(sql`
      SELECT ${c.id} AS conversationId, ${m.id} AS id, ${m.seq} AS seq, ${m.content} AS content,
        ${m.createdAt} AS createdAt, ${m.hiddenAt} IS NOT NULL AS isRemoved, ${m.senderId} AS senderId,
        ${senderSince(sql`${m.content}`, sql`${m.senderId}`)} AS senderSince,
        iif(${c.pairKey} IS NULL, ${name}, NULL) AS senderName,
        iif(${m.id} IS NULL AND ${c.pairKey} IS NOT NULL, ${firstUnmet(requirements)}, NULL) AS refusal,
        ${c.pairKey} IS NOT NULL AND ${m.seq} > 1 AND NOT EXISTS (
          SELECT 1 FROM ${messages} AS ${s}
          WHERE ${s.conversationId} = ${c.id} AND ${s.seq} < ${m.seq} AND ${s.senderId} = ${senderId}
        ) AS isFirstAnswer,
        ${me.lastReadSeq} AS readSeq,
        ${limitEnd(senderId, "messaging", now)} AS limitedUntil
      FROM ${conversations} AS ${c}
      JOIN ${conversationMembers} AS ${me} ON ${me.conversationId} = ${c.id} AND ${me.userId} = ${senderId}
      LEFT JOIN ${messages} AS ${m} ON ${m.id} = coalesce(${repeatedId}, ${id}) AND ${m.conversationId} = ${c.id}
        AND ${m.senderId} = ${senderId}
      WHERE ${c.id} = ${conversation}`),
    members: db.all<Member>(sql`
      SELECT ${o.userId} AS userId, ${isBlocker(sql`${o.userId}`)} AS hasBlocked, ${hasPushOf(sql`${o.userId}`)}
      FROM ${conversationMembers} AS ${o} WHERE ${o.conversationId} = ${conversation}`),
  };
}

/** The reasons why one player in a conversation of two can't write to the other. */
type PairRefusal = "gone" | "blocked" | "unwanted" | "unanswered";

interface StoredRow {
  conversationId: string;
  id: string | null;
  seq: number | null;
  content: string;
  createdAt: number;
  senderId: string;
  senderSince: number | null;
  isRemoved: number | null;
  senderName: string | null;
  /** Why the other player can't be written to; null if the message was stored, and always null in a party. */
  refusal: PairRefusal | null;
  isFirstAnswer: number | null;
  readSeq: number;
  /** The end of the sender's limit; null if they have none. */
  limitedUntil: number | null;
}

function outcomeOf(
  sending: Sending,
  { content: wanted }: OutgoingMessage,
  { found: [row], members }: { found: StoredRow[]; members: Member[] },
): SendOutcome {
  if (!row) return { outcome: "missing" };
  const { conversationId, id, seq, content: stored, createdAt, isRemoved, senderId, senderSince, senderName } = row;
  if (id === null || seq === null) {
    return row.limitedUntil === null ? { outcome: row.refusal ?? "missing" } : limitedUntil(row.limitedUntil);
  }
  if (stored !== wanted) return { outcome: "used" };
  // If moderators have hidden a message by the time it is sent again, its placeholder is delivered: the room may not
  // have received the message the first time.
  const content = isRemoved ? REMOVED_MESSAGE : stored;
  const message = presentMessage({ id, seq, senderId, content, createdAt, senderSince, senderName }, sending);
  const { isFirstAnswer, readSeq } = row;
  return { outcome: "sent", conversationId, message, members, isFirstAnswer: Boolean(isFirstAnswer), readSeq };
}

const limitedUntil = (until: number): Limited => ({ outcome: "limited", scope: "messaging", until });

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
