import { type Client, LibsqlError, type Transaction, type Value } from "@libsql/core/api";
import { firstLine, type Line } from "./backup-file";

/** The target size of a page of rows, in characters of JSON. Servers refuse responses of more than 10 MB. */
const PAGE_SIZE = 500_000;
const FIRST_ROWS = 20;
const MOST_ROWS = 2_000;

/**
 * Reads a whole database as the lines of a backup. A single transaction makes them a consistent snapshot. Keeps one
 * page of rows in memory.
 * @param client a client that reads integers as bigints (`intMode: "bigint"`)
 * @throws Error if the database has a virtual table, which a backup can't hold, or is still being filled
 */
export async function* dumpDatabase(client: Client): AsyncGenerator<Line> {
  const transaction = await client.transaction("read");
  try {
    const { tables, objects } = await readSchema(transaction);
    yield firstLine();
    let rows = 0;
    for (const { name, sql } of tables) {
      const columns = await readColumns(transaction, name);
      yield { table: { name, sql, columns } };
      for await (const row of readRows(transaction, name, columns)) {
        rows += 1;
        yield { row };
      }
    }
    for (const object of objects) yield { object };
    yield { end: { tables: tables.length, rows } };
  } finally {
    transaction.close();
  }
}

interface SchemaObject {
  name: string;
  sql: string;
}

async function readSchema(transaction: Transaction): Promise<{ tables: SchemaObject[]; objects: SchemaObject[] }> {
  // Leaves out SQLite's own tables, such as statistics, which it creates by itself, and indexes without SQL, which come
  // with their tables.
  const { rows } = await transaction.execute(
    "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  );
  const made = rows.map(({ type, name, sql }) => ({ type, name: String(name), sql: String(sql) }));
  const mark = made.find(({ name }) => name.startsWith("_unfinished_"));
  if (mark) throw new Error(`The database is incomplete: it has a table ${mark.name}.`);
  const virtual = made.find(({ sql }) => /^CREATE VIRTUAL\b/i.test(sql));
  if (virtual) throw new Error(`A backup can't hold ${virtual.name}: it is a virtual table.`);
  const pick = (isTable: boolean) =>
    made.filter(({ type }) => (type === "table") === isTable).map(({ name, sql }) => ({ name, sql }));
  return { tables: pick(true), objects: pick(false) };
}

async function readColumns(transaction: Transaction, table: string): Promise<string[]> {
  const { rows } = await transaction.execute({
    sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid",
    args: [table],
  });
  return rows.map(({ name }) => String(name));
}

/** Reads a table's rows in rowid order, as many at a time as `PAGE_SIZE` allows. */
async function* readRows(transaction: Transaction, table: string, columns: readonly string[]): AsyncGenerator<Value[]> {
  const sql = `SELECT ${["rowid", ...columns].map(quote).join(", ")} FROM ${quote(table)}
    WHERE rowid > ? ORDER BY rowid LIMIT ?`;
  let [after, limit]: [Value, number] = [-(2n ** 63n), FIRST_ROWS];
  for (;;) {
    let page: Value[][];
    try {
      const { rows } = await transaction.execute({ sql, args: [after, limit] });
      page = rows.map((row) => Array.from({ length: columns.length + 1 }, (_, index) => row[index] as Value));
    } catch (error) {
      if (!(error instanceof LibsqlError && error.code === "RESPONSE_TOO_LARGE") || limit === 1) throw error;
      limit = Math.ceil(limit / 10);
      continue;
    }
    yield* page;
    if (page.length < limit) return;
    after = page.at(-1)?.[0] as Value;
    const size = page.reduce((sum, row) => sum + sizeOf(row), 0);
    limit = Math.max(1, Math.min(MOST_ROWS, limit * 4, Math.floor((PAGE_SIZE * page.length) / size)));
  }
}

/** Estimates a row's size, in characters of JSON. */
export function sizeOf(row: readonly Value[]): number {
  return row.reduce<number>((sum, value) => {
    if (typeof value === "string") return sum + value.length + 3;
    return sum + (value instanceof ArrayBuffer ? value.byteLength * 1.4 : 12);
  }, 0);
}

/** Quotes a name for SQL. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
