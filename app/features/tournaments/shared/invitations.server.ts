import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { notifications, tournamentInvitations, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { subjectSql } from "~/features/notifications/shared/subjects.server";

/** An invitation, in the condition for `deleteInvitations`. */
export const invitation = alias(tournamentInvitations, "invitation");
const teamRow = alias(tournamentTeams, "team");

/**
 * Builds the statements that delete players' invitations to teams, and the news of these invitations.
 * @param players the players' ids
 * @param condition SQL that is true if `invitation` is to be deleted
 * @returns the statements; `news` returns the players who have lost news
 */
export function deleteInvitations(db: Database, players: readonly string[], condition: SQL) {
  const { userId, teamId } = tournamentInvitations;
  const gone = sql`
    SELECT ${invitation.userId}, ${invitation.teamId} FROM ${tournamentInvitations} AS ${invitation}
    WHERE ${invitation.userId} IN ${players} AND ${condition}`;
  return {
    news: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications}
      WHERE ${notifications.userId} IN ${players} AND (${notifications.userId}, ${notifications.subject}) IN (
        SELECT gone.user_id, ${subjectSql("tournament-team", teamRow.tournamentId, sql`gone.${bare(teamId)}`)}
        FROM (${gone}) AS gone JOIN ${tournamentTeams} AS ${teamRow} ON ${teamRow.id} = gone.team_id
      )
      RETURNING ${notifications.userId} AS userId`),
    invitations: db.run(sql`
      DELETE FROM ${tournamentInvitations} WHERE ${userId} IN ${players} AND (${userId}, ${teamId}) IN (${gone})`),
  };
}
