import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentInvitations, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { bumpVersion, detailsOfTeam, logEvent } from "../../shared/changes.server";
import { countMembers, countStarters, isApart, isFree, mayPlay, rosterLimitOfT } from "../conditions.server";
import { type Eligibility, endSearch, readObstacle } from "../register.server";
import type { Ineligibility } from "../rules";
import { fromTeamOf, notifyTeam, type TeamActor } from "./changes.server";

const invited = alias(tournamentInvitations, "invited");
const joined = alias(tournamentPlayers, "joined");
const eligible = alias(profiles, "eligible");
const mine = alias(tournamentPlayers, "mine");
const ownRow = alias(tournamentTeams, "own");
const player = alias(tournamentPlayers, "player");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

export type JoinOutcome =
  /** `concerned` are the player, whose news of invitations may have been removed, and the captain. */
  | { outcome: "joined"; team: string; isSubstitute: boolean; concerned: string[] }
  /** No such team, a link that was renewed, or no invitation. */
  | { outcome: "missing" }
  | { outcome: "not-open" | "full" | "blocked" | "gone" }
  | { outcome: "has-team"; teamId: string; team: string }
  | ({ outcome: "obstacle" } & Ineligibility)
  | Limited;

/**
 * Adds a player to a team, by its link or an invitation, if there is room at that moment: as a starter if the team
 * lacks one, otherwise as a substitute. The captain is notified. Joining twice has no further effect.
 */
async function joinTeam(
  db: Database,
  actor: TeamActor,
  by: { token: string } | "invitation",
  now: number,
): Promise<JoinOutcome> {
  const { tournamentId, teamId, userId } = actor;
  const me = sql`${userId}`;
  const isInvited =
    by === "invitation"
      ? sql`EXISTS (SELECT 1 FROM ${tournamentInvitations} AS ${invited} WHERE ${invited.teamId} = ${teamRow.id}
        AND ${invited.userId} = ${userId})`
      : sql`${teamRow.inviteToken} = ${by.token}`;
  const isBlocked = isApart(sql`${teamRow.id}`, userId);
  const hasJoined = sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${joined}
    WHERE ${joined.tournamentId} = ${tournamentId} AND ${joined.userId} = ${userId} AND ${joined.teamId} = ${teamId}
      AND ${joined.joinedAt} = ${now}
  )`;
  const { invitation, found, limits } = await transact(db, {
    // Read before the statements below delete the invitation.
    invitation: db.all<{ isInvited: number }>(sql`SELECT ${isInvited} AS isInvited ${fromTeamOf(actor)}`),
    join: db.run(sql`
      INSERT INTO ${tournamentPlayers} ${columnsOf(
        tournamentPlayers,
        "tournamentId",
        "userId",
        "teamId",
        "isSubstitute",
        "joinedAt",
      )}
      SELECT ${t.id},
        ${userId}, ${teamRow.id}, ${countStarters(sql`${teamRow.id}`)} >= ${t.teamSize}, ${now} ${fromTeamOf(actor)}
        AND ${t.state} = 'open' AND ${isInvited} AND NOT ${isBlocked} AND ${mayPlay(me)} AND ${isFree(me)}
        AND NOT ${isLimited(userId, "joining", now)} AND ${countMembers(sql`${teamRow.id}`)} < ${rosterLimitOfT}
      ON CONFLICT DO NOTHING`),
    search: endSearch(db, tournamentId, userId, now),
    version: bumpVersion(db, tournamentId, hasJoined, now),
    event: logEvent(db, { ...actor, now: new Date(now) }, "joined-team", detailsOfTeam(teamId), hasJoined),
    tell: notifyTeam(
      db,
      actor,
      "joined",
      sql`${player.userId} = ${teamRow.captainId} AND ${player.userId} <> ${userId} AND ${hasJoined}`,
      now,
    ),
    limits: readLimit(db, userId, "joining", now),
    found: db.all<JoinRow>(sql`
      SELECT ${t.state} AS state, ${teamRow.name} AS team, ${teamRow.captainId} AS captainId,
        ${t.minRank} AS minRank, ${t.maxRank} AS maxRank,
        ${ownRow.id} AS ownId, ${ownRow.name} AS ownName, ${mine.isSubstitute} AS isSubstitute,
        ${eligible.riotVerifiedAt} AS verifiedAt, ${eligible.currentRank} AS rank, ${isBlocked} AS isBlocked,
        ${countMembers(sql`${teamRow.id}`)} >= ${rosterLimitOfT} AS isFull
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${userId}
      LEFT JOIN ${tournamentPlayers} AS ${mine} ON ${mine.tournamentId} = ${t.id} AND ${mine.userId} = ${userId}
      LEFT JOIN ${tournamentTeams} AS ${ownRow} ON ${ownRow.id} = ${mine.teamId}
      WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${t.hiddenAt} IS NULL`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  if (row.ownId === teamId) {
    return {
      outcome: "joined",
      team: row.team,
      isSubstitute: Boolean(row.isSubstitute),
      // Both are listed even if this transaction changed nothing: an earlier one may have added the player, and its
      // response may have been lost.
      concerned: [userId, ...(row.captainId ? [row.captainId] : [])],
    };
  }
  if (!invitation[0]?.isInvited) return { outcome: "missing" };
  if (row.ownId !== null) return { outcome: "has-team", teamId: row.ownId, team: row.ownName ?? "" };
  if (row.state !== "open") return { outcome: "not-open" };
  const limited = limitedBy(limits);
  if (limited) return limited;
  if (row.isBlocked) return { outcome: "blocked" };
  const obstacle = readObstacle(row);
  if (obstacle) return { outcome: "obstacle", ...obstacle };
  return { outcome: row.isFull ? "full" : "gone" };
}

/** Adds a player to a team by its link. */
export const joinTeamByLink = (db: Database, actor: TeamActor, token: string, now: number) =>
  joinTeam(db, actor, { token }, now);

/** Adds an invited player to a team. */
export const acceptInvitation = (db: Database, actor: TeamActor, now: number) => joinTeam(db, actor, "invitation", now);

interface JoinRow extends Eligibility, Pick<typeof tournaments.$inferSelect, "state"> {
  team: string;
  captainId: string | null;
  ownId: string | null;
  ownName: string | null;
  isSubstitute: number | null;
  isBlocked: number;
  isFull: number;
}
