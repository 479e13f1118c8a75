import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentInvitations, tournamentPlayers, tournaments, tournamentTeams, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { forgetNews, notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { userIdsOf } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { createToken } from "~/platform/crypto/crypto.server";
import { prepareUsesOfEach } from "~/platform/limits/uses.server";
import { deleteInvitations, invitation } from "../../shared/invitations.server";
import { isInvitable } from "../conditions.server";
import { INVITATIONS_OPEN } from "../rules";
import { knows } from "./candidates.server";
import { fromTeamOf, type TeamActor } from "./changes.server";

const invited = alias(tournamentInvitations, "invited");
const account = alias(users, "account");
const openRow = alias(tournamentInvitations, "open");
const player = alias(tournamentPlayers, "player");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/**
 * Declines an invitation, and removes its news. Declining twice has no further effect.
 * @returns whether the invitation existed, and whether the player is in the team, so that it's too late to decline
 */
export async function declineInvitation(
  db: Database,
  { teamId, userId }: TeamActor,
): Promise<{ isRemoved: boolean; hasJoined: boolean }> {
  const { invitations, membership } = await transact(db, {
    ...deleteInvitations(db, [userId], sql`${invitation.teamId} = ${teamId}`),
    membership: db.all(selectMembership(teamId, userId)),
  });
  return { isRemoved: invitations.rowsAffected > 0, hasJoined: membership.length > 0 };
}

const selectMembership = (teamId: string, userId: string) => sql`
  SELECT 1 FROM ${tournamentPlayers} AS ${player} WHERE ${player.teamId} = ${teamId} AND ${player.userId} = ${userId}`;

/**
 * Renews the invite link; the old one stops working.
 * @param shown the token of the link that the page showed: any other link is kept. Undefined renews any link
 */
export async function renewLink(
  db: Database,
  { tournamentId, teamId, userId }: TeamActor,
  shown: string | undefined,
): Promise<"renewed" | "kept" | "missing"> {
  const token = createToken();
  const { inviteToken } = tournamentTeams;
  const [team] = await db.all<{ isRenewed: number }>(sql`
    UPDATE ${tournamentTeams}
    SET ${bare(inviteToken)} =
      iif(${inviteToken} = coalesce(${shown ?? null}, ${inviteToken}), ${token}, ${inviteToken})
    WHERE ${tournamentTeams.id} = ${teamId} AND ${tournamentTeams.tournamentId} = ${tournamentId}
      AND ${tournamentTeams.captainId} = ${userId} RETURNING ${bare(inviteToken)} = ${token} AS isRenewed`);
  if (!team) return "missing";
  return team.isRenewed ? "renewed" : "kept";
}

/**
 * Invites players by name into the captain's team, and notifies each of them at most once a day. Skips players who are
 * already invited or in a team, whom the captain doesn't know, or who have a block between them and a member of the
 * team. Inviting the same players twice has no further effect.
 * @returns how many players were invited, and those who were notified of it
 */
export async function invitePlayers(
  context: Pick<RequestContext, "db" | "env" | "now">,
  actor: TeamActor,
  playerIds: readonly string[],
): Promise<{ outcome: "invited"; count: number; notified: string[] } | { outcome: "missing" | "not-open" | "nobody" }> {
  const { db } = context;
  const now = context.now.getTime();
  const { tournamentId, teamId, userId } = actor;
  const newsKey = sql`${invited.userId} || ':' || ${invited.teamId}`;
  const news = prepareUsesOfEach(
    context,
    "invitationNews",
    sql`SELECT ${newsKey} AS subject FROM ${tournamentInvitations} AS ${invited}
      WHERE ${invited.teamId} = ${teamId} AND ${invited.createdAt} = ${now}`,
  );
  const open = sql`(SELECT count(*) FROM ${tournamentInvitations} AS ${openRow}
    WHERE ${openRow.teamId} = ${teamRow.id})`;
  const players = new Set(playerIds);
  const named = sql.join(
    [...players].map((id) => sql`${id}`),
    sql`, `,
  );
  const { team, notified, invitations } = await transact(db, {
    team: db.all<Pick<typeof tournaments.$inferSelect, "state"> & { before: number }>(
      sql`SELECT ${t.state} AS state, ${open} AS before ${fromTeamOf(actor)} AND ${teamRow.captainId} = ${userId}`,
    ),
    invite: db.run(sql`
      INSERT INTO ${tournamentInvitations} ${columnsOf(tournamentInvitations, "teamId", "userId", "createdAt")}
      SELECT ${teamRow.id}, ${account.id}, ${now}
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      JOIN ${users} AS ${account} ON ${account.id} IN (${named})
      WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${t.hiddenAt} IS NULL
        AND ${teamRow.captainId} = ${userId} AND ${account.id} <> ${userId} AND ${isInvitable(sql`${teamRow.id}`, account)}
        AND ${knows(sql`${account.id}`, userId)} AND ${open} + ${players.size} <= ${INVITATIONS_OPEN}
      ON CONFLICT DO NOTHING`),
    notified: notify(db, {
      kind: "tournament-invitation",
      subject: subjectOf("tournament-team", tournamentId, teamId),
      data: sql`json_object('team', to_tell.team, 'tournament', to_tell.tournament)`,
      recipients: sql`
        SELECT ${invited.userId} AS user_id, ${teamRow.name} AS team, ${t.title} AS tournament
        FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
        JOIN ${tournamentInvitations} AS ${invited} ON ${invited.teamId} = ${teamRow.id}
        WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${teamRow.captainId} = ${userId}
          AND ${invited.createdAt} = ${now} AND ${t.hiddenAt} IS NULL AND ${news.hasUsesLeft(newsKey)}`,
      now,
    }),
    countNews: news.count,
    invitations: db.all<{ after: number; areInvited: number }>(sql`
      SELECT ${open} AS after, (
        SELECT count(*) FROM ${tournamentInvitations} AS ${invited}
        WHERE ${invited.teamId} = ${teamRow.id} AND ${invited.userId} IN (${named})
      ) = ${players.size} AS areInvited ${fromTeamOf(actor)}`),
  });
  const [row] = team;
  const [result] = invitations;
  if (!row || !result) return { outcome: "missing" };
  if (row.state !== "open") return { outcome: "not-open" };
  const sent = result.after - row.before;
  // The button was pressed twice: the first press has invited them all. If its response was lost, nobody's tabs were
  // updated.
  if (sent === 0 && result.areInvited) return { outcome: "invited", count: players.size, notified: [...players] };
  return sent > 0 ? { outcome: "invited", count: sent, notified: userIdsOf(notified) } : { outcome: "nobody" };
}

/**
 * Withdraws an invitation and its notification. Callers update the player's tabs afterwards even if there was no
 * notification: an earlier transaction may have removed it, and its response may have been lost.
 * @returns `joined` if the player is in the team by now; `missing` if the actor isn't the team's captain
 */
export async function withdrawInvitation(
  db: Database,
  actor: TeamActor,
  playerId: string,
): Promise<"withdrawn" | "joined" | "missing"> {
  const { tournamentId, teamId, userId } = actor;
  const isCaptain = sql`EXISTS (SELECT 1 ${fromTeamOf(actor)} AND ${teamRow.captainId} = ${userId})`;
  const { own } = await transact(db, {
    own: db.all<{ hasJoined: number }>(
      sql`SELECT EXISTS (${selectMembership(teamId, playerId)}) AS hasJoined ${fromTeamOf(actor)}
        AND ${teamRow.captainId} = ${userId}`,
    ),
    forgotten: forgetNews(
      db,
      sql`SELECT ${invited.userId} FROM ${tournamentInvitations} AS ${invited}
        WHERE ${invited.teamId} = ${teamId} AND ${invited.userId} = ${playerId} AND ${isCaptain}`,
      subjectOf("tournament-team", tournamentId, teamId),
    ),
    withdraw: db.run(
      sql`DELETE FROM ${tournamentInvitations} WHERE ${tournamentInvitations.teamId} = ${teamId}
        AND ${tournamentInvitations.userId} = ${playerId} AND ${isCaptain}`,
    ),
  });
  if (!own[0]) return "missing";
  return own[0].hasJoined ? "joined" : "withdrawn";
}
