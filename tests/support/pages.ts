import { type Cursor, type Page, pageUpTo } from "../../app/platform/lists/keyset";

/** Ends an endless walk: no list in a test has this many pages. */
const MAX_PAGES = 500;

/**
 * Pages through a list to its end and back to its beginning.
 * @param read reads the page at a cursor
 * @returns the ids in list order, as seen on the way `down` and on the way `up`
 */
export async function walkPages<Item extends { id: string }>(
  read: (cursor: Cursor | null) => Promise<Page<Item>>,
): Promise<{ down: string[]; up: string[] }> {
  const down: string[] = [];
  let last: Cursor | null = null;
  for (let next: Cursor | null = null, pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: Page<Item> = await read(next);
    down.push(...idsOf(page));
    last = next;
    next = page.next;
    if (!next) break;
  }
  const up = down.slice(last ? down.length - (await read(last)).items.length : 0);
  for (let previous = last && pageUpTo(last), pages = 0; previous && pages < MAX_PAGES; pages += 1) {
    const page: Page<Item> = await read(previous);
    up.unshift(...idsOf(page));
    previous = page.previous;
  }
  return { down, up };
}

const idsOf = ({ items }: Page<{ id: string }>) => items.map(({ id }) => id);
