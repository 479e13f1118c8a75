import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client/http";
import { type Database, openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { startSqld } from "../../scripts/local/sqld";
import { seed } from "../../scripts/worlds";
import type { LargeSize } from "../../scripts/worlds/large";
import { type LibsqlProxy, startLibsqlProxy } from "./libsql-proxy";

/*
 * Measures what queries cost in worlds of any size. The measure is the rows and index entries that the database
 * reports as read: it is the same on every machine.
 */

/** A database with its own world, behind a proxy that records every statement. */
export interface MeasuredDatabase {
  url: string;
  proxy: LibsqlProxy;
  stop(): Promise<void>;
}

export async function startMeasuredDatabase(size: Partial<LargeSize>, now: Date): Promise<MeasuredDatabase> {
  const dir = mkdtempSync(join(tmpdir(), "lineup-cost-"));
  const sqld = await startSqld({ dir });
  await migrate(sqld.url);
  await seed(sqld.url, { world: "large", now, size });
  const proxy = await startLibsqlProxy(sqld.url);
  return {
    url: sqld.url,
    proxy,
    async stop() {
      await proxy.stop();
      await sqld.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Runs `work` with a site's database and returns its result and its cost. */
export async function cost<Result>(database: MeasuredDatabase, work: (db: Database) => Promise<Result>) {
  database.proxy.clear();
  const { db, usage } = openDatabase({ url: database.proxy.url });
  const result = await work(db);
  return {
    result,
    rowsRead: database.proxy.statements.reduce((sum, statement) => sum + statement.rowsRead, 0),
    roundTrips: usage.roundTrips,
    statements: [...database.proxy.statements],
  };
}

/**
 * Lists the statements whose query plan scans without an index or sorts. Scanning the rows of a subquery, or a list
 * passed as one parameter (`json_each`), is allowed.
 */
export async function planFaults(url: string, statements: MeasuredDatabase["proxy"]["statements"]): Promise<string[]> {
  const client = createClient({ url });
  const faults: string[] = [];
  for (const { sql, args } of statements) {
    const plan = await client.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: args as string[] });
    const steps = plan.rows.map((row) => String(row.detail));
    const scans = steps.filter(
      (step) => /^SCAN (?!CONSTANT ROW|json_each|\w+ VIRTUAL TABLE)(?!.*USING)/.test(step) && !isSubquery(step, steps),
    );
    const sorts = steps.filter((step) => /TEMP B-TREE/.test(step));
    if (scans.length + sorts.length > 0) faults.push(`${sql}\n  ${steps.join("\n  ")}`);
  }
  client.close();
  return faults;
}

function isSubquery(step: string, steps: readonly string[]): boolean {
  const name = step.split(" ")[1];
  return steps.some((one) => /^(CO-ROUTINE|MATERIALIZE) /.test(one) && one.split(" ")[1] === name);
}
