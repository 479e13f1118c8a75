import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { organisedBy } from "../access.server";
import type { PlayState } from "../play/state";

/** Holds if a tournament hasn't started and the player is one of its organisers. */
const canSeed = (tournamentId: string, userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.state} = 'open'
    AND ${organisedBy(userId)}
)`;

/** Returns the statement that sets a tournament's seeding method and makes its room reload. */
const setSeeding = (db: Database, tournamentId: string, userId: string, seeding: PlayState["seeding"], now: Date) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.seeding)} = ${seeding},
      ${bare(tournaments.version)} = ${tournaments.version} + 1, ${bare(tournaments.updatedAt)} = ${now.getTime()}
    WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.state} = 'open' AND ${organisedBy(userId)}`);

/**
 * Sets the seeding method. Any method but `manual` discards manual seeds.
 * @returns false if the tournament has started, or the player isn't one of its organisers
 */
export async function chooseSeeding(
  db: Database,
  tournamentId: string,
  userId: string,
  seeding: PlayState["seeding"],
  now: Date,
): Promise<boolean> {
  const { chosen } = await transact(db, {
    clear: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = NULL
      WHERE ${tournamentTeams.tournamentId} = ${tournamentId} AND ${seeding} <> 'manual'
        AND ${canSeed(tournamentId, userId)}`),
    chosen: setSeeding(db, tournamentId, userId, seeding, now),
  });
  return chosen.rowsAffected > 0;
}

/**
 * Seeds the teams in a manual order. Ids that are not (or no longer) teams of the tournament are skipped; teams missing
 * from the order, because they registered later, come last.
 * @returns as `chooseSeeding`
 */
export async function saveOrder(
  db: Database,
  tournamentId: string,
  userId: string,
  order: readonly string[],
  now: Date,
): Promise<boolean> {
  const { chosen } = await transact(db, {
    clear: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = NULL
      WHERE ${tournamentTeams.tournamentId} = ${tournamentId} AND ${canSeed(tournamentId, userId)}`),
    number: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = json_each.key + 1
        FROM json_each(${JSON.stringify(order)})
      WHERE ${tournamentTeams.id} = json_each.value AND ${tournamentTeams.tournamentId} = ${tournamentId}
        AND ${canSeed(tournamentId, userId)}`),
    chosen: setSeeding(db, tournamentId, userId, "manual", now),
  });
  return chosen.rowsAffected > 0;
}
