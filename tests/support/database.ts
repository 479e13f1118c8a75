import { createClient } from "@libsql/client/http";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/http";
import * as schema from "../../db/schema";
import type { App } from "../../scripts/local/app";

export type TestDatabase = LibSQLDatabase<typeof schema>;

/** Opens the app's own database, to set up a test's data and to check its effects. */
export function openTestDatabase({
  libsqlUrl,
  libsqlAuthToken,
}: Pick<App, "libsqlUrl" | "libsqlAuthToken">): TestDatabase {
  return drizzle(createClient({ url: libsqlUrl, ...(libsqlAuthToken && { authToken: libsqlAuthToken }) }), { schema });
}
