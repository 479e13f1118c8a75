import { eq, sql } from "drizzle-orm";
import { users } from "#db/schema";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import type { RateLimitVerdict } from "~/platform/limits/uses.server";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { startVerification } from "../codes/issuing.server";
import { confirmStatements, type Proof } from "../codes/proof.server";
import { passwordChangedEmail, resetPasswordEmail } from "../emails";
import { closeEnded, endOtherWaysIn, forgetUnproven } from "../sessions/other-ways-in.server";
import { forgiveSignIns } from "../shared/sign-in-series.server";
import { CHANGED_MEANWHILE, finishSignIn, type SignInOutcome } from "../sign-in/sign-in.server";
import { hashPassword } from "./passwords.server";
import { isTooLate, setPasswordIf } from "./set-password.server";

/** Sends a code and a link for setting a new password, if the address has an account. */
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
 * Sets an account's new password after a valid code or link. Ends all previous access: sessions and their sockets,
 * trusted browsers, half-finished sign-ins, other codes. Signs the player in, or asks for the second factor. If the
 * address was never confirmed before, everything in `forgetUnproven` is removed as well, because it may come from
 * someone who signed up with an address that isn't theirs.
 * @returns as `finishSignIn`; but `sign-in-again` if two-factor was turned on or off at the same moment, so that only
 *   the sign-in is refused, and `refused` if nothing has changed
 * @throws BusyError if too many passwords are waiting to be hashed
 */
export async function resetPassword(
  context: RequestContext,
  { account, spend }: Proof,
  password: string,
): Promise<Exclude<SignInOutcome, { kind: "refused" }> | { kind: "sign-in-again" } | typeof CHANGED_MEANWHILE> {
  const { db, now, origin } = context;
  const { id: userId, email } = account;
  const passwordHash = await hashPassword(password);
  const isFirstProof = account.emailConfirmedAt === null;
  const hasSecondFactor = isFirstProof ? 0 : account.hasSecondFactor;
  // A trusted browser can't skip the second factor here, because the reset also ends its trust.
  const accountAfterReset = { ...account, passwordHash, hasSecondFactor, owesSecondFactor: hasSecondFactor };
  // `setPasswordIf` fails the whole transaction if another reset or a change of address came first.
  const isAsProven = sql`${eq(users.email, email)} AND ${eq(users.passwordHash, account.passwordHash)}`;
  const outcome = await finishSignIn(context, accountAfterReset, {
    spend,
    otherWaysIn: endOtherWaysIn(context, userId),
    setPassword: setPasswordIf(db, userId, passwordHash, isAsProven),
    unproven: isFirstProof ? forgetUnproven(context, userId) : undefined,
    confirm: confirmStatements(context, account),
    forgive: forgiveSignIns(context, email),
    audit: recordAudit(db, { userId, actor: "player", action: "password-reset" }, now),
    email: enqueueEmail(context, passwordChangedEmail(email, `${origin}/auth/forgot-password`, isFirstProof)),
  }).catch((error: unknown) => {
    if (isTooLate(error)) return null;
    throw error;
  });
  if (!outcome) return CHANGED_MEANWHILE;
  closeEnded(context, userId, outcome.answers.otherWaysIn.ended);
  context.defer(() => deliverDueEmails(context));
  announceAuthEvent(context, "PASSWORD_RECOVERY");
  return outcome.kind === "refused" ? { kind: "sign-in-again" } : outcome;
}
