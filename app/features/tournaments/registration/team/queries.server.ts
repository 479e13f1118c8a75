import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  profiles,
  tournamentEvents,
  tournamentInvitations,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { eventActions } from "#db/sql";
import { blockBetween, hasBlocked } from "~/features/blocks/shared/blocks.server";
import { nameOf } from "~/features/players/shared/name.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import type { Role } from "~/game/roles";
import { isShownTo } from "../../shared/hide-tournament.server";
import { actingCaptain } from "../../shared/lone-teams.server";

const invited = alias(tournamentInvitations, "invited");
const p = alias(tournamentPlayers, "p");
const said = alias(tournamentEvents, "said");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/** A player of a team. */
export interface Member extends PlayerSummary {
  role: Role | null;
  isSubstitute: boolean;
  isCaptain: boolean;
  /** Riot ID and Discord tag, by which teammates find them elsewhere; visible to the team alone. */
  riotId: string | null;
  discordTag: string | null;
}

/** The data of one team's page. */
export interface TeamDetails
  extends Pick<
    typeof tournamentTeams.$inferSelect,
    "id" | "name" | "state" | "captainId" | "seed" | "place" | "lastPlace"
  > {
  /** For the captain alone. */
  inviteToken: string | null;
  /** The reason for its disqualification. */
  disqualification: string | null;
  /** When it was disqualified, in milliseconds since 1970. */
  disqualifiedAt: number | null;
  /** Whether the viewer has blocked the organiser who gave that reason. */
  isReasonHidden: boolean;
  isCheckedIn: boolean;
  /** The captain first, then starters, then substitutes. */
  members: Member[];
  /** Whether the viewer has an unanswered invitation. */
  isInvited: boolean;
}

/** Returns one team of a tournament, as a player or a visitor may see it; undefined if there is none. */
export async function findTeam(
  db: Database,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  userId: string | undefined,
): Promise<TeamDetails | undefined> {
  const [[team], players] = await Promise.all([
    db.all<
      Pick<
        typeof tournamentTeams.$inferSelect,
        "id" | "name" | "state" | "captainId" | "inviteToken" | "seed" | "place" | "lastPlace"
      > & {
        disqualification: string | null;
        disqualifiedAt: number | null;
        isReasonHidden: number;
        checkedInAt: number | null;
        isInvited: number;
      }
    >(sql`
      SELECT ${teamRow.id} AS id, ${teamRow.name} AS name, ${teamRow.state} AS state,
        ${actingCaptain(teamRow)} AS captainId,
        ${teamRow.inviteToken} AS inviteToken, ${teamRow.seed} AS seed, ${teamRow.place} AS place,
        ${teamRow.lastPlace} AS lastPlace, json_extract(${teamRow.disqualification}, '$.reason') AS disqualification,
        json_extract(${teamRow.disqualification}, '$.at') AS disqualifiedAt,
        ${teamRow.checkedInAt} AS checkedInAt,
        ${teamRow.disqualification} IS NOT NULL AND EXISTS (
          SELECT 1 FROM ${tournamentEvents} AS ${said} WHERE ${said.tournamentId} = ${teamRow.tournamentId}
            AND ${said.action} = ${eventActions("disqualified")}
            AND json_extract(${said.details}, '$.teamId') = ${teamRow.id}
            AND json_extract(${said.details}, '$.reason') = json_extract(${teamRow.disqualification}, '$.reason')
            AND ${hasBlocked(userId ?? "", sql`${said.actorId}`)}
        ) AS isReasonHidden,
        EXISTS (
          SELECT 1 FROM ${tournamentInvitations} AS ${invited}
          WHERE ${invited.teamId} = ${teamRow.id} AND ${invited.userId} = ${userId ?? null}
        ) AS isInvited
      FROM ${tournamentTeams} AS ${teamRow} WHERE ${teamRow.id} = ${teamId}
        AND ${teamRow.tournamentId} = ${tournamentId}`),
    listMembers(db, teamId, userId),
  ]);
  if (!team) return undefined;
  const isIn = players.some((player) => player.userId === userId);
  const members = players.map((player) => ({
    ...player,
    isCaptain: player.userId === team.captainId,
    ...(!isIn && { riotId: null, discordTag: null }),
  }));
  const { checkedInAt, isInvited, isReasonHidden, ...rest } = team;
  return {
    ...rest,
    inviteToken: userId !== undefined && team.captainId === userId ? team.inviteToken : null,
    isCheckedIn: checkedInAt !== null,
    members: members.sort((a, b) => Number(b.isCaptain) - Number(a.isCaptain)),
    isInvited: Boolean(isInvited),
    isReasonHidden: Boolean(isReasonHidden),
  };
}

/**
 * Reads the facts that explain why a button was pressed too late: whether the team still exists, and whether the player
 * is in it without being its captain.
 * @returns undefined if there is no such tournament, or the player can't see it
 */
export async function findStanding(
  db: Database,
  { tournamentId, teamId, userId }: { tournamentId: string; teamId: string; userId: string },
): Promise<{ hasTeam: number; isOtherPlayer: number } | undefined> {
  const [standing] = await db.all<{ hasTeam: number; isOtherPlayer: number }>(sql`
    SELECT ${teamRow.id} IS NOT NULL AS hasTeam, ${actingCaptain(teamRow)} IS NOT ${userId} AND EXISTS (
        SELECT 1 FROM ${tournamentPlayers} AS ${p} WHERE ${p.teamId} = ${teamRow.id} AND ${p.userId} = ${userId}
      ) AS isOtherPlayer
    FROM ${tournaments} AS ${t} LEFT JOIN ${tournamentTeams} AS ${teamRow}
      ON ${teamRow.id} = ${teamId} AND ${teamRow.tournamentId} = ${t.id}
    WHERE ${t.id} = ${tournamentId} AND ${isShownTo(userId, sql`${t.id}`)}`);
  return standing;
}

interface MemberRow extends SummaryRow, Pick<typeof profiles.$inferSelect, "discordTag" | "preferredRole"> {
  sharedRiotId: string | null;
  isSubstitute: number;
  joinedAt: number;
}

/**
 * Lists the starters first, each group by when they joined. Across a block with the viewer, Riot ID and Discord tag are
 * null, as on a post's team.
 */
async function listMembers(
  db: Database,
  teamId: string,
  viewerId: string | undefined,
): Promise<Omit<Member, "isCaptain">[]> {
  const isApart = viewerId === undefined ? sql`1` : blockBetween(sql`${p.userId}`, viewerId);
  const rows = await db.all<MemberRow>(sql`
    SELECT ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute, ${p.joinedAt} AS joinedAt,
      iif(${isApart}, NULL, ${profiles.discordTag}) AS discordTag, iif(${isApart}, NULL, ${profiles.riotId}) AS sharedRiotId,
      ${profiles.preferredRole} AS preferredRole, ${summaryColumns(viewerId)}
    FROM ${tournamentPlayers} AS ${p} LEFT JOIN ${profiles} ON ${profiles.userId} = ${p.userId}
      WHERE ${p.teamId} = ${teamId}`);
  return rows
    .sort((a, b) => a.isSubstitute - b.isSubstitute || a.joinedAt - b.joinedAt)
    .map((row) => ({
      ...readSummary(row),
      role: row.preferredRole,
      isSubstitute: Boolean(row.isSubstitute),
      riotId: row.sharedRiotId,
      discordTag: row.discordTag,
    }));
}

/**
 * Returns the team that an invite link leads to, with its players' names; undefined if the link has been renewed or
 * belongs to another tournament.
 */
export async function findTeamByToken(db: Database, tournamentId: string, token: string, viewerId?: string) {
  const isYou = sql`${p.userId} = ${viewerId ?? null}`;
  const [row] = await db.all<Pick<typeof tournamentTeams.$inferSelect, "id" | "name"> & { members: string }>(sql`
    SELECT ${teamRow.id} AS id, ${teamRow.name} AS name, (
      SELECT json_group_array(json_object(
        'name', ${nameOf(sql`${p.userId}`)}, 'isYou', json(iif(${isYou}, 'true', 'false'))
      )) FROM ${tournamentPlayers} AS ${p}
      WHERE ${p.teamId} = ${teamRow.id}
    ) AS members
    FROM ${tournamentTeams} AS ${teamRow} WHERE ${teamRow.inviteToken} = ${token}
      AND ${teamRow.tournamentId} = ${tournamentId}`);
  return row && { ...row, members: JSON.parse(row.members) as { name: string; isYou: boolean }[] };
}
