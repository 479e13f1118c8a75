import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { conversationMembers, notifications } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/** The unread counts in a player's header: on the Chat tab and on the bell. */
export interface UnreadTotals {
  userId: string;
  messages: number;
  notifications: number;
}

/** The counts stop here, for "99+". */
const LIMIT = 100;

/** A visit to a page that marks news as read: the header of that page no longer counts the news. */
interface Visit {
  /** The subject of the news, such as `post:<id>`. */
  subject: string;
  /** The conversation that the page opens, if any; may be an SQL expression that finds one or none. */
  conversationId?: string | SQL;
}

/**
 * Builds the columns `messages` and `notifications` of a query: a player's unread counts. They read only unread rows,
 * and at most a hundred of each.
 * @param userId the player, as an SQL expression; a column needs its table's alias, or it would refer to a table of
 *   these subqueries
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

/** Counts a player's unread messages and notifications, for the header of a page. */
export async function countUnread(db: Database, userId: string, visit: Visit | null = null): Promise<UnreadTotals> {
  return db.get<UnreadTotals>(sql`SELECT ${userId} AS userId, ${unreadOf(sql`${userId}`, visit)}`);
}

/**
 * Sends players' unread counts to all their tabs.
 * @param conversationId the conversation that changed, if any
 */
export function tellInboxes({ env, defer }: RoomCaller, totals: UnreadTotals[], conversationId?: string): void {
  for (const { userId, messages, notifications } of totals) {
    const unread = { type: "unread", messages, notifications, ...(conversationId && { conversationId }) } as const;
    defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).tell(unread)));
  }
}

/** Counts players' unread messages and notifications again, and sends the counts to all their tabs. */
export function tellUnread(context: RoomCaller & Pick<RequestContext, "db">, ...userIds: string[]): void {
  context.defer(async () =>
    tellInboxes(context, await Promise.all(userIds.map((userId) => countUnread(context.db, userId)))),
  );
}
