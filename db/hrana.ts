import type { InArgs, InStatement, ResultSet } from "@libsql/core/api";
import * as hrana from "@libsql/hrana-client";

/* Statements and results between Drizzle and Hrana, the protocol of libSQL servers. */

/**
 * Runs a transaction as one conditional batch: each step runs if the previous one succeeded, and a failure rolls back.
 */
export async function runTransaction(stream: hrana.Stream, stmts: hrana.Stmt[]): Promise<ResultSet[]> {
  const batch = stream.batch(false);
  const begin = batch.step();
  const steps: Promise<unknown>[] = [begin.run(stmts.every(isRead) ? "BEGIN" : "BEGIN IMMEDIATE")];
  let last = begin;
  const results = stmts.map((stmt) => {
    const step = batch.step().condition(hrana.BatchCond.ok(last));
    last = step;
    return step.query(stmt);
  });
  const commit = batch.step().condition(hrana.BatchCond.ok(last));
  steps.push(...results, commit.run("COMMIT"));
  const rollback = batch.step().condition(hrana.BatchCond.not(hrana.BatchCond.ok(commit)));
  const rolledBack = rollback.run("ROLLBACK").catch(() => undefined);
  const settled = Promise.allSettled(steps);
  await batch.execute();
  await rolledBack;
  // The first failure is the cause; the later steps were only skipped.
  for (const outcome of await settled) if (outcome.status === "rejected") throw outcome.reason;
  return (await Promise.all(results)).map((rows) => toResultSet(rows as hrana.RowsResult));
}

/** Returns a statement as an object, even if it was given as a bare string of SQL. */
export const toObject = (statement: InStatement) => (typeof statement === "string" ? { sql: statement } : statement);

/** Translates a statement into the protocol's. */
export function toHrana(statement: { sql: string; args?: InArgs }): hrana.Stmt {
  const stmt = new hrana.Stmt(statement.sql);
  const args = statement.args ?? [];
  if (Array.isArray(args)) stmt.bindIndexes(args);
  else for (const [name, value] of Object.entries(args)) stmt.bindName(name, value);
  return stmt;
}

/** Translates the protocol's rows into those that Drizzle reads. */
export function toResultSet(result: hrana.RowsResult): ResultSet {
  const set = {
    columns: result.columnNames.map((name) => name ?? ""),
    columnTypes: result.columnDecltypes.map((type) => type ?? ""),
    rows: result.rows as unknown as ResultSet["rows"],
    rowsAffected: result.affectedRowCount,
    lastInsertRowid: result.lastInsertRowid,
  };
  return { ...set, toJSON: () => set };
}

/** Whether a statement changes nothing. */
export const isRead = (stmt: hrana.Stmt) => typeof stmt.sql === "string" && /^\s*select\b/i.test(stmt.sql);
