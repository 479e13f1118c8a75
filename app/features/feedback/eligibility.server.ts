import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { conversations, joinRequests, lfgPosts, messages } from "#db/schema";
import { pairKey } from "~/features/messages/rules";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const mine = alias(joinRequests, "mine");
const post = alias(lfgPosts, "post");
const theirs = alias(joinRequests, "theirs");

/** Messages of a conversation among which both must have written. It bounds what a one-sided one costs. */
const ANSWERED_WITHIN = 1_000;

/** Whether two players were in a team that has played, each as its author or as one who joined. */
const havePlayed = (a: string, b: string) => sql`(
  EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${mine} JOIN ${lfgPosts} AS ${post} ON ${post.id} = ${mine.postId}
    WHERE ${mine.userId} = ${a} AND ${mine.playedAt} IS NOT NULL AND (
      ${post.userId} = ${b} OR EXISTS (
        SELECT 1 FROM ${joinRequests} AS ${theirs}
        WHERE ${theirs.postId} = ${mine.postId} AND ${theirs.userId} = ${b} AND ${theirs.playedAt} IS NOT NULL
      )
    )
  ) OR EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${theirs} JOIN ${lfgPosts} AS ${post} ON ${post.id} = ${theirs.postId}
    WHERE ${theirs.userId} = ${b} AND ${theirs.playedAt} IS NOT NULL AND ${post.userId} = ${a}
  )
)`;

/** Whether a player has written in a conversation, not too late for an answer. */
const hasWritten = (conversationId: SQL, userId: string) => sql`EXISTS (
  SELECT 1 FROM (
    SELECT ${m.senderId} FROM ${messages} AS ${m} WHERE ${m.conversationId} = ${conversationId} ORDER BY ${m.seq}
      LIMIT ${ANSWERED_WITHIN}
  ) AS said WHERE said.sender_id = ${userId}
)`;

/** Whether two players have talked with each other, both of them. */
const haveTalked = (a: string, b: string) => sql`EXISTS (
  SELECT 1 FROM ${conversations} AS ${c}
  WHERE ${c.pairKey} = ${pairKey(a, b)} AND ${hasWritten(sql`${c.id}`, a)} AND ${hasWritten(sql`${c.id}`, b)}
)`;

/**
 * Whether one player may give another feedback: who have played together or talked with each other, never oneself. An
 * SQL expression, to be asked where it counts. Blocks don't matter: else whoever played foul would block first.
 */
export const mayReview = (reviewerId: string, reviewedId: string): SQL =>
  reviewerId === reviewedId
    ? sql`0`
    : sql`(${havePlayed(reviewerId, reviewedId)} OR ${haveTalked(reviewerId, reviewedId)})`;
