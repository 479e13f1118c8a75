import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { conversations, joinRequests, lfgPosts, messages } from "#db/schema";
import { pairKey } from "~/features/messages/rules";

const c = alias(conversations, "c");
const m = alias(messages, "m");
const mine = alias(joinRequests, "mine");
const post = alias(lfgPosts, "post");
const theirs = alias(joinRequests, "theirs");

/**
 * Both players must have written among this many first messages of their conversation. The limit bounds the cost of
 * checking a one-sided conversation.
 */
const ANSWERED_WITHIN = 1_000;

/** Whether two players were in the same team when it played, as its author or as a member. */
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

/** Whether a player has written among the first messages of a conversation. */
const hasWritten = (conversationId: SQL, userId: string) => sql`EXISTS (
  SELECT 1 FROM (
    SELECT ${m.senderId} FROM ${messages} AS ${m} WHERE ${m.conversationId} = ${conversationId} ORDER BY ${m.seq}
      LIMIT ${ANSWERED_WITHIN}
  ) AS said WHERE said.sender_id = ${userId}
)`;

/** Whether both players have written in their conversation. */
const haveTalked = (a: string, b: string) => sql`EXISTS (
  SELECT 1 FROM ${conversations} AS ${c}
  WHERE ${c.pairKey} = ${pairKey(a, b)} AND ${hasWritten(sql`${c.id}`, a)} AND ${hasWritten(sql`${c.id}`, b)}
)`;

/**
 * Whether one player may give another feedback, as an SQL expression: they must have played together or talked with
 * each other, and can't be the same player. Blocks don't matter, because otherwise a player could avoid bad feedback by
 * blocking first.
 */
export const mayReview = (reviewerId: string, reviewedId: string): SQL =>
  reviewerId === reviewedId
    ? sql`0`
    : sql`(${havePlayed(reviewerId, reviewedId)} OR ${haveTalked(reviewerId, reviewedId)})`;
