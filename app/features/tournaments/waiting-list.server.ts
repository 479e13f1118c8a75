import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import type { EventAction } from "#db/words/event-actions";
import { notify } from "~/features/notifications/shared/notify.server";

/**
 * The statements by which teams that wait move up to free places, in the order in which they came; their players are told. They
 * belong in the transaction that frees or adds the places, after it; `told` answers who was told.
 * Moving up twice is moving up once.
 * @param newcomer a team that has just come, and sees for itself that it is in
 */
export function moveUp(db: Database, tournamentId: string, now: Date, newcomer: string | null = null) {
  const moment = now.getTime();
  const entered = sql`(
    SELECT count(*) FROM tournament_teams WHERE tournament_id = ${tournamentId} AND state = 'entered'
  )`;
  const next = sql`
    SELECT listed.id FROM tournament_teams AS listed
    WHERE listed.tournament_id = ${tournamentId} AND listed.state = 'waiting'
    ORDER BY listed.listed_at, listed.rowid
    LIMIT max(0, coalesce(
      (SELECT max_participants FROM tournaments WHERE id = ${tournamentId} AND state = 'open') - ${entered}, 0))`;
  const moving = sql`moved.id IN (${next}) AND moved.id IS NOT ${newcomer}`;
  return {
    told: notify(db, {
      kind: "tournament-place",
      subject: sql`${`tournament:${tournamentId}`}`,
      data: sql`json_object('tournament', to_tell.title, 'team', to_tell.team)`,
      recipients: sql`
        SELECT member.user_id AS user_id, moved.name AS team, tournament.title AS title
        FROM tournament_teams AS moved
        JOIN tournament_players AS member ON member.team_id = moved.id
        JOIN tournaments AS tournament ON tournament.id = moved.tournament_id
        WHERE ${moving}`,
      now: moment,
    }),
    event: db.run(sql`
      INSERT INTO tournament_events (id, tournament_id, action, details, created_at)
      SELECT substr(${uuidv7(moment)}, 1, 24) || lower(hex(randomblob(6))), moved.tournament_id,
        ${"moved-up" satisfies EventAction}, json_object('team', moved.name), ${moment}
      FROM tournament_teams AS moved WHERE ${moving}`),
    enter: db.run(sql`UPDATE tournament_teams SET state = 'entered' WHERE id IN (${next})`),
    recount: db.run(sql`
      UPDATE tournaments SET version = version + (current_participants <> ${entered}), current_participants = ${entered}
      WHERE id = ${tournamentId}`),
  };
}
