import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { transaction } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { notify } from "~/platform/notify.server";
import { tellTournament, tellUnread } from "~/platform/rooms.server";
import { bumpVersion, record, teamSubject } from "./changes.server";
import { fillUp, type Place } from "./roster.server";
import { dissolveTeam } from "./withdraw.server";

/**
 * Takes a player out of the tournaments that are not over: their account withdraws. A captain's team goes to the one of the
 * others who came first. With nobody left it withdraws before the start; once the tournament runs it stays without a
 * captain, and the organisers have it forfeit.
 * @returns who was told, and which tournaments have changed
 */
export async function leaveTournaments(
  db: Database,
  userId: string,
  now: Date,
): Promise<{ told: string[]; tournamentIds: string[] }> {
  const moment = now.getTime();
  const [rows] = await db.batch([
    db.all<{ tournamentId: string; teamId: string; state: string; isCaptain: number; others: number }>(sql`
      SELECT me.tournament_id AS tournamentId, me.team_id AS teamId, t.state AS state,
        team.captain_id = me.user_id AS isCaptain,
        (SELECT count(*) FROM tournament_players AS other WHERE other.team_id = me.team_id) - 1 AS others
      FROM tournament_players AS me JOIN tournament_teams AS team ON team.id = me.team_id
      JOIN tournaments AS t ON t.id = me.tournament_id
      WHERE me.user_id = ${userId} AND t.state IN ('open', 'running')`),
    db.run(sql`DELETE FROM tournament_invitations WHERE user_id = ${userId}`),
    db.run(sql`DELETE FROM tournament_seekers WHERE user_id = ${userId}`),
  ]);
  const told: string[] = [];
  for (const { tournamentId, teamId, state, isCaptain, others } of rows) {
    const place = { tournamentId, teamId, userId };
    if (others === 0 && state === "open") {
      const gone = await dissolveTeam(db, place, moment);
      if (gone.outcome === "done") told.push(...gone.told);
    } else if (others > 0) {
      told.push(...(await leaveBehind(db, place, Boolean(isCaptain), moment)));
    } else {
      await db.batch([
        db.run(sql`UPDATE tournament_teams SET captain_id = NULL WHERE id = ${teamId} AND captain_id = ${userId}`),
        bumpVersion(db, tournamentId, sql`1`, moment),
      ]);
    }
  }
  return { told, tournamentIds: rows.map((row) => row.tournamentId) };
}

/** Leaves a team to the others. Once the tournament runs, a substitute plays, as before it. */
async function leaveBehind(db: Database, place: Place, isCaptain: boolean, now: number): Promise<string[]> {
  const { tournamentId, teamId, userId } = place;
  const results: unknown[] = [
    ...(await db.batch(
      transaction([
        db.run(sql`DELETE FROM tournament_players WHERE team_id = ${teamId} AND user_id = ${userId}`),
        db.run(sql`
          UPDATE tournament_teams SET captain_id = (
            SELECT first.user_id FROM (
              SELECT heir.user_id AS user_id, min(heir.is_substitute * 10000000000000 + heir.joined_at)
              FROM tournament_players AS heir WHERE heir.team_id = ${teamId}
            ) AS first
          )
          WHERE id = ${teamId} AND captain_id = ${userId}`),
        notify(db, {
          kind: "tournament-team",
          subject: sql`${teamSubject(tournamentId, teamId)}`,
          data: sql`json_object('news', ${isCaptain ? "captain" : "left"}, 'team', to_tell.team, 'tournament', to_tell.tournament)`,
          recipients: sql`
            SELECT team.captain_id AS user_id, team.name AS team, t.title AS tournament
            FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
            WHERE team.id = ${teamId} AND team.captain_id IS NOT NULL`,
          now,
        }),
        record(
          db,
          tournamentId,
          {
            actorId: userId,
            action: "left-team",
            details: sql`json_object('team', (SELECT name FROM tournament_teams WHERE id = ${teamId}))`,
          },
          sql`1`,
          now,
        ),
        bumpVersion(db, tournamentId, sql`1`, now),
        ...fillUp(db, tournamentId, teamId),
      ]),
    )),
  ];
  return (results[2] as { userId: string }[]).map((told) => told.userId);
}

/** `leaveTournaments` after the answer, which does not wait for it; open tabs of the others hear of it. */
export function leaveTournamentsLater(context: RequestContext, userId: string): void {
  context.defer(async () => {
    const { told, tournamentIds } = await leaveTournaments(context.db, userId, context.now);
    tellUnread(context, ...told);
    for (const id of tournamentIds) tellTournament(context, id);
  });
}
