import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import { tournamentOrganisers, tournaments, users } from "#db/schema";

const account = alias(users, "account");
const helper = alias(tournamentOrganisers, "helper");
const host = alias(users, "host");
const hosted = alias(tournaments, "hosted");

/*
 * Permissions on a tournament, as conditions for queries on `tournaments`. The organisers of a tournament are its host
 * and its co-organisers, added by anyone with the host's rights (`hostedBy`). The table `tournament_organisers` has the
 * co-organisers only.
 */

/** The table `tournaments`, or an alias of it. */
type Tournaments = Record<"id" | "userId", SQLWrapper>;

const isCoOrganiser = (userId: string, t: Tournaments = tournaments): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournamentOrganisers} AS ${helper} WHERE ${helper.tournamentId} = ${t.id}
    AND ${helper.userId} = ${userId}
)`;

/**
 * True if a player is an organiser, and false otherwise: never NULL, even if the host's account is gone.
 * @param userId null for guests, who organise nothing
 */
export const organisedBy = (userId: string | null, t: Tournaments = tournaments): SQL =>
  userId === null ? sql`0` : sql`(${t.userId} IS ${userId} OR ${isCoOrganiser(userId, t)})`;

/**
 * Selects the organisers of tournaments, as `tournamentId` and `userId`. A host whose account is gone is left out.
 * @param tournamentIds an id, as an SQL expression, or a `SELECT` of ids
 */
export const selectOrganisers = (tournamentIds: SQLWrapper): SQL => sql`
  SELECT ${hosted.id} AS tournamentId, ${hosted.userId} AS userId FROM ${tournaments} AS ${hosted}
  WHERE ${hosted.id} IN (${tournamentIds}) AND ${hosted.userId} IS NOT NULL
  UNION ALL SELECT ${helper.tournamentId}, ${helper.userId} FROM ${tournamentOrganisers} AS ${helper}
  WHERE ${helper.tournamentId} IN (${tournamentIds})`;

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
  WHERE ${account.id} IN (SELECT organiser.userId FROM (${selectOrganisers(tournaments.id)}) AS organiser)
    AND ${account.id} <> ${userId} AND ${staysOpen(account)}
)`;
