import { inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { playerNames, profiles } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isReservedName } from "~/features/flags/shared/reserved-names.server";
import type { RiotAccountData } from "~/features/riot/rules";
import { cleanLine, isBlank } from "~/platform/forms/text-length";
import { nameWords } from "./names";

const known = alias(playerNames, "known");

/** Sorts after every character that a word can contain. */
const LAST_CHARACTER = "\u{10FFFF}";

/** SQL condition that a folded word begins with another. It can use an index on the word. */
export const beginsWith = (word: SQLWrapper, beginning: string): SQL =>
  sql`${word} >= ${beginning} AND ${word} < ${beginning + LAST_CHARACTER}`;

/**
 * SQL condition that a word of a player's name begins with `beginning`.
 * @param userId the player, as an SQL expression with its table's name
 */
export const hasName = (userId: SQL, beginning: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${playerNames} AS ${known} WHERE ${known.userId} = ${userId}
    AND ${beginsWith(sql`${known.word}`, beginning)}
)`;

/**
 * The name by which a player of `profiles` can be found: the displayed name, or "" if that is only made up from their
 * id.
 */
export const foundBy = sql`coalesce(nullif(${profiles.riotGameName}, ''), nullif(${profiles.riotId}, ''), '')`;

/**
 * Builds the statements that write the words of players' names. They belong in the transaction that may change the
 * names, after the change. They skip a player who no longer has the expected name.
 * @param players each with their expected name: the game name, else the Riot ID, else ""
 * @param condition SQL that is true if they are to be written
 */
export function writeNames(
  db: Database,
  players: readonly { userId: string; name: string }[],
  condition: SQL = sql`TRUE`,
) {
  const rows = JSON.stringify(players.map(({ userId, name }) => ({ userId, name, words: nameWords(name) })));
  const named = sql`
    SELECT ${profiles.userId} FROM json_each(${rows}) AS row
      JOIN ${profiles} ON ${profiles.userId} = row.value ->> 'userId'
    WHERE ${foundBy} = row.value ->> 'name' AND ${condition}`;
  return {
    forget: db.delete(playerNames).where(inArray(playerNames.userId, sql`(${named})`)),
    write: db.run(sql`
      INSERT INTO ${playerNames} ${columnsOf(playerNames, "word", "userId")}
      SELECT word.value, ${profiles.userId} FROM json_each(${rows}) AS row
      JOIN ${profiles} ON ${profiles.userId} = row.value ->> 'userId'
      JOIN json_each(row.value, '$.words') AS word
      WHERE ${foundBy} = row.value ->> 'name' AND ${condition}`),
    note: db
      .update(profiles)
      .set({ foundBy })
      .where(inArray(profiles.userId, sql`(${named})`)),
  };
}

/**
 * Returns the name columns of a profile with a Riot account. Riot decides which names exist, so none is refused here.
 * The game name is left out if it could be taken for the product's own voice, or if it has no visible letters: others
 * then see the whole Riot ID (`displayName`).
 */
export const riotNames = ({ gameName, tagLine }: Pick<RiotAccountData, "gameName" | "tagLine">) => ({
  riotId: `${cleanLine(gameName)}#${tagLine}`,
  riotGameName: isReservedName(gameName) || isBlank(gameName) ? null : cleanLine(gameName),
  riotTagLine: tagLine,
});

/**
 * Builds the statements that write the words of a Riot account's name, and flag it if our checks find something in it.
 */
export function writeRiotName(
  writing: Omit<Writing, "origin">,
  userId: string,
  account: Pick<RiotAccountData, "gameName" | "tagLine">,
) {
  const { riotGameName, riotId } = riotNames(account);
  return writeName(writing, userId, riotGameName ?? riotId);
}

/**
 * Builds the statements that write the words of one player's name, and flag it if our checks find something in it.
 * @param name as others see it; "" if it is only made up from the player's id
 */
export const writeName = (writing: Omit<Writing, "origin">, userId: string, name: string) => ({
  ...writeNames(writing.db, [{ userId, name }]),
  flag: raiseFlags(writing, { kind: "player", id: userId }, { author: name }, userId),
});

/**
 * Writes the words of names that have none yet. Only a migration leaves such names, because SQL can't fold them; all
 * other changes of a name write its words themselves.
 * @param limit the maximum number of players per call
 */
export async function writeMissingNames(db: Database, limit: number): Promise<void> {
  const players = await db
    .select({ userId: profiles.userId, name: sql<string>`${foundBy}` })
    .from(profiles)
    .where(isNull(profiles.foundBy))
    .limit(limit);
  if (players.length > 0) await transact(db, writeNames(db, players));
}
