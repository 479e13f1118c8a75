import { createClient } from "@libsql/client/http";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/http";
import * as schema from "../../db/schema";
import type { App } from "../../scripts/local/app";

export type TestDatabase = LibSQLDatabase<typeof schema>;

/** Opens the app's own database, to arrange what a test needs and to look at what it left. */
export function openTestDatabase({
  libsqlUrl,
  libsqlAuthToken,
}: Pick<App, "libsqlUrl" | "libsqlAuthToken">): TestDatabase {
  return drizzle(createClient({ url: libsqlUrl, ...(libsqlAuthToken && { authToken: libsqlAuthToken }) }), { schema });
}
