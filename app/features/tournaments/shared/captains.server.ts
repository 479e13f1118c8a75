import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import { tournamentPlayers, tournaments, tournamentTeams, users } from "#db/schema";
import { bare } from "#db/sql";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { bumpVersion } from "./changes.server";
import { actingCaptain } from "./lone-teams.server";

const owner = alias(users, "owner");
/** A player who may take over a team, in the query for `heirAmong`. */
export const heir = alias(tournamentPlayers, "heir");

const stays = staysOpen(owner);

/**
 * The player who takes over a team, as an SQL expression: the one who joined first, starters before substitutes. NULL
 * if there is none.
 * @param players the `FROM` and `WHERE` clauses that select the players to choose from, as `heir`
 */
export const heirAmong = (players: SQL): SQL => sql`(
  SELECT first.user_id FROM (
    SELECT ${heir.userId} AS user_id, min(${heir.isSubstitute} * 10000000000000 + ${heir.joinedAt}) ${players}
  ) AS first
)`;

/**
 * Builds the statements that give captains to the teams of a tournament that is played again after its end. A captain
 * whose account was suspended, erased or due for deletion by then has stayed captain, or left no successor. A team
 * stays as it is if all its players' accounts are in such a state.
 * @returns the statements; `notified` yields the new captains
 */
export function replaceCaptains(db: Database, tournamentId: string, now: number) {
  const next = heirAmong(sql`
    FROM ${tournamentPlayers} AS ${heir} JOIN ${users} AS ${owner} ON ${owner.id} = ${heir.userId}
    WHERE ${heir.teamId} = ${tournamentTeams.id} AND ${stays}`);
  const needsCaptain = sql`${tournamentTeams.tournamentId} = ${tournamentId} AND ${tournamentTeams.state} = 'entered'
    AND ${next} IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM ${users} AS ${owner} WHERE ${owner.id} = ${actingCaptain(tournamentTeams)} AND ${stays}
    )`;
  return {
    notified: notify(db, {
      kind: "tournament-captain",
      subject: subjectSql("tournament-team", sql`${tournamentId}`, sql`to_tell.team_id`),
      data: sql`json_object('tournament', to_tell.tournament, 'team',
        iif(${hasBlocked(sql`to_tell.user_id`, sql`to_tell.captain_id`)}, NULL, to_tell.team))`,
      recipients: sql`
        SELECT ${next} AS user_id, ${tournamentTeams.id} AS team_id, ${tournamentTeams.name} AS team,
          ${tournamentTeams.captainId}, ${tournaments.title} AS tournament
        FROM ${tournamentTeams} JOIN ${tournaments} ON ${tournaments.id} = ${tournamentTeams.tournamentId}
        WHERE ${needsCaptain}`,
      now,
    }),
    replace: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.captainId)} = ${next} WHERE ${needsCaptain}`),
    // The room's copy of the tournament has the old captains.
    version: bumpVersion(db, tournamentId, sql`changes() > 0`, now),
  };
}
