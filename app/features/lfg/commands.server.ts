import { and, eq, gt, lt, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, notifications, profiles } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";
import { forgetNews, notify } from "~/features/notifications/shared/notify.server";
import { lapsing } from "~/features/teams/shared/lapsing.server";
import { rankPosition } from "~/game/ranks";
import { hasTeam, type OpenPost, selectOpenPosts } from "./queries.server";
import {
  BUMP_INTERVAL,
  CLOSES_SOON,
  canReopen,
  isOpen,
  MAX_OPEN_POSTS,
  opensAgain,
  POST_LIFETIME,
  searchTextOf,
} from "./rules";
import type { PostFields } from "./schema";
import { hasRoomForPost } from "./shared/open-posts.server";

const told = alias(notifications, "told");

/**
 * Why a post could not be changed. `missing` covers another player's post too, so that ids tell nothing beyond what
 * the post's public page shows.
 */
type PostChange = "done" | "missing" | "closed" | "too-soon";

/**
 * Makes a post, unless the player has three others open. Its id comes from the form, so a doubled submit finds the post of
 * the first.
 * @returns `used` when the id is another player's post; `full` with the posts that are open
 */
export async function createPost(
  db: Database,
  { id, ...fields }: PostFields & { id: string },
  userId: string,
  now: Date,
): Promise<{ outcome: "created" } | { outcome: "used" } | { outcome: "full"; open: OpenPost[] }> {
  const moment = now.getTime();
  const { title, message, neededPlayers, requiredRole, region } = fields;
  const requiredRank = fields.requiredRank && rankPosition(fields.requiredRank);
  const { own, open } = await transact(db, {
    create: db.run(sql`
      INSERT INTO ${lfgPosts} ${columnsOf(
        lfgPosts,
        "id",
        "userId",
        "title",
        "message",
        "neededPlayers",
        "requiredRank",
        "requiredRole",
        "region",
        "voiceComms",
        "searchText",
        "isActive",
        "createdAt",
        "listedAt",
        "updatedAt",
        "expiresAt",
      )}
      SELECT ${id}, ${userId}, ${title}, ${message}, ${neededPlayers}, ${requiredRank}, ${requiredRole}, ${region},
        (SELECT ${profiles.voiceCommsPreference} FROM ${profiles}
          WHERE ${profiles.userId} = ${userId}), ${searchTextOf(fields)},
        1, ${moment}, ${moment}, ${moment}, ${moment + POST_LIFETIME}
      WHERE ${hasRoomForPost(sql`${userId}`, sql`${id}`, moment)}
      ON CONFLICT ${columnsOf(lfgPosts, "id")} DO NOTHING`),
    own: db.select({ id: lfgPosts.id }).from(lfgPosts).where(ownPost(id, userId)),
    open: selectOpenPosts(db, userId, now),
  });
  if (own.length > 0) return { outcome: "created" };
  return open.length >= MAX_OPEN_POSTS ? { outcome: "full", open } : { outcome: "used" };
}

/**
 * Changes what an open post says; its team's conversation keeps its name. `too-few`: so many have joined already that none
 * more would be needed.
 */
export async function editPost(
  db: Database,
  id: string,
  fields: PostFields,
  userId: string,
  now: Date,
): Promise<Exclude<PostChange, "too-soon"> | "too-few"> {
  const outcome = await change(db, id, userId, now, {
    set: { ...fields, searchText: searchTextOf(fields), updatedAt: now },
    where: lt(lfgPosts.takenSpots, fields.neededPlayers),
  });
  return outcome === "too-soon" ? "too-few" : outcome;
}

/**
 * Takes a post off the list until its author reopens it, and tells those who still waited for an answer. One whose team is
 * complete opens no more when somebody leaves. Closing a closed one is done already.
 * @returns who was told
 */
export async function closePost(
  db: Database,
  id: string,
  userId: string,
  now: Date,
): Promise<{ outcome: "done" | "missing"; told: string[] }> {
  const moment = now.getTime();
  const closing = sql`
    SELECT ${lfgPosts.id} FROM ${lfgPosts}
    WHERE ${lfgPosts.id} = ${id} AND ${lfgPosts.userId} = ${userId} AND ${lfgPosts.expiresAt} > ${moment}
      AND ${lfgPosts.closedAt} IS NULL
      AND (${lfgPosts.isActive} = 1 OR (${lfgPosts.filledAt} IS NOT NULL AND ${lfgPosts.sessionEndedAt} IS NULL))`;
  const { own, requests } = await transact(db, {
    own: db.select({ id: lfgPosts.id }).from(lfgPosts).where(ownPost(id, userId)),
    requests: lapsing(db, closing, moment),
    close: db.run(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.isActive)} = 0, ${bare(lfgPosts.closedAt)} = ${moment},
        ${bare(lfgPosts.updatedAt)} = ${moment} WHERE ${lfgPosts.id} IN (${closing})`),
  });
  return { outcome: own.length > 0 ? "done" : "missing", told: requests.told.map(({ userId }) => userId) };
}

/**
 * Undoes `closePost` while the post's 24 hours last and its team has not played. The post comes back to its old place in
 * the list; one whose team is complete opens when somebody leaves. Reopening an open one is done already.
 * @returns `full` when three others are open, `over` when it is too late
 */
export async function reopenPost(
  db: Database,
  id: string,
  userId: string,
  now: Date,
): Promise<"done" | "missing" | "full" | "over"> {
  const moment = now.getTime();
  const hasSpots = sql`${lfgPosts.takenSpots} < ${lfgPosts.neededPlayers}`;
  const { own } = await transact(db, {
    reopen: db.run(sql`
      UPDATE ${lfgPosts} SET
        ${bare(lfgPosts.closedAt)} = NULL,
          ${bare(lfgPosts.isActive)} = ${hasSpots}, ${bare(lfgPosts.filledAt)} = iif(${hasSpots},
          NULL, ${lfgPosts.filledAt}), ${bare(lfgPosts.updatedAt)} = ${moment}
      WHERE ${lfgPosts.id} = ${id} AND ${lfgPosts.userId} = ${userId}
        AND ${lfgPosts.closedAt} IS NOT NULL AND ${lfgPosts.sessionEndedAt} IS NULL
          AND ${lfgPosts.expiresAt} > ${moment}
        AND (NOT ${hasSpots} OR ${hasRoomForPost(sql`${userId}`, sql`${id}`, moment)})`),
    own: db
      .select({
        isActive: lfgPosts.isActive,
        filledAt: lfgPosts.filledAt,
        closedAt: lfgPosts.closedAt,
        sessionEndedAt: lfgPosts.sessionEndedAt,
        expiresAt: lfgPosts.expiresAt,
      })
      .from(lfgPosts)
      .where(ownPost(id, userId)),
  });
  const [post] = own;
  if (!post) return "missing";
  if (isOpen(post, now) || opensAgain(post, now)) return "done";
  return canReopen(post, now) ? "full" : "over";
}

/** Puts a post back on top of the list, at most every 30 minutes. Its end stays where it is. */
export async function bumpPost(db: Database, id: string, userId: string, now: Date): Promise<PostChange> {
  return change(db, id, userId, now, {
    set: { listedAt: now },
    where: lte(lfgPosts.listedAt, new Date(now.getTime() - BUMP_INTERVAL)),
  });
}

/**
 * Removes a post, and all news about it. Removing one that is gone is `missing`. A post with a team stays (`has-team`): with
 * it would go the others' way back to each other, and the account of who has played with whom.
 */
export async function deletePost(db: Database, id: string, userId: string): Promise<"done" | "missing" | "has-team"> {
  const own = sql`${lfgPosts.id} = ${id} AND ${lfgPosts.userId} = ${userId}`;
  const isKept = hasTeam(sql`${id}`);
  const concerned = sql`
    SELECT ${lfgPosts.userId} FROM ${lfgPosts} WHERE ${own} AND NOT ${isKept}
    UNION ALL
    SELECT ${joinRequests.userId} FROM ${joinRequests}
    WHERE ${joinRequests.postId} = ${id} AND EXISTS (SELECT 1 FROM ${lfgPosts} WHERE ${own}) AND NOT ${isKept}`;
  const { before, deleted } = await transact(db, {
    before: db.select({ id: lfgPosts.id }).from(lfgPosts).where(ownPost(id, userId)),
    forgetNews: forgetNews(db, concerned, sql`${`post:${id}`}`),
    deleted: db.all<{ id: string }>(sql`DELETE FROM ${lfgPosts} WHERE ${own} AND NOT ${isKept}
      RETURNING ${lfgPosts.id}`),
  });
  if (deleted.length > 0) return "done";
  return before.length > 0 ? "has-team" : "missing";
}

/**
 * Closes posts whose time is over, so that the indexes of open posts stay small, and tells those who still waited.
 * @returns who was told
 */
export async function closeExpiredPosts(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const moment = now.getTime();
  const expired = sql`
    SELECT ${lfgPosts.id} FROM ${lfgPosts} WHERE ${lfgPosts.isActive} = 1 AND ${lfgPosts.expiresAt} <= ${moment}
      ORDER BY ${lfgPosts.expiresAt} LIMIT ${limit}`;
  const { requests } = await transact(db, {
    requests: lapsing(db, expired, moment),
    close: db.run(sql`UPDATE ${lfgPosts} SET ${bare(lfgPosts.isActive)} = 0, ${bare(lfgPosts.updatedAt)} = ${moment}
      WHERE ${lfgPosts.id} IN (${expired})`),
  });
  return requests.told;
}

const POST_EXPIRING: NewsKind = "post-expiring";

/**
 * Tells authors, once per post, that an open post closes within the hour.
 * @param limit how many posts are looked at: those that close last, among which are all that were not looked at in the
 *   run before, unless there were more than this many
 */
export function tellExpiringPosts(db: Database, now: Date, limit: number) {
  const until = now.getTime() + CLOSES_SOON;
  return notify(db, {
    kind: POST_EXPIRING,
    subject: sql`'post:' || to_tell.post_id`,
    data: sql`json_object('title', to_tell.title)`,
    recipients: sql`
      SELECT closing.user_id AS user_id, closing.id AS post_id, closing.title AS title
      FROM (
        SELECT ${lfgPosts.id}, ${lfgPosts.userId}, ${lfgPosts.title} FROM ${lfgPosts}
        WHERE ${lfgPosts.isActive} = 1 AND ${lfgPosts.expiresAt} > ${now.getTime()}
          AND ${lfgPosts.expiresAt} <= ${until}
        ORDER BY ${lfgPosts.expiresAt} DESC LIMIT ${limit}
      ) AS closing
      WHERE NOT EXISTS (
        SELECT 1 FROM ${notifications} AS ${told}
        WHERE ${told.userId} = closing.user_id AND ${told.kind} = ${POST_EXPIRING}
          AND ${told.subject} = 'post:' || closing.id
      )`,
    now: now.getTime(),
  });
}

const ownPost = (id: string, userId: string) => and(eq(lfgPosts.id, id), eq(lfgPosts.userId, userId));

/** An update of one's own open post, and in the same round trip what to say when it changed nothing. */
async function change(
  db: Database,
  id: string,
  userId: string,
  now: Date,
  { set, where }: { set: Partial<typeof lfgPosts.$inferInsert>; where?: SQL },
): Promise<PostChange> {
  const [post, changed] = await Promise.all([
    db
      .select({ isActive: lfgPosts.isActive, expiresAt: lfgPosts.expiresAt })
      .from(lfgPosts)
      .where(ownPost(id, userId))
      .get(),
    db
      .update(lfgPosts)
      .set(set)
      .where(and(ownPost(id, userId), eq(lfgPosts.isActive, true), gt(lfgPosts.expiresAt, now), where))
      .returning({ id: lfgPosts.id }),
  ]);
  if (changed.length > 0) return "done";
  if (!post) return "missing";
  return isOpen(post, now) ? "too-soon" : "closed";
}
