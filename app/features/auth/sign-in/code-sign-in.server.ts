import { eq, sql } from "drizzle-orm";
import { passwordIsSet } from "#db/accounts";
import { NO_PASSWORD, users } from "#db/schema";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import type { RateLimitVerdict } from "~/platform/limits/uses.server";
import { startVerification } from "../codes/issuing.server";
import { confirmStatements, type Proof } from "../codes/proof.server";
import { firstProofEmail, signInEmail } from "../emails";
import { closeEnded, endOtherWaysIn, forgetUnproven } from "../sessions/other-ways-in.server";
import { forgiveSignIns } from "../shared/sign-in-series.server";
import { finishSignIn, type SignInOutcome } from "./sign-in.server";

/** Sends a code and a link that sign in, if the address has an account. */
export const sendSignInCode = (
  context: RequestContext,
  email: string,
  redirectTo: string | null,
): Promise<RateLimitVerdict> =>
  startVerification(context, { purpose: "sign-in", email, redirectTo, path: "/auth/code", compose: signInEmail });

/**
 * Signs in a player with an emailed code or link, which also proves their address. If the address was never confirmed
 * before, all other ways into the account are removed, including the password, because they may come from someone who
 * signed up with an address that isn't theirs. The player is notified by email.
 */
export async function signInByProof(context: RequestContext, { account, spend }: Proof): Promise<SignInOutcome> {
  const { db, now, origin } = context;
  const { id: userId, email } = account;
  const statements = {
    spend,
    confirm: confirmStatements(context, account),
    forgive: forgiveSignIns(context, email),
  };
  if (account.emailConfirmedAt) return finishSignIn(context, account, statements);
  const proven = { ...account, passwordHash: NO_PASSWORD, hasSecondFactor: 0, owesSecondFactor: 0 };
  const outcome = await finishSignIn(context, proven, {
    statements,
    otherWaysIn: endOtherWaysIn(context, userId),
    passwordAudit: recordAuditIf(
      db,
      sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${userId} AND ${passwordIsSet})`,
      { userId, actor: "player", action: "password-removed" },
      now,
    ),
    password: db.update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.id, userId)),
    unproven: forgetUnproven(context, userId),
    email: enqueueEmail(context, firstProofEmail(email, `${origin}/dashboard/settings/password`)),
  });
  closeEnded(context, userId, outcome.answers.otherWaysIn.ended);
  context.defer(() => deliverDueEmails(context));
  return outcome;
}
