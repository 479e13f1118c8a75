/*
 * Pages of a list, by keyset: a page says where in the list's order it stands, not how many items come before it. Both
 * directions walk the same index, an address always means the same place, and no page costs more than the first.
 */

/** An item's place in a list: the two things that its order compares. */
export interface Place {
  /** The number that the list is ordered by; null where the id alone orders it. */
  key: number | null;
  id: string;
}

/** Where a page stands: it begins `after` a place, or it goes down to a place and holds it (`upTo`). The first page has none. */
export interface Cursor extends Place {
  way: "after" | "upTo";
}

export const pageAfter = ({ key, id }: Place): Cursor => ({ way: "after", key, id });
export const pageUpTo = ({ key, id }: Place): Cursor => ({ way: "upTo", key, id });

/** What an address calls the two ways. */
type ParamNames = Record<Cursor["way"], string>;

const PARAM_NAMES: ParamNames = { after: "after", upTo: "upto" };

/**
 * Reads where a page stands from an address. Never fails: null, the first page, where it says nothing we know.
 * @param isKeyed the list is ordered by a number before the id
 */
export function parseCursor(
  params: URLSearchParams,
  { isKeyed = true, names = PARAM_NAMES }: { isKeyed?: boolean; names?: ParamNames } = {},
): Cursor | null {
  const way = params.has(names.upTo) ? "upTo" : "after";
  const [, key, id] = params.get(names[way])?.match(/^(?:(\d{1,15}(?:\.\d{1,17})?)_)?([0-9a-f-]{32,36})$/) ?? [];
  if (id === undefined || (key !== undefined) !== isKeyed) return null;
  return { way, key: key === undefined ? null : Number(key), id };
}

/** The parameter of an address that says where a page stands, for `URLSearchParams`; empty for the first page. */
export function cursorParams(cursor: Cursor | null | undefined, names = PARAM_NAMES): Record<string, string> {
  if (!cursor) return {};
  const { way, key, id } = cursor;
  return { [names[way]]: key === null ? id : `${key}_${id}` };
}

/** What a query found for a page. */
export interface Walked<Item> {
  /** In the order in which they were read, one more than the page holds if there are more. */
  found: readonly Item[];
  /**
   * Where the search ended because enough was read: the last place looked at, or the first not looked at on the way up.
   * Null where the list's end was reached.
   */
  end: Place | null;
}

/** A page of a list, and where its neighbours stand. */
export interface Page<Item> {
  /** In the order of the list. */
  items: Item[];
  previous: Cursor | null;
  next: Cursor | null;
  /** Nothing comes before it. */
  isFirst: boolean;
  /** On this side the page ended because enough was read, not because it was full. */
  cutShort: "previous" | "next" | null;
}

/** Makes the page that stands at a cursor from what was found there. */
export function pageOf<Item>(
  { found, end }: Walked<Item>,
  size: number,
  cursor: Cursor | null,
  placeOf: (item: Item) => Place,
): Page<Item> {
  const shown = found.slice(0, size);
  const [last, beyond] = [shown.at(-1), found[size]];
  if (cursor?.way === "upTo") {
    const previous = beyond ? placeOf(beyond) : end;
    return {
      items: shown.reverse(),
      previous: previous && pageUpTo(previous),
      next: pageAfter(cursor),
      isFirst: previous === null,
      cutShort: end && !beyond ? "previous" : null,
    };
  }
  const next = beyond && last ? placeOf(last) : end;
  return {
    items: shown,
    previous: cursor && pageUpTo(cursor),
    next: next && pageAfter(next),
    isFirst: cursor === null,
    cutShort: end && !beyond ? "next" : null,
  };
}

/** The addresses of a page's neighbours. */
export interface PageLinks {
  previous: string | null;
  next: string | null;
  /** The neighbour on this side is where a search goes on that had read enough. */
  cutShort: Page<unknown>["cutShort"];
}

/** @param addressOf the address of the page at a cursor, or of the first */
export function linksOf(page: Page<unknown>, addressOf: (cursor: Cursor) => string): PageLinks {
  return {
    previous: page.previous && addressOf(page.previous),
    next: page.next && addressOf(page.next),
    cutShort: page.cutShort,
  };
}
