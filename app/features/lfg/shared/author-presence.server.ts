import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { openPostsOf, showsToEveryone } from "#db/presence";
import { lfgPosts, presence } from "#db/schema";
import { bare } from "#db/sql";
import { SEEN_SLOT, seenSlot } from "#db/words/presence";

/*
 * The presence of an author is copied into their open posts, at most three, so that lists read it with the post, and an
 * index finds the posts of those who are online now. A presence that isn't shown to everyone isn't copied. A post that
 * closes loses the copy, because it would no longer be kept up to date.
 */

/** Values for a post's columns, as SQL expressions. */
interface PresenceValues {
  authorState: SQL;
  authorSeenAt: SQL;
  authorSlot: SQL;
}

/**
 * Assigns values to the columns, in the `SET` of a statement.
 * @param condition if it doesn't hold, the columns stay as they are
 */
export const setPresence = (values: PresenceValues, condition: SQL = sql`1`): SQL => {
  const columns = ["authorState", "authorSeenAt", "authorSlot"] as const;
  return sql.join(
    columns.map((name) => sql`${bare(lfgPosts[name])} = iif(${condition}, ${values[name]}, ${lfgPosts[name]})`),
    sql`, `,
  );
};

/** The values for a post that closes. */
export const NO_PRESENCE: PresenceValues = { authorState: sql`NULL`, authorSeenAt: sql`NULL`, authorSlot: sql`NULL` };

/** The values for an author who has just been seen. */
export const seenNow = (userId: string, now: number): PresenceValues => ({
  authorState: sql`iif(${showsToEveryone(userId)}, 'online', NULL)`,
  authorSeenAt: sql`iif(${showsToEveryone(userId)}, ${now}, NULL)`,
  authorSlot: sql`iif(${showsToEveryone(userId)}, ${seenSlot("online", now)}, NULL)`,
});

const storedIfShown = (column: SQL) =>
  sql`(SELECT ${column} FROM ${presence}
    WHERE ${presence.userId} = ${lfgPosts.userId} AND ${showsToEveryone(sql`${lfgPosts.userId}`)})`;

/** The values from the stored presence of the post's author, for example for a post that reopens automatically. */
export const STORED_PRESENCE: PresenceValues = {
  authorState: storedIfShown(sql`${presence.state}`),
  authorSeenAt: storedIfShown(sql`${presence.seenAt}`),
  authorSlot: storedIfShown(
    sql`iif(${presence.state} = 'away', NULL, ${presence.seenAt} / ${sql.raw(String(SEEN_SLOT))})`,
  ),
};

/** Copies the stored presence into a player's open posts, or removes it, after they changed who sees it. */
export const renewPresenceOnPosts = (db: Database, userId: string) =>
  db.run(sql`UPDATE ${lfgPosts} SET ${setPresence(STORED_PRESENCE)} WHERE ${openPostsOf(userId)}`);

/**
 * The filter for posts whose author is online now, in two forms. `streams`: the index's slots to read, which also hold
 * authors who are no longer online. `check`: the exact condition, for posts that an index has found.
 */
export function seenLately(now: Date): { streams: SQL[]; check: SQL } {
  const current = Math.floor(now.getTime() / SEEN_SLOT);
  return {
    streams: [current, current - 1].map((number) => sql`${lfgPosts.authorSlot} = ${number}`),
    check: sql`(+${lfgPosts.authorSlot} IS NOT NULL AND ${lfgPosts.authorSeenAt} > ${now.getTime() - SEEN_SLOT})`,
  };
}
