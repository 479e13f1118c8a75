import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { tournamentOrganisers, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { FOREVER } from "~/platform/lists/keyset.server";
import { countMembers } from "../registration/conditions.server";
import { isRunByOthers } from "./access.server";

const me = alias(tournamentPlayers, "me");
const role = alias(tournamentOrganisers, "role");
const t = alias(tournaments, "t");
const team = alias(tournamentTeams, "team");

/*
 * Everything in tournaments that a player leaves when their account is suspended or deleted (`leaveTournaments`).
 * `joinedBy` leaves out everything that began for the player later, in milliseconds since 1970.
 */

/**
 * Selects the tournaments that aren't over and that a player co-organises, and their own that nobody else runs, as
 * `tournamentId`.
 */
export const selectRoles = (userId: string, joinedBy = FOREVER): SQL => sql`
  SELECT ${tournaments.id} AS tournamentId FROM ${tournamentOrganisers} AS ${role}
  JOIN ${tournaments} ON ${tournaments.id} = ${role.tournamentId}
  WHERE ${role.userId} = ${userId} AND ${role.addedAt} <= ${joinedBy} AND ${tournaments.state} IN ('open', 'running')
  UNION ALL
  SELECT ${tournaments.id} FROM ${tournaments}
  WHERE ${tournaments.userId} = ${userId} AND ${tournaments.createdAt} <= ${joinedBy}
    AND ${tournaments.state} IN ('open', 'running') AND NOT ${isRunByOthers(userId)}`;

/**
 * Selects a player's teams in tournaments that aren't over, as `tournamentId`, `teamId` and `dissolvesTeam`. Leaves out
 * running tournaments in which the player is alone in the team and no longer its captain: they have already left as far
 * as possible.
 */
export function selectPlaces(userId: string, joinedBy = FOREVER): SQL {
  const isAlone = sql`(${countMembers(sql`${team.id}`)} = 1)`;
  return sql`
    SELECT ${me.tournamentId} AS tournamentId, ${me.teamId} AS teamId, ${t.state} = 'open'
      AND ${isAlone} AS dissolvesTeam
    FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${me.teamId}
    JOIN ${tournaments} AS ${t} ON ${t.id} = ${me.tournamentId}
    WHERE ${me.userId} = ${userId} AND ${me.joinedAt} <= ${joinedBy}
      AND (${t.state} = 'open' OR (${t.state} = 'running' AND (${team.captainId} = ${userId} OR NOT ${isAlone})))`;
}
