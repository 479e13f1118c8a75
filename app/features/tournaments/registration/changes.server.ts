import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { notify } from "~/platform/notify.server";
import type { EventAction, EventDetails } from "../events";

/*
 * What every change of a tournament's teams has in common: statements of its transaction.
 */

/** The subject of news about a tournament; its address follows from it. */
export const tournamentSubject = (tournamentId: string): string => `tournament:${tournamentId}`;
/** The subject of news about a team of a tournament. */
export const teamSubject = (tournamentId: string, teamId: string): string =>
  `tournament-team:${tournamentId}/${teamId}`;

/** How many teams have a place. */
const countEntered = (tournamentId: string) => sql`(
  SELECT count(*) FROM tournament_teams AS entered
  WHERE entered.tournament_id = ${tournamentId} AND entered.state = 'entered'
)`;

/** The waiting teams for whom there is a place, first come, first served. */
const nextInLine = (tournamentId: string) => sql`
  SELECT waiting.id FROM tournament_teams AS waiting
  WHERE waiting.tournament_id = ${tournamentId} AND waiting.state = 'waiting'
  ORDER BY waiting.listed_at
  LIMIT max(0, coalesce((
    SELECT t.max_participants FROM tournaments AS t WHERE t.id = ${tournamentId} AND t.state = 'open'
  ), 0) - ${countEntered(tournamentId)})`;

/**
 * The waiting list moves up: as many teams as there are free places enter, and their players are told. To be put behind
 * whatever frees a place or adds one: a team gone, more participants. Moving twice moves once.
 * @param except a team that is not told: it has just come, and sees it
 * @returns four statements; the second answers who was told
 */
export function moveUp(db: Database, tournamentId: string, now: number, except: string | null = null) {
  const next = nextInLine(tournamentId);
  const moving = sql`FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
    WHERE team.id IN (${next}) AND team.id IS NOT ${except}`;
  return [
    db.run(sql`
      INSERT INTO tournament_events (id, tournament_id, action, details, created_at)
      SELECT substr(${uuidv7(now)}, 1, 24) || lower(hex(randomblob(6))), team.tournament_id, ${"moved-up" satisfies EventAction},
        json_object('team', team.name), ${now} ${moving}`),
    notify(db, {
      kind: "tournament-place",
      subject: sql`${tournamentSubject(tournamentId)}`,
      data: sql`json_object('team', to_tell.team, 'tournament', to_tell.tournament)`,
      recipients: sql`
        SELECT player.user_id AS user_id, team.name AS team, t.title AS tournament
        FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
        JOIN tournament_players AS player ON player.team_id = team.id
        WHERE team.id IN (${next}) AND team.id IS NOT ${except}`,
      now,
    }),
    db.run(sql`UPDATE tournament_teams SET state = 'entered' WHERE id IN (${next})`),
    db.run(sql`
      UPDATE tournaments SET
        version = version + (current_participants <> ${countEntered(tournamentId)}),
        current_participants = ${countEntered(tournamentId)}
      WHERE id = ${tournamentId}`),
  ] as const;
}

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
export const detailsOfTeam = (teamId: string): SQL =>
  sql`json_object('team', (SELECT name FROM tournament_teams WHERE id = ${teamId}))`;
