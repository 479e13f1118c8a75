import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import { tournamentPlayers, tournaments, tournamentTeams, users } from "#db/schema";
import { bumpVersion } from "./changes.server";

const account = alias(users, "account");
const only = alias(tournamentPlayers, "only");

/**
 * The player who acts for a team: its captain. A player who is alone in a team loses the captaincy when their account
 * is suspended or due for deletion (`leaveTournaments`), and acts for the team again once it is neither.
 * @param team `tournament_teams`, or an alias of it
 */
export const actingCaptain = (team: Record<"id" | "captainId", SQLWrapper>): SQL => sql`coalesce(
  ${team.captainId}, (
    SELECT iif(count(*) = 1, max(${only.userId}), NULL)
    FROM ${tournamentPlayers} AS ${only} JOIN ${users} AS ${account} ON ${account.id} = ${only.userId}
      AND ${staysOpen(account)}
    WHERE ${only.teamId} = ${team.id}
  )
)`;

/**
 * Builds the statement that makes rooms reload the tournaments in which a player belongs to a team without a captain,
 * because the player may act for that team from now on (`actingCaptain`). For accounts that are no longer suspended or
 * due for deletion.
 * @param condition SQL that is true if the account is back
 */
export const outdateLoneTeams = (db: Database, playerId: string, now: Date, condition: SQL) =>
  bumpVersion(
    db,
    sql`SELECT ${tournamentPlayers.tournamentId}
      FROM ${tournamentPlayers} JOIN ${tournamentTeams} ON ${tournamentTeams.id} = ${tournamentPlayers.teamId}
      WHERE ${tournamentPlayers.userId} = ${playerId} AND ${tournamentTeams.captainId} IS NULL`,
    sql`${tournaments.state} = 'running' AND ${condition}`,
    now.getTime(),
  );
