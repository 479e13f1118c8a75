import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import { lfgPosts, profiles, users } from "#db/schema";
import { isLimited } from "~/features/moderation/shared/limits.server";
import { MAX_OPEN_POSTS } from "../rules";
import { isOpenPost } from "./post-state.server";

const author = alias(users, "author");
const other = alias(lfgPosts, "other");

/**
 * The voice preference of a post's author, as an SQL expression. Statements that open a post again need it, because
 * saving the profile updates only open posts.
 */
export const authorVoice = sql`(
  SELECT ${profiles.voiceCommsPreference} FROM ${profiles} WHERE ${profiles.userId} = ${lfgPosts.userId}
)`;

/**
 * SQL condition that a player may have one more post open. The statement that opens a post contains it, so the limit
 * holds for simultaneous requests, too.
 * @param userId an SQL expression
 * @param postId the post that is about to open, which doesn't count
 * @param now milliseconds since 1970
 */
export const hasRoomForPost = (userId: SQL, postId: SQL, now: number) => sql`(
  SELECT count(*) FROM ${lfgPosts} AS ${other}
  WHERE ${other.userId} = ${userId} AND ${isOpenPost(now, other)} AND ${other.id} <> ${postId}
) < ${MAX_OPEN_POSTS}`;

/**
 * SQL condition that a post may open without an action by its author: the author has room for it, may post, and has an
 * account that is neither suspended nor about to be deleted. If it isn't met, the post is closed (`closed_at`), so that
 * its author can reopen it later.
 * @param now milliseconds since 1970
 */
export const mayOpenByItself = (now: number) => sql`(
  ${hasRoomForPost(sql`${lfgPosts.userId}`, sql`${lfgPosts.id}`, now)}
  AND NOT ${isLimited(sql`${lfgPosts.userId}`, "posting", now)} AND EXISTS (
    SELECT 1 FROM ${users} AS ${author}
    WHERE ${author.id} = ${lfgPosts.userId} AND ${staysOpen(author)}
  )
)`;
