import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import { tournamentOrganisers, tournaments, users } from "#db/schema";

const account = alias(users, "account");
const helper = alias(tournamentOrganisers, "helper");
const host = alias(users, "host");

/* Permissions on a tournament, as conditions for queries on `tournaments`. */

const isCoOrganiser = (userId: string, t = sql`tournaments`): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournamentOrganisers} AS ${helper} WHERE ${helper.tournamentId} = ${t}.id
    AND ${helper.userId} = ${userId}
)`;

/**
 * True if a player is an organiser: the host, or a co-organiser whom the host has added.
 * @param t the query's name for the tournament
 */
export const organisedBy = (userId: string, t = sql`tournaments`): SQL =>
  sql`(${t}.user_id = ${userId} OR ${isCoOrganiser(userId, t)})`;

/** True if the host can't or won't run the tournament: their account is deleted, due for deletion, or suspended. */
export const isHostAway: SQL = sql`NOT EXISTS (
  SELECT 1 FROM ${users} AS ${host}
  WHERE ${host.id} = ${tournaments.userId} AND ${staysOpen(host)}
)`;

/** True if a player has the host's rights: the host, or any co-organiser while the host is away. */
export const hostedBy = (userId: string): SQL =>
  sql`(${tournaments.userId} = ${userId} OR (${isHostAway} AND ${isCoOrganiser(userId)}))`;

/** True if an organiser besides this player has an account that is neither suspended nor due for deletion. */
export const isRunByOthers = (userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${users} AS ${account}
  WHERE ${account.id} IN (
    SELECT ${tournaments.userId}
    UNION ALL
    SELECT ${helper.userId} FROM ${tournamentOrganisers} AS ${helper} WHERE ${helper.tournamentId} = ${tournaments.id}
  ) AND ${account.id} <> ${userId} AND ${staysOpen(account)}
)`;
