import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { conversations, joinRequests, lfgPosts, messages, tournamentMatches, tournamentPlayers } from "#db/schema";
import { pairKeyOf } from "~/features/messages/shared/pair-key.server";
import { MET_DURATION, MET_MESSAGES } from "../rules";

// The players may be given as columns of an outer statement, which must not have any of these aliases.
const match = alias(tournamentMatches, "match");
const mate = alias(tournamentPlayers, "mate");
const mine = alias(joinRequests, "mine");
const own = alias(tournamentPlayers, "own");
const post = alias(lfgPosts, "post");
const remark = alias(messages, "remark");
const talk = alias(conversations, "talk");
const theirs = alias(joinRequests, "theirs");
const opposite = alias(tournamentPlayers, "opposite");

/** Number of messages that count, from the beginning of a conversation. Bounds the cost of a long one. */
const MESSAGES_COUNTED = 200;

/**
 * Whether two players are in the team of the same post, as author or member.
 * @param isMember the condition for a request's player to count as a member
 */
const areInOneTeam = (a: SQL, b: SQL, isMember: (request: Record<"state" | "playedAt", SQLiteColumn>) => SQL) => sql`(
  EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${mine} JOIN ${lfgPosts} AS ${post} ON ${post.id} = ${mine.postId}
    WHERE ${mine.userId} = ${a} AND ${isMember(mine)} AND (
      ${post.userId} = ${b} OR EXISTS (
        SELECT 1 FROM ${joinRequests} AS ${theirs}
        WHERE ${theirs.postId} = ${mine.postId} AND ${theirs.userId} = ${b} AND ${isMember(theirs)}
      )
    )
  ) OR EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${theirs} JOIN ${lfgPosts} AS ${post} ON ${post.id} = ${theirs.postId}
    WHERE ${theirs.userId} = ${b} AND ${isMember(theirs)} AND ${post.userId} = ${a}
  )
)`;

/** Whether two players were in the same team when it played. */
const wereInOneTeam = (a: SQL, b: SQL) => areInOneTeam(a, b, ({ playedAt }) => sql`${playedAt} IS NOT NULL`);

const wasPlayed = sql`${match.state} = 'finished' AND ${match.forfeit} IS NULL`;

/** Whether two players took part in the same played match of a tournament, on the same or on opposite sides. */
const wereInOneMatch = (a: SQL, b: SQL) => sql`EXISTS (
  SELECT 1 FROM ${tournamentPlayers} AS ${own}
  CROSS JOIN ${tournamentPlayers} AS ${opposite}
    ON ${opposite.tournamentId} = ${own.tournamentId} AND ${opposite.userId} = ${b}
  WHERE ${own.userId} = ${a} AND (
    EXISTS (
      SELECT 1 FROM ${tournamentMatches} AS ${match}
      WHERE ${match.team1} = ${own.teamId} AND (${match.team2} = ${opposite.teamId} OR ${own.teamId} = ${opposite.teamId})
        AND ${wasPlayed}
    ) OR EXISTS (
      SELECT 1 FROM ${tournamentMatches} AS ${match}
      WHERE ${match.team2} = ${own.teamId} AND (${match.team1} = ${opposite.teamId} OR ${own.teamId} = ${opposite.teamId})
        AND ${wasPlayed}
    )
  )
)`;

/**
 * Whether two players have met by talking: the rule of `haveMetByTalking`, applied to the beginning of their
 * conversation.
 */
const haveTalked = (a: SQL, b: SQL) => sql`EXISTS (
  SELECT 1 FROM ${conversations} AS ${talk}
  WHERE ${talk.pairKey} = ${pairKeyOf(a, b)} AND (
    SELECT total(said.sender_id = ${a}) >= ${MET_MESSAGES} AND total(said.sender_id = ${b}) >= ${MET_MESSAGES}
      AND max(said.created_at) - min(said.created_at) >= ${MET_DURATION}
    FROM (
      SELECT ${remark.senderId}, ${remark.createdAt} FROM ${messages} AS ${remark} WHERE ${remark.conversationId} = ${talk.id}
        ORDER BY ${remark.seq} LIMIT ${MESSAGES_COUNTED}
    ) AS said
  )
)`;

/**
 * Builds the SQL expression for whether two players have met: they played in the same team, took part in the same
 * tournament match, or talked with each other for a while. Players haven't met themselves.
 * @param a one player's id, as an SQL expression
 * @param b the other player's id, as an SQL expression
 */
export const haveMet = (a: SQL, b: SQL): SQL =>
  sql`(${havePlayedTogether(a, b)} OR (${a} <> ${b} AND ${haveTalked(a, b)}))`;

/**
 * Builds the SQL expression for whether two players played in the same team or took part in the same tournament match.
 * This is the part of `haveMet` that reads no messages.
 */
export const havePlayedTogether = (a: SQL, b: SQL): SQL =>
  sql`(${a} <> ${b} AND (${wereInOneTeam(a, b)} OR ${wereInOneMatch(a, b)}))`;

/**
 * Builds the SQL expression for whether two different players are in the same team now, a post's or a tournament's. The
 * pages of such a team show its members each other's Discord tags.
 */
export const areTeammates = (a: SQL, b: SQL): SQL => sql`(
  ${areInOneTeam(a, b, ({ state }) => sql`${state} = 'accepted'`)} OR EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${own}
    CROSS JOIN ${tournamentPlayers} AS ${mate} ON ${mate.teamId} = ${own.teamId} AND ${mate.userId} = ${b}
    WHERE ${own.userId} = ${a}
  )
)`;
