import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { joinRequests, lfgPosts } from "#db/schema";

const p = alias(lfgPosts, "p");
const t = alias(joinRequests, "t");

/*
 * Who is in a team is what `join_requests` says; `lfg_posts.taken_spots` is recounted in the transaction that changes it.
 * So, until that recount, the two differ: by that the statements of one transaction know that it has changed something,
 * and a button pressed twice does nothing twice.
 */

/** Whether the post `p` is open. @param now milliseconds since 1970 */
export const isOpen = (now: number) => sql`${p.isActive} = 1 AND ${p.expiresAt} > ${now}`;

/** How many players a post has accepted. @param postId an SQL expression with its table's alias */
export const accepted = (postId: SQL) => sql`(
  SELECT count(*) FROM ${joinRequests} AS ${t} WHERE ${t.postId} = ${postId} AND ${t.state} = 'accepted'
)`;
/** How many players the post `p` has accepted. */
export const acceptedByP = accepted(sql`${p.id}`);

/** Whether the post `p` has an open spot, by the requests that it has accepted. */
export const hasOpenSpot = sql`${p.neededPlayers} > ${acceptedByP}`;
/** The opposite of `hasOpenSpot`. */
export const isFull = sql`${p.neededPlayers} <= ${acceptedByP}`;

/** The subject of news about a post. */
export const aboutPost = (postId: string) => sql`'post:' || ${postId}`;
