import { type SQL, sql } from "drizzle-orm";
import { blocks } from "#db/schema";

/**
 * Builds the SQL expression for whether a player has blocked anyone, or was blocked by anyone.
 * @param self the player's id
 */
export const hasBlocks = (self: string) => sql`(
  SELECT EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${self})
    OR EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockedId} = ${self})
)`;

/**
 * Builds the SQL expression for whether one of two players has blocked the other.
 * @param other one player's id, as an SQL expression
 * @param self the other player's id
 */
export const blockBetween = (other: SQL, self: string) => sql`(
  EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${other} AND ${blocks.blockedId} = ${self})
  OR EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${self} AND ${blocks.blockedId} = ${other})
)`;
