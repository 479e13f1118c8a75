import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { joinRequests, lfgPosts } from "#db/schema";
import { FOREVER } from "~/platform/lists/keyset.server";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * Selects everything that a player leaves when their account is suspended or deleted, as `postId`, `authorId`, `state`
 * and `conversationId`: teams that have accepted them and whose session isn't over, and unanswered requests.
 * @param joinedBy leaves out what the player asked to join later, in milliseconds since 1970
 */
export const selectCommitments = (userId: string, joinedBy = FOREVER): SQL => sql`
  SELECT ${r.postId} AS postId, ${p.userId} AS authorId, ${r.state} AS state, ${p.conversationId} AS conversationId
    FROM ${joinRequests} AS ${r}
    JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
  WHERE ${r.userId} = ${userId} AND ${r.state} IN ('pending', 'accepted') AND ${p.sessionEndedAt} IS NULL
    AND ${r.createdAt} <= ${joinedBy}`;
