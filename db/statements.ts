import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client";

/** A statement that may stand in a transaction. */
export type Statement = BatchItem<"sqlite">;

/** A transaction (`db.batch`) put together from lists, of which at least one holds something. */
export const transaction = (statements: Statement[]) => statements as [Statement, ...Statement[]];

/**
 * The statement that inserts a row if a condition holds when it runs: for transactions of which only the database knows
 * how they end. Its result says how many rows there were (`rowsAffected`).
 */
export function insertIf<T extends SQLiteTable>(db: Database, table: T, row: T["$inferInsert"], condition: SQL) {
  const given = Object.entries(getTableColumns(table)).flatMap(([key, column]) => {
    const value = (row as Record<string, unknown>)[key];
    return value === undefined ? [] : [{ column, value }];
  });
  const columns = sql.join(
    given.map(({ column }) => sql.identifier(column.name)),
    sql`, `,
  );
  // Null is no value of the column's type: it is not translated.
  const values = sql.join(
    given.map(({ column, value }) => (value === null ? sql`NULL` : sql`${sql.param(value, column)}`)),
    sql`, `,
  );
  return db.run(sql`INSERT INTO ${table} (${columns}) SELECT ${values} WHERE ${condition}`);
}
