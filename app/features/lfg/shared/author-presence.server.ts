import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts, presence, profiles } from "#db/schema";
import { bare } from "#db/sql";
import { SEEN_SLOT, seenSlot } from "#db/words/presence";
import type { SeenPresence } from "#party/wire/presence";

/*
 * The presence of an author is copied into their open posts, at most three, so that lists read it with the post, and an
 * index finds the posts of those who are online now. A presence that doesn't show to everyone isn't copied.
 */

const openPostsOf = (userId: string) => sql`${lfgPosts.userId} = ${userId} AND ${lfgPosts.isActive} = 1`;

const showsToEveryone = (userId: string) => sql`EXISTS (
  SELECT 1 FROM ${profiles} WHERE ${profiles.userId} = ${userId} AND ${profiles.presencePolicy} = 'everyone'
)`;

/** Copies a presence into its player's open posts, unless they show a newer one. */
export const showPresenceOnPosts = (db: Database, userId: string, { state, seenAt }: SeenPresence) =>
  db.run(sql`
    UPDATE ${lfgPosts} SET ${bare(lfgPosts.authorState)} = ${state}, ${bare(lfgPosts.authorSeenAt)} = ${seenAt},
      ${bare(lfgPosts.authorSlot)} = ${seenSlot(state, seenAt)}
    WHERE ${openPostsOf(userId)} AND coalesce(${lfgPosts.authorSeenAt}, 0) <= ${seenAt}
      AND ${showsToEveryone(userId)}`);

/** Copies the stored presence into a player's open posts, or removes it, after their choice has changed. */
export const renewPresenceOnPosts = (db: Database, userId: string) =>
  db.run(sql`
    UPDATE ${lfgPosts} SET
      ${bare(lfgPosts.authorState)} = ${storedIfShown(userId, sql`${presence.state}`)},
      ${bare(lfgPosts.authorSeenAt)} = ${storedIfShown(userId, sql`${presence.seenAt}`)},
      ${bare(lfgPosts.authorSlot)} = ${storedIfShown(userId, sql`iif(${presence.state} = 'away', NULL, ${presence.seenAt} / ${sql.raw(String(SEEN_SLOT))})`)}
    WHERE ${openPostsOf(userId)}`);

const storedIfShown = (userId: string, column: SQL) =>
  sql`(SELECT ${column} FROM ${presence} WHERE ${presence.userId} = ${userId} AND ${showsToEveryone(userId)})`;

/** The values of a post's columns for an author who has just been seen, as SQL expressions. */
export const seenNow = (userId: string, now: number) => ({
  authorState: sql`iif(${showsToEveryone(userId)}, 'online', NULL)`,
  authorSeenAt: sql`iif(${showsToEveryone(userId)}, ${now}, NULL)`,
  authorSlot: sql`iif(${showsToEveryone(userId)}, ${seenSlot("online", now)}, NULL)`,
});

/**
 * The filter for posts whose author is online now: as two streams of the index, and as the condition on each post that
 * was found.
 */
export function seenLately(now: Date): { streams: SQL[]; check: SQL } {
  const current = Math.floor(now.getTime() / SEEN_SLOT);
  return {
    streams: [current, current - 1].map((number) => sql`${lfgPosts.authorSlot} = ${number}`),
    check: sql`(+${lfgPosts.authorSlot} IS NOT NULL AND ${lfgPosts.authorSeenAt} > ${now.getTime() - SEEN_SLOT})`,
  };
}
