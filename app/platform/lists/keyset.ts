/*
 * Keyset pagination: a page's cursor is a position in the list's order, not a number of preceding items. Both
 * directions walk the same index, an address always means the same position, and no page costs more than the first.
 */

/** An item's position in a list: its two sort keys. */
export interface Place {
  /** The number that the list is sorted by; null if it is sorted by id alone. */
  key: number | null;
  id: string;
}

/** The cursor of a page: the page begins `after` a position or ends with it (`upTo`). The first page has no cursor. */
export interface Cursor extends Place {
  way: "after" | "upTo";
}

export const pageAfter = ({ key, id }: Place): Cursor => ({ way: "after", key, id });
export const pageUpTo = ({ key, id }: Place): Cursor => ({ way: "upTo", key, id });

/** The rows that a query found for a page. */
export interface Walked<Item> {
  /** In the order of reading, with one extra row if there are more than fit on the page. */
  found: readonly Item[];
  /**
   * Where the search stopped at its limit of rows: the last position examined, or, when reading upwards, the first one
   * not examined. Null if the end of the list was reached.
   */
  end: Place | null;
}

/** A page of a list, and the cursors of its neighbours. */
export interface Page<Item> {
  /** In the order of the list. */
  items: Item[];
  previous: Cursor | null;
  next: Cursor | null;
  /** Whether no item precedes it. */
  isFirst: boolean;
  /** The side on which the page ended because the search reached its limit of rows, not because the page was full. */
  cutShort: "previous" | "next" | null;
}

/** Builds the page at a cursor from the rows found there. */
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

/** The addresses of the neighbouring pages. */
export interface PageLinks {
  previous: string | null;
  next: string | null;
  /** The side on which the neighbour continues a search that reached its limit of rows. */
  cutShort: Page<unknown>["cutShort"];
}

/** Builds the addresses of the neighbouring pages. @param addressOf returns the address of the page at a cursor */
export function linksOf(page: Page<unknown>, addressOf: (cursor: Cursor) => string): PageLinks {
  return {
    previous: page.previous && addressOf(page.previous),
    next: page.next && addressOf(page.next),
    cutShort: page.cutShort,
  };
}
