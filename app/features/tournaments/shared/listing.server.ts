import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournaments, users } from "#db/schema";
import { bare } from "#db/sql";

const host = alias(users, "host");
const mark = alias(profiles, "mark");

/**
 * SQL condition: whether lists may show a host's tournaments. The host's Riot account must be verified, and their
 * email address confirmed where that is required.
 * @param userId an SQL expression
 * @param needsConfirmedEmail the setting `REQUIRE_CONFIRMED_EMAIL`
 */
export const isListedHost = (userId: SQLWrapper, needsConfirmedEmail: boolean): SQL => sql`EXISTS (
  SELECT 1 FROM ${users} AS ${host} JOIN ${profiles} AS ${mark} ON ${mark.userId} = ${host.id}
  WHERE ${host.id} = ${userId} AND ${mark.riotVerifiedAt} IS NOT NULL
    ${needsConfirmedEmail ? sql`AND ${host.emailConfirmedAt} IS NOT NULL` : sql``}
)`;

/**
 * Builds the statement that puts a host's tournaments on the lists if `isListedHost` holds now, and otherwise takes
 * them off. Put it after statements that host a tournament, verify a Riot account or confirm an address.
 */
export function updateListing(db: Database, userId: string, needsConfirmedEmail: boolean) {
  const isListed = isListedHost(tournaments.userId, needsConfirmedEmail);
  return db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.isListed)} = ${isListed}
    WHERE ${tournaments.userId} = ${userId} AND ${tournaments.isListed} <> ${isListed}`);
}

/**
 * Builds the statement that unlists the tournaments of hosts who lose the `Verified` mark.
 * @param hosts their ids, as a subquery
 */
export const endListing = (db: Database, hosts: SQLWrapper) =>
  db.run(sql`
    UPDATE ${tournaments} SET ${bare(tournaments.isListed)} = 0
    WHERE ${tournaments.userId} IN ${hosts} AND ${tournaments.isListed} = 1`);
