import { type SQL, sql } from "drizzle-orm";
import { pairKey } from "~/features/messages/rules";

/** Messages of a conversation among which both must have written. It bounds what a one-sided one costs. */
const ANSWERED_WITHIN = 1_000;

/** Whether two players were in a team that has played, each as its author or as one who joined. */
const havePlayed = (a: string, b: string) => sql`(
  EXISTS (
    SELECT 1 FROM join_requests AS mine JOIN lfg_posts AS post ON post.id = mine.post_id
    WHERE mine.user_id = ${a} AND mine.played_at IS NOT NULL AND (
      post.user_id = ${b} OR EXISTS (
        SELECT 1 FROM join_requests AS theirs
        WHERE theirs.post_id = mine.post_id AND theirs.user_id = ${b} AND theirs.played_at IS NOT NULL
      )
    )
  ) OR EXISTS (
    SELECT 1 FROM join_requests AS theirs JOIN lfg_posts AS post ON post.id = theirs.post_id
    WHERE theirs.user_id = ${b} AND theirs.played_at IS NOT NULL AND post.user_id = ${a}
  )
)`;

/** Whether a player has written in a conversation, not too late for an answer. */
const hasWritten = (conversationId: SQL, userId: string) => sql`EXISTS (
  SELECT 1 FROM (
    SELECT m.sender_id FROM messages AS m WHERE m.conversation_id = ${conversationId} ORDER BY m.seq LIMIT ${ANSWERED_WITHIN}
  ) AS said WHERE said.sender_id = ${userId}
)`;

/** Whether two players have talked with each other, both of them. */
const haveTalked = (a: string, b: string) => sql`EXISTS (
  SELECT 1 FROM conversations AS c
  WHERE c.pair_key = ${pairKey(a, b)} AND ${hasWritten(sql`c.id`, a)} AND ${hasWritten(sql`c.id`, b)}
)`;

/**
 * Whether one player may give another feedback: who have played together or talked with each other, never oneself. An
 * SQL expression, to be asked where it counts. Blocks don't matter: else whoever played foul would block first.
 */
export const mayReview = (reviewerId: string, reviewedId: string): SQL =>
  reviewerId === reviewedId
    ? sql`0`
    : sql`(${havePlayed(reviewerId, reviewedId)} OR ${haveTalked(reviewerId, reviewedId)})`;
