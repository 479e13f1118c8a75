import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { hiddenOriginals } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { APPEAL_PERIOD } from "../appeals/rules";

/**
 * The kinds of things whose contents are overwritten when moderators hide them. `restored` is for the values that a
 * restored player may not type again if the restoration is undone.
 */
type OriginalKind = typeof hiddenOriginals.$inferSelect.kind;

const ofSubject = (kind: OriginalKind, id: string) =>
  sql`${hiddenOriginals.kind} = ${kind} AND ${hiddenOriginals.subjectId} = ${id}`;

/** Builds the SQL expression for one value of a hidden thing's original; NULL if there is none. */
export const originalOf = (kind: OriginalKind, id: string, key: string | SQL): SQL => sql`(
  SELECT json_extract(${hiddenOriginals.original}, '$."' || ${key} || '"') FROM ${hiddenOriginals}
  WHERE ${ofSubject(kind, id)}
)`;

/**
 * SQL condition that a hidden thing's original contains a text, even if another one has replaced it since.
 * @param beginnings the text's key begins with one of these
 */
export const isInOriginal = (kind: OriginalKind, id: string, text: string, beginnings: readonly string[]): SQL => sql`
  EXISTS (
    SELECT 1 FROM ${hiddenOriginals}, json_each(${hiddenOriginals.original}) AS part
    WHERE ${ofSubject(kind, id)} AND ${beginsWith(beginnings)} AND part.atom = ${text}
  )`;

/** True if the key of the JSON value `part` begins with one of these. */
const beginsWith = (beginnings: readonly string[]): SQL => sql`EXISTS (
  SELECT 1 FROM json_each(${JSON.stringify(beginnings)}) AS beginning WHERE part.key GLOB beginning.value || '*'
)`;

/**
 * Builds the statement that keeps a thing's original before hiding overwrites it. If the thing was hidden before, newer
 * values replace older ones, and older values without a newer one are kept. A replaced value isn't restored. If its
 * author may not type it again, it stays under its key with the time added (`tags@1764100000000`), until the thing is
 * hidden once more after the time for appeals.
 * @param original `SELECT … AS original …` of at most one row, a JSON object; its nulls are left out
 * @param typed the keys of the values that may not be typed again begin with one of these
 */
export function keepOriginal(
  db: Database,
  kind: OriginalKind,
  id: string,
  original: SQL,
  now: Date,
  condition: SQL,
  typed: readonly string[] = [],
) {
  const at = now.getTime();
  const newer = sql`excluded.${bare(hiddenOriginals.original)}`;
  const isReplaced = sql`(part.atom <> json_extract(${newer}, '$."' || part.key || '"'))`;
  // `json_patch` removes the key of a null.
  const isOld = sql`(part.key GLOB '*@*'
    AND CAST(substr(part.key, instr(part.key, '@') + 1) AS INTEGER) <= ${at - APPEAL_PERIOD})`;
  return db.run(sql`
    INSERT INTO ${hiddenOriginals} ${columnsOf(hiddenOriginals, "kind", "subjectId", "original", "createdAt")}
    SELECT ${kind}, ${id}, (
      SELECT json_group_object(part.key, part.atom) FROM json_each(found.original) AS part WHERE part.atom IS NOT NULL
    ), ${at}
    FROM (${original}) AS found WHERE ${condition}
    ON CONFLICT ${columnsOf(hiddenOriginals, "kind", "subjectId")} DO UPDATE SET
      ${bare(hiddenOriginals.original)} = json_patch(json_patch(${hiddenOriginals.original}, (
        SELECT json_group_object(part.key || iif(${isOld}, '', ${`@${at}`}), iif(${isOld}, NULL, part.atom))
        FROM json_each(${hiddenOriginals.original}) AS part
        WHERE ${isOld} OR (${isReplaced} AND ${beginsWith(typed)})
      )), ${newer}),
      ${bare(hiddenOriginals.createdAt)} = excluded.${bare(hiddenOriginals.createdAt)}`);
}

/**
 * Builds the statement that sets aside, for as long as a player is shown again, the values that they may not type while
 * they are hidden. It belongs before the statement that deletes the original.
 * @param typed the keys of these values begin with one of these
 */
export const setOriginalAside = (db: Database, playerId: string, now: Date, condition: SQL, typed: readonly string[]) =>
  keepOriginal(
    db,
    "restored",
    playerId,
    // Without `GROUP BY`, there would also be a row for a player who had only a picture hidden.
    sql`SELECT json_group_object(part.key || iif(part.key GLOB '*@*', '', ${`@${now.getTime()}`}), part.atom) AS original
      FROM ${hiddenOriginals}, json_each(${hiddenOriginals.original}) AS part
      WHERE ${ofSubject("player", playerId)} AND ${beginsWith(typed)}
      GROUP BY ${hiddenOriginals.subjectId}`,
    now,
    condition,
  );

/**
 * Builds the statements that move the values kept by `setOriginalAside` back to the original of a player who is hidden
 * again because the restoration was undone.
 */
export const takeOriginalBack = (db: Database, playerId: string, now: Date, condition: SQL) => ({
  keep: keepOriginal(
    db,
    "player",
    playerId,
    sql`SELECT ${hiddenOriginals.original} AS original FROM ${hiddenOriginals}
      WHERE ${ofSubject("restored", playerId)}`,
    now,
    condition,
  ),
  drop: dropOriginal(db, "restored", playerId, condition),
});

/**
 * Builds the statement that reads an original. It returns no row if there is none, or if the condition doesn't hold.
 */
export const readOriginal = (db: Database, kind: OriginalKind, id: string, condition: SQL) =>
  db
    .select({ original: hiddenOriginals.original })
    .from(hiddenOriginals)
    .where(and(eq(hiddenOriginals.kind, kind), eq(hiddenOriginals.subjectId, id), condition));

/** Builds the statement that deletes an original once the thing is shown again, or its player is erased. */
export const dropOriginal = (db: Database, kind: OriginalKind, id: string, condition: SQL) =>
  db.run(sql`DELETE FROM ${hiddenOriginals} WHERE ${ofSubject(kind, id)} AND ${condition}`);
