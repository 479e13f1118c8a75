import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { packed } from "#db/packed";
import { lfgPosts, profiles } from "#db/schema";
import { blockBetween, hasBlocks } from "~/features/blocks/shared/blocks.server";
import { wordsOf } from "~/features/players/shared/names";
import { hasName } from "~/features/players/shared/names.server";
import type { Cursor, Walked } from "~/platform/lists/keyset";
import { FOREVER, planWalk } from "~/platform/lists/keyset.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { BEST, PAGE_SIZE, placeOf } from "./best-matches";
import type { PostFilters } from "./filters";
import { authorColumns, maybeOpen, oldest, type PostRow, postColumns, unindexed } from "./queries.server";
import { seenLately } from "./shared/author-presence.server";

/**
 * The most index entries that are checked if no index serves all filters. A page reads at most four rows per entry, and
 * so fewer than 2 000 (decision 0005). Two look-ups of the range's end and one walk of the range read the entry itself
 * three times. The fourth row is the profile of the post's author, or a block.
 */
const STRETCH = 480;
/** The same limit for text searches, which also look up the name of each post's author. */
const TEXT_STRETCH = 380;
/** The number of posts from which the best matches are chosen: the newest that match the filters. */
export const CANDIDATES = 200;
/** The number of further posts read for viewers with blocks, to make up for those that they don't see. */
const SPARE = 3;
/** The number of characters of a message that the list reads; cards show two lines of it. */
const PREVIEW = 280;

/**
 * Reads the open posts for a page in one round trip; `postPage` makes the page of them. Without a cursor it reads
 * `CANDIDATES` posts, from which the best matches are also chosen. The cost doesn't grow with the number of posts: one
 * filter is served by its own index, and the others are checked on a bounded range of it. Posts of players with a block
 * between them and the viewer are left out. In a bounded range the statement skips them; where one index serves the
 * page, they are read and then dropped. A page may then have fewer posts than it could hold, and says where to read on.
 * @param wanted the most posts to return
 */
export async function listOpenPosts(
  db: Database,
  filters: PostFilters,
  cursor: Cursor | null,
  viewerId: string,
  now: Date,
  wanted = cursor ? PAGE_SIZE + 1 + BEST : CANDIDATES,
): Promise<Walked<PostRow>> {
  const { isUp, from, orderBy, compare } = planWalk(notExpired(cursor, now), {
    key: lfgPosts.listedAt,
    id: lfgPosts.id,
  });
  // With two lower bounds SQLite ends the walk at the weaker one, so there is only one. An upward walk has its start
  // (`from`) as the lower bound, so `candidates` adds none.
  const candidates = isUp ? sql`${lfgPosts.isActive} = 1` : maybeOpen(now);
  const { streams, rest } = planFilters(filters, now);
  // With no condition left to check per post, the range has no end, so none is looked up.
  const isBounded = rest.length > 0;
  const isApart = blockBetween(sql`${lfgPosts.userId}`, viewerId);
  const stretch = Math.floor((filters.q ? TEXT_STRETCH : STRETCH) / streams.length);
  const most = isBounded ? wanted : limitBy(sql`${wanted} + iif(${hasBlocks(viewerId)}, ${SPARE}, 0)`);
  const endOf = (stream: SQL | undefined) =>
    db
      .select({ listedAt: lfgPosts.listedAt, id: lfgPosts.id })
      .from(lfgPosts)
      .where(and(candidates, stream, from))
      .orderBy(...orderBy)
      .limit(isBounded ? 1 : 0)
      .offset(isUp ? stretch : stretch - 1);
  const postsOf = (stream: SQL | undefined) =>
    db
      .select({
        // The statement is ordered by these two.
        listedAt: lfgPosts.listedAt,
        id: lfgPosts.id,
        post: packed({
          ...postColumns,
          message: sql<string | null>`substr(${lfgPosts.message}, 1, ${PREVIEW})`,
          author: authorColumns,
        }),
      })
      .from(lfgPosts)
      // Every account has a profile. So if the join finds none, a block hides the post.
      .leftJoin(profiles, and(eq(profiles.userId, lfgPosts.userId), isBounded ? undefined : sql`NOT ${isApart}`))
      .where(
        and(
          within(sql`(SELECT listed_at FROM ${endOf(stream).as("stretch")})`),
          stream,
          from,
          sql`${unindexed(lfgPosts.expiresAt)} > ${now.getTime()}`,
          isBounded ? sql`NOT ${isApart}` : undefined,
          ...rest,
        ),
      );
  const [rows, ...lasts] = await Promise.all([
    // SQLite merges ordered streams as it reads them.
    streams[1]
      ? unionAll(postsOf(streams[0]), postsOf(streams[1]))
          .orderBy(...(isUp ? [sql`listed_at ASC`, sql`id ASC`] : [sql`listed_at DESC`, sql`id DESC`]))
          .limit(most)
      : postsOf(streams[0])
          .orderBy(...orderBy)
          .limit(most),
    ...(isBounded ? streams.map((stream) => endOf(stream).get()) : []),
  ]);
  const found = rows.map(({ post }) => post);
  if (!isBounded) return withoutHidden(found);
  // Each stream was read only as far as the end of its range. So the page must not go past the first of these ends.
  const end = lasts.flatMap((last) => (last ? placeOf(last) : [])).sort(compare)[0];
  if (!end) return { found, end: null };
  return { found: found.filter((post) => compare(placeOf(post), end) < (isUp ? 0 : 1)), end };

  /** Leaves out hidden posts. If there were any and more posts may follow, the page ends with the last post read. */
  function withoutHidden(read: PostRow[]): Walked<PostRow> {
    const shown = read.filter(({ author }) => author !== null);
    const last = read.at(-1);
    if (!last || shown.length === read.length || read.length < wanted + SPARE) return { found: shown, end: null };
    return { found: isUp ? shown.filter((post) => post !== last) : shown, end: placeOf(last) };
  }

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

/** Drizzle's types require a number here, but SQLite accepts any expression without columns. */
const limitBy = (expression: SQL) => expression as unknown as number;

/** Moves the start of an upward walk past posts that can no longer be open. */
const notExpired = (cursor: Cursor | null, now: Date): Cursor | null =>
  cursor?.way === "upTo" && (cursor.key ?? 0) < oldest(now) ? { ...cursor, key: oldest(now) } : cursor;

/**
 * Chooses the index that serves the filters (as one or two ordered streams of posts), and the conditions left to check
 * per post.
 */
function planFilters(
  { rank, role, region, voice, players, q, online }: PostFilters,
  now: Date,
): {
  /** One or two. */
  streams: (SQL | undefined)[];
  rest: SQL[];
} {
  const rest: SQL[] = [];
  if (rank) rest.push(or(isNull(lfgPosts.requiredRank), lte(lfgPosts.requiredRank, rank)) as SQL);
  for (const word of foldForSearch(q).split(" ").filter(Boolean)) rest.push(isAbout(word));
  const served: { streams: SQL[]; check: SQL }[] = [];
  if (online) {
    const seen = seenLately(now);
    served.push(seen);
    // The index's two slots also contain authors who were last seen more than five minutes ago.
    rest.push(seen.check);
  }
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
