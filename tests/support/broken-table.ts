import { sql } from "drizzle-orm";
import type { TestDatabase } from "./database";

/** Runs `work` while the database lacks a table, so that only queries on that table fail. */
export async function withoutTable<T>(db: TestDatabase, table: string, work: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string) =>
    db.run(sql`ALTER TABLE ${sql.identifier(from)} RENAME TO ${sql.identifier(to)}`);
  await rename(table, `${table}_away`);
  try {
    return await work();
  } finally {
    await rename(`${table}_away`, table);
  }
}
