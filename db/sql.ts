import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { uuidv7 } from "./ids";
import type { AuditAction } from "./words/audit-actions";
import type { DecisionAction } from "./words/decision-actions";
import type { EventAction } from "./words/event-actions";
import type { NewsKind } from "./words/news-kinds";

/*
 * Helpers for raw SQL that takes its names from the schema. `${table}` is a table and `${table.column}` a column with
 * its table; the helpers here are for places where SQL needs a column without its table, or a literal from one of our
 * lists.
 */

/** A column's name without its table: `SET ${bare(posts.title)} = …`, `excluded.${bare(posts.title)}`. */
export const bare = (column: Column): SQL => sql`${sql.identifier(column.name)}`;

/**
 * Writes a new id into SQL for each row of a statement: a UUIDv7 whose last digits the database chooses.
 * @param now the creation time that the ids carry, in milliseconds since 1970
 */
export const idPerRow = (now: number): SQL => sql`substr(${uuidv7(now)}, 1, 24) || lower(hex(randomblob(6)))`;

/** Lists the columns of an INSERT or a conflict target, in parentheses. @param keys their names in the schema */
export function columnsOf<T extends SQLiteTable>(table: T, ...keys: (keyof T["$inferSelect"] & string)[]): SQL {
  const columns = getTableColumns(table);
  return sql`(${sql.join(
    keys.map((key) => bare(columns[key] as Column)),
    sql`, `,
  )})`;
}

/**
 * Writes words into SQL as literals, separated by commas. Only for words from our own lists, because it escapes
 * nothing: `tests/unit/words.test.ts` checks that no list has a word with a quote.
 */
const literals = (words: readonly string[]): SQL => sql.raw(words.map((word) => `'${word}'`).join(", "));

/**
 * Writes kinds of notifications into SQL: `kind = ${newsKinds("contact")}`, `kind IN (${newsKinds("contact",
 * "message")})`.
 */
export const newsKinds = (...kinds: NewsKind[]): SQL => literals(kinds);

/** Writes actions of the audit log into SQL, as `newsKinds` does with kinds of news. */
export const auditActions = (...actions: AuditAction[]): SQL => literals(actions);

/** Writes actions of moderators' decisions into SQL, as `newsKinds` does with kinds of news. */
export const decisionActions = (...actions: DecisionAction[]): SQL => literals(actions);

/** Writes actions of a tournament's log into SQL, as `newsKinds` does with kinds of news. */
export const eventActions = (...actions: EventAction[]): SQL => literals(actions);
