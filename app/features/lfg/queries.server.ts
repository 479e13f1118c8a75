import { and, desc, eq, getTableColumns, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, profiles } from "#db/schema";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { awaitsAnswer } from "~/features/teams/shared/request-news.server";
import { MAX_OPEN_POSTS, POST_LIFETIME } from "./rules";
import { isOpenPost } from "./shared/post-state.server";

const t = alias(joinRequests, "t");

/** Counting requests stops at this number. */
const COUNT_LIMIT = 100;
/** The most posts in the sitemap. */
export const SHARED_LIMIT = 500;

/** The columns that the form of a post fills. */
export const formColumns = {
  title: lfgPosts.title,
  message: lfgPosts.message,
  neededPlayers: lfgPosts.neededPlayers,
  requiredRank: lfgPosts.requiredRank,
  requiredRole: lfgPosts.requiredRole,
  region: lfgPosts.region,
};

/**
 * SQL expression of a post's version: the columns that its form fills, as one text. Unlike `updatedAt`, it stays the
 * same when a player joins or leaves.
 */
export const postVersion = sql<string>`json_array(${sql.join(Object.values(formColumns), sql`, `)})`;

export const postColumns = {
  id: lfgPosts.id,
  userId: lfgPosts.userId,
  ...formColumns,
  takenSpots: lfgPosts.takenSpots,
  isActive: lfgPosts.isActive,
  createdAt: lfgPosts.createdAt,
  listedAt: lfgPosts.listedAt,
  expiresAt: lfgPosts.expiresAt,
  authorState: lfgPosts.authorState,
  authorSeenAt: lfgPosts.authorSeenAt,
};

export const authorColumns = {
  // Comes first, because Drizzle treats a joined row as missing if its first column is null.
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

/** Columns that only a post's own page reads. */
const pageColumns = {
  conversationId: lfgPosts.conversationId,
  filledAt: lfgPosts.filledAt,
  closedAt: lfgPosts.closedAt,
  sessionEndedAt: lfgPosts.sessionEndedAt,
  hiddenAt: lfgPosts.hiddenAt,
};

export type PostRow = Omit<
  Awaited<ReturnType<typeof findPost>> & {},
  keyof typeof pageColumns | "hasTeam" | "hasBlocked" | "isBlocked" | "about"
>;

const newestFirst = [desc(lfgPosts.listedAt), desc(lfgPosts.id)] as const;

/** Posts live 24 hours, so no post listed before this moment can be open. */
export const oldest = (now: Date) => now.getTime() - POST_LIFETIME;

/** SQL condition that an index serves: all posts that haven't expired are among those that it lets through. */
export const maybeOpen = (now: Date) =>
  and(eq(lfgPosts.isActive, sql`1`), gt(lfgPosts.listedAt, new Date(oldest(now))));

/**
 * Keeps SQLite from using this column's index for a condition. The statement gives another index a bounded range, and
 * SQLite should use that one.
 */
export const unindexed = (column: SQLiteColumn | SQL) => sql`+${column}`;

/** Lists the newest open posts for the sitemap, each with the time of its last change. */
export function listSharedPosts(db: Database, now: Date) {
  return db
    .select({ id: lfgPosts.id, updatedAt: lfgPosts.updatedAt })
    .from(lfgPosts)
    .where(and(maybeOpen(now), sql`${unindexed(lfgPosts.expiresAt)} > ${now.getTime()}`))
    .orderBy(...newestFirst)
    .limit(SHARED_LIMIT);
}

/** One of a player's open posts. */
export interface OpenPost {
  id: string;
  title: string;
}

/** Returns the statement that reads a player's open posts, newest first. */
export const selectOpenPosts = (db: Database, userId: string, now: Date) =>
  db.all<OpenPost>(sql`
    SELECT ${lfgPosts.id}, ${lfgPosts.title} FROM ${lfgPosts}
    WHERE ${lfgPosts.userId} = ${userId} AND ${isOpenPost(now.getTime())}
    ORDER BY ${lfgPosts.listedAt} DESC, ${lfgPosts.id} DESC LIMIT ${MAX_OPEN_POSTS}`);

/**
 * The number of requests that await the author's answer. Written as raw SQL, because Drizzle would omit the outer
 * table's name.
 */
const waiting = (authorId: string) => sql<number>`(
  SELECT count(*) FROM (
    SELECT 1 FROM join_requests AS r
    WHERE r.post_id = lfg_posts.id AND ${awaitsAnswer({ state: sql`r.state`, userId: sql`r.user_id` }, authorId)}
    LIMIT ${COUNT_LIMIT}
  )
)`;

/** Lists the player's own open posts, newest first, each with the number of join requests that await an answer. */
export function listOwnOpenPosts(db: Database, userId: string, now: Date) {
  return db
    .select({ ...postColumns, requests: waiting(userId).as("requests") })
    .from(lfgPosts)
    .where(and(eq(lfgPosts.userId, userId), isOpenPost(now.getTime())))
    .orderBy(...newestFirst)
    .limit(MAX_OPEN_POSTS);
}

/**
 * SQL condition that others are in a post's team or have played in it, in which case the post can't be deleted. Written
 * as raw SQL, because Drizzle would omit the outer table's name.
 * @param postId an SQL expression with its table's name
 */
export const hasTeam = (postId: SQL) => sql`EXISTS (
  SELECT 1 FROM ${joinRequests} AS ${t} WHERE ${t.postId} = ${postId} AND (${t.state} = 'accepted'
    OR ${t.playedAt} IS NOT NULL)
)`;

/**
 * Returns one post, open or not, with its author, and whether the author or the viewer has blocked the other; undefined
 * if there is none, or if moderators have hidden it from the viewer.
 * @param viewerId absent for visitors; `hiddenAt` in the result is null unless the viewer is the author
 */
export function findPost(db: Database, id: string, viewerId = "") {
  const author = sql`${lfgPosts.userId}`;
  return db
    .select({
      ...postColumns,
      ...pageColumns,
      hasTeam: hasTeam(sql`lfg_posts.id`).mapWith(Boolean).as("has_team"),
      hasBlocked: hasBlocked(viewerId, author).mapWith(Boolean).as("has_blocked"),
      isBlocked: hasBlocked(author, viewerId).mapWith(Boolean).as("is_blocked"),
      author: authorColumns,
      about: getTableColumns(profiles),
    })
    .from(lfgPosts)
    .leftJoin(profiles, eq(profiles.userId, lfgPosts.userId))
    .where(and(eq(lfgPosts.id, id), or(isNull(lfgPosts.hiddenAt), eq(lfgPosts.userId, viewerId))))
    .get();
}

/** Returns a player's own post as its form edits it, open or not, hidden or not; undefined if it isn't theirs. */
export const findPostToEdit = (db: Database, id: string, userId: string) =>
  db
    .select({
      ...formColumns,
      version: postVersion,
      isActive: lfgPosts.isActive,
      expiresAt: lfgPosts.expiresAt,
    })
    .from(lfgPosts)
    .where(and(eq(lfgPosts.id, id), eq(lfgPosts.userId, userId)))
    .get();
