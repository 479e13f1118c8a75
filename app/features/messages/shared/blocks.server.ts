import { type SQL, sql } from "drizzle-orm";

/**
 * Whether a player has blocked anyone, or was blocked by anyone.
 * @param self the player's id
 */
export const hasBlocks = (self: string) => sql`(
  SELECT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${self})
    OR EXISTS (SELECT 1 FROM blocks WHERE blocked_id = ${self})
)`;

/**
 * Whether one of two players has blocked the other.
 * @param other the one, as an SQL expression
 * @param self the other's id
 */
export const blockBetween = (other: SQL, self: string) => sql`(
  EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${other} AND blocked_id = ${self})
  OR EXISTS (SELECT 1 FROM blocks WHERE blocker_id = ${self} AND blocked_id = ${other})
)`;
