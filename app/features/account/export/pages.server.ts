import { profiles } from "#db/schema";

/** Rows that are read, and held, at once. */
export const PAGE_SIZE = 500;

/** The columns that `displayName` needs. */
export const nameColumns = { userId: profiles.userId, riotGameName: profiles.riotGameName, riotId: profiles.riotId };

/** All rows of a list; `read` answers the page after a row, or the first. */
export async function* paginate<T>(read: (last: T | undefined) => PromiseLike<T[]>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const page: T[] = await read(last);
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE_SIZE) return;
  }
}
