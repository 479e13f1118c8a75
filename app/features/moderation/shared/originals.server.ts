import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { hiddenOriginals } from "#db/schema";
import { bare, columnsOf } from "#db/sql";

/** The kinds of things whose contents are overwritten when moderators hide them. */
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
export const isInOriginal = (kind: OriginalKind, id: string, text: string, beginnings: readonly string[]): SQL => {
  const isKey = sql.join(
    beginnings.map((beginning) => sql`part.key GLOB ${`${beginning}*`}`),
    sql` OR `,
  );
  return sql`EXISTS (
    SELECT 1 FROM ${hiddenOriginals}, json_each(${hiddenOriginals.original}) AS part
    WHERE ${ofSubject(kind, id)} AND (${isKey}) AND part.atom = ${text}
  )`;
};

/**
 * Builds the statement that keeps a thing's original before hiding overwrites it. If the thing was hidden before, newer
 * values replace older ones, and older values without a newer one are kept. A replaced value isn't restored, but stays
 * under its key with the time added (`tags@1764100000000`): its author may not type it again.
 * @param original `SELECT … AS original …` of at most one row, a JSON object; its nulls are left out
 */
export function keepOriginal(db: Database, kind: OriginalKind, id: string, original: SQL, now: Date, condition: SQL) {
  const at = now.getTime();
  return db.run(sql`
    INSERT INTO ${hiddenOriginals} ${columnsOf(hiddenOriginals, "kind", "subjectId", "original", "createdAt")}
    SELECT ${kind}, ${id}, (
      SELECT json_group_object(part.key, part.atom) FROM json_each(found.original) AS part WHERE part.atom IS NOT NULL
    ), ${at}
    FROM (${original}) AS found WHERE ${condition}
    ON CONFLICT ${columnsOf(hiddenOriginals, "kind", "subjectId")} DO UPDATE SET
      ${bare(hiddenOriginals.original)} = json_patch(json_patch(${hiddenOriginals.original}, (
        SELECT json_group_object(part.key || ${`@${at}`}, part.atom)
        FROM json_each(${hiddenOriginals.original}) AS part
        WHERE part.atom <> json_extract(excluded.${bare(hiddenOriginals.original)}, '$."' || part.key || '"')
      )), excluded.${bare(hiddenOriginals.original)}),
      ${bare(hiddenOriginals.createdAt)} = excluded.${bare(hiddenOriginals.createdAt)}`);
}

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
