import { and, eq, isNotNull, isNull, lte, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";
import { markVerified, unmarkVerified } from "~/features/players/facets.server";
import type { RequestContext } from "~/platform/context";
import type { RiotAccountData } from "./schema";

/** How long after the sign-up a claim lasts while the e-mail address is not confirmed, in milliseconds: 7 days. */
const CLAIM_LIFETIME = 7 * 24 * 60 * 60 * 1000;

/**
 * Links a Riot account to a player, unless another player holds it: one PUUID, one player. The check is part of the
 * statement, so two who claim at once can't both succeed.
 * @returns a row when the link was made
 */
export async function linkRiotAccount(db: Database, userId: string, account: RiotAccountData, now: Date) {
  const others = alias(profiles, "others");
  const link = db
    .update(profiles)
    .set({
      riotId: `${account.gameName}#${account.tagLine}`,
      riotGameName: account.gameName,
      riotTagLine: account.tagLine,
      riotRegion: account.region,
      riotPuuid: account.puuid,
      riotVerifiedAt: now,
      riotClaimLapsesAt: sql`(SELECT CASE WHEN ${users.emailConfirmedAt} IS NULL THEN ${users.createdAt} + ${CLAIM_LIFETIME} END FROM ${users} WHERE ${users.id} = ${userId})`,
      lastRankSync: now,
      updatedAt: now,
    })
    .where(
      and(
        eq(profiles.userId, userId),
        // Once verified, the Riot ID is read-only.
        or(isNull(profiles.riotPuuid), eq(profiles.riotPuuid, account.puuid)),
        notExists(
          db
            .select({ one: sql`1` })
            .from(others)
            .where(and(eq(others.riotPuuid, account.puuid), sql`${others.userId} <> ${userId}`)),
        ),
      ),
    )
    .returning({ userId: profiles.userId });
  const [linked] = await db.batch([link, markVerified(db, userId)]);
  return linked;
}

/** Takes back the claims of players who did not confirm their e-mail in time, so that the true owner can claim. */
export function lapseUnconfirmedClaims(db: Database, now: Date) {
  const lapsed = and(isNotNull(profiles.riotClaimLapsesAt), lte(profiles.riotClaimLapsesAt, now));
  return db.batch([
    unmarkVerified(db, db.select({ userId: profiles.userId }).from(profiles).where(lapsed)),
    db
      .update(profiles)
      .set({ riotPuuid: null, riotVerifiedAt: null, riotClaimLapsesAt: null, lastRankSync: null, updatedAt: now })
      .where(lapsed),
  ]);
}

/**
 * Links the account that a sign-up was verified with. The sign-up does not depend on it: a failure is only logged
 * (specification, section 7).
 */
export async function linkAfterSignup(
  { db, log, now }: RequestContext,
  userId: string,
  account: RiotAccountData,
): Promise<void> {
  const message = "Failed to link Riot account after signup";
  try {
    const linked = await linkRiotAccount(db, userId, account, now);
    if (linked.length === 0) log.warn(message, { reason: "another player holds it, or there is no new account" });
  } catch (error) {
    log.error(message, error);
  }
}
