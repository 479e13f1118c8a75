import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { AppOptions } from "../../scripts/local/app";
import { type Sqld, startSqld } from "../../scripts/local/sqld";
import { type LibsqlProxy, startLibsqlProxy } from "./libsql-proxy";

interface WatchedDatabase {
  sqld: Sqld;
  /** The proxy between the Worker and the database: it records each statement and can disturb requests. */
  proxy: LibsqlProxy;
  /** Options for the app: it migrates and seeds the database directly, and its Worker goes through the proxy. */
  appOptions: Pick<AppOptions, "libsqlUrl" | "bindings">;
}

/** Starts the test file's own database behind a proxy, and stops both after the file's tests. */
export async function startWatchedDatabase(): Promise<WatchedDatabase> {
  const dir = mkdtempSync(join(tmpdir(), "lineup-watched-"));
  const sqld = await startSqld({ dir });
  const proxy = await startLibsqlProxy(sqld.url);
  afterAll(async () => {
    await proxy.stop();
    await sqld.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  return { sqld, proxy, appOptions: { libsqlUrl: sqld.url, bindings: { LIBSQL_URL: proxy.url } } };
}
