import { eq } from "drizzle-orm";
import { users } from "#db/schema";
import { recordAudit } from "~/platform/audit.server";
import { tellAuthEvent } from "~/platform/auth-events.server";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto.server";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import { forgiveTries, type RateLimitVerdict } from "~/platform/rate-limit.server";
import { closeSession } from "~/platform/rooms.server";
import { passwordChangedEmail, resetPasswordEmail } from "./emails";
import { endOtherWaysIn, listSessionIds } from "./other-ways-in.server";
import { hashPassword } from "./passwords.server";
import { confirmStatements, type Proof } from "./proof.server";
import { finishSignIn, type SignInOutcome } from "./sign-in.server";
import { startVerification } from "./verification.server";

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
 * factor.
 */
export async function resetPassword(
  context: RequestContext,
  { account }: Proof,
  password: string,
): Promise<SignInOutcome> {
  const { db, now, origin } = context;
  const { id: userId, email } = account;
  const passwordHash = await hashPassword(password);
  const [ended, outcome] = await Promise.all([
    listSessionIds(db, userId),
    // A browser that is remembered is no second factor here: it goes with everything else that led in.
    finishSignIn(context, { ...account, owesSecondFactor: account.hasSecondFactor }, [
      db.update(users).set({ passwordHash }).where(eq(users.id, userId)),
      ...confirmStatements(context, account),
      ...endOtherWaysIn(context, userId),
      forgiveTries(context, "signIn", hashToken(email)),
      recordAudit(db, { userId, actor: "player", action: "password-reset" }, now),
      enqueueEmail(db, passwordChangedEmail(email, `${origin}/auth/forgot-password`), now),
    ]),
  ]);
  if (outcome.kind === "refused") return outcome;
  for (const sessionId of ended) closeSession(context, { userId, sessionId });
  context.defer(() => deliverDueEmails(context));
  tellAuthEvent(context, "PASSWORD_RECOVERY");
  return outcome;
}
