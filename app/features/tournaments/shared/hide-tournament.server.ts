import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  notifications,
  tournamentEvents,
  tournamentInvitations,
  tournamentMatches,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { bare } from "#db/sql";
import { isOfTournament } from "~/features/notifications/shared/subjects.server";
import { organisedBy, selectOrganisers } from "./access.server";
import { newVersion } from "./changes.server";

const asked = alias(tournamentInvitations, "asked");
const cup = alias(tournaments, "cup");
const e = alias(tournamentEvents, "e");
const news = alias(notifications, "news");
const player = alias(tournamentPlayers, "player");
const team = alias(tournamentTeams, "team");

/** Replaces the title of a hidden tournament in the export of players who took part. */
export const REMOVED_TOURNAMENT = "Tournament removed by moderators";

/**
 * True if a visitor may see a tournament: it isn't hidden, or they organise it. Also true if there is none.
 * @param userId null for guests
 * @param tournamentId as an SQL expression
 */
export const isShownTo = (userId: string | null, tournamentId: SQL): SQL => sql`NOT EXISTS (
  SELECT 1 FROM ${tournaments} AS ${cup} WHERE ${cup.id} = ${tournamentId} AND ${cup.hiddenAt} IS NOT NULL
    AND NOT ${organisedBy(userId, cup)}
)`;

/**
 * Builds the statements that hide a tournament from all but its organisers, and remove the news about it.
 * @param condition SQL that is true if the tournament is to be hidden
 * @returns the statements; `removedNews` returns the players who have lost news, once per notification
 */
export function hideTournament(db: Database, id: string, now: Date, condition: SQL) {
  const at = now.getTime();
  const isOfThis = sql.join(
    (["tournament", "tournament-organiser", "tournament-team", "match"] as const).map((word) =>
      isOfTournament(news.subject, word, id),
    ),
    sql` OR `,
  );
  return {
    removedNews: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications} WHERE ${condition} AND ${notifications.id} IN (
        SELECT ${news.id} FROM (
          SELECT ${player.userId} FROM ${tournamentPlayers} AS ${player} WHERE ${player.tournamentId} = ${id}
          UNION ALL SELECT organiser.userId FROM (${selectOrganisers(sql`${id}`)}) AS organiser
          UNION ALL SELECT ${asked.userId} FROM ${tournamentTeams} AS ${team}
            JOIN ${tournamentInvitations} AS ${asked} ON ${asked.teamId} = ${team.id} WHERE ${team.tournamentId} = ${id}
          UNION ALL SELECT ${e.actorId} FROM ${tournamentEvents} AS ${e} WHERE ${e.tournamentId} = ${id}
        ) AS concerned CROSS JOIN ${notifications} AS ${news} ON ${news.userId} = concerned.user_id
        WHERE ${isOfThis}
      ) RETURNING ${notifications.userId} AS userId`),
    hide: db.run(sql`
      UPDATE ${tournaments} SET ${bare(tournaments.hiddenAt)} = ${at}, ${newVersion(at)}
      WHERE ${tournaments.id} = ${id} AND ${tournaments.hiddenAt} IS NULL AND ${condition}`),
  };
}

/**
 * Builds the statements that show a hidden tournament again. News about it doesn't come back, and nobody could meet its
 * deadlines. So the cron announces check-in and the date again, and open matches lose their deadlines until the room
 * settles, which calls them again.
 */
export const restoreTournament = (db: Database, id: string, now: Date, condition: SQL) => ({
  show: db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.hiddenAt)} = NULL, ${bare(tournaments.checkInToldAt)} = NULL,
      ${bare(tournaments.startToldAt)} = NULL, ${newVersion(now.getTime())}
    WHERE ${tournaments.id} = ${id} AND ${tournaments.hiddenAt} IS NOT NULL AND ${condition}`),
  // Leaves out matches in play: their deadline only tells the organisers. `changes()` refers to the statement above.
  matches: db.run(sql`
    UPDATE ${tournamentMatches} SET ${bare(tournamentMatches.confirmBy)} = NULL,
      ${bare(tournamentMatches.overdueToldAt)} = NULL,
      ${bare(tournamentMatches.deadlineAt)} = iif(
        ${tournamentMatches.state} = 'ready', NULL, ${tournamentMatches.deadlineAt}
      )
    WHERE ${tournamentMatches.tournamentId} = ${id} AND (${tournamentMatches.state} = 'reported'
        OR (${tournamentMatches.state} = 'ready'
          AND (${tournamentMatches.checkedIn1} IS NULL OR ${tournamentMatches.checkedIn2} IS NULL)))
      AND changes() > 0 AND EXISTS (
        SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${id} AND ${tournaments.state} = 'running'
      )`),
});
