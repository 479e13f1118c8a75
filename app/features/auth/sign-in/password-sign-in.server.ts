import { eq, sql } from "drizzle-orm";
import { users } from "#db/schema";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { clearAttempts, prepareAttempt, undoAttempt } from "~/platform/limits/attempts.server";
import { recipientOf } from "~/platform/limits/recipient.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { countUse, prepareUses } from "~/platform/limits/uses.server";
import { ifKnown, readKnownBrowser } from "~/platform/session/known-browser.server";
import { failedSignInsEmail } from "../emails";
import type { AuthResult } from "../failure";
import { verifyPassword } from "../passwords/passwords.server";
import { CONFIRM_ADDRESS } from "../rules";
import { signInColumns } from "../shared/sign-in-account.server";
import { signInSeries } from "../shared/sign-in-series.server";
import { askToConfirm } from "../sign-up/confirmation.server";
import { finishSignIn, type SignInOutcome } from "./sign-in.server";

/** The number of wrong passwords in a series after which the account's owner is notified. */
const WARN_AFTER = 10;

/**
 * Signs in with email and password. An unknown address causes the same statements and the same hashing as a wrong
 * password, and gets the same response. A known browser has a rate limit of its own.
 */
export async function signIn(
  context: RequestContext,
  { email, password }: { email: string; password: string },
  redirectTo: string | null,
): Promise<AuthResult<{ outcome: SignInOutcome }>> {
  const { db, env, ip } = context;
  const browser = readKnownBrowser(context, email);
  const series = signInSeries(browser);
  // A known browser counts separately here too, so that a stranger behind the same IP address can't delay the player.
  const uses = prepareUses(context, [["signIn", ifKnown(browser, `${hashToken(email)}:${ip}`, ip)]]);
  // Counted only while the IP address is within its limit. Otherwise a single machine could leave a row for each email
  // address that it makes up, and an attempt refused here could be the one that should have warned the owner.
  const attempt = prepareAttempt(context, "signIn", series, uses.isAllowed);
  const [counted, user] = await Promise.all([
    transact(db, { byIp: uses.counts, byAccount: attempt.count }),
    db
      .select({
        ...signInColumns(context),
        emailConfirmedAt: users.emailConfirmedAt,
      })
      .from(users)
      .where(eq(users.email, email))
      .get(),
  ]);
  // Checked before hashing, which an attacker could use to exhaust the server.
  const byIp = uses.judge(counted.byIp);
  if (!byIp.allowed) return tooManyTries(byIp.retryAfter);
  const byAccount = attempt.judge(counted.byAccount);
  if (!byAccount.allowed) return tooManyTries(byAccount.retryAfter);
  const matches = await verifyPassword(password, user?.passwordHash).catch((error: unknown) => {
    context.defer(async () => undoAttempt(context, "signIn", series));
    throw error;
  });
  if (!user || !matches) {
    if (byAccount.number === WARN_AFTER) context.defer(() => warnOwner(context, email));
    return { ok: false, status: 400, error: "Wrong email or password.", field: "password" };
  }
  if (env.REQUIRE_CONFIRMED_EMAIL && !user.emailConfirmedAt) {
    const [{ error }] = await Promise.all([
      askToConfirm(context, user, redirectTo),
      clearAttempts(context, "signIn", series),
    ]);
    return { ok: false, status: 400, error, next: { to: CONFIRM_ADDRESS, label: "Enter the code" } };
  }
  const outcome = await finishSignIn(context, user, { forgive: clearAttempts(context, "signIn", series) });
  return { ok: true, outcome };
}

/**
 * Warns the owner of an address, if it has one, about a series of wrong passwords. Runs the same statements for any
 * address, and only after the response, so that neither the response nor its timing reveals anything.
 */
async function warnOwner(context: RequestContext, email: string): Promise<void> {
  const { place, origin } = context;
  const limit = await countUse(context, "failedSignInsEmail", recipientOf(email));
  if (!limit.allowed) return;
  const hasOwner = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.email} = ${email})`;
  const notice = failedSignInsEmail(email, WARN_AFTER, place, `${origin}/auth/forgot-password`);
  await enqueueEmailIf(context, hasOwner, notice);
  await deliverDueEmails(context);
}
