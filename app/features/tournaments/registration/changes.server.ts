import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { tournamentEvents, tournaments, tournamentTeams } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { EventAction, EventDetails } from "#db/words/event-actions";

/*
 * What every change of a tournament's teams has in common: statements of its transaction.
 */

/** The subject of news about a tournament; its address follows from it. */
export const tournamentSubject = (tournamentId: string): string => `tournament:${tournamentId}`;
/** The subject of news about a team of a tournament. */
export const teamSubject = (tournamentId: string, teamId: string): string =>
  `tournament-team:${tournamentId}/${teamId}`;

/** The statement that has the tournament's room and pages know of a change. @param condition that there was one */
export const bumpVersion = (db: Database, tournamentId: string, condition: SQL, now: number) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.version)} = ${tournaments.version} + 1,
      ${bare(tournaments.updatedAt)} = ${now} WHERE ${tournaments.id} = ${tournamentId} AND ${condition}`);

/** The statement that writes down what was done. @param details a JSON object; @param condition that it was */
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

/** Looks up a team's name for `record`. */
export const detailsOfTeam = (teamId: string | SQL): SQL =>
  sql`json_object('team', (SELECT ${tournamentTeams.name} FROM ${tournamentTeams}
    WHERE ${tournamentTeams.id} = ${teamId}))`;
