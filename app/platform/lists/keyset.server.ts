import { redirect } from "@remix-run/cloudflare";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Cursor, Page, Place } from "./keyset";

/** Beyond any date, in milliseconds since 1970. */
export const FOREVER = 8.64e15;

/** How a page is read: along the list's index, down from a place or up from it. */
export interface Walk {
  isUp: boolean;
  /** Where it begins; undefined at the list's beginning. */
  from: SQL | undefined;
  /** The terms of `ORDER BY`. */
  orderBy: SQL[];
  /** Sorts places as the walk meets them. */
  compare(a: Place, b: Place): number;
}

/**
 * Plans the walk for a page. An index must hold both columns in the list's order; it is read backwards on the way up.
 * @param columns what orders the list: a number, where there is one, then the id
 * @param order of both columns, down the list
 */
export function walkFrom(
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
 * Redirects to the list's plain address where a page that was read upwards has reached the beginning: the first page has one
 * address. Under a dialog, which has an address of its own, it stays.
 * @param list the path of the list
 * @param first the list's first page, as path and query
 */
export function leadToFirstPage(
  request: Request,
  { cursor, page, list, first }: { cursor: Cursor | null; page: Page<unknown>; list: string; first: string },
): void {
  if (cursor && page.isFirst && new URL(request.url).pathname === list) throw redirect(first);
}
