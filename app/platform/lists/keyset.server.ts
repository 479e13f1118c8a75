import { redirect } from "@remix-run/cloudflare";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Cursor, linksOf, type Page, type PageLinks, type Place } from "./keyset";

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
 * @param first the address of the first page, whose path is that of the list
 */
export function redirectToFirstPage(
  request: Request,
  { cursor, page, first }: { cursor: Cursor | null; page: Page<unknown>; first: string },
): void {
  if (!cursor || !page.isFirst) return;
  const { pathname } = new URL(request.url);
  if (pathname === new URL(first, request.url).pathname) throw redirect(first);
}

/**
 * Builds the addresses of the neighbouring pages.
 * @param addressOf returns the address of the page at a cursor, and that of the first page for null
 * @throws a redirect to the first page, as `redirectToFirstPage` does
 */
export function pageLinks(
  request: Request,
  {
    cursor,
    page,
    addressOf,
  }: { cursor: Cursor | null; page: Page<unknown>; addressOf: (cursor: Cursor | null) => string },
): PageLinks {
  redirectToFirstPage(request, { cursor, page, first: addressOf(null) });
  return linksOf(page, addressOf);
}
