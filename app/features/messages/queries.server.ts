import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversationMembers,
  conversations,
  joinRequests,
  lfgPosts,
  messages,
  presence,
  profiles,
  tournamentMatches,
  tournamentTeams,
  users,
} from "#db/schema";
import type { SeenPresence } from "#party/wire/presence";
import { blockBetween, hasBlocked } from "~/features/blocks/shared/blocks.server";
import { isNewAccount } from "~/features/flags/rules";
import { leavingLinks, type Signing } from "~/features/flags/shared/leaving.server";
import { MAX_OPEN_POSTS } from "~/features/lfg/rules";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { whereToTeamUp } from "~/features/teams/rules";
import { isShownTo } from "~/features/tournaments/shared/hide-tournament.server";
import { type Rank, rankAt } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { nameOfOther, otherOf, type PlayerColumns, presenceOf, showsActivityTo } from "./other-player.server";
import { hideMessage, removedText, THREAD_PAGE, type ThreadMessage } from "./rules";
import { takesMessagesFrom } from "./shared/contact-policy.server";
import { type ConversationRef, isMemberOf } from "./shared/membership.server";

const account = alias(users, "account");
const c = alias(conversations, "c");
const me = alias(conversationMembers, "me");
const o = alias(conversationMembers, "o");
const open = alias(lfgPosts, "open");
const p = alias(profiles, "p");
const played = alias(tournamentMatches, "played");
const r = alias(joinRequests, "r");
const team = alias(tournamentTeams, "team");
const them = alias(conversationMembers, "them");

/**
 * Maximum number of a party's members in its room and in the head of its thread. A team has five; a match's chat has at
 * most two rosters of seven, the host and ten other organisers.
 */
const MEMBERS = 25;
/** The most messages that a browser fetches in one catch-up request; there may be more after them. */
const CATCH_UP_PAGE = 200;

/** A conversation with its other player or its party, as the head of the thread shows it. */
export interface ConversationHead {
  id: string;
  lastSeq: number;
  /** The place of the last message that the viewer has read. */
  lastReadSeq: number;
  unread: number;
  /** The other player's name, or the party's title. */
  name: string;
  /** The other player in a conversation of two; null in a party. */
  other: {
    /** Null if the account is gone. */
    id: string | null;
    picture: string | null;
    verified: boolean;
    riotProven: boolean;
    rank: Rank | null;
    role: Role | null;
    presence: SeenPresence | null;
    /** The place of the last message that they have read. */
    lastReadSeq: number;
  } | null;
  /** Null in a conversation of two. */
  party: {
    /** All members except the viewer. */
    members: { id: string; name: string }[];
    /** The post whose team this is; null if it is deleted or hidden from the viewer, and for a match's chat. */
    postId: string | null;
    /** The path of this chat's match; null for other conversations, and while it is hidden from the viewer. */
    match: string | null;
    /**
     * The path of the tournament in which this chat's match was undone; null if `match` is set, for other
     * conversations, and while the tournament is hidden from the viewer.
     */
    tournament: string | null;
  } | null;
  /** The path of the page where the two can team up; null if neither has an open post, and in a party. */
  teamUp: string | null;
  /** Whether the viewer has blocked the other player. */
  hasBlocked: boolean;
  /** Whether the other player has blocked the viewer. */
  isBlocked: boolean;
  /** Whether the other player takes no messages from the viewer: see `takesMessagesFrom`. */
  isUnwanted: boolean;
}

/** Finds one of the viewer's conversations; undefined if the viewer isn't a member. */
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
      tournamentPage: string | null;
      theirPosts: string;
      ownPosts: string;
      hasBlocked: number;
      isBlocked: number;
      isUnwanted: number;
      showsActivity: number;
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
        WHERE ${lfgPosts.conversationId} = ${c.id} AND (${lfgPosts.hiddenAt} IS NULL OR ${lfgPosts.userId} = ${userId})
      ), NULL) AS postId,
      iif(${c.pairKey} IS NULL, (
        SELECT '/tournaments/' || ${played.tournamentId} || '/matches/' || ${played.id}
        FROM ${tournamentMatches} AS ${played} WHERE ${played.conversationId} = ${c.id}
          AND ${isShownTo(userId, sql`${played.tournamentId}`)}
      ), NULL) AS matchPage,
      (SELECT '/tournaments/' || ${team.tournamentId} FROM ${tournamentTeams} AS ${team}
        WHERE ${team.id} = ${c.team1} AND ${isShownTo(userId, sql`${team.tournamentId}`)}) AS tournamentPage,
      ${them.userId} AS otherId, ${them.lastReadSeq} AS otherReadSeq, ${p.riotId} AS riotId,
        ${p.riotGameName} AS riotGameName,
      ${p.riotVerifiedAt} AS verifiedAt, ${p.riotProvenAt} AS provenAt, ${p.currentRank} AS rank,
        ${p.preferredRole} AS role,
      ${p.avatarId} AS avatarId, ${openPostsOf(sql`${them.userId}`, sql`${userId}`, now)} AS theirPosts,
      iif(${c.pairKey} IS NULL, '[]', ${openPostsOf(sql`${userId}`, sql`${them.userId}`, now)}) AS ownPosts,
      ${presence.state} AS state, ${presence.seenAt} AS seenAt,
      ${hasBlocked(userId, sql`${them.userId}`)} AS hasBlocked, ${hasBlocked(sql`${them.userId}`, userId)} AS isBlocked,
      ${them.userId} IS NOT NULL AND NOT ${takesMessagesFrom(sql`${them.userId}`, sql`${userId}`)} AS isUnwanted,
      ${them.userId} IS NOT NULL AND ${showsActivityTo(sql`${them.userId}`, userId)} AS showsActivity
    FROM ${conversationMembers} AS ${me}
    JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId}
    LEFT JOIN ${conversationMembers} AS ${them}
      ON ${c.pairKey} IS NOT NULL AND ${them.conversationId} = ${me.conversationId}
        AND ${them.userId} = ${otherOf(sql`${me.conversationId}`, userId)}
    LEFT JOIN ${profiles} AS ${p} ON ${p.userId} = ${them.userId}
    LEFT JOIN ${presence} ON ${presence.userId} = ${them.userId}
    WHERE ${me.conversationId} = ${id} AND ${me.userId} = ${userId}`);
  if (!row) return undefined;
  const hasBlock = row.hasBlocked || row.isBlocked;
  const members = row.members === null ? null : (JSON.parse(row.members) as { id: string; name: string }[]);
  return {
    id: row.id,
    lastSeq: row.lastSeq,
    lastReadSeq: row.lastReadSeq,
    unread: row.unread,
    name: members ? (row.title ?? UNKNOWN_PLAYER) : nameOfOther(row),
    party: members && {
      members,
      postId: row.postId,
      match: row.matchPage,
      tournament: row.matchPage === null ? row.tournamentPage : null,
    },
    teamUp:
      hasBlock || row.otherId === null
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
          presence: row.showsActivity ? presenceOf(row) : null,
          lastReadSeq: row.showsActivity ? (row.otherReadSeq ?? 0) : 0,
        },
    hasBlocked: Boolean(row.hasBlocked),
    isBlocked: Boolean(row.isBlocked),
    isUnwanted: Boolean(row.isUnwanted),
  };
}

/**
 * Selects a player's open posts, newest first, each with the state of another player's request to join it, as a JSON
 * array of `AskedPost`s.
 * @param author the player with the posts, as an SQL expression
 * @param asker the other player, as an SQL expression
 */
const openPostsOf = (author: SQL, asker: SQL, now: Date) => sql`(
  SELECT json_group_array(json_object('id', id, 'asked', asked)) FROM (
    SELECT ${open.id} AS id, (
      SELECT ${r.state} FROM ${joinRequests} AS ${r} WHERE ${r.postId} = ${open.id} AND ${r.userId} = ${asker}
    ) AS asked
    FROM ${lfgPosts} AS ${open}
    WHERE ${open.userId} = ${author} AND ${isOpenPost(now.getTime(), open)}
    ORDER BY ${open.listedAt} DESC, ${open.id} DESC LIMIT ${MAX_OPEN_POSTS}
  )
)`;

/**
 * Finds the data that a conversation's room needs when a member enters.
 * @returns the number of the last message, the ids of the other members whose activity the player may see, and whether
 *   the conversation is of two players; undefined if the player isn't a member
 */
export async function findMembership(
  db: Database,
  conversationId: string,
  userId: string,
): Promise<{ lastSeq: number; others: string[]; isPair: boolean } | undefined> {
  const [row] = await db.all<{ lastSeq: number; others: string; isPair: number }>(sql`
    SELECT ${c.lastSeq} AS lastSeq, ${c.pairKey} IS NOT NULL AS isPair, (
      SELECT json_group_array(user_id) FROM (
        SELECT ${o.userId} FROM ${conversationMembers} AS ${o}
        WHERE ${o.conversationId} = ${c.id} AND ${o.userId} <> ${userId}
          AND iif(${c.pairKey} IS NULL, NOT ${blockBetween(sql`${o.userId}`, userId)},
            ${showsActivityTo(sql`${o.userId}`, userId)})
        LIMIT ${MEMBERS}
      )
    ) AS others
    FROM ${conversationMembers} AS ${me} JOIN ${conversations} AS ${c} ON ${c.id} = ${me.conversationId}
    WHERE ${me.conversationId} = ${conversationId} AND ${me.userId} = ${userId}`);
  return row && { lastSeq: row.lastSeq, others: JSON.parse(row.others), isPair: Boolean(row.isPair) };
}

/** Whether a player is a member of a conversation. */
export async function isMember(db: Database, conversationId: string, userId: string): Promise<boolean> {
  const { own } = await db.get<{ own: number }>(sql`SELECT ${isMemberOf(conversationId, userId)} AS own`);
  return own === 1;
}

/**
 * When a message's sender signed up, as an SQL expression; null if the message has no links, or the account is gone.
 * @param content the message's text, as an SQL expression, like `senderId`
 */
export const senderSince = (content: SQL, senderId: SQL): SQL => sql`iif(instr(${content}, '://') = 0, NULL, (
  SELECT ${account.createdAt} FROM ${users} AS ${account} WHERE ${account.id} = ${senderId}
))`;

/**
 * The columns of a message, and whether moderators have hidden it. In a party they include the sender's name, if the
 * account still exists, and whether the reader has blocked the sender.
 */
const messageColumns = (conversationId: ConversationRef, readerId: string) => {
  const isParty = sql`EXISTS (SELECT 1 FROM ${conversations} WHERE ${conversations.id} = ${conversationId}
    AND ${conversations.pairKey} IS NULL)`;
  return sql`id, seq, sender_id AS senderId, content, created_at AS createdAt,
    ${messages.hiddenAt} IS NOT NULL AS isRemoved,
    ${senderSince(sql`${messages.content}`, sql`${messages.senderId}`)} AS senderSince,
    iif(${isParty}, ${nameOf(sql`${messages.senderId}`)}, NULL) AS senderName,
    iif(${isParty}, ${hasBlocked(readerId, sql`${messages.senderId}`)}, 0) AS hasBlocked`;
};

type MessageRow = Omit<ThreadMessage, "senderName"> & {
  senderName: string | null;
  senderSince: number | null;
  hasBlocked: number;
  isRemoved: number;
};

/** @param shownId the message that the reader wants to see although they have blocked its sender */
function messageOf(
  { hasBlocked: isHidden, isRemoved, ...row }: MessageRow,
  readerId: string,
  shownId: string | null,
  signing: Signing,
): ThreadMessage {
  if (isHidden && !isRemoved && row.id !== shownId) return hideMessage(row);
  const content = isRemoved ? removedText(row.content, row.senderId === readerId) : row.content;
  return presentMessage({ ...row, content }, signing);
}

/** Completes a stored message with its sender's name, if there is one, and its signed links. */
export function presentMessage(
  { senderName, senderSince, ...message }: Omit<MessageRow, "hasBlocked" | "isRemoved">,
  signing: Signing,
): ThreadMessage {
  const leaving = leavingLinks(signing, message.content, isNewAccount(senderSince, message.createdAt));
  return { ...message, ...(senderName !== null && { senderName }), ...(leaving && { leaving }) };
}

/** The part of a thread that a page shows. */
export interface ThreadPlace {
  /** Show the messages before this one; null for the newest. */
  before: number | null;
  /** The id of a message to show although the reader has blocked its sender. */
  shown: string | null;
}

/**
 * Lists a page of a thread: the last messages before `before`, oldest first; none if the player isn't a member. In a
 * party, messages of players whom the reader has blocked come without their text.
 * @returns the messages, and whether there are older ones
 */
export async function listMessages(
  context: Signing & { db: Database },
  conversationId: ConversationRef,
  userId: string,
  { before, shown }: ThreadPlace,
): Promise<{ messages: ThreadMessage[]; hasOlder: boolean }> {
  const rows = await context.db.all<MessageRow>(sql`
    SELECT ${messageColumns(conversationId, userId)} FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${isMemberOf(conversationId, userId)}
      ${before === null ? sql`` : sql`AND ${messages.seq} < ${before}`}
    ORDER BY ${messages.seq} DESC LIMIT ${THREAD_PAGE + 1}`);
  const page = rows.slice(0, THREAD_PAGE).reverse();
  return { messages: page.map((row) => messageOf(row, userId, shown, context)), hasOlder: rows.length > THREAD_PAGE };
}

/** Lists the messages after a given one, oldest first, for a browser that was away: at most `CATCH_UP_PAGE`. */
export async function listMessagesAfter(
  context: Signing & { db: Database },
  conversationId: string,
  userId: string,
  seq: number,
): Promise<ThreadMessage[]> {
  const rows = await context.db.all<MessageRow>(sql`
    SELECT ${messageColumns(conversationId, userId)} FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${isMemberOf(conversationId, userId)}
      AND ${messages.seq} > ${seq}
    ORDER BY ${messages.seq} LIMIT ${CATCH_UP_PAGE}`);
  return rows.map((row) => messageOf(row, userId, null, context));
}
