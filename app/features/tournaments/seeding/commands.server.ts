import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { organisedBy } from "../access.server";
import type { PlayState } from "../play/state";

/** That a tournament has not begun, and that a player runs it. */
const isTheirs = (tournamentId: string, userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.state} = 'open'
    AND ${organisedBy(userId)}
)`;

/** The statement that says how a tournament is seeded, and has its room look again. */
const setsSeeding = (db: Database, tournamentId: string, userId: string, seeding: PlayState["seeding"], now: Date) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.seeding)} = ${seeding},
      ${bare(tournaments.version)} = ${tournaments.version} + 1, ${bare(tournaments.updatedAt)} = ${now.getTime()}
    WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.state} = 'open' AND ${organisedBy(userId)}`);

/**
 * Says how the teams are seeded. Numbers that were given by hand are gone with another way.
 * @returns whether it was done: not once it has begun, and not by others than its organisers
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
        AND ${isTheirs(tournamentId, userId)}`),
    chosen: setsSeeding(db, tournamentId, userId, seeding, now),
  });
  return chosen.rowsAffected > 0;
}

/**
 * Seeds the teams in an order given by hand. What is no team of the tournament (any more) is passed over; a team that is
 * not in it, because it came later, stands behind.
 * @returns whether it was done, as above
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
      WHERE ${tournamentTeams.tournamentId} = ${tournamentId} AND ${isTheirs(tournamentId, userId)}`),
    number: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.seed)} = json_each.key + 1
        FROM json_each(${JSON.stringify(order)})
      WHERE ${tournamentTeams.id} = json_each.value AND ${tournamentTeams.tournamentId} = ${tournamentId}
        AND ${isTheirs(tournamentId, userId)}`),
    chosen: setsSeeding(db, tournamentId, userId, "manual", now),
  });
  return chosen.rowsAffected > 0;
}
