import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { profiles, tournamentPlayers, tournaments } from "#db/schema";
import { SUBSTITUTES } from "./rules";

const eligible = alias(profiles, "eligible");
const member = alias(tournamentPlayers, "member");
const plays = alias(tournamentPlayers, "plays");
const starter = alias(tournamentPlayers, "starter");
const t = alias(tournaments, "t");
const taken = alias(tournamentPlayers, "taken");

/*
 * What must hold for a change of a tournament's teams, as SQL: the statement that makes the change asks for it, so that of
 * two who want the last place at the same moment one gets it.
 */

/**
 * That a player may play in the tournament `t`, as far as their own account goes: `obstacleOf` as a statement sees it.
 * @param userId the player, as an SQL expression
 */
export const mayPlay = (userId: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM ${profiles} AS ${eligible}
  WHERE ${eligible.userId} = ${userId} AND ${eligible.riotVerifiedAt} IS NOT NULL
    AND ((${t.minRank} IS NULL AND ${t.maxRank} IS NULL) OR (
      ${eligible.currentRank} IS NOT NULL AND ${eligible.currentRank} >= coalesce(${t.minRank}, 0)
      AND ${eligible.currentRank} <= coalesce(${t.maxRank}, 100)
    ))
)`;

/** That all who play for a team may do so in the tournament `t`. @param teamId as an SQL expression */
export const doAllFit = (teamId: SQL): SQL => sql`NOT EXISTS (
  SELECT 1 FROM ${tournamentPlayers} AS ${plays}
  WHERE ${plays.teamId} = ${teamId} AND ${plays.isSubstitute} = 0 AND NOT ${mayPlay(sql`${plays.userId}`)}
)`;

/** That a player is in no team of the tournament `t`. @param userId as an SQL expression */
export const isFree = (userId: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${tournamentPlayers} AS ${taken} WHERE ${taken.tournamentId} = ${t.id}
    AND ${taken.userId} = ${userId})`;

/** How many players a team has, or, of them, who play. @param teamId as an SQL expression */
export const countMembers = (teamId: SQL): SQL =>
  sql`(SELECT count(*) FROM ${tournamentPlayers} AS ${member} WHERE ${member.teamId} = ${teamId})`;
export const countStarters = (teamId: SQL): SQL =>
  sql`(SELECT count(*) FROM ${tournamentPlayers} AS ${starter} WHERE ${starter.teamId} = ${teamId}
    AND ${starter.isSubstitute} = 0)`;

/** `rosterLimit` of the tournament `t`. */
export const rosterLimitOfT = sql`iif(${t.teamSize} = 1, 1, ${t.teamSize} + ${SUBSTITUTES})`;

/** When check-in opens in the tournament `t`; its date where there is none. */
export const checkInOpensAtOfT = sql`max(
  ${t.tournamentDate} - ${t.checkInMinutes} * 60000, ${t.registrationDeadline}
)`;
