import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { transact } from "#db/statements";
import type { ReportReason } from "#db/words/report-reasons";
import type { SeenPresence } from "#party/wire/presence";
import { notify, resolveNews } from "~/features/notifications/shared/notify.server";
import { type UnreadTotals, unreadOf } from "~/features/notifications/shared/unread.server";
import { nameOf } from "~/features/players/shared/name.server";
import type { ConversationRef } from "./queries.server";
import { pairKey, previewOf, type ThreadMessage } from "./rules";
import { blockBetween } from "./shared/blocks.server";

/** A message on its way. Its id was made by the sender's browser. */
export interface OutgoingMessage {
  id: string;
  senderId: string;
  content: string;
}

/**
 * The same words again from the dialog, right after the first and within this time, are the first: somebody went back
 * and sent the form that the browser had restored. Milliseconds.
 */
const SAME_WORDS = 10 * 60 * 1000;

export type SendOutcome =
  /** `unread` names the members at the moment when it was stored: they and nobody else may have it. */
  | { outcome: "sent"; conversationId: string; message: ThreadMessage; unread: UnreadTotals[] }
  /** Something else was sent under this id. */
  | { outcome: "used" }
  /** Not a member, or no such conversation. */
  | { outcome: "missing" }
  /** One of the two has blocked the other. */
  | { outcome: "blocked" }
  /** The other's account is gone. */
  | { outcome: "gone" }
  /** The post was closed meanwhile, or is one's own. */
  | { outcome: "post-closed" };

/**
 * Sends a message to a conversation of one's own: one transaction, one round trip. The INSERT gives the message its
 * place (`seq`); previews, unread counts and news change with it. Whoever sends the same id again finds it sent, unless
 * the words have changed meanwhile.
 * @param guard what must hold besides; where it doesn't, nothing is stored and the outcome is `missing`
 */
export async function sendMessage(
  db: Database,
  message: OutgoingMessage & { conversationId: ConversationRef },
  now: number,
  guard: SQL,
): Promise<SendOutcome> {
  const place = { conversation: sql`${message.conversationId}`, now, guard };
  return outcomeOf(message, await transact(db, store(db, message, place)));
}

/**
 * Answers a post: begins the one conversation of the two players, or goes on in it. One transaction. The same words
 * twice in a row are one message (`SAME_WORDS`).
 * @param contact.authorId the post's author, as read before; whether the post is open is decided here
 */
export async function contactAuthor(
  db: Database,
  { authorId, postId, ...message }: OutgoingMessage & { authorId: string; postId: string },
  now: number,
): Promise<SendOutcome> {
  if (authorId === message.senderId) return { outcome: "post-closed" };
  const guard = sql`EXISTS (
    SELECT 1 FROM lfg_posts
    WHERE id = ${postId} AND user_id = ${authorId} AND is_active = 1 AND expires_at > ${now}
  )`;
  return beginOrGoOn(db, message, authorId, { now, postId, guard, otherwise: "post-closed" });
}

/** Writes to a player, about no post: begins the one conversation of the two, or goes on in it. One transaction. */
export async function contactPlayer(
  db: Database,
  { playerId, ...message }: OutgoingMessage & { playerId: string },
  now: number,
): Promise<SendOutcome> {
  if (playerId === message.senderId) return { outcome: "missing" };
  const guard = sql`EXISTS (SELECT 1 FROM users WHERE id = ${playerId})`;
  return beginOrGoOn(db, message, playerId, { now, guard, otherwise: "gone" });
}

/** @param place.otherwise the outcome where `guard` doesn't hold */
async function beginOrGoOn(
  db: Database,
  message: OutgoingMessage,
  otherId: string,
  place: { now: number; postId?: string; guard: SQL; otherwise: "post-closed" | "gone" },
): Promise<SendOutcome> {
  const { senderId } = message;
  const { now, postId, guard, otherwise } = place;
  const key = pairKey(otherId, senderId);
  const conversation = sql`(SELECT id FROM conversations WHERE pair_key = ${key})`;
  const { sent, why } = await transact(db, {
    begin: db.run(sql`
      INSERT INTO conversations (id, pair_key, created_at)
      SELECT ${uuidv7(now)}, ${key}, ${now} WHERE ${guard} AND NOT ${blockBetween(sql`${otherId}`, senderId)}
      ON CONFLICT (pair_key) DO NOTHING`),
    addMembers: db.run(sql`
      INSERT INTO conversation_members (conversation_id, user_id, listed_at, joined_at)
      SELECT conversations.id, users.id, ${now}, ${now} FROM conversations, users
      WHERE pair_key = ${key} AND users.id IN (${otherId}, ${senderId}) AND ${guard}
      ON CONFLICT DO NOTHING`),
    sent: store(db, message, { conversation, now, guard, once: true, ...(postId && { postId }) }),
    why: db.get<{ mayBe: number; isBlocked: number }>(
      sql`SELECT ${guard} AS mayBe, ${blockBetween(sql`${otherId}`, senderId)} AS isBlocked`,
    ),
  });
  const result = outcomeOf(message, sent);
  if (result.outcome === "sent") return result;
  if (why.isBlocked) return { outcome: "blocked" };
  return why.mayBe ? result : { outcome: otherwise };
}

interface Place {
  /** The conversation's id, as an SQL expression. */
  conversation: SQL;
  now: number;
  postId?: string;
  /** What must hold besides. */
  guard?: SQL;
  /** The same words as in the last message, by the same sender and just now, are that message. */
  once?: boolean;
}

/** The statements that store a message and what depends on it, then those that tell how it went: `found`, `unread`. */
function store(db: Database, { id, senderId, content }: OutgoingMessage, place: Place) {
  const { conversation, now, postId = null, guard = sql`1`, once = false } = place;
  const other = sql`(
    SELECT user_id FROM conversation_members WHERE conversation_id = c.id AND user_id <> ${senderId} LIMIT 1
  )`;
  // In this transaction only: once the conversation knows of the message, its last_seq has caught up.
  const isNew = sql`EXISTS (
    SELECT 1 FROM messages AS m JOIN conversations AS c ON c.id = m.conversation_id
    WHERE m.id = ${id} AND m.sender_id = ${senderId} AND c.id = ${conversation} AND m.seq > c.last_seq
  )`;
  const same = once
    ? sql`(
      SELECT s.id FROM messages AS s
      WHERE s.conversation_id = c.id AND s.seq = c.last_seq AND s.sender_id = ${senderId} AND s.id <> ${id}
        AND s.content = ${content} AND s.post_id IS ${postId} AND s.created_at > ${now - SAME_WORDS}
    )`
    : sql`NULL`;
  const name = nameOf(sql`${senderId}`);
  const subject = sql`'conversation:' || ${conversation}`;
  return {
    store: db.run(sql`
      INSERT INTO messages (id, conversation_id, seq, sender_id, receiver_id, content, post_id, created_at)
      SELECT ${id}, c.id, c.last_seq + 1, ${senderId}, iif(c.pair_key IS NULL, NULL, ${other}), ${content}, ${postId}, ${now}
      FROM conversations AS c
      JOIN conversation_members AS me ON me.conversation_id = c.id AND me.user_id = ${senderId}
      WHERE c.id = ${conversation} AND ${guard} AND ${same} IS NULL
        AND (c.pair_key IS NULL OR (${other} IS NOT NULL AND NOT ${blockBetween(other, senderId)}))
      ON CONFLICT (id) DO NOTHING`),
    listAndCount: db.run(sql`
      UPDATE conversation_members SET
        listed_at = max(listed_at, ${now}),
        unread_count = iif(user_id = ${senderId}, 0, unread_count + 1),
        last_read_seq = iif(user_id = ${senderId}, (SELECT seq FROM messages WHERE id = ${id}), last_read_seq)
      WHERE conversation_id = ${conversation} AND ${isNew}`),
    tell: notify(db, {
      kind: postId ? "contact" : "message",
      subject,
      data: sql`json_object('name', ${name}, 'preview', ${previewOf(content)}, 'title', (
        SELECT title FROM lfg_posts WHERE id = ${postId}
      ), 'party', (SELECT title FROM conversations WHERE id = ${conversation}))`,
      // A contact that is still unread speaks for the messages after it.
      recipients: sql`
        SELECT user_id FROM conversation_members AS told
        WHERE conversation_id = ${conversation} AND user_id <> ${senderId} AND ${isNew} AND NOT EXISTS (
          SELECT 1 FROM notifications
          WHERE notifications.user_id = told.user_id AND kind = 'contact' AND ${postId} IS NULL
            AND subject = ${subject} AND read_at IS NULL
        )`,
      now,
    }),
    preview: db.run(sql`
      UPDATE conversations SET
        last_seq = m.seq, last_preview = ${previewOf(content)}, last_sender_id = ${senderId}, last_message_at = ${now}
      FROM messages AS m
      WHERE m.id = ${id} AND m.sender_id = ${senderId} AND conversations.id = ${conversation}
        AND m.conversation_id = conversations.id AND m.seq > conversations.last_seq`),
    found: db.all<StoredRow>(sql`
      SELECT c.id AS conversationId, m.id AS id, m.seq AS seq, m.content AS content, m.created_at AS createdAt,
        iif(c.pair_key IS NULL, ${name}, NULL) AS senderName,
        c.pair_key IS NOT NULL AND ${other} IS NULL AS isGone,
        c.pair_key IS NOT NULL AND ${blockBetween(other, senderId)} AS isBlocked
      FROM conversations AS c
      JOIN conversation_members AS me ON me.conversation_id = c.id AND me.user_id = ${senderId}
      LEFT JOIN messages AS m ON m.id = coalesce(${same}, ${id}) AND m.conversation_id = c.id AND m.sender_id = ${senderId}
      WHERE c.id = ${conversation}`),
    unread: db.all<UnreadTotals>(sql`
      SELECT o.user_id AS userId, ${unreadOf(sql`o.user_id`)}
      FROM conversation_members AS o WHERE o.conversation_id = ${conversation}`),
  };
}

interface StoredRow {
  conversationId: string;
  id: string | null;
  seq: number | null;
  content: string;
  createdAt: number;
  senderName: string | null;
  isGone: number;
  isBlocked: number;
}

function outcomeOf(
  { senderId, content: wanted }: OutgoingMessage,
  { found: [row], unread }: { found: StoredRow[]; unread: UnreadTotals[] },
): SendOutcome {
  if (!row) return { outcome: "missing" };
  const { conversationId, id, seq, content, createdAt, senderName } = row;
  if (id === null || seq === null) return { outcome: row.isGone ? "gone" : row.isBlocked ? "blocked" : "missing" };
  if (content !== wanted) return { outcome: "used" };
  const message = { id, seq, senderId, content, createdAt, ...(senderName !== null && { senderName }) };
  return { outcome: "sent", conversationId, message, unread };
}

/**
 * Takes a conversation for read up to a message: its unread count, and the news about it. Reading something twice, or
 * something older, changes nothing; reading ahead ends at the last message.
 * @returns the player's totals, and how far they have read by now; undefined for a conversation of others
 */
export async function markRead(
  db: Database,
  conversationId: string,
  userId: string,
  seq: number,
  now: number,
): Promise<(UnreadTotals & { lastReadSeq: number }) | undefined> {
  const readSeq = sql`max(last_read_seq, min(${seq}, (SELECT last_seq FROM conversations WHERE id = ${conversationId})))`;
  const unread = sql`(
    SELECT count(*) FROM (
      SELECT 1 FROM messages
      WHERE conversation_id = ${conversationId} AND seq > ${readSeq} AND +sender_id IS NOT ${userId} LIMIT 1000
    )
  )`;
  const { found } = await transact(db, {
    read: db.run(sql`
      UPDATE conversation_members SET
        last_read_seq = ${readSeq},
        unread_count = iif(unread_count = 0, 0, ${unread})
      WHERE conversation_id = ${conversationId} AND user_id = ${userId} AND (last_read_seq < ${seq} OR unread_count > 0)`),
    resolveNews: resolveNews(db, userId, `conversation:${conversationId}`, now),
    found: db.all<UnreadTotals & { lastReadSeq: number }>(sql`
      SELECT me.user_id AS userId, me.last_read_seq AS lastReadSeq, ${unreadOf(sql`me.user_id`)}
      FROM conversation_members AS me WHERE me.conversation_id = ${conversationId} AND me.user_id = ${userId}`),
  });
  return found[0];
}

/** Blocks a player: from now on neither can write to the other. Blocking a blocked one is done already. */
export async function blockPlayer(db: Database, blockerId: string, blockedId: string, now: number): Promise<void> {
  await db.run(sql`
    INSERT INTO blocks (blocker_id, blocked_id, created_at)
    SELECT ${blockerId}, id, ${now} FROM users WHERE id = ${blockedId} AND id <> ${blockerId}
    ON CONFLICT DO NOTHING`);
}

/**
 * Lets a player write again, unless they have blocked us. Unblocking one who isn't blocked is done already.
 * @returns the conversation of the two, if they have one
 */
export async function unblockPlayer(db: Database, blockerId: string, blockedId: string): Promise<string | undefined> {
  const [, [conversation]] = await Promise.all([
    db.run(sql`DELETE FROM blocks WHERE blocker_id = ${blockerId} AND blocked_id = ${blockedId}`),
    db.all<{ id: string }>(sql`SELECT id FROM conversations WHERE pair_key = ${pairKey(blockerId, blockedId)}`),
  ]);
  return conversation?.id;
}

/**
 * Keeps whether a player is there, for pages. What was said earlier doesn't overwrite what was said later, and an
 * account that is gone has no presence.
 */
export async function setPresence(db: Database, userId: string, { state, seenAt }: SeenPresence): Promise<void> {
  await db.run(sql`
    INSERT INTO presence (user_id, state, seen_at) SELECT id, ${state}, ${seenAt} FROM users WHERE id = ${userId}
    ON CONFLICT (user_id) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at
    WHERE excluded.seen_at >= presence.seen_at`);
}

/** A complaint, as the form holds it. */
export interface Report {
  id: string;
  reporterId: string;
  /** Whom, within a conversation that both are in. */
  reportedId: string;
  conversationId: string;
  /** One message of theirs there, or the player as such. */
  messageId: string | null;
  reason: ReportReason;
  details: string | null;
}

/**
 * Keeps a report for moderators, with the message as it is now. The same form sent twice is one report.
 * @returns false when there is no such player or message in a conversation of the reporter's
 */
export async function reportPlayer(db: Database, report: Report, now: number): Promise<boolean> {
  const { id, reporterId, reportedId, conversationId, messageId, reason, details } = report;
  const { kept } = await transact(db, {
    keep: db.run(sql`
      INSERT INTO reports (id, reporter_id, reported_id, message_id, reason, details, quoted_content, created_at)
      SELECT ${id}, ${reporterId}, ${reportedId}, m.id, ${reason}, ${details}, m.content, ${now}
      FROM conversation_members AS me
      JOIN conversation_members AS them
        ON them.conversation_id = me.conversation_id AND them.user_id = ${reportedId} AND ${reportedId} <> ${reporterId}
      LEFT JOIN messages AS m
        ON m.id = ${messageId} AND m.conversation_id = me.conversation_id AND m.sender_id = ${reportedId}
      WHERE me.conversation_id = ${conversationId} AND me.user_id = ${reporterId}
        AND (${messageId} IS NULL OR m.id IS NOT NULL)
      ON CONFLICT (id) DO NOTHING`),
    kept: db.all<{ id: string }>(sql`SELECT id FROM reports WHERE id = ${id} AND reporter_id = ${reporterId}`),
  });
  return kept.length > 0;
}
