import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { hasSecondFactor, passwordIsSet } from "#db/accounts";
import { NO_PASSWORD, sessions, users } from "#db/schema";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import type { Email } from "~/platform/email/email";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import { clearAttempts, countAttempt, type RateLimitVerdict, tooManyTries } from "~/platform/limits/rate-limit.server";
import { contactPoint } from "~/platform/operator";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import type { SessionClaim, Viewer } from "~/platform/session/viewer";
import { startVerification } from "../codes/issuing.server";
import { hasPendingCode, redeemCode, wasCodeRedeemed } from "../codes/redeeming.server";
import { verifyPassword } from "../passwords/passwords.server";
import { type SecondFactorAnswer, wrongAnswer } from "../two-factor/second-factor";
import { findFactor, judgeAnswer } from "../two-factor/second-factor.server";

/** The answers with which a player authenticates again. */
interface ReauthenticationAnswers {
  password?: string | undefined;
  /** The emailed code, if there is no password. */
  emailCode?: string | undefined;
  /** The second factor, if there is one. */
  code?: SecondFactorAnswer | undefined;
}

type ReauthenticationOutcome =
  | { ok: true }
  | { ok: false; status: 400 | 429; error: string; field?: keyof ReauthenticationAnswers; retryAfter?: number };

/** The answers that a player must give to authenticate again. */
interface ReauthenticationNeeds {
  hasPassword: boolean;
  hasSecondFactor: boolean;
}

/** Finds out what the signed-in player needs to authenticate again. */
export async function findReauthenticationNeeds(
  { db }: RequestContext,
  userId: string,
): Promise<ReauthenticationNeeds> {
  const row = await db
    .select({
      hasPassword: passwordIsSet,
      hasSecondFactor: sql<boolean>`${hasSecondFactor(sql`users.id`)}`.mapWith(Boolean),
    })
    .from(users)
    .where(eq(users.id, userId))
    .get();
  return row ?? { hasPassword: true, hasSecondFactor: false };
}

/** Sends the code that replaces a password. */
export const sendReauthenticationCode = (context: RequestContext, viewer: Viewer): Promise<RateLimitVerdict> =>
  startVerification(context, {
    purpose: "reauthenticate",
    email: viewer.email,
    userId: viewer.id,
    path: "/auth/reauthenticate",
    compose: (recipient, code) => reauthenticationEmail(recipient, code, contactPoint(context)),
  });

/**
 * Sent to a player without a password who needs a recent sign-in. It has no link, because the code is entered in the
 * browser that is signed in.
 */
const reauthenticationEmail = (recipient: string, code: string, contact: string): Email => ({
  recipient,
  subject: "Your code for Lineup",
  paragraphs: ["Enter this code to confirm it's you changing your account."],
  code,
  notes: [
    "The code works for 10 minutes.",
    `If it wasn't you, someone else is signed in to your account. Write to us at ${contact}`,
  ],
});

/**
 * Authenticates the signed-in player again, including the second factor. A trusted device can't skip it here.
 * @param viewer resolves to the signed-in player, in the same round trip
 */
export async function reauthenticate(
  context: RequestContext,
  viewer: Promise<Viewer>,
  proof: ReauthenticationAnswers,
): Promise<ReauthenticationOutcome> {
  const { db, now } = context;
  const { userId, sessionId } = context.claim as SessionClaim;
  // The player, but only if the session is open: someone with an ended session must not be able to delay the player.
  const subject = sql`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${sessions.id} = ${sessionId}
    AND ${sessions.userId} = ${userId} AND ${sessions.expiresAt} > ${now.getTime()})`;
  const [player, limit, factorLimit, stored, factor] = await Promise.all([
    viewer,
    countAttempt(context, "reauthenticate", subject),
    countAttempt(context, "twoFactor", subject),
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)).get(),
    findFactor(db, userId),
  ]);
  for (const verdict of [limit, factorLimit]) if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
  const hasPassword = stored?.passwordHash !== NO_PASSWORD;
  if (hasPassword && proof.password === undefined) return missing("password", "Enter your password.");
  // The form shows this field only after a code has been requested.
  const emailField = hasPendingCode(context, "reauthenticate") ? ({ field: "emailCode" } as const) : {};
  if (!hasPassword && proof.emailCode === undefined) {
    return { ok: false, status: 400, ...emailField, error: "Enter the code from the email." };
  }
  if (factor && !proof.code) return missing("code", "Enter the code from your authenticator app.");
  if (hasPassword && !(await verifyPassword(proof.password as string, stored?.passwordHash))) {
    return { ok: false, status: 400, field: "password", error: "That's not your password." };
  }

  const judged = factor && proof.code ? await judgeAnswer(context, factor, player.email, proof.code) : null;
  if (proof.code && factor && !judged) {
    return { ok: false, status: 400, field: "code", error: wrongAnswer(proof.code) };
  }
  const conditions: SQL[] = [
    sql`1`,
    ...(judged ? [judged.condition] : []),
    ...(hasPassword ? [] : [wasCodeRedeemed(context, "reauthenticate", userId)]),
  ];
  const condition = sql.join(conditions, sql` AND `);
  const [isRedeemed, { authenticated }] = await Promise.all([
    hasPassword ? true : redeemCode(context, "reauthenticate", proof.emailCode as string, userId),
    // Sent in the same pipeline, after the check of the code.
    transact(db, {
      forgive: clearAttempts(context, "reauthenticate", userId, condition),
      forgiveSecondFactor: clearAttempts(context, "twoFactor", userId, condition),
      authenticated: db
        .update(sessions)
        .set({ authenticatedAt: now })
        .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), gt(sessions.expiresAt, now), condition)),
      last: judged?.last,
    }),
  ]);
  if (!isRedeemed) {
    const error = "That code is wrong, used or too old. Send yourself a new one.";
    return { ok: false, status: 400, ...emailField, error };
  }
  if (authenticated.rowsAffected === 0) {
    const error = proof.code ? wrongAnswer(proof.code) : "Your session has ended. Sign in again.";
    return { ok: false, status: 400, ...(proof.code && { field: "code" as const }), error };
  }
  if (judged) announceAuthEvent(context, "MFA_CHALLENGE_VERIFIED");
  if (proof.code?.kind === "recovery") context.defer(() => deliverDueEmails(context));
  return { ok: true };
}

const missing = (field: keyof ReauthenticationAnswers, error: string) =>
  ({ ok: false, status: 400, field, error }) as const;
