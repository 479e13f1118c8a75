import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { tournamentEvents, tournaments, tournamentTeams } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { EventAction, EventDetails } from "#db/words/event-actions";

/* Statements for the transaction of every change to a tournament's teams. */

/**
 * Returns the statement that bumps the tournament's version. The new version tells the tournament's room that its
 * cached state is outdated, and calendars that the event has changed.
 * @param condition SQL that is true if there was a change
 */
export const bumpVersion = (db: Database, tournamentId: string, condition: SQL, now: number) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.version)} = ${tournaments.version} + 1,
      ${bare(tournaments.updatedAt)} = ${now} WHERE ${tournaments.id} = ${tournamentId} AND ${condition}`);

/**
 * Returns the statement that adds an event to the tournament's log.
 * @param event its `details` are a JSON object, or SQL that makes one
 * @param condition SQL that is true if the event took place
 */
export function record(
  db: Database,
  tournamentId: string,
  event: { actorId: string | null; action: EventAction; details: EventDetails | SQL },
  condition: SQL,
  now: number,
) {
  const { actorId, action, details } = event;
  const json = "queryChunks" in details ? (details as SQL) : sql`${JSON.stringify(details)}`;
  return db.run(sql`
    INSERT INTO ${tournamentEvents} ${columnsOf(
      tournamentEvents,
      "id",
      "tournamentId",
      "actorId",
      "action",
      "details",
      "createdAt",
    )}
    SELECT ${uuidv7(now)}, ${tournamentId}, ${actorId}, ${action}, ${json}, ${now} WHERE ${condition}`);
}

/** Returns the JSON object for `record` that names a team. */
export const detailsOfTeam = (teamId: string | SQL): SQL =>
  sql`json_object('team', (SELECT ${tournamentTeams.name} FROM ${tournamentTeams}
    WHERE ${tournamentTeams.id} = ${teamId}))`;
