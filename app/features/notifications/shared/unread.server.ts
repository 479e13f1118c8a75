import { isNotNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { waitingCasesOf } from "#db/cases";
import type { Database } from "#db/client";
import { conversationMembers, notifications, users } from "#db/schema";
import type { InboxChange } from "#party/wire/calls";
import type { RequestContext } from "~/platform/context";
import { callRoom, doAtOnce, type RoomCaller } from "~/platform/rooms/rooms.server";
import type { NewsSubject } from "./subjects";

/** The unread counts in a player's header: on the Chat tab and on the bell. */
export interface UnreadTotals {
  userId: string;
  messages: number;
  notifications: number;
  /** Number of waiting cases; null for players, and omitted if it wasn't counted. */
  cases?: number | null;
}

/** A player whose inbox is told of a change. */
export interface InboxOwner {
  userId: string;
  /** Whether news is waiting to be pushed to the player's devices; omitted if it wasn't queried. */
  hasPush?: number;
}

const owner = alias(users, "owner");

/** Limit of the counts, for "99+". */
const LIMIT = 100;

/** A visit to a page that marks news as read: the header of that page no longer counts the news. */
interface Visit {
  subject: NewsSubject;
  /** The conversation that the page opens, if any; may be an SQL expression that finds one or none. */
  conversationId?: string | SQL;
}

/**
 * Builds the columns `messages` and `notifications` of a query: a player's unread counts. They read only unread rows,
 * and at most a hundred of each.
 * @param userId the player, as an SQL expression; qualify a column with its table's alias, because a bare name would
 *   refer to a table of these subqueries
 */
export const unreadOf = (userId: SQL, visit: Visit | null = null) => sql`
  (SELECT coalesce(sum(unread_count), 0) FROM (
    SELECT ${conversationMembers.unreadCount} FROM ${conversationMembers}
    WHERE ${conversationMembers.userId} = ${userId} AND ${conversationMembers.unreadCount} > 0
      ${visit?.conversationId ? sql`AND +${conversationMembers.conversationId} IS NOT ${visit.conversationId}` : sql``}
    LIMIT ${LIMIT}
  )) AS messages,
  (SELECT count(*) FROM (
    SELECT 1 FROM ${notifications}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      ${visit ? sql`AND +${notifications.subject} <> ${visit.subject}` : sql``} LIMIT ${LIMIT}
  )) AS notifications`;

/** Builds the column `hasPush` of a query, as `unreadOf` builds the others. */
export const hasPushOf = (userId: SQL) => sql`EXISTS (
    SELECT 1 FROM ${notifications} WHERE ${notifications.userId} = ${userId} AND ${notifications.pushDueAt} IS NOT NULL
  ) AS hasPush`;

/** Counts a player's unread messages and notifications, for the header of a page. */
export async function countUnread(db: Database, userId: string, visit: Visit | null = null): Promise<UnreadTotals> {
  return db.get<UnreadTotals>(sql`SELECT ${userId} AS userId, ${unreadOf(sql`${userId}`, visit)}`);
}

/** Counts everything for a player's header; undefined if there is no such account. */
export const countForHeader = (db: Database, userId: string): Promise<UnreadTotals | undefined> =>
  db.get<UnreadTotals | undefined>(sql`
    SELECT ${owner.id} AS userId, ${unreadOf(sql`${owner.id}`)}, ${waitingCasesOf(owner)} AS cases
    FROM ${users} AS ${owner} WHERE ${owner.id} = ${userId}`);

/** Returns the counts to send to a player's tabs. */
export const countsOf = ({ messages, notifications, cases }: UnreadTotals) => ({
  messages,
  notifications,
  ...(typeof cases === "number" && { cases }),
});

/**
 * Makes players' inboxes count unread messages and notifications again, send the counts to all their tabs, and push
 * waiting news. Call it once the change has been stored.
 */
export function tellInboxes({ env, defer }: RoomCaller, players: readonly InboxOwner[], change?: InboxChange): void {
  for (const { userId, hasPush } of players) {
    const inbox = env.INBOX_ROOMS.getByName(userId);
    defer(() => callRoom(() => inbox.recount(change)));
    if (hasPush) defer(() => callRoom(() => inbox.push()));
  }
}

/**
 * The most players whose open tabs are told of one change, with one call each; others see it on their next page.
 */
const MAX_TOLD = 100;
/** The most players whose inboxes are made to push immediately; the cron takes 600 notifications every five minutes. */
const MAX_PUSHED = 400;
/** The most players who are looked up for such pushes: no tournament has that many. */
const MAX_ASKED = 2_000;

/**
 * Does the same as `tellInboxes` for players whose notifications may have changed, whether or not one waits to be
 * pushed. Their open pages that show news load it again.
 * @param userIds a player may occur several times
 */
export function tellUnread(context: RoomCaller & Pick<RequestContext, "db">, ...userIds: string[]): void {
  const players = [...new Set(userIds)];
  if (players.length === 0) return;
  tellInboxes(
    context,
    players.slice(0, MAX_TOLD).map((userId) => ({ userId })),
    { hasNews: true },
  );
  context.defer(async () => {
    const { db, env } = context;
    const waiting = await listWaitingForPush(db, players.slice(0, MAX_ASKED));
    for (const userId of waiting) context.defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).push()));
  });
}

/** Does the same for the players whom a statement on notifications has returned, one row per notification. */
export const tellNotified = (context: Parameters<typeof tellUnread>[0], rows: readonly { userId: string }[]): void =>
  tellUnread(context, ...userIdsOf(rows));

/** Returns the ids of the players whom a statement on notifications has returned. */
export const userIdsOf = (rows: readonly { userId: string }[]): string[] => rows.map(({ userId }) => userId);

/** Lists which of the given players have news waiting to be pushed, at most `MAX_PUSHED`. */
async function listWaitingForPush(db: Database, userIds: readonly string[]): Promise<string[]> {
  const rows = await db.all<{ userId: string; hasPush: number }>(sql`
    SELECT asked.value AS userId, ${hasPushOf(sql`asked.value`)} FROM json_each(${JSON.stringify(userIds)}) AS asked
    WHERE hasPush LIMIT ${MAX_PUSHED}`);
  return rows.map(({ userId }) => userId);
}

/** Sends the number of waiting cases to all tabs of all moderators and admins, after the response. */
export function tellModerators({ db, env, defer }: RoomCaller & Pick<RequestContext, "db">): void {
  defer(async () => {
    const moderators = await db.select({ userId: users.id }).from(users).where(isNotNull(users.role));
    // By now the response has been sent, and the `defer` destructured above no longer accepts work.
    await doAtOnce((defer) => tellInboxes({ env, defer }, moderators, { hasCases: true }));
  });
}
