import { and, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, presence, profiles } from "#db/schema";
import type { PresenceState } from "#party/wire/presence";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { nameOfOther, otherOf, type PlayerColumns, presenceOf, showsActivityTo } from "../other-player.server";
import { currentPresence } from "../rules";

const c = alias(conversations, "c");
const m = alias(conversationMembers, "m");
const me = alias(conversationMembers, "me");
const o = alias(conversationMembers, "o");
const p = alias(profiles, "p");

const LIST_PAGE = 20;
/** The number of conversations that one search page looks through, before the player is asked whether to go on. */
const SEARCH_STRETCH = 300;

/** One conversation as the list shows it. */
export interface ConversationSummary {
  id: string;
  /** The other player's name (`Unknown User` if there is none), or the party's title. */
  name: string;
  /** The key of the other player's picture; null in a party. */
  picture: string | null;
  /** The names of two other members of a party; null in a conversation of two. */
  others: string[] | null;
  presence: PresenceState;
  /** Null before the first message. */
  preview: string | null;
  /** Whether the viewer has blocked the author of the last message, in a party. */
  isHidden: boolean;
  /** The author of the last message, in a party. */
  senderName: string | null;
  /** Whether the last message is the viewer's own. */
  isOwn: boolean;
  /** Milliseconds since 1970. */
  listedAt: number;
  unread: number;
}

/**
 * Lists a page of a player's conversations, the one with the latest message first. It reads no messages, so its cost
 * doesn't depend on their number. A match's chat is listed from its first message on.
 * @param search part of the other player's name, ignoring case and accents in every alphabet
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
      isHidden: number;
      lastSenderId: string | null;
      listedAt: number;
      unread: number;
    }
  >(sql`
    SELECT ${c.id} AS id, iif(${c.pairKey} IS NULL, ${c.title}, NULL) AS title, ${c.lastPreview} AS preview,
      iif(${c.pairKey} IS NULL, ${nameOf(sql`${c.lastSenderId}`)}, NULL) AS senderName,
      iif(${c.pairKey} IS NULL, ${hasBlocked(userId, sql`${c.lastSenderId}`)}, 0) AS isHidden,
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
    LEFT JOIN ${presence} ON ${presence.userId} = me.otherId AND ${c.pairKey} IS NOT NULL
      AND ${showsActivityTo(sql`me.otherId`, userId)}`);
  // SQL guarantees the order only inside the subquery, and sorting the joined rows in SQL would cost a temporary table.
  const placeOf = ({ listedAt, id }: { listedAt: number; id: string }) => ({ key: listedAt, id });
  rows.sort((a, b) => walk.compare(placeOf(a), placeOf(b)));
  const searched = wanted ? rows.slice(0, limit) : rows;
  const end = wanted && rows.length > limit ? (walk.isUp ? rows[limit] : searched.at(-1)) : undefined;
  const found = searched
    .map((row) => ({
      id: row.id,
      name: row.others === null ? nameOfOther(row) : (row.title ?? UNKNOWN_PLAYER),
      picture: row.others === null ? row.avatarId : null,
      others: row.others === null ? null : (JSON.parse(row.others) as string[]),
      // A party has no presence.
      presence: row.others === null ? currentPresence(presenceOf(row), now) : ("offline" as const),
      preview: row.preview,
      senderName: row.senderName,
      isHidden: Boolean(row.isHidden),
      isOwn: row.lastSenderId === userId,
      listedAt: row.listedAt,
      unread: row.unread,
    }))
    .filter(({ name }) => !wanted || foldForSearch(name).includes(wanted));
  return pageOf({ found, end: end ? placeOf(end) : null }, LIST_PAGE, cursor, placeOf);
}
