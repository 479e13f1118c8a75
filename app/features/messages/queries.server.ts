import { and, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  blocks,
  conversationMembers,
  conversations,
  joinRequests,
  lfgPosts,
  messages,
  presence,
  profiles,
  tournamentMatches,
} from "#db/schema";
import type { PresenceState, SeenPresence } from "#party/wire/presence";
import { MAX_OPEN_POSTS } from "~/features/lfg/rules";
import { displayName, UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { whereToTeamUp } from "~/features/teams/rules";
import { type Rank, rankAt } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { currentPresence, pairKey, THREAD_PAGE, type ThreadMessage } from "./rules";
import { blockBetween } from "./shared/blocks.server";

const c = alias(conversations, "c");
const m = alias(conversationMembers, "m");
const me = alias(conversationMembers, "me");
const o = alias(conversationMembers, "o");
const open = alias(lfgPosts, "open");
const p = alias(profiles, "p");
const played = alias(tournamentMatches, "played");
const r = alias(joinRequests, "r");
const them = alias(conversationMembers, "them");

const LIST_PAGE = 20;
/** Conversations among which a name is looked for before the player is asked whether to go on. */
const SEARCH_STRETCH = 300;
/** Members of a party that its room and its head know of; a team has five. */
const MEMBERS = 20;
/** Messages that a browser fetches at once to catch up; there may be more after them. */
const CATCH_UP_PAGE = 200;

/** One conversation as the list shows it. */
export interface ConversationSummary {
  id: string;
  /** The other player's (`Unknown User` when the account is gone), or the party's title. */
  name: string;
  /** The other player's; null in a party. */
  picture: string | null;
  /** The names of two others in a party; null between two. */
  others: string[] | null;
  presence: PresenceState;
  /** Null before the first message. */
  preview: string | null;
  /** Who wrote the last message, in a party. */
  senderName: string | null;
  /** The last message is the viewer's own. */
  isOwn: boolean;
  /** Milliseconds since 1970. */
  listedAt: number;
  unread: number;
}

/** The other of two players in a conversation of `self`: id, as an SQL expression. */
const otherOf = (conversationId: SQL, self: string) => sql`(
  SELECT ${o.userId} FROM ${conversationMembers} AS ${o} WHERE ${o.conversationId} = ${conversationId}
    AND ${o.userId} <> ${self} LIMIT 1
)`;

interface PlayerColumns {
  otherId: string | null;
  riotId: string | null;
  riotGameName: string | null;
  avatarId: string | null;
  state: PresenceState | null;
  seenAt: number | null;
}

const nameOfOther = ({ otherId, riotId, riotGameName }: PlayerColumns) =>
  otherId === null ? UNKNOWN_PLAYER : displayName({ userId: otherId, riotGameName, riotId });

const presenceOf = ({ state, seenAt }: PlayerColumns): SeenPresence | null =>
  state !== null && seenAt !== null ? { state, seenAt } : null;

/**
 * A page of a player's conversations, the one with the latest message first. Reads no messages: it costs the same after
 * ten of them and after a hundred thousand. A match's chat is in it from its first message on.
 * @param search part of the other player's name; every alphabet's capitals and accents are equal
 */
export async function listConversations(
  db: Database,
  userId: string,
  { search, cursor, now }: { search: string; cursor: Cursor | null; now: number },
): Promise<Page<ConversationSummary>> {
  const wanted = foldForSearch(search);
  const limit = wanted ? SEARCH_STRETCH : LIST_PAGE;
  const walk = planWalk(cursor, { key: sql`${m.listedAt}`, id: sql`${m.conversationId}` });
  const rows = await db.all<
    PlayerColumns & {
      id: string;
      title: string | null;
      others: string | null;
      preview: string | null;
      senderName: string | null;
      lastSenderId: string | null;
      listedAt: number;
      unread: number;
    }
  >(sql`
    SELECT ${c.id} AS id, iif(${c.pairKey} IS NULL, ${c.title}, NULL) AS title, ${c.lastPreview} AS preview,
      iif(${c.pairKey} IS NULL, ${nameOf(sql`${c.lastSenderId}`)}, NULL) AS senderName,
      iif(${c.pairKey} IS NULL, (
        SELECT json_group_array(name) FROM (
          SELECT ${nameOf(sql`${o.userId}`)} AS name FROM ${conversationMembers} AS ${o}
          WHERE ${o.conversationId} = ${c.id} AND ${o.userId} <> ${userId} LIMIT 2
        )
      ), NULL) AS others,
      ${c.lastSenderId} AS lastSenderId, ${me.listedAt} AS listedAt, ${me.unreadCount} AS unread, me.otherId AS otherId,
      ${p.riotId} AS riotId, ${p.riotGameName} AS riotGameName, ${p.avatarId} AS avatarId, ${presence.state} AS state,
      ${presence.seenAt} AS seenAt
    FROM (
      SELECT ${m.conversationId},
        ${m.listedAt}, ${m.unreadCount}, ${otherOf(sql`${m.conversationId}`, userId)} AS otherId
      FROM ${conversationMembers} AS ${m}
      WHERE ${and(sql`${m.userId} = ${userId}`, walk.isUp ? undefined : sql`${m.listedAt} > 0`, walk.from)}
      ORDER BY ${sql.join(walk.orderBy, sql`, `)}
      LIMIT ${limit + 1}
    ) AS me
    JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId}
    LEFT JOIN ${profiles} AS ${p} ON ${p.userId} = me.otherId
    LEFT JOIN ${presence} ON ${presence.userId} = me.otherId AND NOT ${blockBetween(sql`me.otherId`, userId)}`);
  // SQL promises no order outside of the part that has one; to sort there again would cost a table of its own.
  const placeOf = ({ listedAt, id }: { listedAt: number; id: string }) => ({ key: listedAt, id });
  rows.sort((a, b) => walk.compare(placeOf(a), placeOf(b)));
  const looked = wanted ? rows.slice(0, limit) : rows;
  const end = wanted && rows.length > limit ? (walk.isUp ? rows[limit] : looked.at(-1)) : undefined;
  const found = looked
    .map((row) => ({
      id: row.id,
      name: row.others === null ? nameOfOther(row) : (row.title ?? UNKNOWN_PLAYER),
      picture: row.others === null ? row.avatarId : null,
      others: row.others === null ? null : (JSON.parse(row.others) as string[]),
      // A party is neither there nor away.
      presence: row.others === null ? currentPresence(presenceOf(row), now) : ("offline" as const),
      preview: row.preview,
      senderName: row.senderName,
      isOwn: row.lastSenderId === userId,
      listedAt: row.listedAt,
      unread: row.unread,
    }))
    .filter(({ name }) => !wanted || foldForSearch(name).includes(wanted));
  return pageOf({ found, end: end ? placeOf(end) : null }, LIST_PAGE, cursor, placeOf);
}

/** A conversation and who is on its other side, as the head of the thread shows them. */
export interface ConversationHead {
  id: string;
  lastSeq: number;
  /** The viewer has read up to here. */
  lastReadSeq: number;
  unread: number;
  /** The other player's name, or the party's title. */
  name: string;
  /** The other of two; null in a party. */
  other: {
    /** Null when the account is gone. */
    id: string | null;
    picture: string | null;
    verified: boolean;
    riotProven: boolean;
    rank: Rank | null;
    role: Role | null;
    presence: SeenPresence | null;
    /** They have read up to here. */
    lastReadSeq: number;
  } | null;
  /** Null between two. */
  party: {
    /** Everyone in it but the viewer. */
    members: { id: string; name: string }[];
    /** The post that brought them together; null when it is gone, and for the two teams of a match. */
    postId: string | null;
    /** The address of the match whose chat it is; null where it is none. */
    match: string | null;
  } | null;
  /** Where the two can play together: an address; null where neither looks for players, and in a party. */
  teamUp: string | null;
  /** The viewer has blocked the other player. */
  hasBlocked: boolean;
  /** The other player has blocked the viewer. */
  isBlocked: boolean;
}

/** A conversation: its id, or a piece of SQL that finds it. */
export type ConversationRef = string | SQL;

/** A conversation of the viewer's; undefined when it is none. */
export async function findConversation(
  db: Database,
  id: ConversationRef,
  userId: string,
  now: Date,
): Promise<ConversationHead | undefined> {
  const [row] = await db.all<
    PlayerColumns & {
      id: string;
      lastSeq: number;
      lastReadSeq: number;
      unread: number;
      verifiedAt: number | null;
      provenAt: number | null;
      rank: number | null;
      role: Role | null;
      otherReadSeq: number | null;
      title: string | null;
      members: string | null;
      postId: string | null;
      matchPage: string | null;
      theirPosts: string;
      ownPosts: string;
      hasBlocked: number;
      isBlocked: number;
    }
  >(sql`
    SELECT ${c.id} AS id, ${c.lastSeq} AS lastSeq, ${me.lastReadSeq} AS lastReadSeq, ${me.unreadCount} AS unread,
      iif(${c.pairKey} IS NULL, ${c.title}, NULL) AS title,
      iif(${c.pairKey} IS NULL, (
        SELECT json_group_array(json_object('id', id, 'name', name)) FROM (
          SELECT ${o.userId} AS id, ${nameOf(sql`${o.userId}`)} AS name FROM ${conversationMembers} AS ${o}
          WHERE ${o.conversationId} = ${c.id} AND ${o.userId} <> ${userId} LIMIT ${MEMBERS}
        )
      ), NULL) AS members,
      iif(${c.pairKey} IS NULL, (SELECT ${lfgPosts.id} FROM ${lfgPosts}
        WHERE ${lfgPosts.conversationId} = ${c.id}), NULL) AS postId,
      iif(${c.pairKey} IS NULL, (
        SELECT '/tournaments/' || ${played.tournamentId} || '/matches/' || ${played.id}
        FROM ${tournamentMatches} AS ${played} WHERE ${played.conversationId} = ${c.id}
      ), NULL) AS matchPage,
      ${them.userId} AS otherId, ${them.lastReadSeq} AS otherReadSeq, ${p.riotId} AS riotId,
        ${p.riotGameName} AS riotGameName,
      ${p.riotVerifiedAt} AS verifiedAt, ${p.riotProvenAt} AS provenAt, ${p.currentRank} AS rank,
        ${p.preferredRole} AS role,
      ${p.avatarId} AS avatarId, ${openPostsOf(sql`${them.userId}`, sql`${userId}`, now)} AS theirPosts,
      iif(${c.pairKey} IS NULL, '[]', ${openPostsOf(sql`${userId}`, sql`${them.userId}`, now)}) AS ownPosts,
      ${presence.state} AS state, ${presence.seenAt} AS seenAt,
      EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${userId}
        AND ${blocks.blockedId} = ${them.userId}) AS hasBlocked,
      EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${them.userId}
        AND ${blocks.blockedId} = ${userId}) AS isBlocked
    FROM ${conversationMembers} AS ${me}
    JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId}
    LEFT JOIN ${conversationMembers} AS ${them}
      ON ${c.pairKey} IS NOT NULL AND ${them.conversationId} = ${me.conversationId}
        AND ${them.userId} = ${otherOf(sql`${me.conversationId}`, userId)}
    LEFT JOIN ${profiles} AS ${p} ON ${p.userId} = ${them.userId}
    LEFT JOIN ${presence} ON ${presence.userId} = ${them.userId}
    WHERE ${me.conversationId} = ${id} AND ${me.userId} = ${userId}`);
  if (!row) return undefined;
  // Between those who have nothing to do with each other neither sees what the other does.
  const isApart = row.hasBlocked || row.isBlocked;
  const members = row.members === null ? null : (JSON.parse(row.members) as { id: string; name: string }[]);
  return {
    id: row.id,
    lastSeq: row.lastSeq,
    lastReadSeq: row.lastReadSeq,
    unread: row.unread,
    name: members ? (row.title ?? UNKNOWN_PLAYER) : nameOfOther(row),
    party: members && { members, postId: row.postId, match: row.matchPage },
    teamUp:
      isApart || row.otherId === null
        ? null
        : whereToTeamUp(row.otherId, { theirs: JSON.parse(row.theirPosts), own: JSON.parse(row.ownPosts) }),
    other: members
      ? null
      : {
          id: row.otherId,
          picture: row.avatarId,
          verified: row.verifiedAt !== null,
          riotProven: row.provenAt !== null,
          rank: rankAt(row.rank),
          role: row.role,
          presence: isApart ? null : presenceOf(row),
          lastReadSeq: isApart ? 0 : (row.otherReadSeq ?? 0),
        },
    hasBlocked: Boolean(row.hasBlocked),
    isBlocked: Boolean(row.isBlocked),
  };
}

/**
 * A player's open posts, newest first, each with what another player has asked it: JSON of `AskedPost`s.
 * @param author the one and
 * @param asker the other, both SQL expressions
 */
const openPostsOf = (author: SQL, asker: SQL, now: Date) => sql`(
  SELECT json_group_array(json_object('id', id, 'asked', asked)) FROM (
    SELECT ${open.id} AS id, (
      SELECT ${r.state} FROM ${joinRequests} AS ${r} WHERE ${r.postId} = ${open.id} AND ${r.userId} = ${asker}
    ) AS asked
    FROM ${lfgPosts} AS ${open}
    WHERE ${open.userId} = ${author} AND ${open.isActive} = 1 AND ${open.expiresAt} > ${now.getTime()}
    ORDER BY ${open.listedAt} DESC, ${open.id} DESC LIMIT ${MAX_OPEN_POSTS}
  )
)`;

/**
 * What the room of a conversation has to know when one of its members comes.
 * @returns the number of the last message, and the ids of the other members but those with whom there is a block;
 *   undefined for a conversation of others
 */
export async function findMembership(
  db: Database,
  conversationId: string,
  userId: string,
): Promise<{ lastSeq: number; others: string[] } | undefined> {
  const [row] = await db.all<{ lastSeq: number; others: string }>(sql`
    SELECT ${c.lastSeq} AS lastSeq, (
      SELECT json_group_array(user_id) FROM (
        SELECT ${o.userId} FROM ${conversationMembers} AS ${o}
        WHERE ${o.conversationId} = ${c.id} AND ${o.userId} <> ${userId}
          AND NOT ${blockBetween(sql`${o.userId}`, userId)}
        LIMIT ${MEMBERS}
      )
    ) AS others
    FROM ${conversationMembers} AS ${me} JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId}
    WHERE ${me.conversationId} = ${conversationId} AND ${me.userId} = ${userId}`);
  return row && { lastSeq: row.lastSeq, others: JSON.parse(row.others) };
}

/** The conversation of two players; undefined while they have none. */
export async function findConversationOf(db: Database, a: string, b: string): Promise<string | undefined> {
  const [row] = await db.all<{ id: string }>(sql`SELECT ${conversations.id} FROM ${conversations}
    WHERE ${conversations.pairKey} = ${pairKey(a, b)}`);
  return row?.id;
}

const ownConversation = (id: ConversationRef, userId: string) => sql`EXISTS (
  SELECT 1 FROM ${conversationMembers} WHERE ${conversationMembers.conversationId} = ${id}
    AND ${conversationMembers.userId} = ${userId}
)`;

/** Whether a conversation is the player's own. */
export async function isMember(db: Database, conversationId: string, userId: string): Promise<boolean> {
  const { own } = await db.get<{ own: number }>(sql`SELECT ${ownConversation(conversationId, userId)} AS own`);
  return own === 1;
}

/** The columns of a message. In a party each comes with its sender's name, where the sender is still somebody. */
const messageColumns = (
  conversationId: ConversationRef,
) => sql`id, seq, sender_id AS senderId, content, created_at AS createdAt,
  iif(
    EXISTS (SELECT 1 FROM ${conversations} WHERE ${conversations.id} = ${conversationId}
      AND ${conversations.pairKey} IS NULL),
    ${nameOf(sql`${messages.senderId}`)}, NULL
  ) AS senderName`;

type MessageRow = Omit<ThreadMessage, "senderName"> & { senderName: string | null };

const messageOf = ({ senderName, ...message }: MessageRow): ThreadMessage =>
  senderName === null ? message : { ...message, senderName };

/**
 * A page of a thread: the last messages before `before`, oldest first; none of other players' conversations.
 * @returns the messages, and whether there are older ones
 */
export async function listMessages(
  db: Database,
  conversationId: ConversationRef,
  userId: string,
  before: number | null,
): Promise<{ messages: ThreadMessage[]; hasOlder: boolean }> {
  const rows = await db.all<MessageRow>(sql`
    SELECT ${messageColumns(conversationId)} FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${ownConversation(conversationId, userId)}
      ${before === null ? sql`` : sql`AND ${messages.seq} < ${before}`}
    ORDER BY ${messages.seq} DESC LIMIT ${THREAD_PAGE + 1}`);
  return { messages: rows.slice(0, THREAD_PAGE).reverse().map(messageOf), hasOlder: rows.length > THREAD_PAGE };
}

/** What came after a message, oldest first, for a browser that was away: at most `CATCH_UP_PAGE` at once. */
export async function listMessagesAfter(
  db: Database,
  conversationId: string,
  userId: string,
  seq: number,
): Promise<ThreadMessage[]> {
  const rows = await db.all<MessageRow>(sql`
    SELECT ${messageColumns(conversationId)} FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${ownConversation(conversationId, userId)}
      AND ${messages.seq} > ${seq}
    ORDER BY ${messages.seq} LIMIT ${CATCH_UP_PAGE}`);
  return rows.map(messageOf);
}

/** A player that the viewer has blocked. */
interface BlockedPlayer {
  id: string;
  name: string;
  /** Milliseconds since 1970. */
  blockedAt: number;
}

/** Whom a player has blocked, the first hundred by id. */
export async function listBlockedPlayers(db: Database, userId: string): Promise<BlockedPlayer[]> {
  const rows = await db.all<{ id: string; riotId: string | null; riotGameName: string | null; blockedAt: number }>(sql`
    SELECT ${blocks.blockedId} AS id, ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName,
      ${blocks.createdAt} AS blockedAt
    FROM ${blocks} LEFT JOIN ${profiles} ON ${profiles.userId} = ${blocks.blockedId}
    WHERE ${blocks.blockerId} = ${userId} ORDER BY ${blocks.blockedId} LIMIT 100`);
  return rows.map(({ id, riotId, riotGameName, blockedAt }) => ({
    id,
    name: displayName({ userId: id, riotGameName, riotId }),
    blockedAt,
  }));
}

/** Messages that the form of a report offers, and among how many they are looked for. */
const REPORTABLE = 20;
const REPORTABLE_STRETCH = 100;
/** What is read of each: more than its preview shows. */
const PREVIEW_READ = 400;

/** A message of the other player's, as the form of a report offers it. */
export interface ReportableMessage {
  id: string;
  /** Its beginning. */
  content: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/**
 * The latest messages that the viewer has received in a conversation of theirs, newest first.
 * @param from begin with this one instead; nothing is found when it isn't there, or the viewer's own
 */
export async function listReportableMessages(
  db: Database,
  conversationId: string,
  userId: string,
  from: string | null,
): Promise<ReportableMessage[]> {
  const last = sql`(SELECT ${messages.seq} FROM ${messages} WHERE ${messages.id} = ${from}
    AND ${messages.conversationId} = ${conversationId})`;
  const rows = await db.all<ReportableMessage & { senderId: string | null }>(sql`
    SELECT ${messages.id}, ${messages.senderId} AS senderId, substr(${messages.content},
      1, ${PREVIEW_READ}) AS content, ${messages.createdAt} AS createdAt FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${ownConversation(conversationId, userId)}
      ${from === null ? sql`` : sql`AND ${messages.seq} <= ${last}`}
    ORDER BY ${messages.seq} DESC LIMIT ${REPORTABLE_STRETCH}`);
  const received = rows.filter(({ senderId }) => senderId !== null && senderId !== userId);
  if (from !== null && received[0]?.id !== from) return [];
  return received.slice(0, REPORTABLE).map(({ senderId: _, ...message }) => message);
}
