import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { joinRequests, lfgPosts } from "#db/schema";

const member = alias(joinRequests, "team_member");
const teamPost = alias(lfgPosts, "team_post");

/** A team: its post's id, or an SQL expression that finds it. */
export type TeamRef = string | SQL;

/** Refers to the team that a conversation belongs to. Matches no team if the conversation is of another kind. */
export const teamOfConversation = (conversationId: string): SQL =>
  sql`(SELECT ${teamPost.id} FROM ${lfgPosts} AS ${teamPost} WHERE ${teamPost.conversationId} = ${conversationId})`;

/**
 * SQL condition that a player is in the team of a post: they were accepted, or are the author and have accepted
 * someone.
 * @param post the query's name for `lfg_posts`
 */
export const isInTeam = (post: { id: SQLiteColumn; userId: SQLiteColumn }, userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${joinRequests} AS ${member}
  WHERE ${member.postId} = ${post.id} AND ${member.state} = 'accepted'
    AND (${member.userId} = ${userId} OR ${post.userId} = ${userId})
)`;
