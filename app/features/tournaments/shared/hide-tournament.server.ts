import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { notifications, tournamentMatches, tournaments } from "#db/schema";
import { bare } from "#db/sql";
import { organisedBy } from "./access.server";
import { newVersion } from "./changes.server";
import { isNewsOf, selectInformed } from "./tournament-news.server";

const cup = alias(tournaments, "cup");
const news = alias(notifications, "news");

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
  return {
    removedNews: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications} WHERE ${condition} AND ${notifications.id} IN (
        SELECT ${news.id} FROM (${selectInformed(id)}) AS informed
        CROSS JOIN ${notifications} AS ${news} ON ${news.userId} = informed.user_id
        WHERE ${isNewsOf(news.subject, id)}
      ) RETURNING ${notifications.userId} AS userId`),
    hide: db.run(sql`
      UPDATE ${tournaments} SET ${bare(tournaments.hiddenAt)} = ${at}, ${newVersion(at)}
      WHERE ${tournaments.id} = ${id} AND ${tournaments.hiddenAt} IS NULL AND ${condition}`),
  };
}

/**
 * Builds the statements that show a hidden tournament again. News about it doesn't come back, and nobody could have met
 * its deadlines. So the cron announces check-in and the date again, and open matches lose their deadlines until the
 * room settles, which calls them again.
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
