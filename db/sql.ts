import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
/*
 * Helpers for raw SQL that takes its names from the schema. `${table}` is a table and `${table.column}` a column with
 * its table; these are for the places where SQL wants a column without its table.
 */

/** A column's name alone: `SET ${bare(posts.title)} = …`, `excluded.${bare(posts.title)}`. */
export const bare = (column: Column): SQL => sql`${sql.identifier(column.name)}`;

/** Lists the columns of an INSERT or a conflict target, in parentheses. @param keys their names in the schema */
export function columnsOf<T extends SQLiteTable>(table: T, ...keys: (keyof T["$inferSelect"] & string)[]): SQL {
  const columns = getTableColumns(table);
  return sql`(${sql.join(
    keys.map((key) => bare(columns[key] as Column)),
    sql`, `,
  )})`;
}
