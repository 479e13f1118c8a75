import { and, eq, gt, sql } from "drizzle-orm";
import { hasSecondFactor, passwordIsSet } from "#db/accounts";
import { NO_PASSWORD, sessions, users } from "#db/schema";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import type { Email } from "~/platform/email/email";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import { clearAttempts, findDelay, isDelayed, prepareAttempt, undoAttempt } from "~/platform/limits/attempts.server";
import { tooManyTries } from "~/platform/limits/refusal";
import type { RateLimitVerdict } from "~/platform/limits/uses.server";
import { contactPoint } from "~/platform/operator";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { isSessionRecent } from "~/platform/session/conditions.server";
import { isRecent } from "~/platform/session/guards.server";
import type { SessionClaim, Viewer } from "~/platform/session/viewer";
import { startVerification } from "../codes/issuing.server";
import { carryOut, hasPendingCode, prepareCheck, spend } from "../codes/redeeming.server";
import { verifyPassword } from "../passwords/passwords.server";
import { type SecondFactorAnswer, wrongAnswer } from "../two-factor/second-factor";
import { findFactor, hasFactor, judgeAnswer } from "../two-factor/second-factor.server";

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

/** Sends the code that a player without a password enters instead of one. */
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
 * Authenticates the signed-in player again, including the second factor. A trusted device can't skip it here. If the
 * player has done so recently, succeeds without checking `proof`: this may be a second try after the response to the
 * first was lost, and the first has used up the codes.
 * @param viewer resolves to the signed-in player, in the same round trip
 */
export async function reauthenticate(
  context: RequestContext,
  claim: SessionClaim,
  viewer: Promise<Viewer>,
  proof: ReauthenticationAnswers,
): Promise<ReauthenticationOutcome> {
  const { db, now } = context;
  const { userId, sessionId } = claim;
  // The player, but only if the session is open: someone with an ended session must not be able to delay the player.
  const subject = sql`(SELECT ${sessions.userId} FROM ${sessions} WHERE ${sessions.id} = ${sessionId}
    AND ${sessions.userId} = ${userId} AND ${sessions.expiresAt} > ${now.getTime()})`;
  const attempt = prepareAttempt(context, "reauthenticate", subject, sql`NOT ${isSessionRecent(claim, now, sql`1`)}`);
  // A request that is refused anyway must not use up a try at the emailed code.
  const isFactorReady = proof.code ? sql`NOT ${isDelayed(context, "twoFactor", subject)}` : sql`0`;
  const isChecked = sql`${attempt.isAllowed} AND (NOT ${hasFactor(userId)} OR ${isFactorReady})`;
  const emailCode = proof.emailCode
    ? prepareCheck(context, "reauthenticate", proof.emailCode, userId, isChecked)
    : undefined;
  const [player, { counted, checked }, factorDelay, stored, factor] = await Promise.all([
    viewer,
    transact(db, { counted: attempt.count, checked: emailCode?.check }),
    findDelay(context, "twoFactor", subject),
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)).get(),
    findFactor(db, userId),
  ]);
  // Another request may have confirmed the session since `viewer` was read; then this attempt wasn't counted.
  if (isRecent(player, now) || counted.length === 0) return { ok: true };
  const limit = attempt.judge(counted);
  if (!limit.allowed) return tooManyTries(limit.retryAfter);
  if (factor && factorDelay > 0) return tooManyTries(factorDelay);
  const hasPassword = stored?.passwordHash !== NO_PASSWORD;
  if (hasPassword && proof.password === undefined) return missing("password", "Enter your password.");
  // The form shows this field only after a code has been requested.
  const emailField = hasPendingCode(context, "reauthenticate") ? ({ field: "emailCode" } as const) : {};
  if (!hasPassword && proof.emailCode === undefined) {
    return { ok: false, status: 400, ...emailField, error: "Enter the code from the email." };
  }
  if (factor && !proof.code) return missing("code", "Enter the code from your authenticator app.");
  const codeRefused: ReauthenticationOutcome = {
    ok: false,
    status: 400,
    ...emailField,
    error: "That code is wrong, used or too old. Send yourself a new one.",
  };
  if (hasPassword) {
    const matches = await verifyPassword(proof.password as string, stored?.passwordHash).catch((error: unknown) => {
      context.defer(async () => undoAttempt(context, "reauthenticate", subject));
      throw error;
    });
    if (!matches) return { ok: false, status: 400, field: "password", error: "That's not your password." };
  } else if (!(checked && emailCode?.judge(checked))) return codeRefused;

  // Counted only now, because an open session alone must not be able to delay the player's second factor.
  const second =
    factor && proof.code ? { answer: proof.code, attempt: prepareAttempt(context, "twoFactor", subject) } : null;
  const isThisSession = sql`${sessions.id} = ${sessionId} AND ${sessions.userId} = ${userId}`;
  // Only the transaction knows whether the second factor is right and still allowed. The answers are used up after it
  // has confirmed the session, and only if it has.
  const isConfirmed = sql`EXISTS (SELECT 1 FROM ${sessions} WHERE ${isThisSession}
    AND ${sessions.authenticatedAt} = ${now.getTime()})`;
  const judged = factor && second && judgeAnswer(context, factor, player.email, second.answer, isConfirmed);
  if (second && !judged) {
    const verdict = second.attempt.judge(await second.attempt.count);
    if (!verdict.allowed) return tooManyTries(verdict.retryAfter);
    return { ok: false, status: 400, field: "code", error: wrongAnswer(second.answer) };
  }
  const condition = second && judged ? sql`${second.attempt.isAllowed} AND ${judged.condition}` : sql`1`;
  const statements = {
    counted: second?.attempt.count,
    authenticated: db
      .update(sessions)
      .set({ authenticatedAt: now })
      .where(and(isThisSession, gt(sessions.expiresAt, now), condition)),
    forgive: clearAttempts(context, "reauthenticate", userId, condition),
    // After the statements that depend on the attempt's verdict, because it removes the counter.
    forgiveSecondFactor: clearAttempts(context, "twoFactor", userId, condition),
    last: judged?.last,
  };
  const done = hasPassword
    ? await transact(db, statements)
    : await carryOut(
        context,
        "reauthenticate",
        () => {
          const code = { code: proof.emailCode as string };
          const { check, use } = spend(context, "reauthenticate", code, userId, isConfirmed);
          return transact(db, { check, ...statements, use });
        },
        ({ authenticated }) => authenticated.rowsAffected > 0,
      );
  if (!done) return codeRefused;
  const verdict = second && done.counted ? second.attempt.judge(done.counted) : null;
  if (verdict && !verdict.allowed) return tooManyTries(verdict.retryAfter);
  if (done.authenticated.rowsAffected === 0) {
    const error = proof.code ? wrongAnswer(proof.code) : "Your session has ended. Sign in again.";
    return { ok: false, status: 400, ...(proof.code && { field: "code" as const }), error };
  }
  if (judged) announceAuthEvent(context, "MFA_CHALLENGE_VERIFIED");
  if (proof.code?.kind === "recovery") context.defer(() => deliverDueEmails(context));
  return { ok: true };
}

const missing = (field: keyof ReauthenticationAnswers, error: string) =>
  ({ ok: false, status: 400, field, error }) as const;
