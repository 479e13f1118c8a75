import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import { profiles, tournamentPlayers, tournaments } from "#db/schema";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { SUBSTITUTES } from "./rules";

const eligible = alias(profiles, "eligible");
const mate = alias(tournamentPlayers, "mate");
const member = alias(tournamentPlayers, "member");
const plays = alias(tournamentPlayers, "plays");
const starter = alias(tournamentPlayers, "starter");
const t = alias(tournaments, "t");
const taken = alias(tournamentPlayers, "taken");

/*
 * SQL conditions for changes to a tournament's teams. The statement that makes the change checks them itself, so that
 * only one of two simultaneous requests gets the last spot.
 */

/**
 * True if a player's own account lets them play in the tournament `t`: `obstacleOf` as SQL.
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

/** True if all starters of a team may play in the tournament `t`. @param teamId as an SQL expression */
export const areAllEligible = (teamId: SQL): SQL => sql`NOT EXISTS (
  SELECT 1 FROM ${tournamentPlayers} AS ${plays}
  WHERE ${plays.teamId} = ${teamId} AND ${plays.isSubstitute} = 0 AND NOT ${mayPlay(sql`${plays.userId}`)}
)`;

/** True if a player is in no team of the tournament `t`. @param userId as an SQL expression */
export const isFree = (userId: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${tournamentPlayers} AS ${taken} WHERE ${taken.tournamentId} = ${t.id}
    AND ${taken.userId} = ${userId})`;

/**
 * True if there is a block between a player and a member of a team.
 * @param teamId as an SQL expression
 * @param userId the player: an id, or an SQL expression
 */
export const isApart = (teamId: SQL, userId: SQL | string): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournamentPlayers} AS ${mate}
  WHERE ${mate.teamId} = ${teamId} AND ${blockBetween(sql`${mate.userId}`, userId)}
)`;

/**
 * True if a player may be invited to a team of the tournament `t`, whoever asks: its teams can still change, the
 * player's account stays and is in none of them, and no block separates the player from a member.
 * @param teamId as an SQL expression
 * @param account the player's row in `users`
 */
export const isInvitable = (
  teamId: SQL,
  account: Record<"id" | "suspendedAt" | "deletionDueAt", SQLWrapper>,
): SQL => sql`(
  ${t.state} = 'open' AND ${t.teamSize} > 1 AND ${staysOpen(account)} AND ${isFree(sql`${account.id}`)}
    AND NOT ${isApart(teamId, sql`${account.id}`)}
)`;

/** The number of players in a team. @param teamId as an SQL expression */
export const countMembers = (teamId: SQL): SQL =>
  sql`(SELECT count(*) FROM ${tournamentPlayers} AS ${member} WHERE ${member.teamId} = ${teamId})`;
/** The number of starters in a team. @param teamId as an SQL expression */
export const countStarters = (teamId: SQL): SQL =>
  sql`(SELECT count(*) FROM ${tournamentPlayers} AS ${starter} WHERE ${starter.teamId} = ${teamId}
    AND ${starter.isSubstitute} = 0)`;

/** `rosterLimit` of the tournament `t`, as SQL. */
export const rosterLimitOfT = sql`iif(${t.teamSize} = 1, 1, ${t.teamSize} + ${SUBSTITUTES})`;

/** When check-in opens in the tournament `t`; the tournament's date if it has no check-in. */
export const checkInOpensAtOfT = sql`max(
  ${t.tournamentDate} - ${t.checkInMinutes} * 60000, ${t.registrationDeadline}
)`;
