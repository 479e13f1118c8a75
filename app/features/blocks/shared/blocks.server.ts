import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { blocks } from "#db/schema";

/*
 * The SQL of blocks. Every statement that shows a player something of another, or lets one act on another, asks one of
 * these; `../rules.ts` says which surface asks which. Players are ids, or SQL expressions with their table's alias.
 */

const b = alias(blocks, "b");

/** Holds if one player has blocked another: the direction of everything that is hidden from the blocker alone. */
export const hasBlocked = (blocker: SQL | string, blocked: SQL | string): SQL => sql`EXISTS (
  SELECT 1 FROM ${blocks} AS ${b} WHERE ${b.blockerId} = ${blocker} AND ${b.blockedId} = ${blocked}
)`;

/** Holds if either of two players has blocked the other: the direction of everything that one could do to the other. */
export const blockBetween = (one: SQL | string, other: SQL | string): SQL =>
  sql`(${hasBlocked(one, other)} OR ${hasBlocked(other, one)})`;

/** Holds if a player has blocked anyone, or was blocked by anyone. */
export const hasBlocks = (self: string): SQL => sql`(
  SELECT EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${self})
    OR EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockedId} = ${self})
)`;
