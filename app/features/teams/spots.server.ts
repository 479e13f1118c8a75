import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { joinRequests, lfgPosts } from "#db/schema";
import { blockBetween } from "~/features/blocks/shared/blocks.server";

const mate = alias(joinRequests, "mate");
const p = alias(lfgPosts, "p");
const t = alias(joinRequests, "t");

/*
 * `join_requests` decides who is in a team; each transaction that changes it also recounts `lfg_posts.taken_spots`.
 * Until the recount, the stored number differs from the counted one. The difference tells later statements that the
 * transaction has changed something, so pressing a button twice has no second effect.
 */

/**
 * The number of players that a post has accepted, as an SQL expression.
 * @param postId an SQL expression with its table's alias
 */
export const countAccepted = (postId: SQL) => sql`(
  SELECT count(*) FROM ${joinRequests} AS ${t} WHERE ${t.postId} = ${postId} AND ${t.state} = 'accepted'
)`;
/** The number of players that the post `p` has accepted. */
export const acceptedByP = countAccepted(sql`${p.id}`);

/** SQL condition that the post `p` has an open spot, counting the requests that it has accepted. */
export const hasOpenSpot = sql`${p.neededPlayers} > ${acceptedByP}`;
/** The opposite of `hasOpenSpot`. */
export const isFull = sql`${p.neededPlayers} <= ${acceptedByP}`;

/**
 * Whether there is a block between a player and someone whom a post has accepted, as an SQL condition.
 * @param userId an SQL expression with its table's name or alias
 */
export const isApart = (postId: string, userId: SQL) => sql`EXISTS (
  SELECT 1 FROM ${joinRequests} AS ${mate}
  WHERE ${mate.postId} = ${postId} AND ${mate.state} = 'accepted' AND ${blockBetween(sql`${mate.userId}`, userId)}
)`;
