import { and, eq, isNotNull, isNull, ne, not, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, users } from "#db/schema";
import { type Result, transact } from "#db/statements";
import { isUpheld } from "~/features/moderation/shared/upheld.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { markVerified } from "~/features/players/shared/facets.server";
import { riotNames, writeRiotName } from "~/features/players/shared/names.server";
import { updateListing } from "~/features/tournaments/shared/listing.server";
import { recordAuditOf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { DAY } from "~/platform/dates/durations";
import { enqueueEmailTo } from "~/platform/email/outbox.server";
import { isSessionOpen } from "~/platform/session/conditions.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { claimTakenOverEmail } from "./emails";
import type { RiotAccountData } from "./rules";
import { endClaims } from "./shared/end-claims.server";

const due = alias(profiles, "due");

type Linking = Pick<RequestContext, "db" | "env" | "now">;

/** How long a claim lasts without a confirmed email address, in milliseconds: 7 days. */
const CLAIM_LIFETIME = 7 * DAY;

/** SQL for the time at which an unproven claim made now will lapse; NULL (never) if the player's email is confirmed. */
const lapsesAt = (userId: string, now: Date) =>
  sql`(SELECT CASE WHEN ${users.emailConfirmedAt} IS NULL THEN ${now.getTime() + CLAIM_LIFETIME} END
    FROM ${users} WHERE ${users.id} = ${userId})`;

/**
 * Builds the condition on `profiles` that a player's claim has lapsed, even if the cron hasn't ended it yet, and their
 * email address is still unconfirmed. If they could claim again after each lapse, they could keep a stranger's account
 * for ever.
 */
const hasLapsed = (now: Date) => sql<number>`(
  (${profiles.riotClaimLapsedAt} IS NOT NULL
    OR (${profiles.riotClaimLapsesAt} IS NOT NULL AND ${profiles.riotClaimLapsesAt} <= ${now.getTime()}))
  AND ${profiles.riotProvenAt} IS NULL
  AND EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${profiles.userId} AND ${users.emailConfirmedAt} IS NULL))`;

/**
 * Builds the statements that link a Riot account to a player, unless another player holds it: a PUUID belongs to one
 * player. The check is part of the statement, so of two simultaneous claims only one succeeds. Once a claim of the
 * player has lapsed, they can't make another until they confirm their email address.
 * @param needsConfirmedEmail whether the player's tournaments are listed only once their address is confirmed
 * @param isBarred a condition under which a suspension bars the account from being linked anew; by default false
 * @param isAllowed a further condition for the link
 * @returns statements by name; the result of `linked` has a row if the link was made
 */
export function buildRiotAccountLink(
  db: Database,
  userId: string,
  account: RiotAccountData,
  now: Date,
  needsConfirmedEmail: boolean,
  isBarred: SQL = sql`0`,
  isAllowed: SQL = sql`1`,
) {
  const others = alias(profiles, "others");
  const linked = db
    .update(profiles)
    .set({
      ...riotNames(account),
      riotRegion: account.region,
      riotPuuid: account.puuid,
      riotVerifiedAt: now,
      // A proven account stays proven, and verifying the same account again doesn't prolong the claim.
      riotClaimLapsesAt: sql`CASE WHEN ${profiles.riotProvenAt} IS NULL THEN
        iif(${profiles.riotClaimLapsesAt} > ${now.getTime()}, ${profiles.riotClaimLapsesAt}, ${lapsesAt(userId, now)}) END`,
      lastRankSync: now,
      updatedAt: now,
    })
    .where(
      and(
        eq(profiles.userId, userId),
        isAllowed,
        // Once verified, the Riot ID is read-only.
        or(and(isNull(profiles.riotPuuid), not(isBarred)), eq(profiles.riotPuuid, account.puuid)),
        not(hasLapsed(now)),
        notExists(
          db
            .select({ one: sql`1` })
            .from(others)
            .where(and(eq(others.riotPuuid, account.puuid), sql`${others.userId} <> ${userId}`)),
        ),
      ),
    )
    .returning({ userId: profiles.userId });
  return {
    linked,
    facet: markVerified(db, userId),
    name: writeRiotName({ db, now }, userId, account),
    listing: updateListing(db, userId, needsConfirmedEmail),
  };
}

/**
 * Links a Riot account to a player.
 * @param claim the session that asks for it, which may have ended while Riot was asked: then no link is made. Null for
 *   a sign-up, which has no session yet
 * @returns whether the link was made; otherwise whether the session has ended, whether a suspension has prevented it,
 *   whether the player is verified with another account, and whether they must confirm their email address first,
 *   because a claim of theirs has lapsed
 */
export async function linkRiotAccount(
  { db, env, now }: Linking,
  userId: string,
  account: RiotAccountData,
  claim: SessionClaim | null,
): Promise<{
  isLinked: boolean;
  isSignedOut: boolean;
  isUpheld: boolean;
  isVerified: boolean;
  mustConfirm: boolean;
}> {
  const isBarred = isUpheld(env.ENCRYPTION_KEY, now, { puuid: account.puuid });
  const isAllowed = claim ? isSessionOpen(claim, now) : sql`1`;
  const { link, obstacles } = await transact(db, {
    link: buildRiotAccountLink(db, userId, account, now, env.REQUIRE_CONFIRMED_EMAIL, isBarred, isAllowed),
    // Whether the player is verified is read here, because the session was read before Riot was asked.
    obstacles: db.all<{ isSignedOut: number; isBarred: number; isVerified: number; hasLapsed: number }>(sql`
      SELECT NOT ${isAllowed} AS isSignedOut, ${isBarred} AS isBarred,
        coalesce(${profiles.riotPuuid} <> ${account.puuid}, 0) AS isVerified, ${hasLapsed(now)} AS hasLapsed
      FROM ${profiles} WHERE ${profiles.userId} = ${userId}`),
  });
  const isLinked = link.linked.length > 0;
  const [found] = obstacles;
  return {
    isLinked,
    isSignedOut: !isLinked && found?.isSignedOut === 1,
    isUpheld: !isLinked && found?.isBarred === 1,
    isVerified: !isLinked && found?.isVerified === 1,
    mustConfirm: !isLinked && found?.hasLapsed === 1,
  };
}

/**
 * Builds the statements that link a Riot account that Riot Sign-On has proven to be this player's. They remove another
 * player's unproven claim to it, and notify that player. If another player has proven it, or a suspension keeps it from
 * other accounts, the link must not be made.
 * @returns the condition under which the link is made, and the statements that make it if `isLinked` holds
 */
export function proveRiotAccount(
  { db, env, now, origin }: Linking & Pick<RequestContext, "origin">,
  userId: string,
  account: RiotAccountData,
) {
  const riotId = `${account.gameName}#${account.tagLine}`;
  const claimedByAnother = sql`${profiles.riotPuuid} = ${account.puuid} AND ${profiles.userId} <> ${userId}`;
  return {
    condition: sql`NOT EXISTS (SELECT 1 FROM ${profiles} WHERE ${claimedByAnother}
      AND ${profiles.riotProvenAt} IS NOT NULL)
      AND NOT ${isUpheld(env.ENCRYPTION_KEY, now, { "proven-puuid": account.puuid })}`,
    statements(isLinked: SQL = sql`1`) {
      const isDisplaced = sql`${claimedByAnother} AND ${profiles.riotProvenAt} IS NULL AND ${isLinked}`;
      const displaced = sql`SELECT ${profiles.userId} FROM ${profiles} WHERE ${isDisplaced}`;
      return {
        // These find the claim, so they must precede its removal.
        displaced: notify(db, {
          kind: "riot-claim",
          subject: subjectSql("riot", sql`to_tell.user_id`),
          data: sql`json_object('riotId', ${riotId})`,
          recipients: displaced,
          now: now.getTime(),
        }),
        email: enqueueEmailTo(
          { db, env, now },
          sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} IN (${displaced})`,
          claimTakenOverEmail(riotId, `${origin}/dashboard/profile`),
        ),
        audit: recordAuditOf(db, displaced, { actor: "system", action: "riot-claim-taken-over" }, now),
        takeOver: endClaims(db, isDisplaced, now),
        prove: db
          .update(profiles)
          .set({
            ...riotNames(account),
            // Riot Sign-On doesn't say in which region the account plays.
            riotRegion: sql`coalesce(${profiles.riotRegion}, ${account.region})`,
            riotPuuid: account.puuid,
            riotVerifiedAt: now,
            riotProvenAt: now,
            riotClaimLapsesAt: null,
            lastRankSync: now,
            updatedAt: now,
          })
          .where(and(eq(profiles.userId, userId), isLinked)),
        facet: markVerified(db, userId),
        name: writeRiotName({ db, now }, userId, account),
        listing: updateListing(db, userId, env.REQUIRE_CONFIRMED_EMAIL),
      };
    },
  };
}

/**
 * Builds the statement that turns a proven claim into an unproven one: it still shows that the account exists, and is
 * removed if another player proves the account.
 */
export function forgetProof({ db, now }: Pick<RequestContext, "db" | "now">, userId: string, condition: SQL) {
  return db
    .update(profiles)
    .set({ riotProvenAt: null, riotClaimLapsesAt: lapsesAt(userId, now) })
    .where(and(eq(profiles.userId, userId), isNotNull(profiles.riotProvenAt), condition));
}

/** Builds the statements that update a proven account's changed name. */
export function renameRiotAccount(db: Database, userId: string, account: RiotAccountData, now: Date) {
  const names = riotNames(account);
  const rename = db
    .update(profiles)
    .set({ ...names, updatedAt: now })
    .where(
      and(
        eq(profiles.userId, userId),
        eq(profiles.riotPuuid, account.puuid),
        isNotNull(profiles.riotProvenAt),
        ne(profiles.riotId, names.riotId),
      ),
    );
  return { rename, name: writeRiotName({ db, now }, userId, account) };
}

/**
 * Removes the claims of players who did not confirm their email in time, so that the true owner can claim the account,
 * and notifies these players.
 * @param limit maximum number of claims per run; the rest wait for the next run
 * @returns the notified players
 */
export async function lapseUnconfirmedClaims(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const lapsed = sql`${profiles.userId} IN (
    SELECT ${due.userId} FROM ${profiles} AS ${due}
    WHERE ${due.riotClaimLapsesAt} <= ${now.getTime()} AND ${due.riotProvenAt} IS NULL
    ORDER BY ${due.riotClaimLapsesAt} LIMIT ${limit}
  )`;
  const { notified } = await transact(db, {
    // Finds the claims, so it must precede their end.
    notified: notify(db, {
      kind: "riot-claim",
      subject: subjectSql("riot", sql`to_tell.user_id`),
      data: sql`json_object('riotId', to_tell.riot_id, 'hasLapsed', json('true'))`,
      recipients: sql`SELECT ${profiles.userId}, coalesce(${profiles.riotId}, 'Your Riot ID') AS riot_id FROM ${profiles}
        WHERE ${lapsed}`,
      now: now.getTime(),
    }),
    // Also finds the claims, so it must precede their end.
    marked: db.update(profiles).set({ riotClaimLapsedAt: now }).where(lapsed),
    ended: endClaims(db, lapsed, now),
  });
  return notified;
}

const LINK_FAILED = "Failed to link Riot account after signup";

/**
 * Links the account that a sign-up was verified with. The sign-up does not depend on it: a failure is only logged
 * (specification, section 7).
 */
export async function linkAfterSignup(
  context: RequestContext,
  userId: string,
  account: RiotAccountData,
): Promise<void> {
  const { log } = context;
  try {
    const { isLinked } = await linkRiotAccount(context, userId, account, null);
    const reason = "another player holds it, a suspension bars it, or the sign-up created no account";
    if (!isLinked) log.warn(LINK_FAILED, { reason });
  } catch (error) {
    log.error(LINK_FAILED, error);
  }
}

/**
 * Builds the statements that link the account of a sign-up whose address must be confirmed first. They belong in the
 * transaction that confirms it, after the confirmation. So a code or link that is used up has linked the account,
 * unless the account can't be linked.
 * @returns the statements, and `report`, which takes their results and logs if no link was made
 */
export function prepareLinkAfterSignup(
  { db, env, now, log }: Linking & Pick<RequestContext, "log">,
  userId: string,
  account: RiotAccountData,
) {
  const isBarred = isUpheld(env.ENCRYPTION_KEY, now, { puuid: account.puuid });
  const statements = buildRiotAccountLink(db, userId, account, now, env.REQUIRE_CONFIRMED_EMAIL, isBarred);
  return {
    statements,
    report({ linked }: Result<typeof statements>) {
      if (linked.length === 0) log.warn(LINK_FAILED, { reason: "another player holds it, or a suspension bars it" });
    },
  };
}
