import { and, desc, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { blocks, joinRequests, lfgPosts, profiles } from "#db/schema";
import { blockBetween, hasBlocks } from "~/features/messages/shared/blocks.server";
import { wordsOf } from "~/features/players/shared/names";
import { hasName } from "~/features/players/shared/names.server";
import type { Cursor, Walked } from "~/platform/lists/keyset";
import { FOREVER, planWalk } from "~/platform/lists/keyset.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { BEST, PAGE_SIZE, placeOf } from "./best-matches";
import type { PostFilters } from "./filters";
import { MAX_OPEN_POSTS, POST_LIFETIME } from "./rules";

const t = alias(joinRequests, "t");

/** Counts of requests stop here. */
const COUNT_LIMIT = 100;
/** The sitemap names so many posts at most. */
export const SHARED_LIMIT = 500;
/**
 * Index entries among which posts are looked for when no index serves all filters. The end of the stretch is found
 * twice, the stretch is walked once, and each entry leads to an author's profile or to a block, so a page reads at most
 * four times as many: under 2 000 (decision 0005).
 */
const STRETCH = 480;
/** The same where words are looked for: for each post its author's name is looked up, too. */
const TEXT_STRETCH = 380;
/** Posts among which the best matches are looked for: the newest that fit the filters. */
export const CANDIDATES = 200;
/** What a list reads of a message, of which cards show two lines. */
const PREVIEW = 280;

const postColumns = {
  id: lfgPosts.id,
  userId: lfgPosts.userId,
  title: lfgPosts.title,
  message: lfgPosts.message,
  neededPlayers: lfgPosts.neededPlayers,
  takenSpots: lfgPosts.takenSpots,
  requiredRank: lfgPosts.requiredRank,
  requiredRole: lfgPosts.requiredRole,
  region: lfgPosts.region,
  isActive: lfgPosts.isActive,
  createdAt: lfgPosts.createdAt,
  listedAt: lfgPosts.listedAt,
  expiresAt: lfgPosts.expiresAt,
};

const authorColumns = {
  // First, because Drizzle takes a joined row for missing when its first column is null.
  userId: profiles.userId,
  riotId: profiles.riotId,
  riotGameName: profiles.riotGameName,
  riotVerifiedAt: profiles.riotVerifiedAt,
  riotProvenAt: profiles.riotProvenAt,
  currentRank: profiles.currentRank,
  preferredRole: profiles.preferredRole,
  mainAgents: profiles.mainAgents,
  avatarId: profiles.avatarId,
  region: profiles.region,
  voiceCommsPreference: profiles.voiceCommsPreference,
  languages: profiles.languages,
  personalityTags: profiles.personalityTags,
  availability: profiles.availability,
  timeZone: profiles.timeZone,
  shares: profiles.shares,
};

/** What only a post's own page reads. */
const pageColumns = {
  conversationId: lfgPosts.conversationId,
  filledAt: lfgPosts.filledAt,
  closedAt: lfgPosts.closedAt,
  sessionEndedAt: lfgPosts.sessionEndedAt,
};

export type PostRow = Omit<
  Awaited<ReturnType<typeof findPost>> & {},
  keyof typeof pageColumns | "hasTeam" | "hasBlocked" | "isBlocked"
>;

const newestFirst = [desc(lfgPosts.listedAt), desc(lfgPosts.id)] as const;

/** A post lives 24 hours, so nothing listed before this can be open. */
const oldest = (now: Date) => now.getTime() - POST_LIFETIME;

/** Active and possibly not expired; an index serves it. */
const maybeOpen = (now: Date) => and(eq(lfgPosts.isActive, sql`1`), gt(lfgPosts.listedAt, new Date(oldest(now))));

/**
 * Open posts for a page in one round trip (`postPage` makes the page): without a cursor as many as the best matches are
 * chosen from. Its cost does not grow with the number of posts: one filter is served by its own index; the others are checked
 * on a bounded stretch of it, and so are blocks, where the viewer has any: posts of players with whom there is one are
 * left out.
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
  // One lower bound only: with two, SQLite ends the walk at the weaker one. Upwards it is where the walk begins.
  const candidates = isUp ? sql`${lfgPosts.isActive} = 1` : maybeOpen(now);
  const { streams, rest } = planFilters(filters);
  // Where nothing is left to check on each post, a stretch has no end: it is not even looked for.
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
  // Beyond the first end of a stretch, that stream has not been looked at: the page ends there at the latest.
  const end = lasts.flatMap((last) => (last ? placeOf(last) : [])).sort(compare)[0];
  if (!end) return { found, end: null };
  return { found: found.filter((post) => compare(placeOf(post), end) < (isUp ? 0 : 1)), end };

  /** That a post is active and within its stream's stretch. @param last when its last post was listed, if there is one */
  function within(last: SQL) {
    return isUp
      ? sql`${lfgPosts.isActive} = 1 AND ${lfgPosts.listedAt} <= coalesce(${last}, ${FOREVER})`
      : sql`${lfgPosts.isActive} = 1 AND ${lfgPosts.listedAt} >= max(${oldest(now)}, coalesce(${last}, 0))`;
  }
}

/** Drizzle's types want a number where SQLite takes any expression without columns. */
const limitBy = (expression: SQL) => expression as unknown as number;

/** Begins a walk upwards where posts begin that may be open, and not among those before. */
const notExpired = (cursor: Cursor | null, now: Date): Cursor | null =>
  cursor?.way === "upTo" && (cursor.key ?? 0) < oldest(now) ? { ...cursor, key: oldest(now) } : cursor;

/** Which index serves the filters (as one or two ordered streams of posts), and what is left to check on each post. */
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

/** That a word stands in a post, or begins one of its author's name. Columns with their table: inside the subquery is another. */
function isAbout(word: string): SQL {
  const inText = sql`instr(${lfgPosts.searchText}, ${word}) > 0`;
  const names = wordsOf(word).map((name) => hasName(sql`${lfgPosts.userId}`, name));
  return names.length > 0 ? sql`(${inText} OR ${and(...names)})` : inText;
}

/** How many players a post still needs. */
const openSpots = sql`${lfgPosts.neededPlayers} - ${lfgPosts.takenSpots}`;

/** A filter as an index serves it, and as it is checked on posts that another index found. */
const exactly = (column: SQLiteColumn | SQL, value: string | number) => ({
  streams: [sql`${column} = ${value}`],
  check: sql`${unindexed(column)} = ${value}`,
});

const orAny = (column: SQLiteColumn, value: string) => ({
  streams: [sql`${column} = ${value}`, isNull(column)],
  check: sql`(${unindexed(column)} = ${value} OR ${unindexed(column)} IS NULL)`,
});

/** Keeps SQLite from serving a condition by that column's index: the stretch is bounded on another one only. */
const unindexed = (column: SQLiteColumn | SQL) => sql`+${column}`;

/** The newest open posts for the sitemap: each with the moment when its author last changed it. */
export function listSharedPosts(db: Database, now: Date) {
  return db
    .select({ id: lfgPosts.id, updatedAt: lfgPosts.updatedAt })
    .from(lfgPosts)
    .where(and(maybeOpen(now), sql`${unindexed(lfgPosts.expiresAt)} > ${now.getTime()}`))
    .orderBy(...newestFirst)
    .limit(SHARED_LIMIT);
}

/** A post that its author has open. */
export interface OpenPost {
  id: string;
  title: string;
}

/** The statement that finds a player's open posts, newest first. */
export const selectOpenPosts = (db: Database, userId: string, now: Date) =>
  db.all<OpenPost>(sql`
    SELECT ${lfgPosts.id}, ${lfgPosts.title} FROM ${lfgPosts} WHERE ${lfgPosts.userId} = ${userId}
      AND ${lfgPosts.isActive} = 1 AND ${lfgPosts.expiresAt} > ${now.getTime()}
    ORDER BY ${lfgPosts.listedAt} DESC, ${lfgPosts.id} DESC LIMIT ${MAX_OPEN_POSTS}`);

/** How many wait for an answer of a post's author; raw, because Drizzle would leave out the name of the outer table. */
const waiting = (authorId: string) => sql<number>`(
  SELECT count(*) FROM (
    SELECT 1 FROM join_requests AS r
    WHERE r.post_id = lfg_posts.id AND r.state = 'pending' AND NOT ${blockBetween(sql`r.user_id`, authorId)}
    LIMIT ${COUNT_LIMIT}
  )
)`;

/** The player's own open posts, newest first, and how many players ask to join each. */
export function listOwnOpenPosts(db: Database, userId: string, now: Date) {
  return db
    .select({ ...postColumns, requests: waiting(userId).as("requests") })
    .from(lfgPosts)
    .where(and(eq(lfgPosts.isActive, sql`1`), eq(lfgPosts.userId, userId), gt(lfgPosts.expiresAt, now)))
    .orderBy(...newestFirst)
    .limit(MAX_OPEN_POSTS);
}

/**
 * Whether others are in a post's team, or have played with it: then it can't be deleted. Raw, because Drizzle would leave out
 * the name of an outer table.
 * @param postId an SQL expression with its table's name
 */
export const hasTeam = (postId: SQL) => sql`EXISTS (
  SELECT 1 FROM ${joinRequests} AS ${t} WHERE ${t.postId} = ${postId} AND (${t.state} = 'accepted'
    OR ${t.playedAt} IS NOT NULL)
)`;

/**
 * One post with its author, open or not, and whether there is a block between the author and who looks at it; undefined
 * when there is none.
 * @param viewerId left out for a visitor
 */
export function findPost(db: Database, id: string, viewerId = "") {
  const block = (blocker: SQL, blocked: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${blocks} WHERE ${blocks.blockerId} = ${blocker}
      AND ${blocks.blockedId} = ${blocked})`.mapWith(Boolean);
  const [author, viewer] = [sql`${lfgPosts.userId}`, sql`${viewerId}`];
  return db
    .select({
      ...postColumns,
      ...pageColumns,
      hasTeam: hasTeam(sql`lfg_posts.id`).mapWith(Boolean).as("has_team"),
      hasBlocked: block(viewer, author).as("has_blocked"),
      isBlocked: block(author, viewer).as("is_blocked"),
      author: authorColumns,
    })
    .from(lfgPosts)
    .leftJoin(profiles, eq(profiles.userId, lfgPosts.userId))
    .where(eq(lfgPosts.id, id))
    .get();
}
