import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notify } from "~/platform/notify.server";

/**
 * The statements by which teams that wait move up to free places, in the order in which they came; their players are told. They
 * belong into the transaction that frees or adds the places, after it; the last of them recounts.
 */
export function moveUp(db: Database, tournamentId: string, now: Date) {
  const next = sql`
    SELECT listed.id FROM tournament_teams AS listed
    WHERE listed.tournament_id = ${tournamentId} AND listed.state = 'waiting'
    ORDER BY listed.listed_at, listed.rowid
    LIMIT max(0, coalesce(
      (SELECT max_participants FROM tournaments WHERE id = ${tournamentId} AND state = 'open')
        - (SELECT count(*) FROM tournament_teams WHERE tournament_id = ${tournamentId} AND state = 'entered'), 0))`;
  return [
    notify(db, {
      kind: "tournament-place",
      subject: sql`${`tournament:${tournamentId}`}`,
      data: sql`json_object('tournament', to_tell.title, 'team', to_tell.team)`,
      recipients: sql`
        SELECT member.user_id AS user_id, moved.name AS team, tournament.title AS title
        FROM tournament_teams AS moved
        JOIN tournament_players AS member ON member.team_id = moved.id
        JOIN tournaments AS tournament ON tournament.id = moved.tournament_id
        WHERE moved.id IN (${next})`,
      now: now.getTime(),
    }),
    db.run(sql`UPDATE tournament_teams SET state = 'entered' WHERE id IN (${next})`),
    db.run(sql`
      UPDATE tournaments SET current_participants = (
        SELECT count(*) FROM tournament_teams WHERE tournament_id = ${tournamentId} AND state = 'entered'
      ) WHERE id = ${tournamentId}`),
  ] as const;
}
