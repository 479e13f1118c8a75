import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql/http";
import { migrate as runMigrations } from "drizzle-orm/libsql/migrator";

/** Migrates a database up to and including one migration. */
export async function migrateUpTo(url: string, tag: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "lineup-migrations-"));
  cpSync(fileURLToPath(new URL("../../migrations", import.meta.url)), folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { tag: string }[] };
  const last = journal.entries.findIndex((entry) => entry.tag === tag);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, last + 1) }));
  const client = createClient({ url });
  await runMigrations(drizzle(client), { migrationsFolder: folder });
  client.close();
  rmSync(folder, { recursive: true });
}
