import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { randomId } from "#db/ids";
import { emailTokens, pendingSignups, playerFacets, profiles, sessions, users } from "#db/schema";
import { EVERYONE } from "~/features/players/facets";
import { parseRiotAccount, type RiotAccountData, type RiotAccountQuery } from "~/features/riot/schema";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto.server";
import { isDatabaseUnavailable } from "~/platform/database";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import { countTry, countUse, forgiveTries, tooManyTries } from "~/platform/rate-limit.server";
import { newSession } from "~/platform/session.server";
import { accountExistsEmail, confirmationEmail } from "./emails";
import { hashPassword, verifyPassword } from "./passwords.server";
import { findPendingSignup, type PendingSignup } from "./queries.server";
import { finishSignIn, type SignInOutcome, signInColumns } from "./sign-in.server";

const HOUR = 60 * 60 * 1000;
/** How long a sign-up may pause between its steps. */
const SIGNUP_LIFETIME = HOUR;
/** How long a completed sign-up still answers a second press of its button. */
const SECOND_PRESS = 60_000;
const CONFIRMATION_LIFETIME = 7 * 24 * HOUR;
/** Confirmation links that one player is sent in an hour, the first included. */
const LINKS_AN_HOUR = 4;
const SIGNUP_COOKIE = "lineup_signup";

/** Why something of this file could not be done; `field` says where it belongs in the form. */
export interface AuthFailure {
  ok: false;
  status: 400 | 429;
  error: string;
  field?: "email" | "password";
  /** Seconds, with 429. */
  retryAfter?: number;
}

export type AuthResult<T = object> = ({ ok: true } & T) | AuthFailure;

interface Credentials {
  email: string;
  password: string;
}

/**
 * Signs in with e-mail and password. Unknown addresses cost the same statements and the same hashing, and get the same
 * answer.
 */
export async function signIn(
  context: RequestContext,
  { email, password }: Credentials,
  redirectTo: string | null,
): Promise<AuthResult<{ outcome: SignInOutcome }>> {
  const { db, env } = context;
  const [byAddress, byAccount, user] = await Promise.all([
    countUse(context, "signIn", context.ip),
    countTry(context, "signIn", hashToken(email)),
    db
      .select({
        ...signInColumns(context),
        passwordHash: users.passwordHash,
        emailConfirmedAt: users.emailConfirmedAt,
        recentLinks: sql<number>`(SELECT count(*) FROM email_tokens AS link WHERE link.user_id = users.id AND link.created_at > ${context.now.getTime() - HOUR})`,
      })
      .from(users)
      .where(eq(users.email, email))
      .get(),
  ]);
  // Before the hash: it is what an attacker could exhaust us with.
  for (const verdict of [byAddress, byAccount]) {
    if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  }
  const matches = await verifyPassword(password, user?.passwordHash);
  if (!user || !matches)
    return { ok: false, status: 400, error: "This e-mail and password don't belong together.", field: "password" };
  if (env.REQUIRE_CONFIRMED_EMAIL && !user.emailConfirmedAt) {
    return askToConfirm(context, { id: user.id, email, recentLinks: user.recentLinks }, redirectTo);
  }
  const outcome = await finishSignIn(context, user, [forgiveTries(context, "signIn", hashToken(email))]);
  return { ok: true, outcome };
}

/** The password was right, so this is the player: they are told what is missing, and the link is sent once more. */
async function askToConfirm(
  context: RequestContext,
  user: { id: string; email: string; recentLinks: number },
  redirectTo: string | null,
): Promise<AuthFailure> {
  const error = "Please confirm your e-mail address first: open the link we sent you.";
  if (user.recentLinks >= LINKS_AN_HOUR) return { ok: false, status: 400, error };
  await context.db.batch(confirmationLink(context, user, redirectTo));
  context.defer(() => deliverDueEmails(context));
  return { ok: false, status: 400, error: `${error} We have just sent it again.` };
}

/** Step 1 of the sign-up: keeps the address and the hashed password until step 2 is done. */
export async function beginSignup(context: RequestContext, { email, password }: Credentials): Promise<AuthResult> {
  const { db, env, cookies, now } = context;
  const [limit, existing, previous] = await Promise.all([
    countUse(context, "signUp", context.ip),
    db.select({ id: users.id }).from(users).where(eq(users.email, email)).get(),
    currentSignup(context),
  ]);
  if (!limit.allowed) return tooManyTries(limit.retryAfter);
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
  const { gameName = null, tagLine = null, region = null, accountData = null } = previous ?? {};
  await db.batch([
    db.insert(pendingSignups).values({
      id: hashToken(token),
      userId: randomId(),
      email,
      passwordHash,
      gameName,
      tagLine,
      region,
      accountData: accountData && JSON.stringify(accountData),
      expiresAt: new Date(now.getTime() + SIGNUP_LIFETIME),
    }),
    db.delete(pendingSignups).where(eq(pendingSignups.id, previous?.id ?? "")),
  ]);
  cookies.set(SIGNUP_COOKIE, token, { maxAge: SIGNUP_LIFETIME / 1000 });
  return { ok: true };
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

/** How a sign-up ended: with a session, with an e-mail to open first, or because the address was taken meanwhile. */
export type SignupOutcome = "signed-in" | "confirm-first" | "taken";

/**
 * Step 2's end: makes the account, its profile and the confirmation e-mail in one transaction, and opens a session
 * where the settings allow it. An address that is taken costs the same one transaction. The caller links the Riot
 * account in the same tick, so that it rides along.
 */
export async function completeSignup(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  redirectTo: string | null,
): Promise<SignupOutcome> {
  const { db, env, cookies, claim } = context;
  const { userId, email, ownerId } = signup;
  const session = env.REQUIRE_CONFIRMED_EMAIL ? null : newSession(context, userId);
  const openSession = session
    ? [db.insert(sessions).values(session.row), db.delete(sessions).where(eq(sessions.id, claim?.sessionId ?? ""))]
    : [];
  let owner = ownerId;
  if (!owner) {
    try {
      await db.batch([...accountStatements(context, signup, redirectTo), ...openSession]);
      owner = userId;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // Someone was faster: this very form, pressed twice, or another player with the same address.
      owner = (await db.select({ id: users.id }).from(users).where(eq(users.email, email)).get())?.id ?? null;
      if (!owner) throw error;
      if (owner === userId && session) await db.insert(sessions).values(session.row);
    }
  } else if (owner === userId && session) {
    // Pressed twice, one after the other: the account is there, only this answer's session is not.
    await db.insert(sessions).values(session.row);
  }
  if (owner !== userId) await tellOwner(context, email);
  context.defer(() => deliverDueEmails(context));
  cookies.delete(SIGNUP_COOKIE);
  if (!session) return "confirm-first";
  if (owner !== userId) return "taken";
  session.start();
  return "signed-in";
}

/** What makes an account. The sign-up itself stays a moment longer, for a second press of the same button. */
function accountStatements(
  context: RequestContext,
  signup: PendingSignup & { accountData: RiotAccountData },
  redirectTo: string | null,
) {
  const { db, now } = context;
  const { userId, email, passwordHash, accountData: account } = signup;
  return [
    db.insert(users).values({
      id: userId,
      email,
      passwordHash,
      riotGameName: account.gameName,
      riotTagLine: account.tagLine,
      riotRegion: account.region,
      riotAccountData: JSON.stringify(account),
      createdAt: now,
    }),
    db.insert(profiles).values({
      userId,
      riotId: `${account.gameName}#${account.tagLine}`,
      riotGameName: account.gameName,
      riotTagLine: account.tagLine,
      riotRegion: account.region,
      joinedAt: now,
      updatedAt: now,
    }),
    db.insert(playerFacets).values({ facet: EVERYONE, userId, joinedAt: now, rankingScore: 0 }),
    ...confirmationLink(context, { id: userId, email }, redirectTo),
    db
      .update(pendingSignups)
      .set({ expiresAt: new Date(now.getTime() + SECOND_PRESS) })
      .where(eq(pendingSignups.id, signup.id)),
  ] as const;
}

/** The address is someone else's: its owner may know, and where confirmation is required nobody else. */
async function tellOwner({ db, now, origin }: RequestContext, email: string): Promise<void> {
  await db.batch([enqueueEmail(db, accountExistsEmail(email, `${origin}/auth`), now)]);
}

/** The statements that send a confirmation link; `redirectTo` is where the player was going when they signed up. */
function confirmationLink(
  { db, now, origin }: RequestContext,
  user: { id: string; email: string },
  redirectTo: string | null,
) {
  const token = createToken();
  const link = `${origin}/auth/confirm?${new URLSearchParams({ token, ...(redirectTo && { redirectTo }) })}`;
  return [
    db.insert(emailTokens).values({
      id: hashToken(token),
      userId: user.id,
      email: user.email,
      purpose: "confirm-email",
      createdAt: now,
      expiresAt: new Date(now.getTime() + CONFIRMATION_LIFETIME),
    }),
    enqueueEmail(db, confirmationEmail(user.email, link), now),
  ] as const;
}

/** What a confirmation link brought about. */
export interface Confirmation {
  userId: string;
  /** The Riot account of the sign-up, to be linked now; null when the link was opened before. */
  toLink: RiotAccountData | null;
}

/**
 * Confirms the address that a link was sent to, if it is still the account's. Opening the link again does nothing
 * new, so it is safe on GET.
 * @returns null when the link is no good
 */
export async function confirmEmail({ db, now, env }: RequestContext, token: string): Promise<Confirmation | null> {
  const proven = db
    .select({ userId: emailTokens.userId })
    .from(emailTokens)
    .innerJoin(users, and(eq(users.id, emailTokens.userId), eq(users.email, emailTokens.email)))
    .where(
      and(
        eq(emailTokens.id, hashToken(token)),
        eq(emailTokens.purpose, "confirm-email"),
        gt(emailTokens.expiresAt, now),
      ),
    );
  const [[user]] = await db.batch([
    db
      .update(users)
      .set({ emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, ${now.getTime()})` })
      .where(inArray(users.id, proven))
      .returning({
        id: users.id,
        emailConfirmedAt: users.emailConfirmedAt,
        riotAccountData: users.riotAccountData,
      }),
    // The claim is no longer at risk of lapsing.
    db.update(profiles).set({ riotClaimLapsesAt: null }).where(inArray(profiles.userId, proven)),
  ]);
  if (!user) return null;
  const isFirst = user.emailConfirmedAt?.getTime() === now.getTime();
  const account = env.REQUIRE_CONFIRMED_EMAIL && isFirst ? parseRiotAccount(user.riotAccountData) : null;
  return { userId: user.id, toLink: account };
}
