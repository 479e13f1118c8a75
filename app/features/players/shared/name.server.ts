import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { profiles } from "#db/schema";

const named = alias(profiles, "named");

/**
 * The columns that name a player (`displayName`). `userId` comes first, because Drizzle treats a joined row as missing
 * if its first column is null.
 */
export const nameColumns = { userId: profiles.userId, riotGameName: profiles.riotGameName, riotId: profiles.riotId };

/**
 * The name others see (`displayName`), as an SQL expression for statements that store or return it.
 * @param userId the player, as an SQL expression; a column needs its table's alias
 */
export const nameOf = (userId: SQL): SQL => sql`(
  SELECT coalesce(
    nullif(${named.riotGameName}, ''), nullif(${named.riotId}, ''), 'Player ' || substr(${named.userId}, 1, 8)
  )
  FROM ${profiles} AS ${named} WHERE ${named.userId} = ${userId}
)`;
