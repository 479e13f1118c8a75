import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql/http";
import { migrate as runMigrations } from "drizzle-orm/libsql/migrator";

const FOLDER = fileURLToPath(new URL("../migrations", import.meta.url));

/**
 * Applies the migrations of `migrations/` that the database doesn't have yet.
 * @param url `http://…`, `https://…` or `libsql://…`
 */
export async function migrate(url: string, authToken?: string): Promise<void> {
  const client = createClient({ url, ...(authToken && { authToken }) });
  try {
    await runMigrations(drizzle(client), { migrationsFolder: FOLDER });
  } finally {
    client.close();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { LIBSQL_URL, LIBSQL_AUTH_TOKEN } = process.env;
  if (!LIBSQL_URL) {
    console.error("Set LIBSQL_URL (and LIBSQL_AUTH_TOKEN) to the database to migrate.");
    process.exit(1);
  }
  await migrate(LIBSQL_URL, LIBSQL_AUTH_TOKEN);
  console.log("The database is up to date.");
}
