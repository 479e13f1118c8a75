import type { SQL } from "drizzle-orm";
import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";

/**
 * Builds the statement that makes rooms load the tournaments again in which a player belongs to a team without a
 * captain, which the player may act for from now on (`actingCaptain`). For accounts that are no longer suspended or due
 * for deletion.
 * @param condition SQL that holds if the account is back
 */
export const outdateLoneTeams = (db: Database, playerId: string, condition: SQL) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.version)} = ${tournaments.version} + 1
    WHERE ${tournaments.state} = 'running' AND ${tournaments.id} IN (
      SELECT ${tournamentPlayers.tournamentId}
      FROM ${tournamentPlayers} JOIN ${tournamentTeams} ON ${tournamentTeams.id} = ${tournamentPlayers.teamId}
      WHERE ${tournamentPlayers.userId} = ${playerId} AND ${tournamentTeams.captainId} IS NULL
    ) AND ${condition}`);
