import { inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerNames, profiles } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { nameWords } from "./names";

const known = alias(playerNames, "known");

/** After every character that a word can hold. */
const LAST_CHARACTER = "\u{10FFFF}";

/** That a folded word begins with another. An index on it serves this. */
export const beginsWith = (word: SQLWrapper, beginning: string): SQL =>
  sql`${word} >= ${beginning} AND ${word} < ${beginning + LAST_CHARACTER}`;

/** That a word of a player's name begins so. @param userId the player, as an SQL expression with its table's name */
export const hasName = (userId: SQL, beginning: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${playerNames} AS ${known} WHERE ${known.userId} = ${userId}
    AND ${beginsWith(sql`${known.word}`, beginning)}
)`;

/** The name by which a player of `profiles` is found: the one that is shown, but not the one made of their id. */
const foundBy = sql`coalesce(nullif(${profiles.riotGameName}, ''), nullif(${profiles.riotId}, ''), '')`;

/**
 * The statements that write the words of players' names, in one transaction with what may have changed them and after it.
 * Those of a player stay as they are whose name is another one by then.
 * @param players each with the name that they may have got: the game name, else the Riot ID, else ""
 */
function writeNames(db: Database, players: readonly { userId: string; name: string }[]) {
  const rows = JSON.stringify(players.map(({ userId, name }) => ({ userId, name, words: nameWords(name) })));
  const named = sql`
    SELECT ${profiles.userId} FROM json_each(${rows}) AS row
      JOIN ${profiles} ON ${profiles.userId} = row.value ->> 'userId'
    WHERE ${foundBy} = row.value ->> 'name'`;
  return {
    forget: db.delete(playerNames).where(inArray(playerNames.userId, sql`(${named})`)),
    write: db.run(sql`
      INSERT INTO ${playerNames} ${columnsOf(playerNames, "word", "userId")}
      SELECT word.value, ${profiles.userId} FROM json_each(${rows}) AS row
      JOIN ${profiles} ON ${profiles.userId} = row.value ->> 'userId'
      JOIN json_each(row.value, '$.words') AS word
      WHERE ${foundBy} = row.value ->> 'name'`),
    note: db
      .update(profiles)
      .set({ foundBy })
      .where(inArray(profiles.userId, sql`(${named})`)),
  };
}

/** The statements that write the words of one player's name. */
export const writeName = (db: Database, userId: string, name: string) => writeNames(db, [{ userId, name }]);

/**
 * Writes the words of names that have none yet: of players from before there were any, a stretch at a time.
 * @param limit players at most
 */
export async function writeMissingNames(db: Database, limit: number): Promise<void> {
  const players = await db
    .select({ userId: profiles.userId, name: sql<string>`${foundBy}` })
    .from(profiles)
    .where(isNull(profiles.foundBy))
    .limit(limit);
  if (players.length > 0) await transact(db, writeNames(db, players));
}
