import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";

/** Finds a player other than `userId` who holds a Riot account. @returns undefined if there is none */
export function findOtherHolder(db: Database, puuid: string, userId: string) {
  return db
    .select({ userId: profiles.userId })
    .from(profiles)
    .where(and(eq(profiles.riotPuuid, puuid), ne(profiles.userId, userId)))
    .get();
}

/** Finds what a profile says about the player's Riot account, for `verifiedAccount`. */
export const findClaim = (db: Database, userId: string) =>
  db
    .select({
      riotPuuid: profiles.riotPuuid,
      riotId: profiles.riotId,
      riotTagLine: profiles.riotTagLine,
      riotRegion: profiles.riotRegion,
    })
    .from(profiles)
    .where(eq(profiles.userId, userId))
    .get();

/**
 * Finds the Riot account that an unverified player signed up with, if another player holds it.
 * @returns its Riot ID, or undefined
 */
export function findHeldSignupAccount(db: Database, userId: string) {
  const own = alias(profiles, "own");
  const holder = alias(profiles, "holder");
  return db
    .select({ riotId: sql<string>`${users.riotGameName} || '#' || ${users.riotTagLine}` })
    .from(users)
    .innerJoin(own, and(eq(own.userId, users.id), isNull(own.riotPuuid)))
    .innerJoin(
      holder,
      and(eq(holder.riotPuuid, sql`json_extract(${users.riotAccountData}, '$.puuid')`), ne(holder.userId, users.id)),
    )
    .where(eq(users.id, userId))
    .get();
}
