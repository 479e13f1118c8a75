import { eq, sql } from "drizzle-orm";
import { users } from "#db/schema";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import { clearAttempts, type RateLimitVerdict } from "~/platform/limits/rate-limit.server";
import { tellAuthEvent } from "~/platform/session/auth-events.server";
import { confirmStatements, type Proof } from "../codes/proof.server";
import { giveBack, type Shown, startVerification } from "../codes/verification.server";
import { passwordChangedEmail, resetPasswordEmail } from "../emails";
import { closeEnded, endOtherWaysIn, forgetUnproven } from "../sessions/other-ways-in.server";
import { CHANGED_MEANWHILE, finishSignIn, type SignInOutcome } from "../sign-in/sign-in.server";
import { hashPassword } from "./passwords.server";
import { isTooLate, setPasswordIf } from "./set-password.server";

/** Sends a code and a link that set a new password, if the address has an account. */
export const sendResetCode = (
  context: RequestContext,
  email: string,
  redirectTo: string | null,
): Promise<RateLimitVerdict> =>
  startVerification(context, {
    purpose: "reset-password",
    email,
    redirectTo,
    path: "/auth/reset-password",
    compose: resetPasswordEmail,
  });

/**
 * Gives an account a new password, for who has shown such a code or link. Everyone who was in is out: sessions and their
 * sockets, trusted browsers, sign-ins half done, other codes. The one who did it is signed in, or asked for the second
 * factor. Where nobody had confirmed the address before, linked accounts and two-factor go as well: they may be those of
 * someone who signed up with an address that was not theirs.
 * @throws BusyError, after which the code or link works as before
 */
export async function resetPassword(
  context: RequestContext,
  { account }: Proof,
  shown: Shown,
  password: string,
): Promise<SignInOutcome> {
  const { db, now, origin } = context;
  const { id: userId, email } = account;
  const passwordHash = await hashPassword(password).catch(async (error: unknown) => {
    await giveBack(context, "reset-password", shown);
    throw error;
  });
  const isFirstProof = account.emailConfirmedAt === null;
  const hasSecondFactor = isFirstProof ? 0 : account.hasSecondFactor;
  // A browser that is remembered is no second factor here: it goes with everything else that led in.
  const asReset = { ...account, passwordHash, hasSecondFactor, owesSecondFactor: hasSecondFactor };
  // Overtaken by another reset or by another address, this one does nothing.
  const isAsProven = sql`${eq(users.email, email)} AND ${eq(users.passwordHash, account.passwordHash)}`;
  const outcome = await finishSignIn(context, asReset, {
    otherWaysIn: endOtherWaysIn(context, userId),
    setPassword: setPasswordIf(db, userId, passwordHash, isAsProven),
    unproven: isFirstProof ? forgetUnproven(context, userId) : undefined,
    confirm: confirmStatements(context, account),
    forgive: clearAttempts(context, "signIn", hashToken(email)),
    audit: recordAudit(db, { userId, actor: "player", action: "password-reset" }, now),
    email: enqueueEmail(db, passwordChangedEmail(email, `${origin}/auth/forgot-password`), now),
  }).catch((error: unknown) => {
    if (isTooLate(error)) return CHANGED_MEANWHILE;
    throw error;
  });
  if (outcome.kind === "refused") return outcome;
  closeEnded(context, userId, outcome.answers.otherWaysIn.ended);
  context.defer(() => deliverDueEmails(context));
  tellAuthEvent(context, "PASSWORD_RECOVERY");
  return outcome;
}
