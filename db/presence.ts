import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./client";
import { lfgPosts, profiles } from "./schema";
import { bare } from "./sql";
import { type PRESENCE_STATES, seenSlot } from "./words/presence";

/*
 * SQL about the presence that an author's open posts show. It is used when the author's inbox reports a presence, and
 * when the author visits without a socket.
 */

/** SQL condition that everyone may see a player's presence. */
export const showsToEveryone = (userId: SQL | string) => sql`EXISTS (
  SELECT 1 FROM ${profiles} WHERE ${profiles.userId} = ${userId} AND ${profiles.presencePolicy} = 'everyone'
)`;

/** SQL condition that selects a player's open posts. */
export const openPostsOf = (userId: string) => sql`${lfgPosts.userId} = ${userId} AND ${lfgPosts.isActive} = 1`;

/**
 * Builds the statement that copies a presence into its player's open posts, unless they show a newer one.
 * @param seen the presence; `seenAt` in milliseconds since 1970
 * @param condition a further condition on the posts
 */
export const showPresenceOnPosts = (
  db: Database,
  userId: string,
  { state, seenAt }: { state: (typeof PRESENCE_STATES)[number]; seenAt: number },
  condition: SQL = sql`1`,
) =>
  db.run(sql`
    UPDATE ${lfgPosts} SET ${bare(lfgPosts.authorState)} = ${state}, ${bare(lfgPosts.authorSeenAt)} = ${seenAt},
      ${bare(lfgPosts.authorSlot)} = ${seenSlot(state, seenAt)}
    WHERE ${openPostsOf(userId)} AND coalesce(${lfgPosts.authorSeenAt}, 0) <= ${seenAt}
      AND ${showsToEveryone(userId)} AND ${condition}`);
