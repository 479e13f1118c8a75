import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
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
    UPDATE tournaments SET version = version + 1, updated_at = ${now} WHERE id = ${tournamentId} AND ${condition}`);

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
    INSERT INTO tournament_events (id, tournament_id, actor_id, action, details, created_at)
    SELECT ${uuidv7(now)}, ${tournamentId}, ${actorId}, ${action}, ${json}, ${now} WHERE ${condition}`);
}

/** Looks up a team's name for `record`. */
export const detailsOfTeam = (teamId: string | SQL): SQL =>
  sql`json_object('team', (SELECT name FROM tournament_teams WHERE id = ${teamId}))`;
