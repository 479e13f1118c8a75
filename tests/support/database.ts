import type { Client } from "@libsql/client/http";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/http";
import * as schema from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { KeptConnection } from "./kept-connection";

export type TestDatabase = LibSQLDatabase<typeof schema>;

const opened = new Map<string, TestDatabase>();

/**
 * Opens the app's own database, to set up a test's data and to check its effects. Callers that open the same database
 * share one connection.
 */
export function openTestDatabase({
  libsqlUrl,
  libsqlAuthToken,
}: Pick<App, "libsqlUrl" | "libsqlAuthToken">): TestDatabase {
  const known = opened.get(libsqlUrl);
  if (known) return known;
  const client: Pick<Client, "execute" | "batch"> = new KeptConnection(libsqlUrl, libsqlAuthToken);
  const db = drizzle(client as Client, { schema });
  opened.set(libsqlUrl, db);
  return db;
}
