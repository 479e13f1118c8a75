import { type SQL, sql } from "drizzle-orm";
import { messages } from "#db/schema";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";

/** Unread messages are counted up to this number. */
const LIMIT = 1_000;

/** Selects the messages after a place that are news to a player: those of others whom they haven't blocked. */
const selectUnreadAfter = (column: SQL, conversationId: SQL, userId: SQL | string, seq: SQL): SQL => sql`
  SELECT ${column} FROM ${messages}
  WHERE ${messages.conversationId} = ${conversationId} AND ${messages.seq} > ${seq}
    AND +${messages.senderId} IS NOT ${userId} AND ${messages.hiddenAt} IS NULL
    AND NOT ${hasBlocked(userId, sql`+${messages.senderId}`)}`;

/**
 * Counts the messages after a place that are news to a player, as an SQL expression: those of others whom they haven't
 * blocked, except hidden ones.
 *
 * This also counts messages whose sender was blocked when they were sent and isn't any more, which the stored count
 * leaves out for good. So a statement that lowers the stored count sets it to the smaller of the two.
 * @param conversationId an SQL expression
 * @param userId the player: an id, or an SQL expression
 * @param seq the place of the last message that they have read, as an SQL expression
 */
export const countUnreadAfter = (conversationId: SQL, userId: SQL | string, seq: SQL): SQL => sql`(
  SELECT count(*) FROM (${selectUnreadAfter(sql`1`, conversationId, userId, seq)} LIMIT ${LIMIT})
)`;

/**
 * Finds the place of the latest of the messages that `countUnreadAfter` counts, as an SQL expression; NULL if there is
 * none.
 */
export const latestUnreadAfter = (...place: Parameters<typeof countUnreadAfter>): SQL =>
  sql`(${selectUnreadAfter(sql`${messages.seq}`, ...place)} ORDER BY ${messages.seq} DESC LIMIT 1)`;

/**
 * SQL condition that one of the latest messages after a place is by a player, even if they have left the conversation
 * since. Looks at no more messages than are counted.
 * @param conversationId an SQL expression, as is `seq`
 */
export const hasWrittenAfter = (conversationId: SQL, senderId: string, seq: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM (
    SELECT ${messages.senderId} AS sender FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${messages.seq} > ${seq}
    ORDER BY ${messages.seq} DESC LIMIT ${LIMIT}
  ) AS latest WHERE latest.sender = ${senderId}
)`;
