import { type SQL, sql } from "drizzle-orm";

/**
 * Builds the SQL expression for the key of two players' one conversation, as `pairKey` builds it.
 * @param a one player's id, as an SQL expression
 * @param b the other player's id, as an SQL expression
 */
export const pairKeyOf = (a: SQL, b: SQL) => sql`(min(${a}, ${b}) || ':' || max(${a}, ${b}))`;
