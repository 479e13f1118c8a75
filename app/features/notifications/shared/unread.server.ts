import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { conversationMembers, notifications } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/** The unread numbers in a player's header: on the Chat tab and on the bell. */
export interface UnreadTotals {
  userId: string;
  messages: number;
  notifications: number;
}

/** Counts stop here: "99+". */
const LIMIT = 100;

/** The news that a visit to a page is about to mark as read: the page itself counts it no more. */
interface Visit {
  /** The subject of the news, such as `post:<id>`. */
  subject: string;
  /** The conversation that is opened, if the page opens one; an SQL expression may find it, or none. */
  conversationId?: string | SQL;
}

/**
 * The columns `messages` and `notifications` of a query: how many of each a player has not read. They cost the unread
 * ones alone, and no more than a hundred of those.
 * @param userId the player, as an SQL expression; a column needs its table's alias, or it is taken for one in here
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

/** How much a player has not read, for the header of a page. */
export async function countUnread(db: Database, userId: string, visit: Visit | null = null): Promise<UnreadTotals> {
  return db.get<UnreadTotals>(sql`SELECT ${userId} AS userId, ${unreadOf(sql`${userId}`, visit)}`);
}

/**
 * Tells players, in all their tabs, what they have not read.
 * @param conversationId the conversation that changed, if one did
 */
export function tellInboxes({ env, defer }: RoomCaller, totals: UnreadTotals[], conversationId?: string): void {
  for (const { userId, messages, notifications } of totals) {
    const unread = { type: "unread", messages, notifications, ...(conversationId && { conversationId }) } as const;
    defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).tell(unread)));
  }
}

/** Tells players, in all their tabs, what they have not read by now: something was read here, or has happened to them. */
export function tellUnread(context: RoomCaller & Pick<RequestContext, "db">, ...userIds: string[]): void {
  context.defer(async () =>
    tellInboxes(context, await Promise.all(userIds.map((userId) => countUnread(context.db, userId)))),
  );
}
