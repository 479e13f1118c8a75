import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, lfgPosts, messages, notifications } from "#db/schema";
import { bare, columnsOf, newsKinds } from "#db/sql";
import { blockBetween, hasBlocked } from "~/features/blocks/shared/blocks.server";
import type { Signing } from "~/features/flags/shared/leaving.server";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isLimited, type Limited, limitEnd } from "~/features/moderation/shared/limits.server";
import { hasMuted, notify } from "~/features/notifications/shared/notify.server";
import type { NewsSubjectSql } from "~/features/notifications/shared/subjects";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { hasPushOf, type InboxOwner } from "~/features/notifications/shared/unread.server";
import { nameOf } from "~/features/players/shared/name.server";
import { MINUTE } from "~/platform/dates/durations";
import { configuredLimit } from "~/platform/limits/limits.server";
import { presentMessage, senderSince } from "./queries.server";
import { previewOf, REMOVED_MESSAGE, type ThreadMessage } from "./rules";
import { knows, takesMessagesFrom } from "./shared/contact-policy.server";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const me = alias(conversationMembers, "me");
const o = alias(conversationMembers, "o");
const s = alias(messages, "s");
const recipient = alias(conversationMembers, "recipient");
const told = alias(notifications, "told");

/** The request in which a message is sent. */
export type Sending = Writing & Signing;

/** A message to be stored. The sender's browser made its id. */
export interface OutgoingMessage {
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

/** The outcome of sending a message. */
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
 * A condition for storing a message, as SQL, and the outcome if it isn't met. The statement that stores the message and
 * the one that reads why it wasn't stored use the same list, so that they always agree.
 */
export type Requirement<Outcome extends SendOutcome["outcome"]> = readonly [outcome: Outcome, condition: SQL];

/** SQL condition that all requirements are met. */
export const areMet = (requirements: readonly Requirement<SendOutcome["outcome"]>[]): SQL =>
  sql.join(
    requirements.map(([, condition]) => condition),
    sql` AND `,
  );

/** The outcome of the first requirement that isn't met, as an SQL expression; NULL if all are met. */
export const firstUnmet = (requirements: readonly Requirement<SendOutcome["outcome"]>[]): SQL =>
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

/** The reasons why one player in a conversation of two can't write to the other. */
type PairRefusal = "gone" | "blocked" | "unwanted" | "unanswered";

/** A message that is being stored, with what its statements have in common. */
interface Storing extends OutgoingMessage {
  /** The conversation's id, as an SQL expression. */
  conversation: SQL;
  postId: string | null;
  guard: SQL;
  /** Milliseconds since 1970. */
  now: number;
  /** The sender's name, as an SQL expression. */
  name: SQL;
  /** The subject of the news about the conversation. */
  subject: NewsSubjectSql;
  /** The conditions on the other player in a conversation of two. They refer to the conversation as `c`. */
  requirements: readonly Requirement<PairRefusal>[];
  /** The other member of a conversation of two: a subquery that refers to it as `c`. */
  other: SQL;
  /** The id of the message that this one repeats, or NULL: a subquery that refers to the conversation as `c`. */
  repeatedId: SQL;
  /** True only within the transaction and before `updatePreview`, which sets the conversation's last_seq to `m.seq`. */
  isNew: SQL;
}

/**
 * Builds the statements that store a message and everything that depends on it, then those that read the result:
 * `found` and `members`.
 */
export function storeMessage(sending: Sending, message: OutgoingMessage, place: Place) {
  const { db } = sending;
  const { id, senderId, content } = message;
  const { conversation } = place;
  const storing = prepare(sending, message, place);
  return {
    // `isNew` is true for the statements between this one and `preview`.
    store: insertMessage(db, storing),
    listAndCount: countForMembers(db, storing),
    tell: tellRecipients(db, storing),
    tellAgain: refreshContactNews(db, storing),
    preview: updatePreview(db, storing),
    flag: raiseFlags(sending, { kind: "message", id, conversation }, { content }, senderId),
    found: readStored(db, storing),
    members: listMembers(db, storing),
  };
}

/** Builds the conditions and subqueries that several statements share. */
function prepare(sending: Sending, message: OutgoingMessage, place: Place): Storing {
  const { id, senderId, content } = message;
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
  const repeatedId = once
    ? sql`(
      SELECT ${s.id} FROM ${messages} AS ${s}
      WHERE ${s.conversationId} = ${c.id} AND ${s.seq} = ${c.lastSeq} AND ${s.senderId} = ${senderId}
        AND ${s.id} <> ${id}
        AND ${s.content} = ${content} AND ${s.postId} IS ${postId} AND ${s.createdAt} > ${now - REPEAT_PERIOD}
    )`
    : sql`NULL`;
  const isNew = sql`EXISTS (
    SELECT 1 FROM ${messages} AS ${m} JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId}
    WHERE ${m.id} = ${id} AND ${m.senderId} = ${senderId} AND ${c.id} = ${conversation} AND ${m.seq} > ${c.lastSeq}
  )`;
  const name = nameOf(sql`${senderId}`);
  const subject = subjectSql("conversation", conversation);
  return { ...message, conversation, postId, guard, now, name, subject, requirements, other, repeatedId, isNew };
}

/** Gives the message its place, and stores it if all conditions are met. */
function insertMessage(
  db: Database,
  { id, senderId, content, conversation, postId, guard, now, requirements, other, repeatedId }: Storing,
) {
  return db.run(sql`
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
    ON CONFLICT ${columnsOf(messages, "id")} DO NOTHING`);
}

/**
 * Moves the conversation up in its members' lists, and counts the message as unread. Sending a message doesn't mark
 * others' messages as read: some may have arrived that the sender's page hasn't shown. The page marks them as read when
 * it shows them.
 */
function countForMembers(db: Database, { id, senderId, conversation, now, isNew }: Storing) {
  const isBlocker = hasBlocked(sql`${conversationMembers.userId}`, senderId);
  return db.run(sql`
    UPDATE ${conversationMembers} SET
      ${bare(conversationMembers.listedAt)} = iif(${isBlocker},
        ${conversationMembers.listedAt}, max(${conversationMembers.listedAt}, ${now})),
      ${bare(conversationMembers.unreadCount)} = ${conversationMembers.unreadCount}
        + iif(${conversationMembers.userId} = ${senderId} OR ${isBlocker}, 0, 1),
      ${bare(conversationMembers.lastReadSeq)} = iif(
        ${conversationMembers.userId} = ${senderId} AND ${conversationMembers.unreadCount} = 0,
        (SELECT ${messages.seq} FROM ${messages} WHERE ${messages.id} = ${id}), ${conversationMembers.lastReadSeq}),
      ${bare(conversationMembers.hasWritten)} =
        (${conversationMembers.hasWritten} OR ${conversationMembers.userId} = ${senderId})
    WHERE ${conversationMembers.conversationId} = ${conversation} AND ${isNew}`);
}

/** SQL condition that a member, `recipient`, is to be told of the message: it is new, and from someone else. */
const isRecipientOf = ({ conversation, senderId, isNew }: Storing): SQL =>
  sql`${recipient.conversationId} = ${conversation} AND ${recipient.userId} <> ${senderId} AND ${isNew}`;

/**
 * SQL condition on a notification, `told`: this message isn't about a post, but an earlier one was and its notification
 * is still unread. A player who has turned off that kind since then gets an ordinary notification, because the old one
 * can't change any more.
 */
const isUnreadContact = ({ postId, subject }: Storing): SQL =>
  sql`${postId} IS NULL AND ${told.kind} = ${newsKinds("contact")}
    AND ${told.subject} = ${subject} AND ${told.readAt} IS NULL AND NOT ${hasMuted(sql`${told.userId}`, "contact")}`;

/** Notifies the recipients. In a group chat, members who have blocked the sender aren't notified. */
function tellRecipients(db: Database, storing: Storing) {
  const { senderId, content, conversation, postId, now, name, subject } = storing;
  return notify(db, {
    kind: postId ? "contact" : "message",
    subject,
    data: sql`json_object('name', ${name}, 'preview', ${previewOf(content)}, 'title', (
      SELECT ${lfgPosts.title} FROM ${lfgPosts} WHERE ${lfgPosts.id} = ${postId}
    ), 'party', (SELECT ${conversations.title} FROM ${conversations} WHERE ${conversations.id} = ${conversation}))`,
    by: sql`${senderId}`,
    // While a contact notification is unread, `refreshContactNews` changes it instead.
    recipients: sql`
      SELECT ${recipient.userId} FROM ${conversationMembers} AS ${recipient}
      WHERE ${isRecipientOf(storing)} AND NOT EXISTS (
        SELECT 1 FROM ${notifications} AS ${told} WHERE ${told.userId} = ${recipient.userId} AND ${isUnreadContact(storing)}
      )`,
    now,
  });
}

/**
 * Changes the unread notification of an earlier message about a post: it keeps its sentence and gets the latest words,
 * which are pushed. The bell shows no second one.
 */
function refreshContactNews(db: Database, storing: Storing) {
  const { senderId, content, now, name, subject } = storing;
  return notify(db, {
    kind: "contact",
    subject,
    data: sql`json_set(to_tell.data, '$.name', ${name}, '$.preview', ${previewOf(content)})`,
    by: sql`${senderId}`,
    recipients: sql`
      SELECT ${told.userId}, ${told.data} FROM ${conversationMembers} AS ${recipient}
      JOIN ${notifications} AS ${told} ON ${told.userId} = ${recipient.userId} AND ${isUnreadContact(storing)}
      WHERE ${isRecipientOf(storing)}`,
    now,
  });
}

/** Makes a new message the conversation's last one. */
function updatePreview(db: Database, { id, senderId, content, conversation, now }: Storing) {
  return db.run(sql`
    UPDATE ${conversations} SET
      ${bare(conversations.lastSeq)} = ${m.seq}, ${bare(conversations.lastPreview)} = ${previewOf(content)},
        ${bare(conversations.lastSenderId)} = ${senderId}, ${bare(conversations.lastMessageAt)} = ${now}
    FROM ${messages} AS ${m}
    WHERE ${m.id} = ${id} AND ${m.senderId} = ${senderId} AND ${conversations.id} = ${conversation}
      AND ${m.conversationId} = ${conversations.id} AND ${m.seq} > ${conversations.lastSeq}`);
}

/** Reads the message as stored, now or earlier, or the message that it repeats, or why it wasn't stored. */
function readStored(db: Database, { id, senderId, conversation, now, name, requirements, repeatedId }: Storing) {
  return db.all<StoredRow>(sql`
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
    WHERE ${c.id} = ${conversation}`);
}

/** Lists the members, for `SendOutcome`. */
function listMembers(db: Database, { senderId, conversation }: Storing) {
  return db.all<Member>(sql`
    SELECT ${o.userId} AS userId, ${hasBlocked(sql`${o.userId}`, senderId)} AS hasBlocked, ${hasPushOf(sql`${o.userId}`)}
    FROM ${conversationMembers} AS ${o} WHERE ${o.conversationId} = ${conversation}`);
}

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

/** Returns the outcome of `storeMessage` from the results of its last two statements. */
export function outcomeOf(
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

/** The outcome for a sender whose messages moderators have limited. */
export const limitedUntil = (until: number): Limited => ({ outcome: "limited", scope: "messaging", until });
