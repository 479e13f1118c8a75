import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
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
import { isApart, isFree } from "../conditions.server";

const invited = alias(tournamentInvitations, "invited");
const f = alias(profiles, "f");
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
 * Lists the players that a team's captain may invite by name: the other members of the captain's teams from posts, and
 * conversation partners. Leaves out players who are in a team of the tournament, already invited, or separated from a
 * member of the team by a block. Empty for anyone but the captain.
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
      AND ${t.state} = 'open' AND ${t.teamSize} > 1
      AND ${f.userId} <> ${captainId} AND ${staysOpen(users)}
      AND ${isFree(sql`${f.userId}`)} AND NOT ${isApart(sql`${teamRow.id}`, sql`${f.userId}`)}
      AND NOT EXISTS (
        SELECT 1 FROM ${tournamentInvitations} AS ${invited} WHERE ${invited.teamId} = ${teamRow.id}
          AND ${invited.userId} = ${f.userId}
      )
    LIMIT ${ACQUAINTANCES}`);
  return rows
    .map(({ rankAt: rank, ...row }) => ({ ...row, rank: rankAt(rank) }))
    .sort((a, b) => a.name.localeCompare(b.name));
};
