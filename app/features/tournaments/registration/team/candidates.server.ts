import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversationMembers,
  joinRequests,
  lfgPosts,
  profiles,
  tournamentInvitations,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import { nameOf } from "~/features/players/shared/name.server";
import { type Rank, rankAt } from "~/game/ranks";
import { isInvitable } from "../conditions.server";

const invited = alias(tournamentInvitations, "invited");
const f = alias(profiles, "f");
const meRow = alias(conversationMembers, "me");
const mine = alias(joinRequests, "mine");
const own = alias(joinRequests, "own");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");
const them = alias(conversationMembers, "them");

/** Maximum number of players suggested to a captain; anyone else can join by the team's link. */
const ACQUAINTANCES = 30;

/** Number of a captain's latest conversations searched for acquaintances. */
const CONVERSATIONS = 50;

/** A player who has been invited, or could be. */
export interface Candidate {
  userId: string;
  name: string;
  rank: Rank | null;
}

/** Lists the players whom a team's captain has invited and who haven't answered. Empty for anyone but the captain. */
export const listInvited = async (db: Database, teamId: string, captainId: string): Promise<Candidate[]> => {
  const rows = await db.all<{ userId: string; name: string; rankAt: number | null }>(sql`
    SELECT ${invited.userId} AS userId, ${nameOf(sql`${invited.userId}`)} AS name, ${f.currentRank} AS rankAt
    FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournamentInvitations} AS ${invited} ON ${invited.teamId} = ${teamRow.id}
    LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${invited.userId}
    WHERE ${teamRow.id} = ${teamId} AND ${teamRow.captainId} = ${captainId}`);
  return rows.map(({ rankAt: rank, ...row }) => ({ ...row, rank: rankAt(rank) }));
};

/**
 * True if a captain knows a player, and so may invite them by name: both belong to the team of a post, even of one that
 * is over, or share a conversation. `listAcquaintances` finds the same players from the captain's side, as far as its
 * limits reach; as a condition, that would read all of them for each player.
 * @param playerId the player, as an SQL expression
 * @param userId the captain's id
 */
export const knows = (playerId: SQL, userId: string) => sql`(
  EXISTS (
    SELECT 1 FROM ${conversationMembers} AS ${meRow}
      JOIN ${conversationMembers} AS ${them} ON ${them.conversationId} = ${meRow.conversationId}
    WHERE ${meRow.userId} = ${userId} AND ${them.userId} = ${playerId}
  ) OR EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${r} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
    WHERE ${r.userId} = ${playerId} AND ${r.state} = 'accepted' AND (${p.userId} = ${userId} OR EXISTS (
      SELECT 1 FROM ${joinRequests} AS ${mine}
      WHERE ${mine.postId} = ${p.id} AND ${mine.userId} = ${userId}
        AND ${mine.state} = 'accepted'
    ))
  ) OR EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${mine} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${mine.postId}
    WHERE ${mine.userId} = ${userId} AND ${mine.state} = 'accepted' AND ${p.userId} = ${playerId}
  )
)`;

/**
 * Lists the players whom a team's captain may invite by name: the other members of the captain's teams from posts, and
 * conversation partners. Leaves out players who are already invited, and those whom nobody may invite to the team
 * (`isInvitable`). Empty for anyone but the captain.
 */
export const listAcquaintances = async (
  db: Database,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  captainId: string,
): Promise<Candidate[]> => {
  const rows = await db.all<{ userId: string; name: string; rankAt: number | null }>(sql`
    SELECT ${f.userId} AS userId, ${nameOf(sql`${f.userId}`)} AS name, ${f.currentRank} AS rankAt
    FROM ${tournamentTeams} AS ${teamRow} CROSS JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
    CROSS JOIN ${profiles} AS ${f} ON ${f.userId} IN (
      SELECT ${them.userId} FROM (
        SELECT ${conversationMembers.conversationId} FROM ${conversationMembers}
        WHERE ${conversationMembers.userId} = ${captainId} ORDER BY ${conversationMembers.listedAt} DESC,
          ${conversationMembers.conversationId} DESC LIMIT ${CONVERSATIONS}
      ) AS mine
      JOIN ${conversationMembers} AS ${them} ON ${them.conversationId} = mine.conversation_id
      UNION ALL
      SELECT ${r.userId} FROM ${lfgPosts} AS ${p} JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${p.id}
        AND ${r.state} = 'accepted'
      WHERE ${p.userId} = ${captainId}
      UNION ALL
      SELECT ${p.userId} FROM ${joinRequests} AS ${own}
        JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${own.postId}
      WHERE ${own.userId} = ${captainId} AND ${own.state} = 'accepted'
      UNION ALL
      SELECT ${r.userId} FROM ${joinRequests} AS ${own}
      JOIN ${joinRequests} AS ${r} ON ${r.postId} = ${own.postId} AND ${r.state} = 'accepted'
      WHERE ${own.userId} = ${captainId} AND ${own.state} = 'accepted'
    )
    CROSS JOIN ${users} ON ${users.id} = ${f.userId}
    WHERE ${teamRow.id} = ${teamId} AND ${teamRow.captainId} = ${captainId} AND ${t.id} = ${tournamentId}
      AND ${f.userId} <> ${captainId} AND ${isInvitable(sql`${teamRow.id}`, users)}
      AND NOT EXISTS (
        SELECT 1 FROM ${tournamentInvitations} AS ${invited} WHERE ${invited.teamId} = ${teamRow.id}
          AND ${invited.userId} = ${f.userId}
      )
    LIMIT ${ACQUAINTANCES}`);
  return rows
    .map(({ rankAt: rank, ...row }) => ({ ...row, rank: rankAt(rank) }))
    .sort((a, b) => a.name.localeCompare(b.name));
};
