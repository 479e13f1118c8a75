import { eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { passwordIsSet } from "#db/accounts";
import { profiles, users } from "#db/schema";
import { transact } from "#db/statements";
import { isUpheld } from "~/features/moderation/shared/upheld.server";
import { updateListing } from "~/features/tournaments/shared/listing.server";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { failsWith, isDatabaseUnavailable } from "~/platform/database";
import { deliverDueEmails, enqueueEmail } from "~/platform/email/outbox.server";
import type { RateLimitVerdict } from "~/platform/limits/uses.server";
import { contactPoint } from "~/platform/operator";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import { isSessionOpen } from "~/platform/session/conditions.server";
import { rememberBrowser } from "~/platform/session/known-browser.server";
import type { SessionClaim, Viewer } from "~/platform/session/viewer";
import { startVerification } from "./codes/issuing.server";
import type { Proof } from "./codes/proof.server";
import { voidVerifications } from "./codes/redeeming.server";
import { addressTakenEmail, emailChangedEmail, newAddressEmail, passwordChangedEmail } from "./emails";
import { hashPassword } from "./passwords/passwords.server";
import { isTooLate, setPasswordIf } from "./passwords/set-password.server";
import { closeEnded, endOtherWaysIn } from "./sessions/other-ways-in.server";
import { forgiveSignIns } from "./shared/sign-in-series.server";

const taken = alias(users, "taken");

/** Whether a player has a password, as opposed to signing in only through a provider. */
export async function hasPassword({ db }: RequestContext, userId: string): Promise<boolean> {
  const row = await db.select({ has: passwordIsSet }).from(users).where(eq(users.id, userId)).get();
  return row?.has ?? false;
}

/**
 * Sets the signed-in player's new or first password, and signs out all other devices.
 * @param keptSession the session of this request
 * @returns false, with nothing changed, if the session ended while the password was being hashed
 */
export async function changePassword(
  context: RequestContext,
  { id: userId, email }: Viewer,
  keptSession: SessionClaim,
  password: string,
): Promise<boolean> {
  const { db, now, origin } = context;
  const passwordHash = await hashPassword(password);
  try {
    const { otherWaysIn } = await transact(db, {
      otherWaysIn: endOtherWaysIn(context, userId, keptSession),
      setPassword: setPasswordIf(db, userId, passwordHash, isSessionOpen(keptSession, now)),
      forgive: forgiveSignIns(context, email),
      audit: recordAudit(db, { userId, actor: "player", action: "password-changed" }, now),
      email: enqueueEmail(context, passwordChangedEmail(email, `${origin}/auth/forgot-password`)),
    });
    closeEnded(context, userId, otherWaysIn.ended);
  } catch (error) {
    if (isTooLate(error)) return false;
    throw error;
  }
  rememberBrowser(context, email);
  context.defer(() => deliverDueEmails(context));
  announceAuthEvent(context, "USER_UPDATED");
  return true;
}

/**
 * Sends a code and a link to the address that the signed-in player wants to switch to. If the address belongs to
 * another player, that player gets a notice instead, and the requester sees no difference.
 */
export function sendNewAddressCode(
  context: RequestContext,
  viewer: Viewer,
  newEmail: string,
): Promise<RateLimitVerdict> {
  return startVerification(context, {
    purpose: "change-email",
    email: newEmail,
    userId: viewer.id,
    condition: sql`NOT EXISTS (SELECT 1 FROM ${users} AS ${taken} WHERE ${taken.email} = ${newEmail})`,
    path: "/dashboard/settings/email",
    compose: newAddressEmail,
    otherwise: addressTakenEmail(newEmail, `${context.origin}/auth`),
  });
}

/**
 * Changes the signed-in player's address to the one they have proven, and notifies the old one. Afterwards only this
 * browser counts as known, because a former owner of the new address may have signed in with it elsewhere.
 * @returns `taken` if someone else has taken the address in the meantime; `upheld` if the address is barred, because it
 *   belonged to an erased account whose suspension is still running
 */
export async function changeEmail(
  context: RequestContext,
  viewer: Viewer,
  { email, spend }: Proof,
): Promise<"changed" | "taken" | "upheld"> {
  const { db, env, now } = context;
  const userId = viewer.id;
  try {
    await transact(db, {
      spend,
      change: db
        .update(users)
        .set({
          // NULL fails, which rolls back the whole transaction.
          email: sql`CASE WHEN NOT ${isUpheld(env.ENCRYPTION_KEY, now, { email })} THEN ${email} END`,
          emailConfirmedAt: now,
          emailFailedAt: null,
          browsersKnownSince: now,
        })
        .where(eq(users.id, userId)),
      claim: db.update(profiles).set({ riotClaimLapsesAt: null }).where(eq(profiles.userId, userId)),
      listing: updateListing(db, userId, true),
      codes: voidVerifications(context, userId),
      audit: recordAudit(db, { userId, actor: "player", action: "email-changed" }, now),
      email: enqueueEmail(context, emailChangedEmail(viewer.email, contactPoint(context))),
    });
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    if (failsWith(error, /UNIQUE.*users\.email/)) return "taken";
    if (failsWith(error, /NOT NULL.*users\.email/)) return "upheld";
    throw error;
  }
  rememberBrowser(context, email);
  context.defer(() => deliverDueEmails(context));
  announceAuthEvent(context, "USER_UPDATED");
  return "changed";
}
