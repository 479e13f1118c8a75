import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { lfgPosts, profiles } from "#db/schema";
import { blockBetween, hasBlocks } from "~/features/messages/shared/blocks.server";
import { wordsOf } from "~/features/players/shared/names";
import { hasName } from "~/features/players/shared/names.server";
import type { Cursor, Walked } from "~/platform/lists/keyset";
import { FOREVER, planWalk } from "~/platform/lists/keyset.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { BEST, PAGE_SIZE, placeOf } from "./best-matches";
import type { PostFilters } from "./filters";
import { authorColumns, maybeOpen, oldest, type PostRow, postColumns, unindexed } from "./queries.server";

/**
 * The most index entries that are checked if no index serves all filters. A page reads at most four rows per entry, and
 * so fewer than 2 000: the end of the range is looked up twice, the range is walked once, and each entry leads to an
 * author's profile or to a block (decision 0005).
 */
const STRETCH = 480;
/** The same limit for text searches, which also look up the name of each post's author. */
const TEXT_STRETCH = 380;
/** The number of posts from which the best matches are chosen: the newest that match the filters. */
export const CANDIDATES = 200;
/** How many characters of a message the list reads; cards show two lines of it. */
const PREVIEW = 280;

/**
 * Reads open posts for a page in one round trip (`postPage` makes the page); without a cursor, it reads as many posts
 * as the best matches are chosen from. The cost doesn't grow with the number of posts: one filter is served by its own
 * index, and the others are checked on a bounded range of it. Posts of players with whom the viewer has a block are
 * left out, and those blocks are checked on the same range.
 */
export async function listOpenPosts(
  db: Database,
  filters: PostFilters,
  cursor: Cursor | null,
  viewerId: string,
  now: Date,
): Promise<Walked<PostRow>> {
  const { isUp, from, orderBy, compare } = planWalk(notExpired(cursor, now), {
    key: lfgPosts.listedAt,
    id: lfgPosts.id,
  });
  // There is only one lower bound, because with two of them SQLite ends the walk at the weaker one. An upward walk
  // begins at its lower bound.
  const candidates = isUp ? sql`${lfgPosts.isActive} = 1` : maybeOpen(now);
  const { streams, rest } = planFilters(filters);
  // If no condition is left to check per post, the range is unlimited, so its end isn't looked up.
  const ends = rest.length > 0 ? 1 : limitBy(hasBlocks(viewerId));
  const stretch = Math.floor((filters.q ? TEXT_STRETCH : STRETCH) / streams.length);
  const most = cursor ? PAGE_SIZE + 1 + BEST : CANDIDATES;
  const endOf = (stream: SQL | undefined) =>
    db
      .select({ listedAt: lfgPosts.listedAt, id: lfgPosts.id })
      .from(lfgPosts)
      .where(and(candidates, stream, from))
      .orderBy(...orderBy)
      .limit(ends)
      .offset(isUp ? stretch : stretch - 1);
  const postsOf = (stream: SQL | undefined) =>
    db
      .select({
        ...postColumns,
        message: sql<string | null>`substr(${lfgPosts.message}, 1, ${PREVIEW})`.as("message"),
        author: authorColumns,
      })
      .from(lfgPosts)
      .leftJoin(profiles, eq(profiles.userId, lfgPosts.userId))
      .where(
        and(
          within(sql`(SELECT listed_at FROM ${endOf(stream).as("stretch")})`),
          stream,
          from,
          sql`${unindexed(lfgPosts.expiresAt)} > ${now.getTime()}`,
          sql`NOT ${blockBetween(sql`${lfgPosts.userId}`, viewerId)}`,
          ...rest,
        ),
      );
  const [found, ...lasts] = await Promise.all([
    // SQLite merges ordered streams as it reads them.
    streams[1]
      ? unionAll(postsOf(streams[0]), postsOf(streams[1]))
          .orderBy(...(isUp ? [sql`listed_at ASC`, sql`id ASC`] : [sql`listed_at DESC`, sql`id DESC`]))
          .limit(most)
      : postsOf(streams[0])
          .orderBy(...orderBy)
          .limit(most),
    ...streams.map((stream) => endOf(stream).get()),
  ]);
  // No stream was read past the end of its range, so the page ends at the first of these ends at the latest.
  const end = lasts.flatMap((last) => (last ? placeOf(last) : [])).sort(compare)[0];
  if (!end) return { found, end: null };
  return { found: found.filter((post) => compare(placeOf(post), end) < (isUp ? 0 : 1)), end };

  /**
   * SQL condition that a post is active and within its stream's range.
   * @param last when the range's last post was listed, or NULL
   */
  function within(last: SQL) {
    return isUp
      ? sql`${lfgPosts.isActive} = 1 AND ${lfgPosts.listedAt} <= coalesce(${last}, ${FOREVER})`
      : sql`${lfgPosts.isActive} = 1 AND ${lfgPosts.listedAt} >= max(${oldest(now)}, coalesce(${last}, 0))`;
  }
}

/** Drizzle's types require a number here, but SQLite takes any expression without columns. */
const limitBy = (expression: SQL) => expression as unknown as number;

/** Moves the start of an upward walk past posts that can no longer be open. */
const notExpired = (cursor: Cursor | null, now: Date): Cursor | null =>
  cursor?.way === "upTo" && (cursor.key ?? 0) < oldest(now) ? { ...cursor, key: oldest(now) } : cursor;

/**
 * Chooses the index that serves the filters (as one or two ordered streams of posts), and the conditions left to check
 * per post.
 */
function planFilters({ rank, role, region, voice, players, q }: PostFilters): {
  /** One or two. */
  streams: (SQL | undefined)[];
  rest: SQL[];
} {
  const rest: SQL[] = [];
  if (rank) rest.push(or(isNull(lfgPosts.requiredRank), lte(lfgPosts.requiredRank, rank)) as SQL);
  for (const word of foldForSearch(q).split(" ").filter(Boolean)) rest.push(isAbout(word));
  const served: { streams: SQL[]; check: SQL }[] = [];
  if (voice) served.push(exactly(lfgPosts.voiceComms, voice));
  if (players) served.push(exactly(openSpots, players));
  if (role) served.push(orAny(lfgPosts.requiredRole, role));
  if (region) served.push(orAny(lfgPosts.region, region));
  const [first, ...others] = served;
  return { streams: first?.streams ?? [undefined], rest: [...rest, ...others.map(({ check }) => check)] };
}

/**
 * SQL condition that a word occurs in a post or begins a word of its author's name. Columns are qualified with their
 * table, because the subquery reads another table.
 */
function isAbout(word: string): SQL {
  const inText = sql`instr(${lfgPosts.searchText}, ${word}) > 0`;
  const names = wordsOf(word).map((name) => hasName(sql`${lfgPosts.userId}`, name));
  return names.length > 0 ? sql`(${inText} OR ${and(...names)})` : inText;
}

/** The number of players a post still needs. */
const openSpots = sql`${lfgPosts.neededPlayers} - ${lfgPosts.takenSpots}`;

/** A filter in two forms: served by its own index, and checked on posts that another index found. */
const exactly = (column: SQLiteColumn | SQL, value: string | number) => ({
  streams: [sql`${column} = ${value}`],
  check: sql`${unindexed(column)} = ${value}`,
});

const orAny = (column: SQLiteColumn, value: string) => ({
  streams: [sql`${column} = ${value}`, isNull(column)],
  check: sql`(${unindexed(column)} = ${value} OR ${unindexed(column)} IS NULL)`,
});
