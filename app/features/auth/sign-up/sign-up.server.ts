import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { randomId } from "#db/ids";
import {
  NO_PASSWORD,
  type PendingIdentity,
  pendingSignups,
  profiles,
  sessions,
  users,
  verifications,
} from "#db/schema";
import { columnsOf } from "#db/sql";
import { type Steps, transact } from "#db/statements";
import { listNewcomer } from "~/features/players/shared/facets.server";
import { writeName } from "~/features/players/shared/names.server";
import type { RiotAccountData } from "~/features/riot/rules";
import type { RiotAccountQuery } from "~/features/riot/schema";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto/crypto.server";
import { isDatabaseUnavailable } from "~/platform/database";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import type { HumanCheckRefusal } from "~/platform/forms/human-check.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { tellAuthEvent } from "~/platform/session/auth-events.server";
import { newSession } from "~/platform/session/session.server";
import { countVerificationEmail, prepareVerification } from "../codes/verification.server";
import { accountExistsEmail } from "../emails";
import type { AuthResult } from "../failure";
import { hashPassword } from "../passwords/passwords.server";
import { confirmationRequest } from "./confirmation.server";
import { findPendingSignup, type PendingSignup } from "./queries.server";

/** How long a sign-up may pause between its steps. */
const SIGNUP_LIFETIME = HOUR;
/** How long a completed sign-up still answers a second press of its button. */
const SECOND_PRESS = MINUTE;
const SIGNUP_COOKIE = "lineup_signup";
interface Credentials {
  email: string;
  password: string;
}

/**
 * Step 1 of the sign-up: keeps the address and the hashed password until step 2 is done.
 * @param humanCheck what the check that a person sent the form comes to; made in the same tick, so that it rides along
 */
export async function beginSignup(
  context: RequestContext,
  { email, password }: Credentials,
  humanCheck: Promise<HumanCheckRefusal | null>,
): Promise<AuthResult> {
  const { db, env, cookies, now } = context;
  const [refusal, limit, existing, previous] = await Promise.all([
    humanCheck,
    countUse(context, "signUp", context.ip),
    db.select({ id: users.id }).from(users).where(eq(users.email, email)).get(),
    currentSignup(context),
  ]);
  if (!limit.allowed) return tooManyTries(limit.retryAfter);
  if (refusal) return refusal;
  // Where the address must be confirmed, its owner is told by e-mail at the end, and nobody else.
  if (existing && !env.REQUIRE_CONFIRMED_EMAIL) {
    return {
      ok: false,
      status: 400,
      field: "email",
      error: "This e-mail address already has an account. Sign in instead.",
    };
  }
  const token = createToken();
  const passwordHash = await hashPassword(password);
  const { gameName = null, tagLine = null, region = null, accountData = null, identity = null } = previous ?? {};
  await transact(db, {
    begin: db.insert(pendingSignups).values({
      id: hashToken(token),
      userId: randomId(),
      email,
      passwordHash,
      gameName,
      tagLine,
      region,
      accountData: accountData && JSON.stringify(accountData),
      // Vouched for is the address that the provider has named, and no other.
      identity: identity && { ...identity, emailVerified: identity.emailVerified && email === previous?.email },
      expiresAt: new Date(now.getTime() + SIGNUP_LIFETIME),
    }),
    replace: db.delete(pendingSignups).where(eq(pendingSignups.id, previous?.id ?? "")),
  });
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
  return { ok: true };
}

/**
 * Begins a sign-up with an account elsewhere, in place of step 1 where its provider vouches for an e-mail address: then
 * there is no password. Otherwise step 1 is to come, and remembers the account.
 * @param email the address that the provider vouches for
 * @param account the Riot account, where that is what was shown
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
      expiresAt: new Date(now.getTime() + SIGNUP_LIFETIME),
    }),
  ]);
  // The row that is left over says nothing to anyone, and goes within the hour.
  if (!limit.allowed) return tooManyTries(limit.retryAfter);
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
  return { ok: true };
}

/**
 * Keeps what stands in step 2 of a sign-up that has run out of time: the one that the player begins next takes it over.
 * The row has no address, so it is no sign-up yet, and goes within the hour.
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
    expiresAt: new Date(now.getTime() + SIGNUP_LIFETIME),
  });
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
}

/** The sign-up that this browser has begun, or null. */
export async function currentSignup({ db, cookies, now }: RequestContext): Promise<PendingSignup | null> {
  const token = cookies.get(SIGNUP_COOKIE);
  return token ? findPendingSignup(db, hashToken(token), now) : null;
}

/** Keeps what stands in the fields of step 2, and the account that was found for it, if one was. */
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

/**
 * How a sign-up ended: with a session, with an e-mail to open first, or because the address, or the account elsewhere that
 * it began with, was taken meanwhile.
 */
type SignupOutcome = "signed-in" | "confirm-first" | "taken" | "identity-taken";

/** Whether a sign-up must wait for the e-mailed link: not where a provider vouches for the address. */
export const mustConfirmFirst = ({ env }: Pick<RequestContext, "env">, { identity }: Pick<PendingSignup, "identity">) =>
  env.REQUIRE_CONFIRMED_EMAIL && !identity?.emailVerified;

/**
 * Step 2's end: makes the account, its profile and the confirmation e-mail in one transaction, and opens a session
 * where the settings allow it. Whether the address is taken is decided inside the statements, which are the same for known
 * and unknown addresses. The caller links the Riot account in the same tick, so that it rides along.
 * @param statements what happens in the same transaction, after the account is made, where it was; failing, they undo it
 */
export async function completeSignup(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  redirectTo: string | null,
  statements?: Steps,
): Promise<SignupOutcome> {
  const { db, cookies, origin } = context;
  const { userId, email } = signup;
  const session = mustConfirmFirst(context, signup) ? null : newSession(context, userId);
  const isConfirmed = signup.identity?.emailVerified ?? false;
  const verification = prepareVerification(context, {
    ...confirmationRequest({ id: userId, email }, redirectTo),
    // Pressed twice, the second press sends nothing; nor is anything sent to confirm what a provider vouches for.
    condition: isConfirmed
      ? sql`0`
      : sql`NOT EXISTS (SELECT 1 FROM ${verifications}
      WHERE ${verifications.userId} = ${userId})`,
    otherwise: accountExistsEmail(email, `${origin}/auth`),
  });
  const found = Promise.all([
    // First: what follows in the pipeline asks whether this was within the limits.
    countVerificationEmail(context, email),
    transact(db, {
      account: accountStatements(context, signup),
      session: session ? sessionStatements(context, session.row) : undefined,
      verification: verification.statements,
      statements,
    }),
    db
      .select({
        id: users.id,
        hasBeenSent: sql<number>`EXISTS (SELECT 1 FROM verifications WHERE id = ${verification.id}
          AND user_id IS NOT NULL)`,
      })
      .from(users)
      .where(eq(users.email, email))
      .get(),
  ]);
  const outcome = await found.catch((error: unknown) => {
    // The one thing that is not decided inside the statements: the account elsewhere was linked by another player meanwhile.
    if (isDatabaseUnavailable(error) || !signup.identity) throw error;
    return null;
  });
  if (!outcome) {
    cookies.delete(SIGNUP_COOKIE);
    return "identity-taken";
  }
  const [limit, , owner] = outcome;
  const isOurs = owner?.id === userId;
  // The second of two presses has sent nothing: the code belongs to the cookie that the first one got.
  if (limit.allowed && !(isOurs && !owner.hasBeenSent)) verification.hand();
  context.defer(() => deliverDueEmails(context));
  cookies.delete(SIGNUP_COOKIE);
  if (!session) return "confirm-first";
  if (!isOurs) return "taken";
  session.start();
  tellAuthEvent(context, "SIGNED_IN");
  return "signed-in";
}

/**
 * What makes an account, unless the address or the account is there already. The sign-up itself stays a moment longer, for
 * a second press of the same button.
 */
function accountStatements(context: RequestContext, signup: PendingSignup & { accountData: RiotAccountData }) {
  const { db, now } = context;
  const { userId, email, passwordHash, accountData: account } = signup;
  const { gameName, tagLine, region } = account;
  return {
    user: db
      .insert(users)
      .values({
        id: userId,
        email,
        emailConfirmedAt: signup.identity?.emailVerified ? now : null,
        passwordHash,
        riotGameName: gameName,
        riotTagLine: tagLine,
        riotRegion: region,
        riotAccountData: JSON.stringify(account),
        createdAt: now,
      })
      .onConflictDoNothing(),
    profile: db.run(
      sql`INSERT INTO ${profiles} ${columnsOf(
        profiles,
        "userId",
        "riotId",
        "riotGameName",
        "riotTagLine",
        "riotRegion",
        "joinedAt",
        "updatedAt",
      )}
        SELECT ${users.id},
          ${`${gameName}#${tagLine}`}, ${gameName}, ${tagLine}, ${region}, ${now.getTime()}, ${now.getTime()}
        FROM ${users} WHERE ${users.id} = ${userId}
        ON CONFLICT DO NOTHING`,
    ),
    list: listNewcomer(db, userId),
    name: writeName(db, userId, gameName),
    signup: db
      .update(pendingSignups)
      .set({ expiresAt: new Date(now.getTime() + SECOND_PRESS) })
      .where(eq(pendingSignups.id, signup.id)),
  };
}

/** What opens the new account's session, in place of the one that this browser has; nothing where there is no account. */
function sessionStatements({ db, claim }: RequestContext, row: ReturnType<typeof newSession>["row"]) {
  const { id, userId, userAgent, place, createdAt, expiresAt } = row;
  return {
    open: db.run(
      sql`INSERT INTO ${sessions} ${columnsOf(sessions, "id", "userId", "userAgent", "place", "createdAt", "expiresAt")}
        SELECT ${id}, ${users.id}, ${userAgent}, ${place}, ${createdAt.getTime()}, ${expiresAt.getTime()}
          FROM ${users} WHERE ${users.id} = ${userId}`,
    ),
    replace: db.delete(sessions).where(eq(sessions.id, claim?.sessionId ?? "")),
  };
}
