import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentOrganisers, tournamentPlayers, tournaments } from "#db/schema";
import { bumpVersion } from "./changes.server";

const own = alias(tournaments, "own");

/**
 * Builds the statement that makes rooms reload a player's tournaments, because they cache the players and organisers.
 * It belongs before the account's deletion in the same transaction.
 */
export const outdateTournamentsOf = (db: Database, userId: string, now: Date, condition: SQL) =>
  bumpVersion(
    db,
    sql`SELECT ${tournamentPlayers.tournamentId} FROM ${tournamentPlayers} WHERE ${tournamentPlayers.userId} = ${userId}
      UNION ALL SELECT ${tournamentOrganisers.tournamentId} FROM ${tournamentOrganisers}
        WHERE ${tournamentOrganisers.userId} = ${userId}
      UNION ALL SELECT ${own.id} FROM ${tournaments} AS ${own} WHERE ${own.userId} = ${userId}`,
    condition,
    now.getTime(),
  );
