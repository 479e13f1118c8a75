import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";

const player = alias(tournamentPlayers, "player");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/* Parts shared by all changes within a team. */

/** The player who makes a change, and the team that they change. */
export interface TeamActor {
  tournamentId: string;
  teamId: string;
  userId: string;
}

type TeamPlace = Pick<TeamActor, "tournamentId" | "teamId">;

/** Returns the FROM and WHERE clauses that read the team as `team` and its tournament, hidden or not, as `t`. */
export const fromAnyTeamOf = ({ tournamentId, teamId }: TeamPlace) => sql`
  FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
  WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId}`;

/** The same, if the tournament isn't hidden. */
export const fromTeamOf = (place: TeamPlace) => sql`${fromAnyTeamOf(place)} AND ${t.hiddenAt} IS NULL`;

/** The events that a team's players are notified of. */
type TeamNews = "joined" | "left" | "removed" | "captain";

/**
 * Returns the statement that notifies some of a team's players. It doesn't name the team to players who have blocked
 * the player who made the change.
 * @param recipients an SQL condition on `player`
 */
export const notifyTeam = (db: Database, actor: TeamActor, news: TeamNews, recipients: SQL, now: number) =>
  notify(db, {
    // A captain's news has a kind of its own, because later news of a kind replaces the unread one about the same team.
    kind: news === "captain" ? "tournament-captain" : "tournament-team",
    // A removed player's link leads to the tournament, because the team's page may go later, and nobody tells them.
    subject:
      news === "removed"
        ? subjectOf("tournament", actor.tournamentId)
        : subjectOf("tournament-team", actor.tournamentId, actor.teamId),
    data: sql`json_object('news', ${news}, 'team', to_tell.team, 'tournament', to_tell.tournament)`,
    recipients: sql`
      SELECT ${player.userId} AS user_id, ${t.title} AS tournament,
        iif(${hasBlocked(sql`${player.userId}`, actor.userId)}, NULL, ${teamRow.name}) AS team
      FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
      JOIN ${tournamentPlayers} AS ${player} ON ${player.teamId} = ${teamRow.id}
      WHERE ${teamRow.id} = ${actor.teamId} AND ${t.id} = ${actor.tournamentId} AND ${t.hiddenAt} IS NULL
        AND ${recipients}`,
    now,
  });
