import { SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { tournamentEvents, tournaments, tournamentTeams } from "#db/schema";
import { bare, columnsOf, eventActions } from "#db/sql";
import type { EventAction, EventDetails } from "#db/words/event-actions";
import { HOUR } from "~/platform/dates/durations";

/* Statements that belong in the transaction of every change to a tournament. */

/**
 * Returns the assignments by which an UPDATE gives a tournament a new version. The version tells the tournament's room
 * that its cached state is outdated. They also set the time of the change, which calendars and the sitemap show.
 */
export const newVersion = (now: number): SQL => sql`
  ${bare(tournaments.version)} = ${tournaments.version} + 1, ${bare(tournaments.updatedAt)} = ${now}`;

/**
 * Returns the statement that gives tournaments a new version, for changes in other tables.
 * @param tournamentIds an id, or a `SELECT` of ids
 * @param condition SQL that is true if there was a change
 */
export const bumpVersion = (db: Database, tournamentIds: string | SQL, condition: SQL, now: number) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${newVersion(now)} WHERE ${tournaments.id} IN (${tournamentIds}) AND ${condition}`);

/** A player's action, for the log: the player, the tournament, and the time. */
export interface ActorStamp {
  tournamentId: string;
  userId: string;
  now: Date;
}

/** The same for any event; `userId` is null if it happened automatically. */
export type EventStamp = Omit<ActorStamp, "userId"> & { userId: string | null };

/**
 * Returns the statement that adds an event to a tournament's log.
 * @param details a JSON object, or SQL that makes one
 * @param condition SQL that is true if the event took place; by default, the statement right before this one, in the
 *   same transaction, must have changed something
 */
export function logEvent(
  db: Database,
  { tournamentId, userId, now }: EventStamp,
  action: EventAction,
  details: EventDetails | SQL | null = null,
  condition = sql`changes() > 0`,
) {
  const at = now.getTime();
  const json = details === null || details instanceof SQL ? details : JSON.stringify(details);
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
    SELECT ${uuidv7(at)}, ${tournamentId}, ${userId}, ${action}, ${json}, ${at} WHERE ${condition}`);
}

/**
 * True if a player has done something in a tournament within the last hour. If they press the button again, the
 * response to their first request may have been lost before open tabs and pages were told of the change.
 * @param condition a further condition on the event, in `tournamentEvents`
 */
export const didLately = ({ tournamentId, userId, now }: ActorStamp, action: EventAction, condition = sql`TRUE`): SQL =>
  sql`EXISTS (
    SELECT 1 FROM ${tournamentEvents}
    WHERE ${tournamentEvents.actorId} = ${userId} AND ${tournamentEvents.tournamentId} = ${tournamentId}
      AND ${tournamentEvents.action} = ${eventActions(action)}
      AND ${tournamentEvents.createdAt} > ${now.getTime() - HOUR} AND ${condition}
  )`;

/** Returns the JSON object for `logEvent` that names a team. */
export const detailsOfTeam = (teamId: string | SQL): SQL =>
  sql`json_object('team', (SELECT ${tournamentTeams.name} FROM ${tournamentTeams}
    WHERE ${tournamentTeams.id} = ${teamId}))`;
