import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { lfgPosts } from "#db/schema";

/*
 * The states of a post as SQL conditions, each with its twin in `../rules.ts`. `now` is in milliseconds since 1970.
 */

/**
 * Whether others see the post in the list (`isOpen`). Compares `is_active` with a literal, because the partial indexes
 * of open posts serve no parameter.
 * @param post the query's name for `lfg_posts`
 */
export const isOpenPost = (now: number, post: Record<"isActive" | "expiresAt", SQLWrapper> = lfgPosts): SQL =>
  sql`(${post.isActive} = 1 AND ${post.expiresAt} > ${now})`;

/** Whether the post opens again when a spot of its complete team is freed (`opensAgain`). */
export const opensWhenFreed = (now: number): SQL => sql`(
  ${lfgPosts.hiddenAt} IS NULL AND ${lfgPosts.isActive} = 0 AND ${lfgPosts.filledAt} IS NOT NULL
  AND ${lfgPosts.closedAt} IS NULL AND ${lfgPosts.sessionEndedAt} IS NULL AND ${lfgPosts.expiresAt} > ${now}
)`;

/** Whether the post's author can reopen it after closing it (`canReopen`). */
export const isReopenable = (now: number): SQL => sql`(
  ${lfgPosts.hiddenAt} IS NULL AND ${lfgPosts.closedAt} IS NOT NULL AND ${lfgPosts.sessionEndedAt} IS NULL
  AND ${lfgPosts.expiresAt} > ${now}
)`;
