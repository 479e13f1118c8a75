import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "./client";

/** A statement that may be part of a transaction. */
export type Statement = BatchItem<"sqlite">;

/** A statement whose result is a `T`. */
export type Answering<T> = BatchItem<"sqlite"> & { readonly _: { readonly result: T } };

/** A statement of a transaction; `undefined` leaves it out. */
type Step = Statement | undefined;

/** Statements by name; each may be a list of statements or another group of named ones. */
export interface Steps {
  readonly [name: string]: Step | readonly Step[] | Steps;
}

/** The results of statements, in the same shape as the statements. */
export type Results<S> = { -readonly [Name in keyof S]: Result<S[Name]> };

/** The result of a statement, a list or a group. */
export type Result<S> = S extends Statement ? S["_"]["result"] : S extends undefined ? undefined : Results<S>;

/**
 * Runs statements as one transaction, in one POST. They run in the order in which they are written; if one fails, none
 * take effect.
 * @param steps the statements by name; `undefined` leaves one out. No name may look like a number, because JavaScript
 *   would move it to the front
 * @returns the results by the same names; `undefined` for a statement that was left out
 * @throws the error of the statement that failed
 */
export async function transact<const S extends Steps>(db: Database, steps: S): Promise<Results<S>> {
  const statements = flatten(steps);
  const results: unknown[] = isFilled(statements) ? await db.batch(statements) : [];
  return arrange(steps, results.values()) as Results<S>;
}

const isFilled = (statements: Statement[]): statements is [Statement, ...Statement[]] => statements.length > 0;

const isStatement = (step: object): step is Statement => "_prepare" in step;

function flatten(step: Steps[string]): Statement[] {
  if (step === undefined) return [];
  return isStatement(step) ? [step] : Object.values(step).flatMap(flatten);
}

/** Arranges results, which come in the order of the statements, in the shape of the statements. */
function arrange(step: Steps[string], results: Iterator<unknown>): unknown {
  if (step === undefined) return undefined;
  if (isStatement(step)) return results.next().value;
  if (Array.isArray(step)) return step.map((each) => arrange(each, results));
  return Object.fromEntries(Object.entries(step).map(([name, each]) => [name, arrange(each, results)]));
}

/**
 * Builds a statement that inserts a row if a condition holds when it runs: for transactions whose outcome only the
 * database knows. The result's `rowsAffected` is the number of inserted rows.
 * @param onConflict the conflict clause, such as `ON CONFLICT DO NOTHING`; by default a conflict is an error
 */
export function insertIf<T extends SQLiteTable>(
  db: Database,
  table: T,
  row: T["$inferInsert"],
  condition: SQL,
  onConflict: SQL = sql``,
) {
  const given = Object.entries(getTableColumns(table)).flatMap(([key, column]) => {
    const value = (row as Record<string, unknown>)[key];
    return value === undefined ? [] : [{ column, value }];
  });
  const columns = sql.join(
    given.map(({ column }) => sql.identifier(column.name)),
    sql`, `,
  );
  // A null must not be passed through the column's encoder.
  const values = sql.join(
    given.map(({ column, value }) => (value === null ? sql`NULL` : sql`${sql.param(value, column)}`)),
    sql`, `,
  );
  return db.run(sql`INSERT INTO ${table} (${columns}) SELECT ${values} WHERE ${condition} ${onConflict}`);
}
