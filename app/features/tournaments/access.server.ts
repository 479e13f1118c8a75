import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { tournamentOrganisers, tournaments, users } from "#db/schema";

const account = alias(users, "account");
const helper = alias(tournamentOrganisers, "helper");
const host = alias(users, "host");

/* Who may do what with a tournament: conditions of a query on `tournaments`. */

const isCoOrganiser = (userId: string, t = sql`tournaments`): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournamentOrganisers} AS ${helper} WHERE ${helper.tournamentId} = ${t}.id
    AND ${helper.userId} = ${userId}
)`;

/** That a player runs it: its host and those whom the host has asked. @param t what the query calls the tournament */
export const organisedBy = (userId: string, t = sql`tournaments`): SQL =>
  sql`(${t}.user_id = ${userId} OR ${isCoOrganiser(userId, t)})`;

/** That its host can't run it: their account is gone, or suspended. */
export const isHostAway: SQL = sql`NOT EXISTS (
  SELECT 1 FROM ${users} AS ${host} WHERE ${host.id} = ${tournaments.userId} AND ${host.suspendedAt} IS NULL
)`;

/** That a player is its host; while the host is suspended, or gone, the others who run it stand in. */
export const hostedBy = (userId: string): SQL =>
  sql`(${tournaments.userId} = ${userId} OR (${isHostAway} AND ${isCoOrganiser(userId)}))`;

/** That somebody besides this player runs it, whose account stays. */
export const isRunByOthers = (userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${users} AS ${account}
  WHERE ${account.id} IN (
    SELECT ${tournaments.userId}
    UNION ALL
    SELECT ${helper.userId} FROM ${tournamentOrganisers} AS ${helper} WHERE ${helper.tournamentId} = ${tournaments.id}
  ) AND ${account.id} <> ${userId} AND ${account.suspendedAt} IS NULL AND ${account.deletionDueAt} IS NULL
)`;
