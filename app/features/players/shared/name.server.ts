import { type SQL, sql } from "drizzle-orm";

/**
 * The name others see (`displayName`), for a statement that stores it or answers it.
 * @param userId the player, as an SQL expression; a column needs its table's alias
 */
export const nameOf = (userId: SQL): SQL => sql`(
  SELECT coalesce(nullif(named.riot_game_name, ''), nullif(named.riot_id, ''), 'Player ' || substr(named.user_id, 1, 8))
  FROM profiles AS named WHERE named.user_id = ${userId}
)`;
