import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { blocks } from "#db/schema";

/*
 * The SQL conditions of blocks. Every statement that enforces blocks uses one of them; `../rules.ts` has the rule for
 * each surface. Players are given as ids or SQL expressions. Columns in such an expression need their table's name or
 * alias, because the conditions are subqueries.
 */

const b = alias(blocks, "b");

/** True if `blocker` has blocked `blocked`: the condition for hiding something from the blocker alone. */
export const hasBlocked = (blocker: SQL | string, blocked: SQL | string): SQL => sql`EXISTS (
  SELECT 1 FROM ${blocks} AS ${b} WHERE ${b.blockerId} = ${blocker} AND ${b.blockedId} = ${blocked}
)`;

/**
 * A player's picture as a viewer sees it, as an SQL expression: NULL for players whom the viewer has blocked.
 * @param viewerId null or undefined for a guest
 */
export const pictureFor = (viewerId: string | null | undefined, userId: SQLiteColumn, picture: SQLiteColumn): SQL =>
  viewerId ? sql`iif(${hasBlocked(viewerId, sql`${userId}`)}, NULL, ${picture})` : sql`${picture}`;

/** True if either of two players has blocked the other: "between" in the rules. */
export const blockBetween = (one: SQL | string, other: SQL | string): SQL =>
  sql`(${hasBlocked(one, other)} OR ${hasBlocked(other, one)})`;

/** True if a player has blocked anyone, or is blocked by anyone. */
export const hasBlocks = (self: string): SQL => sql`(
  SELECT EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${self})
    OR EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockedId} = ${self})
)`;
