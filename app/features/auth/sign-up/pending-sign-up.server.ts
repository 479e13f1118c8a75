import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { randomId } from "#db/ids";
import { type IdentityProvider, NO_PASSWORD, type PendingIdentity, pendingSignups, users } from "#db/schema";
import type { RiotAccountData } from "~/features/riot/rules";
import type { RiotAccountQuery } from "~/features/riot/schema";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto/crypto.server";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import type { HumanCheckRefusal } from "~/platform/forms/human-check.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { countUse } from "~/platform/limits/uses.server";
import type { AuthResult } from "../failure";
import { hashPassword } from "../passwords/passwords.server";
import { findPendingSignup, type PendingSignup } from "./queries.server";

/** The longest pause between the steps of a sign-up, in milliseconds. */
const SIGNUP_LIFETIME = HOUR;
/**
 * How late the last click of a sign-up may come, in milliseconds: the browser counts the hour from the response to
 * step 1, and the click takes time to arrive.
 */
const LATE_BY = 10 * MINUTE;
/** How long a completed sign-up is kept to answer a second click on its button, in milliseconds. */
const SECOND_CLICK_WINDOW = MINUTE;
/**
 * A row that expires within this time, in milliseconds, belongs to a completed sign-up. The time is longer than
 * `SECOND_CLICK_WINDOW`, because if one request overtakes the other, the second click may have the earlier timestamp.
 */
const COMPLETED_WITHIN = 2 * SECOND_CLICK_WINDOW;
/** The cookie that identifies this browser's sign-up. */
const SIGNUP_COOKIE = "lineup_signup";

interface Credentials {
  email: string;
  password: string;
}

/**
 * Step 1 of the sign-up: stores the address and the hashed password until step 2 is done. Keeps the values of step 2
 * from this browser's previous sign-up, and its provider account, unless the provider has verified another address.
 * @param humanCheck the human check's pending result. Start the check in the same macrotask, so that its statements
 *   share this function's round trip
 * @returns the provider whose account was dropped, or null
 */
export async function beginSignup(
  context: RequestContext,
  { email, password }: Credentials,
  humanCheck: Promise<HumanCheckRefusal | null>,
): Promise<AuthResult<{ dropped: IdentityProvider | null }>> {
  const { db, env, cookies, now } = context;
  const [refusal, limit, existing, previous] = await Promise.all([
    humanCheck,
    countUse(context, "signUp", context.ip),
    db.select({ id: users.id }).from(users).where(eq(users.email, email)).get(),
    currentSignup(context),
  ]);
  if (!limit.allowed) return tooManyTries(limit.retryAfter);
  if (refusal) return refusal;
  // If addresses must be confirmed, only the address's owner learns that it has an account, by email after step 2.
  if (existing && !env.REQUIRE_CONFIRMED_EMAIL) {
    return {
      ok: false,
      status: 400,
      field: "email",
      error: "This email address already has an account. Sign in instead.",
    };
  }
  const token = createToken();
  const passwordHash = await hashPassword(password);
  const { gameName = null, tagLine = null, region = null, accountData = null, identity = null } = previous ?? {};
  // Someone else may have left the sign-up in this browser. A provider account with a verified address is kept only
  // with that address; one without, which is Riot's, is dropped in step 2 if the player verifies another Riot account.
  const dropped = identity?.emailVerified && email !== previous?.email ? identity.provider : null;
  // The previous row stays until it expires: if this response is lost, the browser sends the form again with that row's
  // token, and must find the same values.
  await db.insert(pendingSignups).values({
    id: hashToken(token),
    userId: randomId(),
    email,
    passwordHash,
    gameName,
    tagLine,
    region,
    accountData: accountData && JSON.stringify(accountData),
    identity: dropped ? null : identity,
    expiresAt: expiryOf(now),
  });
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
  return { ok: true, dropped };
}

/**
 * Begins a sign-up with a provider account. If the provider has verified an email address, step 1 is skipped, and the
 * account gets no password. Otherwise step 1 follows, and keeps the provider account.
 * @param email the address that the provider has verified; null if there is none
 * @param account the Riot account, if the provider is Riot
 */
export async function beginSignupWith(
  context: RequestContext,
  identity: Omit<PendingIdentity, "emailVerified">,
  email: string | null,
  account: RiotAccountData | null,
): Promise<AuthResult> {
  const { db, cookies, now } = context;
  const token = createToken();
  const [limit] = await Promise.all([
    countUse(context, "signUp", context.ip),
    db.insert(pendingSignups).values({
      id: hashToken(token),
      userId: randomId(),
      email: email ?? "",
      passwordHash: NO_PASSWORD,
      gameName: account?.gameName ?? null,
      tagLine: account?.tagLine ?? null,
      region: account?.region ?? null,
      accountData: account && JSON.stringify(account),
      identity: { ...identity, emailVerified: email !== null },
      expiresAt: expiryOf(now),
    }),
  ]);
  // The row was inserted anyway. It reveals nothing, and is removed after an hour.
  if (!limit.allowed) return tooManyTries(limit.retryAfter);
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
  return { ok: true };
}

/**
 * Keeps the values typed in step 2 of an expired sign-up for the player's next sign-up. The row has no address, so it
 * doesn't count as a sign-up yet, and is removed after an hour.
 */
export async function keepForNextSignup(
  { db, cookies, now }: RequestContext,
  fields: Partial<Record<keyof RiotAccountQuery, string>>,
): Promise<void> {
  const token = createToken();
  await db.insert(pendingSignups).values({
    id: hashToken(token),
    userId: randomId(),
    email: "",
    passwordHash: NO_PASSWORD,
    ...fields,
    expiresAt: expiryOf(now),
  });
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
}

/** Finds this browser's sign-up, or null. */
export async function currentSignup({ db, cookies, now }: RequestContext): Promise<PendingSignup | null> {
  const token = cookies.get(SIGNUP_COOKIE);
  return token ? findPendingSignup(db, hashToken(token), now) : null;
}

/** Stores the values of step 2, and the Riot account found for them, if any. */
export async function keepRiotAccount(
  db: Database,
  signupId: string,
  fields: Partial<Record<keyof RiotAccountQuery, string>>,
  account: RiotAccountData | null,
): Promise<void> {
  await db
    .update(pendingSignups)
    .set({
      gameName: fields.gameName ?? null,
      tagLine: fields.tagLine ?? null,
      region: fields.region ?? null,
      accountData: account && JSON.stringify(account),
    })
    .where(eq(pendingSignups.id, signupId));
}

/** Builds the SQL condition that no click has completed a sign-up yet. */
export const isUncompleted = ({ now }: Pick<RequestContext, "now">, signupId: string) =>
  sql`EXISTS (SELECT 1 FROM ${pendingSignups} WHERE ${pendingSignups.id} = ${signupId}
    AND ${pendingSignups.expiresAt} > ${now.getTime() + COMPLETED_WITHIN})`;

/**
 * Builds the statements that mark a sign-up as completed: its row stays for a moment, to answer a second click.
 * @param emailWaitsUntil when the limits on emails will allow the confirmation email, as an SQL expression; null if it
 *   was sent
 * @returns statements by name: `mark` affects a row only at the first click, whether or not that click created an
 *   account; `marked` finds the first click's `emailWaitsUntil`, even at the second click
 */
export const markCompleted = (
  { db, now }: Pick<RequestContext, "db" | "now">,
  signupId: string,
  emailWaitsUntil: SQL,
) => ({
  mark: db
    .update(pendingSignups)
    .set({ expiresAt: new Date(now.getTime() + SECOND_CLICK_WINDOW), emailWaitsUntil })
    .where(and(eq(pendingSignups.id, signupId), isUncompleted({ now }, signupId))),
  marked: db
    .select({ emailWaitsUntil: pendingSignups.emailWaitsUntil })
    .from(pendingSignups)
    .where(eq(pendingSignups.id, signupId)),
});

/**
 * Returns when the row of a new sign-up expires. The row outlives the cookie, so that an earlier expiry can mark a
 * completed sign-up.
 */
const expiryOf = (now: Date) => new Date(now.getTime() + SIGNUP_LIFETIME + LATE_BY + COMPLETED_WITHIN);

/** Removes this browser's sign-up cookie. */
export const forgetSignup = ({ cookies }: RequestContext): void => cookies.delete(SIGNUP_COOKIE);
