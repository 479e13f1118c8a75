import { redirect } from "@remix-run/cloudflare";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Cursor, Page, Place } from "./keyset";

/** Later than any date, in milliseconds since 1970. */
export const FOREVER = 8.64e15;

/** The plan for reading a page: along the list's index, down or up from a position. */
export interface Walk {
  isUp: boolean;
  /** The condition for the start; undefined at the beginning of the list. */
  from: SQL | undefined;
  /** The terms of `ORDER BY`. */
  orderBy: SQL[];
  /** Compares positions in the direction of the walk. */
  compare(a: Place, b: Place): number;
}

/**
 * Plans how to read a page. An index must contain both columns in the list's order; it is read backwards to go up the
 * list.
 * @param columns the sort keys: the number, if the list is sorted by one, then the id
 * @param order of both columns, down the list
 */
export function planWalk(
  cursor: Cursor | null,
  { key, id }: { key?: SQLWrapper; id: SQLWrapper },
  order: "asc" | "desc" = "desc",
): Walk {
  const isUp = cursor?.way === "upTo";
  const sign = (order === "asc") === isUp ? -1 : 1;
  const direction = sql.raw(sign > 0 ? "ASC" : "DESC");
  const operator = sql.raw(`${sign > 0 ? ">" : "<"}${isUp ? "=" : ""}`);
  return {
    isUp,
    from: cursor
      ? sql`${key ? sql`(${key}, ${id})` : id} ${operator} ${key ? sql`(${cursor.key}, ${cursor.id})` : cursor.id}`
      : undefined,
    orderBy: [...(key ? [sql`${key} ${direction}`] : []), sql`${id} ${direction}`],
    compare: (a, b) => sign * ((a.key ?? 0) - (b.key ?? 0) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
  };
}

/**
 * Redirects to the list's plain address if reading upwards has reached the beginning, so that the first page has only
 * one address. A dialog over the list is not redirected.
 * @param list the path of the list
 * @param first the first page of the list, as path and query
 */
export function redirectToFirstPage(
  request: Request,
  { cursor, page, list, first }: { cursor: Cursor | null; page: Page<unknown>; list: string; first: string },
): void {
  if (cursor && page.isFirst && new URL(request.url).pathname === list) throw redirect(first);
}
