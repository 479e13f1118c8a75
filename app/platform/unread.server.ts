import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";

/** What a player's header shows: on the Chat tab and on the bell. */
export interface UnreadTotals {
  userId: string;
  messages: number;
  notifications: number;
}

/** Counts stop here: "99+". */
const LIMIT = 100;

/**
 * The columns `messages` and `notifications` of a query: how many of each a player has not read. They cost the unread
 * ones alone, and no more than a hundred of those.
 * @param userId the player, as an SQL expression
 * @param but a subject of notifications that is left out
 */
export const unreadOf = (userId: SQL, but: string | null = null) => sql`
  (SELECT coalesce(sum(unread_count), 0) FROM (
    SELECT unread_count FROM conversation_members WHERE user_id = ${userId} AND unread_count > 0 LIMIT ${LIMIT}
  )) AS messages,
  (SELECT count(*) FROM (
    SELECT 1 FROM notifications
    WHERE user_id = ${userId} AND read_at IS NULL ${but === null ? sql`` : sql`AND subject <> ${but}`} LIMIT ${LIMIT}
  )) AS notifications`;

/**
 * How much a player has not read, for the header of a page.
 * @param visiting what the page itself is about to resolve, as `post:<id>`: it no longer counts there
 */
export async function countUnread(db: Database, userId: string, visiting: string | null = null): Promise<UnreadTotals> {
  return db.get<UnreadTotals>(sql`SELECT ${userId} AS userId, ${unreadOf(sql`${userId}`, visiting)}`);
}
