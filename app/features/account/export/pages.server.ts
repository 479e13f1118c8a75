/** The number of rows that are read, and kept in memory, at a time. */
export const PAGE_SIZE = 500;

/** Yields all rows of a list. `read` returns the page after the given row, or the first page if no row is given. */
export async function* paginate<T>(read: (last: T | undefined) => PromiseLike<T[]>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const page: T[] = await read(last);
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE_SIZE) return;
  }
}
