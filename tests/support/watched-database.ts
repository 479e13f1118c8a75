import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { AppOptions } from "../../scripts/local/app";
import { type Sqld, startSqld } from "../../scripts/local/sqld";
import { type LibsqlProxy, startLibsqlProxy } from "./libsql-proxy";

interface WatchedDatabase {
  sqld: Sqld;
  /** The hop between the Worker and the database: it writes down what passes, and can stand in the way. */
  proxy: LibsqlProxy;
  /** What the app is started with: it migrates and seeds straight away, its Worker goes by the proxy. */
  appOptions: Pick<AppOptions, "libsqlUrl" | "bindings">;
}

/** Starts a database of the test file's own behind a proxy, and stops both after the file's tests. */
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
