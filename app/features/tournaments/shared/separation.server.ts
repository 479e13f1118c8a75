import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { blocks, tournamentOrganisers, tournamentPlayers, tournaments } from "#db/schema";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { settleAll } from "~/platform/settle-all";
import { removeOrganiser } from "../hosting/organisers.server";
import { tellMatchChats } from "../match/match-chats.server";
import { deleteInvitations, invitation } from "./invitations.server";
import { tellTournament } from "./tell-tournament.server";

/*
 * A block between two players removes open invitations to each other's teams. Neither stays an organiser of the other's
 * tournaments, unless nobody else could run them: in that case the role ends when the host's account is back. They stay
 * in teams that they share.
 */

const hosted = alias(tournaments, "hosted");
const mate = alias(tournamentPlayers, "mate");
const placed = alias(blocks, "placed");
const role = alias(tournamentOrganisers, "role");

/**
 * Builds the statements that remove each of two players' open invitations to teams that the other is in, and the news
 * of these invitations.
 * @param condition SQL that is true if they are to be removed
 * @returns the statements; `news` returns the players who have lost news
 */
export const removeInvitations = (db: Database, one: string, other: string, condition: SQL) =>
  deleteInvitations(
    db,
    [one, other],
    sql`${condition} AND EXISTS (
      SELECT 1 FROM ${tournamentPlayers} AS ${mate} WHERE ${mate.teamId} = ${invitation.teamId}
        AND ${mate.userId} = iif(${invitation.userId} = ${one}, ${other}, ${one})
    )`,
  );

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
        // Also after a failure: the role may have ended although the database's response was lost, and the next try
        // would find no role.
        tellUnread(context, userId);
        tellTournament(context, tournamentId);
      }
    }),
  );
}
