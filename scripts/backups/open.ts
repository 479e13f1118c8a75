import { type Client, createClient } from "@libsql/client/http";

/**
 * Opens the database that `LIBSQL_URL` and `LIBSQL_AUTH_TOKEN` name. Its integers come as bigints.
 * @throws Error if `LIBSQL_URL` is missing
 */
export function openNamedDatabase(): { client: Client; url: string } {
  const { LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: authToken } = process.env;
  if (!url) throw new Error("Set LIBSQL_URL (and LIBSQL_AUTH_TOKEN) to the database.");
  return { client: createClient({ url, intMode: "bigint", ...(authToken && { authToken }) }), url };
}
