import { and, eq, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import { hasSecondFactor } from "#db/accounts";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { pendingSignIns, recoveryCodes, sessions, totpFactors, trustedDevices } from "#db/schema";
import { insertIf, transact } from "#db/statements";
import type { AuditAction } from "#db/words/audit-actions";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { MINUTE } from "~/platform/dates/durations";
import type { Email } from "~/platform/email/email";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { contactPoint } from "~/platform/operator";
import { announceAuthEvent } from "~/platform/session/auth-events.server";
import type { Viewer } from "~/platform/session/viewer";
import { NEVER_RECENT } from "../sign-in/sign-in.server";
import { hashRecoveryCode } from "./recovery-code-hash.server";
import { createRecoveryCodes, readRecoveryCode } from "./recovery-codes";
import { factorColumns, openSecret, type StoredFactor, sealSecret } from "./second-factor.server";
import { createTotpSecret, enrolmentUri, matchingStep, secretInGroups } from "./totp";
import { forgetThisDevice } from "./trusted-devices.server";
import { recoveryCodesRenewedEmail, twoFactorOffEmail, twoFactorOnEmail } from "./two-factor-emails";

/** The longest time that an enrolment may take, in milliseconds, so that nobody confirms an abandoned secret. */
const ENROLMENT_LIFETIME = 15 * MINUTE;

/** A player's factor, active or being set up. */
interface TwoFactor extends StoredFactor {
  confirmedAt: Date | null;
  /** Identifies the current set of recovery codes; null if there is none. */
  codeSet: string | null;
}

/** Finds the player's factor if it is active or being set up; else null. */
export async function findTwoFactor(db: Database, userId: string, now: Date): Promise<TwoFactor | null> {
  const factor = await db
    .select({
      userId: totpFactors.userId,
      ...factorColumns,
      confirmedAt: totpFactors.confirmedAt,
      codeSet: sql<
        string | null
      >`(SELECT min(code.id) FROM recovery_codes AS code WHERE code.user_id = totp_factors.user_id)`,
    })
    .from(totpFactors)
    .where(eq(totpFactors.userId, userId))
    .get();
  const isStale = factor && !factor.confirmedAt && now.getTime() - factor.enrolledAt.getTime() > ENROLMENT_LIFETIME;
  return factor && !isStale ? factor : null;
}

/**
 * Starts the set-up of two-factor: stores a new secret, which takes effect once it is confirmed. Starting again
 * replaces an unconfirmed secret; a confirmed one stays.
 */
export async function beginEnrolment(context: RequestContext, userId: string): Promise<void> {
  const { db, now } = context;
  const secret = sealSecret(context, userId, createTotpSecret());
  await db
    .insert(totpFactors)
    .values({ userId, secret, createdAt: now })
    .onConflictDoUpdate({
      target: totpFactors.userId,
      set: { secret, createdAt: now, lastStep: 0 },
      setWhere: isNull(totpFactors.confirmedAt),
    });
}

/** Cancels an unconfirmed set-up. */
export async function cancelEnrolment({ db }: RequestContext, userId: string): Promise<void> {
  await db.delete(totpFactors).where(and(eq(totpFactors.userId, userId), isNull(totpFactors.confirmedAt)));
}

/** Returns the secret for an authenticator app: as a URI for the QR code, and as text to type in. */
export async function readEnrolmentSecret(context: RequestContext, factor: TwoFactor, email: string) {
  const { secret } = openSecret(context, factor);
  return { uri: enrolmentUri(secret, email), secret: secretInGroups(secret) };
}

/**
 * Turns two-factor on if the code proves that the authenticator has the secret. From then on no other session of the
 * player counts as recently authenticated, because none has given the second factor.
 * @returns the recovery codes, which can't be shown again; `confirmed-before` if a simultaneous click has confirmed the
 *   factor; or null if the code is wrong, or the factor has been replaced in the meantime
 */
export async function confirmEnrolment(
  context: RequestContext,
  viewer: Viewer,
  factor: TwoFactor,
  code: string,
): Promise<string[] | "confirmed-before" | null> {
  const { db, now, claim } = context;
  const { userId, enrolledAt } = factor;
  const { secret } = openSecret(context, factor);
  const step = matchingStep(secret, code, now, factor.lastStep);
  if (step === null) return null;
  const isUnconfirmed = sql`EXISTS (SELECT 1 FROM ${totpFactors} WHERE ${totpFactors.userId} = ${userId}
    AND ${totpFactors.confirmedAt} IS NULL AND ${totpFactors.createdAt} = ${enrolledAt.getTime()})`;
  const issue = issueRecoveryCodes(context, factor, secret, isUnconfirmed);
  const { confirmed, stored } = await transact(db, {
    codes: issue.statements,
    sessions: db
      .update(sessions)
      .set({ authenticatedAt: NEVER_RECENT })
      .where(and(eq(sessions.userId, userId), ne(sessions.id, claim?.sessionId ?? ""), isUnconfirmed)),
    record: recordChange(context, viewer, "two-factor-enabled", twoFactorOnEmail, isUnconfirmed),
    confirmed: db
      .update(totpFactors)
      .set({ confirmedAt: now, lastStep: step })
      .where(and(eq(totpFactors.userId, userId), isUnconfirmed)),
    stored: db.select({ confirmedAt: totpFactors.confirmedAt }).from(totpFactors).where(eq(totpFactors.userId, userId)),
  });
  if (confirmed.rowsAffected === 0) return stored[0]?.confirmedAt ? "confirmed-before" : null;
  announceAuthEvent(context, "MFA_CHALLENGE_VERIFIED");
  context.defer(() => deliverDueEmails(context));
  return issue.codes;
}

/**
 * Replaces the recovery codes.
 * @param codeSet the set that the player saw, so that a form submitted twice renews the codes only once
 * @returns the new codes, or null if that set was already replaced
 */
export async function renewRecoveryCodes(
  context: RequestContext,
  viewer: Viewer,
  factor: TwoFactor,
  codeSet: string,
): Promise<string[] | null> {
  const { userId } = factor;
  const { secret } = openSecret(context, factor);
  const isCurrent = sql`(SELECT min(${recoveryCodes.id}) FROM ${recoveryCodes}
    WHERE ${recoveryCodes.userId} = ${userId}) = ${codeSet}`;
  const issue = issueRecoveryCodes(context, factor, secret, isCurrent);
  const { codes } = await transact(context.db, {
    codes: issue.statements,
    record: recordChange(context, viewer, "recovery-codes-renewed", recoveryCodesRenewedEmail, issue.areInserted),
  });
  if (codes.inserted.every(({ rowsAffected }) => rowsAffected === 0)) return null;
  context.defer(() => deliverDueEmails(context));
  return issue.codes;
}

/**
 * Turns two-factor off, and removes recovery codes, trusted devices and half-finished sign-ins. Logs nothing and sends
 * no email if it is already off.
 */
export async function turnOffTwoFactor(context: RequestContext, viewer: Viewer): Promise<void> {
  const { db } = context;
  const { id: userId } = viewer;
  const isOn = hasSecondFactor(userId);
  await transact(db, {
    record: recordChange(context, viewer, "two-factor-disabled", twoFactorOffEmail, isOn),
    recoveryCodes: db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    devices: db.delete(trustedDevices).where(eq(trustedDevices.userId, userId)),
    signIns: db.delete(pendingSignIns).where(eq(pendingSignIns.userId, userId)),
    factor: db.delete(totpFactors).where(and(eq(totpFactors.userId, userId), isNotNull(totpFactors.confirmedAt))),
  });
  forgetThisDevice(context);
  announceAuthEvent(context, "USER_UPDATED");
  context.defer(() => deliverDueEmails(context));
}

/** Builds the statements that replace all recovery codes with new ones, if `condition` holds. */
function issueRecoveryCodes(
  { db, now }: RequestContext,
  { userId, enrolledAt }: TwoFactor,
  secret: Uint8Array,
  condition: SQL,
) {
  const codes = createRecoveryCodes();
  const rows = codes.map((code) => ({
    id: uuidv7(now.getTime()),
    userId,
    codeHash: hashRecoveryCode(secret, userId, readRecoveryCode(code) as string),
  }));
  const ids = sql.join(
    rows.map(({ id }) => sql`${id}`),
    sql`, `,
  );
  // The inserts can't repeat `condition`, which the removal before them may make false. They check instead that the
  // same factor is still there, and that the removal has left no old code.
  const areOldCodesGone = sql`EXISTS (SELECT 1 FROM ${totpFactors} WHERE ${totpFactors.userId} = ${userId}
    AND ${totpFactors.createdAt} = ${enrolledAt.getTime()})
    AND NOT EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE ${recoveryCodes.userId} = ${userId}
      AND ${recoveryCodes.id} NOT IN (${ids}))`;
  return {
    codes,
    statements: {
      removed: db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), condition)),
      inserted: rows.map((row) => insertIf(db, recoveryCodes, row, areOldCodesGone)),
    },
    /** SQL condition: the new codes were inserted. */
    areInserted: sql`EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE ${recoveryCodes.id} = ${rows[0]?.id})`,
  };
}

/** Builds the statements that record a change in the audit log and send the player an email about it. */
function recordChange(
  context: RequestContext,
  { id: userId, email }: Viewer,
  action: AuditAction,
  compose: (recipient: string, link: string, contact: string) => Email,
  condition: SQL,
) {
  const { db, now, origin } = context;
  const notice = compose(email, `${origin}/dashboard/settings/two-factor`, contactPoint(context));
  return {
    audit: recordAuditIf(db, condition, { userId, actor: "player", action }, now),
    email: enqueueEmailIf(context, condition, notice),
  };
}
