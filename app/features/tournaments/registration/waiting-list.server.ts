import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentEvents, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { bare, columnsOf, idPerRow } from "#db/sql";
import type { EventAction } from "#db/words/event-actions";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { newVersion } from "../shared/changes.server";

const listed = alias(tournamentTeams, "listed");
const member = alias(tournamentPlayers, "member");
const moved = alias(tournamentTeams, "moved");
const tournament = alias(tournaments, "tournament");

/**
 * Builds the statements that move waiting teams up to free spots in order of registration, and notify their players.
 * They belong at the end of the transaction that frees or adds the spots; `notified` yields the notified players.
 * Running them twice has no further effect.
 * @param newcomer a team that has just registered: it enters without a notification, because its captain sees the
 *   result
 */
export function moveUp(db: Database, tournamentId: string, now: Date, newcomer: string | null = null) {
  const moment = now.getTime();
  const entered = sql`(
    SELECT count(*) FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${tournamentId}
      AND ${tournamentTeams.state} = 'entered'
  )`;
  const next = sql`
    SELECT ${listed.id} FROM ${tournamentTeams} AS ${listed}
    WHERE ${listed.tournamentId} = ${tournamentId} AND ${listed.state} = 'waiting'
    ORDER BY ${listed.listedAt}, listed.rowid
    LIMIT max(0, coalesce(
      (SELECT ${tournaments.maxParticipants} FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}
        AND ${tournaments.state} = 'open') - ${entered}, 0))`;
  const moving = sql`${moved.id} IN (${next}) AND ${moved.id} IS NOT ${newcomer}`;
  return {
    notified: notify(db, {
      kind: "tournament-place",
      subject: subjectOf("tournament", tournamentId),
      data: sql`json_object('tournament', to_tell.title, 'team', to_tell.team)`,
      recipients: sql`
        SELECT ${member.userId} AS user_id, ${moved.name} AS team, ${tournament.title} AS title
        FROM ${tournamentTeams} AS ${moved}
        JOIN ${tournamentPlayers} AS ${member} ON ${member.teamId} = ${moved.id}
        JOIN ${tournaments} AS ${tournament} ON ${tournament.id} = ${moved.tournamentId}
        WHERE ${moving} AND ${tournament.hiddenAt} IS NULL`,
      now: moment,
    }),
    event: db.run(sql`
      INSERT INTO ${tournamentEvents} ${columnsOf(
        tournamentEvents,
        "id",
        "tournamentId",
        "action",
        "details",
        "createdAt",
      )}
      SELECT ${idPerRow(moment)}, ${moved.tournamentId},
        ${"moved-up" satisfies EventAction}, json_object('team', ${moved.name}), ${moment}
      FROM ${tournamentTeams} AS ${moved} WHERE ${moving}`),
    enter: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.state)} = 'entered'
      WHERE ${tournamentTeams.id} IN (${next})`),
    recount: db.run(sql`
      UPDATE ${tournaments} SET ${bare(tournaments.currentParticipants)} = ${entered}, ${newVersion(moment)}
      WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.currentParticipants} <> ${entered}`),
  };
}
