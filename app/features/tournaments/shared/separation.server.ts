import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  blocks,
  notifications,
  tournamentInvitations,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { bare } from "#db/sql";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { settleAll } from "~/platform/settle-all";
import { removeOrganiser } from "../hosting/organisers.server";
import { tellMatchChats } from "../match/match-chats.server";
import { tellTournament } from "./tell-tournament.server";

/*
 * A block between two players removes open invitations to each other's teams. Neither stays an organiser of the other's
 * tournaments, unless nobody else could run them: in that case the role ends when the host's account is back. They stay
 * in teams that they share.
 */

const hosted = alias(tournaments, "hosted");
const invitation = alias(tournamentInvitations, "invitation");
const mate = alias(tournamentPlayers, "mate");
const placed = alias(blocks, "placed");
const role = alias(tournamentOrganisers, "role");
const teamRow = alias(tournamentTeams, "team");

/**
 * Builds the statements that remove each of two players' open invitations to teams that the other is in, and the news
 * of these invitations.
 * @param condition SQL that is true if they are to be removed
 * @returns the statements; `news` returns the players who have lost news
 */
export function removeInvitations(db: Database, one: string, other: string, condition: SQL) {
  const { userId, teamId } = tournamentInvitations;
  const between = sql`
    SELECT ${invitation.userId}, ${invitation.teamId} FROM ${tournamentInvitations} AS ${invitation}
    WHERE ${invitation.userId} IN (${one}, ${other}) AND ${condition} AND EXISTS (
      SELECT 1 FROM ${tournamentPlayers} AS ${mate} WHERE ${mate.teamId} = ${invitation.teamId}
        AND ${mate.userId} = iif(${invitation.userId} = ${one}, ${other}, ${one})
    )`;
  return {
    news: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications}
      WHERE ${notifications.userId} IN (${one}, ${other}) AND (${notifications.userId}, ${notifications.subject}) IN (
        SELECT gone.user_id, ${subjectSql("tournament-team", teamRow.tournamentId, sql`gone.${bare(teamId)}`)}
        FROM (${between}) AS gone JOIN ${tournamentTeams} AS ${teamRow} ON ${teamRow.id} = gone.team_id
      )
      RETURNING ${notifications.userId} AS userId`),
    invitations: db.run(sql`
      DELETE FROM ${tournamentInvitations}
      WHERE ${userId} IN (${one}, ${other}) AND (${userId}, ${teamId}) IN (${between})`),
  };
}

/** Selects which of two players (`userId`) is an organiser of a tournament that the other hosts, once for each role. */
export function selectOrganisersBetween(one: string, other: string): SQL {
  const rolesOf = (userId: string, hostId: string) => sql`
    SELECT ${role.userId} AS userId FROM ${tournamentOrganisers} AS ${role}
    JOIN ${tournaments} AS ${hosted} ON ${hosted.id} = ${role.tournamentId}
    WHERE ${role.userId} = ${userId} AND ${hosted.userId} = ${hostId}`;
  return sql`${rolesOf(one, other)} UNION ALL ${rolesOf(other, one)}`;
}

/** Selects the organisers (`userId`) of a host's tournaments with whom the host has a block, once for each role. */
export const selectOrganisersAcrossBlocks = (hostId: string): SQL => sql`
  SELECT ${role.userId} AS userId FROM ${tournaments} AS ${hosted}
  JOIN ${tournamentOrganisers} AS ${role} ON ${role.tournamentId} = ${hosted.id}
  WHERE ${hosted.userId} = ${hostId} AND ${blockBetween(sql`${role.userId}`, hostId)}`;

/**
 * Ends a player's role as an organiser of tournaments whose host is across a block, unless nobody else could run them,
 * and updates open tabs. If it fails in one tournament, the role still ends in the others before the function throws.
 * Calling it twice has no further effect.
 */
export async function endRolesAcrossBlocks(
  context: Parameters<typeof tellUnread>[0] & { db: Database },
  userId: string,
  now: Date,
): Promise<void> {
  const { db } = context;
  const rolesAcross = (blocker: SQLiteColumn, blocked: SQLiteColumn) => sql`
    SELECT ${role.tournamentId} AS tournamentId, ${placed.blockerId} AS blockerId
    FROM ${tournamentOrganisers} AS ${role} JOIN ${tournaments} AS ${hosted} ON ${hosted.id} = ${role.tournamentId}
    JOIN ${blocks} AS ${placed} ON ${placed.blockerId} = ${blocker} AND ${placed.blockedId} = ${blocked}
    WHERE ${role.userId} = ${userId}`;
  const roles = await db.all<{ tournamentId: string; blockerId: string }>(
    sql`${rolesAcross(hosted.userId, role.userId)} UNION ALL ${rolesAcross(role.userId, hosted.userId)}`,
  );
  await settleAll(
    roles.map(async ({ tournamentId, blockerId }) => {
      try {
        tellMatchChats(
          context,
          (await removeOrganiser(db, { userId }, { tournamentId, userId: blockerId, now })) ?? [],
        );
      } finally {
        // Also after a failure: the role may have ended although the database's answer was lost, and the next try would
        // find no role.
        tellUnread(context, userId);
        tellTournament(context, tournamentId);
      }
    }),
  );
}
