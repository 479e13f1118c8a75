import { and, eq, isNull, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, notifications, profiles } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { type Steps, transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { forgetNews, notify, resolveNews } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { lapseRequests, listLapsed } from "~/features/teams/shared/lapse-requests.server";
import { rankPosition } from "~/game/ranks";
import { formColumns, hasTeam, type OpenPost, postVersion, selectOpenPosts } from "./queries.server";
import {
  BUMP_INTERVAL,
  CLOSING_NOTICE,
  canReopen,
  isOpen,
  MAX_OPEN_POSTS,
  opensAgain,
  POST_LIFETIME,
  SAME_BUMP_WITHIN,
  searchTextOf,
} from "./rules";
import type { PostFields } from "./schema";
import { NO_PRESENCE, seenNow, setPresence } from "./shared/author-presence.server";
import { authorVoice, hasRoomForPost } from "./shared/open-posts.server";
import { isOpenPost, isReopenable, opensWhenFreed } from "./shared/post-state.server";

const earlier = alias(notifications, "earlier");

/**
 * The result of changing a post. `missing` also covers another player's post, so that ids reveal no more than the
 * post's public page does.
 */
type PostChange = "done" | "missing" | "hidden" | "closed" | "too-soon" | Limited;

/**
 * Creates a post, unless the player has three others open. Its id comes from the form, so a repeated submission finds
 * the post that the first one created.
 * @returns `different` if the form has already created a post with other fields; `over` if that post isn't open any
 *   more; `used` if the id belongs to another player's post; `full`, with the open posts, if there are three
 */
export async function createPost(
  writing: Writing,
  { id, ...fields }: PostFields & { id: string },
  userId: string,
): Promise<{ outcome: "created" | "different" | "over" | "used" } | { outcome: "full"; open: OpenPost[] } | Limited> {
  const { db, now } = writing;
  const moment = now.getTime();
  const { title, message, neededPlayers, requiredRole, region } = fields;
  const requiredRank = fields.requiredRank && rankPosition(fields.requiredRank);
  const seen = seenNow(userId, moment);
  const { own, open, limits } = await transact(db, {
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
        "authorState",
        "authorSeenAt",
        "authorSlot",
      )}
      SELECT ${id}, ${userId}, ${title}, ${message}, ${neededPlayers}, ${requiredRank}, ${requiredRole}, ${region},
        (SELECT ${profiles.voiceCommsPreference} FROM ${profiles}
          WHERE ${profiles.userId} = ${userId}), ${searchTextOf(fields)},
        1, ${moment}, ${moment}, ${moment}, ${moment + POST_LIFETIME}, ${seen.authorState}, ${seen.authorSeenAt},
        ${seen.authorSlot}
      WHERE ${hasRoomForPost(sql`${userId}`, sql`${id}`, moment)} AND NOT ${isLimited(userId, "posting", moment)}
      ON CONFLICT ${columnsOf(lfgPosts, "id")} DO NOTHING`),
    flag: raiseFlags(writing, { kind: "post", id }, { title, message }, userId),
    own: db
      .select({ ...formColumns, isActive: lfgPosts.isActive, expiresAt: lfgPosts.expiresAt })
      .from(lfgPosts)
      .where(ownPost(id, userId)),
    open: selectOpenPosts(db, userId, now),
    limits: readLimit(db, userId, "posting", moment),
  });
  const [stored] = own;
  if (stored) return { outcome: !holds(stored, fields) ? "different" : isOpen(stored, now) ? "created" : "over" };
  const limited = limitedBy(limits);
  if (limited) return limited;
  return open.length >= MAX_OPEN_POSTS ? { outcome: "full", open } : { outcome: "used" };
}

/** Whether a post already has the values of a form. */
const holds = (post: PostFields, fields: PostFields) =>
  (Object.keys(formColumns) as (keyof PostFields)[]).every((name) => post[name] === fields[name]);

/**
 * Edits an open post. Its team's conversation keeps the old title.
 * @param version the version that the form was made from (`postVersion`); undefined for pages that were opened before
 *   the form contained it
 * @returns `too-few` if too many players have joined for the new number of players needed; `changed`, with the new
 *   version, if the post has been edited since that version, and nothing is saved
 */
export async function editPost(
  writing: Writing,
  id: string,
  fields: PostFields,
  userId: string,
  version: string | undefined,
): Promise<Exclude<PostChange, "too-soon"> | "too-few" | { outcome: "changed"; version: string }> {
  const { db, now } = writing;
  const { title, message, neededPlayers } = fields;
  const { outcome, post } = await updatePost(db, id, userId, now, {
    set: { ...fields, searchText: searchTextOf(fields), updatedAt: now },
    where: and(lt(lfgPosts.takenSpots, neededPlayers), version === undefined ? undefined : eq(postVersion, version)),
    after: raiseFlags(writing, { kind: "post", id }, { title, message }, userId),
  });
  if (outcome !== "too-soon") return outcome;
  if (!post || version === undefined || post.version === version) return "too-few";
  // On a double press, or a retry after a lost response, the first request has already done this.
  return holds(post, fields) ? "done" : { outcome: "changed", version: post.version };
}

/**
 * Takes a post off the list until its author reopens it, and notifies players still waiting for an answer. A closed
 * post with a complete team doesn't open again when someone leaves. Marks the author's news about it as read. Closing a
 * closed post has no effect.
 * @returns the players to tell: the author, and those whose requests have lapsed, now or in an earlier try whose
 *   response was lost. And the outcome: `unlisted`; `complete` if the post wasn't listed because its team is complete;
 *   `hidden` if moderators have hidden it; `over` if its author couldn't reopen it, because its time is over or its
 *   team has played
 */
export async function closePost(
  db: Database,
  id: string,
  userId: string,
  now: Date,
): Promise<{ outcome: "unlisted" | "complete" | "missing" | "hidden" | "over"; concerned: string[] }> {
  const moment = now.getTime();
  const closing = sql`
    SELECT ${lfgPosts.id} FROM ${lfgPosts}
    WHERE ${lfgPosts.id} = ${id} AND ${lfgPosts.userId} = ${userId}
      AND (${isOpenPost(moment)} OR ${opensWhenFreed(moment)})`;
  const { own, lapsed } = await transact(db, {
    requests: lapseRequests(db, closing, moment),
    close: db.run(sql`
      UPDATE ${lfgPosts} SET ${bare(lfgPosts.isActive)} = 0, ${bare(lfgPosts.closedAt)} = ${moment},
        ${bare(lfgPosts.updatedAt)} = ${moment}, ${setPresence(NO_PRESENCE)} WHERE ${lfgPosts.id} IN (${closing})`),
    news: resolveNews(db, userId, subjectOf("post", id), moment),
    own: selectState(db, id, userId),
    lapsed: listLapsed(db, id),
  });
  const [post] = own;
  if (!post) return { outcome: "missing", concerned: [] };
  const concerned = lapsed.map(({ userId }) => userId);
  if (post.hiddenAt) return { outcome: "hidden", concerned };
  if (!canReopen(post, now)) return { outcome: "over", concerned };
  return { outcome: post.filledAt ? "complete" : "unlisted", concerned };
}

/**
 * Undoes `closePost` during the post's 24 hours, unless its team has played. The post returns to its old place in the
 * list; one with a complete team opens as soon as someone leaves. Reopening an open post has no effect.
 * @returns `listed`, or `complete` if the team has to lose a player first; `full` if three others are open; `hidden` if
 *   moderators have hidden it; `played` if its team's session is over; `expired` if its 24 hours are over
 */
export async function reopenPost(
  db: Database,
  id: string,
  userId: string,
  now: Date,
): Promise<"listed" | "complete" | "missing" | "full" | "hidden" | "played" | "expired" | Limited> {
  const moment = now.getTime();
  const hasSpots = sql`${lfgPosts.takenSpots} < ${lfgPosts.neededPlayers}`;
  const { own, limits } = await transact(db, {
    reopen: db.run(sql`
      UPDATE ${lfgPosts} SET
        ${bare(lfgPosts.closedAt)} = NULL,
          ${bare(lfgPosts.isActive)} = ${hasSpots}, ${bare(lfgPosts.filledAt)} = iif(${hasSpots},
          NULL, ${lfgPosts.filledAt}), ${bare(lfgPosts.updatedAt)} = ${moment},
        ${setPresence(seenNow(userId, moment), hasSpots)}, ${bare(lfgPosts.voiceComms)} = ${authorVoice}
      WHERE ${lfgPosts.id} = ${id} AND ${lfgPosts.userId} = ${userId} AND ${isReopenable(moment)}
        AND (NOT ${hasSpots} OR ${hasRoomForPost(sql`${userId}`, sql`${id}`, moment)})
        AND NOT ${isLimited(userId, "posting", moment)}`),
    limits: readLimit(db, userId, "posting", moment),
    own: selectState(db, id, userId),
  });
  const [post] = own;
  if (!post) return "missing";
  if (isOpen(post, now)) return "listed";
  if (opensAgain(post, now)) return "complete";
  const limited = limitedBy(limits);
  if (limited) return limited;
  if (canReopen(post, now)) return "full";
  if (post.hiddenAt) return "hidden";
  return post.sessionEndedAt ? "played" : "expired";
}

/** Moves a post to the top of the list, at most once every 30 minutes. It still closes at the same time. */
export async function bumpPost(db: Database, id: string, userId: string, now: Date): Promise<PostChange> {
  const { outcome, post } = await updatePost(db, id, userId, now, {
    set: { listedAt: now, ...seenNow(userId, now.getTime()) },
    where: lte(lfgPosts.listedAt, new Date(now.getTime() - BUMP_INTERVAL)),
  });
  if (outcome !== "too-soon" || !post) return outcome;
  // On a double press, or a retry after a lost response, the first request has already done this.
  const isBumped = post.listedAt > post.createdAt && now.getTime() - post.listedAt.getTime() < SAME_BUMP_WITHIN;
  return isBumped ? "done" : outcome;
}

/**
 * Deletes a post and all notifications about it. A post with a team can't be deleted (`has-team`): its members would
 * lose their link to each other and the record of who played with whom.
 * @returns the players who had notifications about the post (one may occur several times), and the outcome:
 *   `missing` for another player's post, `gone` if the player can see no such post, as after deleting it
 */
export async function deletePost(
  db: Database,
  id: string,
  userId: string,
): Promise<{ outcome: "done" | "missing" | "gone" | "has-team"; forgotten: string[] }> {
  const own = sql`${lfgPosts.id} = ${id} AND ${lfgPosts.userId} = ${userId}`;
  const isKept = hasTeam(sql`${id}`);
  const recipients = sql`
    SELECT ${lfgPosts.userId} FROM ${lfgPosts} WHERE ${own} AND NOT ${isKept}
    UNION ALL
    SELECT ${joinRequests.userId} FROM ${joinRequests}
    WHERE ${joinRequests.postId} = ${id} AND EXISTS (SELECT 1 FROM ${lfgPosts} WHERE ${own}) AND NOT ${isKept}`;
  const { before, forgotten, deleted } = await transact(db, {
    before: db
      .select({ userId: lfgPosts.userId })
      .from(lfgPosts)
      .where(and(eq(lfgPosts.id, id), or(isNull(lfgPosts.hiddenAt), eq(lfgPosts.userId, userId)))),
    forgotten: forgetNews(db, recipients, subjectOf("post", id)),
    deleted: db.all<{ id: string }>(sql`DELETE FROM ${lfgPosts} WHERE ${own} AND NOT ${isKept}
      RETURNING ${lfgPosts.id}`),
  });
  const [post] = before;
  const refusal = !post ? "gone" : post.userId === userId ? "has-team" : "missing";
  return { outcome: deleted.length > 0 ? "done" : refusal, forgotten: forgotten.map((one) => one.userId) };
}

/**
 * Closes expired posts, so that the indexes of open posts stay small, and notifies players still waiting for an answer.
 * Marks the authors' news of requests, and the warnings that these posts close soon, as read.
 * @returns the players whose news has changed; one may occur several times
 */
export async function closeExpiredPosts(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const moment = now.getTime();
  const expired = sql`
    SELECT ${lfgPosts.id} FROM ${lfgPosts} WHERE ${lfgPosts.isActive} = 1 AND ${lfgPosts.expiresAt} <= ${moment}
      ORDER BY ${lfgPosts.expiresAt} LIMIT ${limit}`;
  const { requests } = await transact(db, {
    requests: lapseRequests(db, expired, moment),
    close: db.run(sql`UPDATE ${lfgPosts} SET ${bare(lfgPosts.isActive)} = 0, ${bare(lfgPosts.updatedAt)} = ${moment},
      ${setPresence(NO_PRESENCE)} WHERE ${lfgPosts.id} IN (${expired})`),
  });
  return [...requests.notified, ...requests.news];
}

const POST_EXPIRING: NewsKind = "post-expiring";

/**
 * Notifies authors, once per post, that an open post closes within the hour.
 * @param limit the most posts to check. Those that close last are checked first, because their last hour may have
 *   begun since the previous run
 */
export function notifyExpiringPosts(db: Database, now: Date, limit: number) {
  const until = now.getTime() + CLOSING_NOTICE;
  return notify(db, {
    kind: POST_EXPIRING,
    subject: subjectSql("post", sql`to_tell.post_id`),
    data: sql`json_object('title', to_tell.title)`,
    recipients: sql`
      SELECT closing.user_id AS user_id, closing.id AS post_id, closing.title AS title
      FROM (
        SELECT ${lfgPosts.id}, ${lfgPosts.userId}, ${lfgPosts.title} FROM ${lfgPosts}
        WHERE ${isOpenPost(now.getTime())} AND ${lfgPosts.expiresAt} <= ${until}
        ORDER BY ${lfgPosts.expiresAt} DESC LIMIT ${limit}
      ) AS closing
      WHERE NOT EXISTS (
        SELECT 1 FROM ${notifications} AS ${earlier}
        WHERE ${earlier.userId} = closing.user_id AND ${earlier.kind} = ${POST_EXPIRING}
          AND ${earlier.subject} = ${subjectSql("post", sql`closing.id`)}
      )`,
    now: now.getTime(),
  });
}

const ownPost = (id: string, userId: string) => and(eq(lfgPosts.id, id), eq(lfgPosts.userId, userId));

/** Selects the columns that decide whether the player's own post is listed, and whether it can be listed again. */
const selectState = (db: Database, id: string, userId: string) =>
  db
    .select({
      isActive: lfgPosts.isActive,
      filledAt: lfgPosts.filledAt,
      closedAt: lfgPosts.closedAt,
      sessionEndedAt: lfgPosts.sessionEndedAt,
      expiresAt: lfgPosts.expiresAt,
      hiddenAt: lfgPosts.hiddenAt,
    })
    .from(lfgPosts)
    .where(ownPost(id, userId));

/**
 * Updates the player's own open post and, in the same transaction, reads why the update may have no effect.
 * @param edit.after statements that follow the update
 * @returns the outcome, `too-soon` if `where` didn't hold, and the post as it was before
 */
async function updatePost(
  db: Database,
  id: string,
  userId: string,
  now: Date,
  { set, where, after }: { set: SQLiteUpdateSetSource<typeof lfgPosts>; where?: SQL; after?: Steps | undefined },
) {
  const {
    own: [post],
    limits,
    changed,
  } = await transact(db, {
    own: db
      .select({
        ...formColumns,
        version: postVersion,
        isActive: lfgPosts.isActive,
        createdAt: lfgPosts.createdAt,
        listedAt: lfgPosts.listedAt,
        expiresAt: lfgPosts.expiresAt,
        hiddenAt: lfgPosts.hiddenAt,
      })
      .from(lfgPosts)
      .where(ownPost(id, userId)),
    limits: readLimit(db, userId, "posting", now.getTime()),
    changed: db
      .update(lfgPosts)
      .set(set)
      .where(
        and(
          ownPost(id, userId),
          isOpenPost(now.getTime()),
          sql`NOT ${isLimited(userId, "posting", now.getTime())}`,
          where,
        ),
      )
      .returning({ id: lfgPosts.id }),
    after,
  });
  const why = (): PostChange => {
    if (changed.length > 0) return "done";
    if (!post) return "missing";
    const limited = limitedBy(limits);
    if (limited) return limited;
    if (post.hiddenAt) return "hidden";
    return isOpen(post, now) ? "too-soon" : "closed";
  };
  return { outcome: why(), post };
}
