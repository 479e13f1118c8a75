import { and, eq, gt, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { isSuspended } from "#db/accounts";
import { pendingSignIns, totpFactors, users } from "#db/schema";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { clearAttempts, prepareAttempt } from "~/platform/limits/attempts.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { forgetUses, prepareUses } from "~/platform/limits/uses.server";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { openSession, PENDING_SIGN_IN_COOKIE } from "../sign-in/sign-in.server";
import { type SecondFactorAnswer, wrongAnswer } from "./second-factor";
import { factorColumns, judgeAnswer } from "./second-factor.server";
import { rememberDevice } from "./trusted-devices.server";
import { wrongCodesEmail } from "./two-factor-emails";

/**
 * The number of wrong answers that end a sign-in. The growing delay between attempts is counted per account, not per
 * sign-in (`prepareAttempt`).
 */
const MAX_TRIES = 5;

/**
 * The player is warned each time they, or someone else, have given this many wrong answers. They are counted per
 * account: otherwise a stranger who knows the password could begin a new sign-in after every four, unnoticed.
 */
const WARN_AFTER = 5;

/** The outcome of answering the second factor; `over` means that the sign-in has to start again. */
type ChallengeOutcome =
  | { kind: "signed-in"; isRestricted: boolean }
  | { kind: "refused"; status: 400 | 429; error: string; retryAfter?: number }
  | { kind: "over"; reason: "gone" | "too-many-tries" };

/** Whether this browser has a sign-in that still needs the second factor. */
export async function owesSecondFactor(context: RequestContext): Promise<boolean> {
  const id = pendingId(context);
  if (!id) return false;
  const row = await context.db
    .select({ id: pendingSignIns.id })
    .from(pendingSignIns)
    .where(and(isPending(id, context.now), lt(pendingSignIns.tries, MAX_TRIES)))
    .get();
  return row !== undefined;
}

/**
 * Checks an answer to the second factor of this browser's sign-in, and opens the session if it is right. Each call
 * counts as an attempt, unless the account's delay refuses it unchecked. The first round trip reads and counts, the
 * second is a transaction.
 * @param remember whether to trust this browser for a while
 */
export async function answerChallenge(
  context: RequestContext,
  answer: SecondFactorAnswer,
  remember: boolean,
): Promise<ChallengeOutcome> {
  const { db, now, cookies } = context;
  const id = pendingId(context);
  if (!id) return { kind: "over", reason: "gone" };
  const open = isPending(id, now);
  const attempt = prepareAttempt(
    context,
    "twoFactor",
    sql`(SELECT ${pendingSignIns.userId} FROM ${pendingSignIns} WHERE ${open})`,
  );
  const {
    stored: [found],
    counted,
  } = await transact(db, {
    stored: db
      .select({
        userId: users.id,
        email: users.email,
        isRestricted: isSuspended(now).mapWith(Boolean),
        tries: pendingSignIns.tries,
        ...factorColumns,
      })
      .from(pendingSignIns)
      .innerJoin(users, eq(users.id, pendingSignIns.userId))
      .innerJoin(totpFactors, and(eq(totpFactors.userId, users.id), isNotNull(totpFactors.confirmedAt)))
      .where(open),
    counted: attempt.count,
    countTry: db
      .update(pendingSignIns)
      .set({ tries: sql`${pendingSignIns.tries} + 1` })
      .where(and(open, lt(pendingSignIns.tries, MAX_TRIES), attempt.isAllowed)),
  });
  if (!found) return { kind: "over", reason: "gone" };
  const { email, isRestricted, tries, ...factor } = found;
  if (tries >= MAX_TRIES) return { kind: "over", reason: "too-many-tries" };
  const limit = attempt.judge(counted);
  if (!limit.allowed) return { kind: "refused", ...tooManyTries(limit.retryAfter) };

  const { userId } = factor;
  const isLastTry = tries + 1 >= MAX_TRIES;
  /** Builds the statements for a wrong answer. It counts even if another one has just ended the sign-in. */
  const refuse = (isWrong: SQL) => {
    const { counts, isAllowed, number } = prepareUses(context, [["wrongSecondFactor", userId]], isWrong);
    return {
      counts,
      // Someone else may know the password.
      warning: enqueueEmailIf(
        context,
        sql`${isAllowed} AND ${number} % ${WARN_AFTER} = 0`,
        wrongCodesEmail(email, context.origin),
      ),
      end: isLastTry ? db.delete(pendingSignIns).where(and(eq(pendingSignIns.id, id), isWrong)) : undefined,
    };
  };

  const proof = judgeAnswer(context, factor, email, answer);
  if (proof) {
    const condition = sql`${proof.condition} AND EXISTS (SELECT 1 FROM ${pendingSignIns} WHERE ${open})`;
    const device = remember ? rememberDevice(context, userId, condition) : null;
    const { isOpened } = await openSession(
      context,
      { id: userId, email },
      {
        device: device?.statement,
        forgive: clearAttempts(context, "twoFactor", userId, condition),
        forget: forgetUses(context, "wrongSecondFactor", userId, condition),
        refuse: refuse(sql`NOT (${proof.condition})`),
      },
      { condition, last: { pending: db.delete(pendingSignIns).where(and(open, proof.condition)), proof: proof.last } },
    );
    if (isOpened) {
      cookies.delete(PENDING_SIGN_IN_COOKIE);
      device?.start();
      announceAuthEvent(context, "MFA_CHALLENGE_VERIFIED");
      if (answer.kind === "recovery") context.defer(() => deliverDueEmails(context));
      return { kind: "signed-in", isRestricted };
    }
  } else {
    await transact(db, refuse(sql`1`));
  }
  context.defer(() => deliverDueEmails(context));
  if (!isLastTry) return { kind: "refused", status: 400, error: wrongAnswer(answer) };
  cookies.delete(PENDING_SIGN_IN_COOKIE);
  return { kind: "over", reason: "too-many-tries" };
}

const pendingId = ({ cookies }: RequestContext): string | null => {
  const token = cookies.get(PENDING_SIGN_IN_COOKIE);
  return token ? hashToken(token) : null;
};

const isPending = (id: string, now: Date): SQL =>
  sql`${eq(pendingSignIns.id, id)} AND ${gt(pendingSignIns.expiresAt, now)}`;
