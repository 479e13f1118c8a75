import { decodeBase32IgnorePadding, encodeBase32NoPadding } from "@oslojs/encoding";
import { and, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { recoveryCodes, totpFactors } from "#db/schema";
import type { Steps } from "#db/statements";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { decrypt, encrypt } from "~/platform/crypto/encryption.server";
import { enqueueEmailIf } from "~/platform/email/outbox.server";
import { contactPoint } from "~/platform/operator";
import { hashRecoveryCode } from "./recovery-code-hash.server";
import type { SecondFactorAnswer } from "./second-factor";
import { matchingStep } from "./totp";
import { recoveryCodeUsedEmail } from "./two-factor-emails";

/*
 * Checks all answers to the second factor. The transaction that uses an answer up also decides whether it was used
 * before: if the same answer arrives twice at the same time, only one of the two succeeds.
 */

/** The columns of `totp_factors` that are needed to check an answer. */
export const factorColumns = {
  secret: totpFactors.secret,
  enrolledAt: totpFactors.createdAt,
  lastStep: totpFactors.lastStep,
  codesLeft: sql<number>`(SELECT count(*) FROM recovery_codes AS code WHERE code.user_id = totp_factors.user_id AND code.used_at IS NULL)`,
};

/** A player's second factor as stored. */
export interface StoredFactor {
  userId: string;
  /** Encrypted. */
  secret: string;
  enrolledAt: Date;
  lastStep: number;
  /** The number of unused recovery codes. */
  codesLeft: number;
}

/** Finds a player's second factor, or null. */
export async function findFactor(db: Database, userId: string): Promise<StoredFactor | null> {
  const factor = await db
    .select({ userId: totpFactors.userId, ...factorColumns })
    .from(totpFactors)
    .where(and(eq(totpFactors.userId, userId), isNotNull(totpFactors.confirmedAt)))
    .get();
  return factor ?? null;
}

/** Builds the SQL condition that `findFactor` would find a factor. */
export const hasFactor = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${totpFactors}
  WHERE ${totpFactors.userId} = ${userId} AND ${totpFactors.confirmedAt} IS NOT NULL)`;

/** An answer that may be right. */
interface SecondFactorProof {
  /** Whether the answer is right and unused. Everything that the answer permits must depend on this condition. */
  condition: SQL;
  /** Uses the answer up. These statements come last in the transaction, because they make the condition false. */
  last: Steps;
}

/** Encrypts a new secret for the database. */
export const sealSecret = (
  { env }: { env: Pick<RequestContext["env"], "ENCRYPTION_KEY"> },
  userId: string,
  secret: Uint8Array,
): string => encrypt(env.ENCRYPTION_KEY, encodeBase32NoPadding(secret), ownerOf(userId));

/**
 * Decrypts a stored secret.
 * @returns the secret, and whether it is encrypted with a key that is being replaced
 * @throws Error if no key fits, or the row was tampered with or belongs to someone else
 */
export function openSecret({ env }: RequestContext, factor: Pick<StoredFactor, "userId" | "secret">) {
  const { plaintext, outdated } = decrypt(env.ENCRYPTION_KEY, factor.secret, ownerOf(factor.userId));
  return { secret: decodeBase32IgnorePadding(plaintext), outdated };
}

/** Binds a secret to its player and purpose: in another row it can't be decrypted. */
const ownerOf = (userId: string) => `two-factor:${userId}`;

/**
 * Checks an answer: a code of the authenticator, or a recovery code, whose use is reported to the player by email.
 * @param email the address for that report
 * @param isAccepted the condition under which the answer is used up, evaluated when `last` runs
 * @returns null if the answer is certainly wrong; otherwise the condition that the transaction must still check, and
 * the statements that use the answer up
 * @throws Error as `openSecret`
 */
export function judgeAnswer(
  context: RequestContext,
  factor: StoredFactor,
  email: string,
  answer: SecondFactorAnswer,
  isAccepted = sql`1`,
): SecondFactorProof | null {
  const { userId, enrolledAt, lastStep } = factor;
  const { secret, outdated } = openSecret(context, factor);
  // A secret that is encrypted with a key that is being replaced is encrypted again with the new key.
  const resealed = outdated ? sealSecret(context, userId, secret) : null;
  const isAsRead = and(eq(totpFactors.userId, userId), eq(totpFactors.secret, factor.secret));
  const renewal = resealed ? context.db.update(totpFactors).set({ secret: resealed }).where(isAsRead) : undefined;
  const isSameFactor = (condition: SQL = sql`TRUE`) => sql`EXISTS (SELECT 1 FROM ${totpFactors}
    WHERE ${totpFactors.userId} = ${userId} AND ${totpFactors.confirmedAt} IS NOT NULL
      AND ${totpFactors.createdAt} = ${enrolledAt.getTime()} AND ${condition})`;
  if (answer.kind === "recovery") {
    const { condition, last } = spendRecoveryCode(
      context,
      factor,
      email,
      hashRecoveryCode(secret, userId, answer.code),
      isAccepted,
    );
    return { condition: sql`${isSameFactor()} AND ${condition}`, last: { renewal, ...last } };
  }
  const step = matchingStep(secret, answer.code, context.now, lastStep);
  if (step === null) return null;
  const use = context.db
    .update(totpFactors)
    .set({ lastStep: step })
    .where(and(eq(totpFactors.userId, userId), lt(totpFactors.lastStep, step), isAccepted));
  return { condition: isSameFactor(sql`${totpFactors.lastStep} < ${step}`), last: { renewal, use } };
}

function spendRecoveryCode(
  context: RequestContext,
  { userId, codesLeft }: StoredFactor,
  email: string,
  codeHash: string,
  isAccepted: SQL,
): SecondFactorProof {
  const { db, now, origin } = context;
  const condition = sql`EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE ${recoveryCodes.userId} = ${userId}
    AND ${recoveryCodes.codeHash} = ${codeHash} AND ${recoveryCodes.usedAt} IS NULL)`;
  const isUsed = sql`${condition} AND ${isAccepted}`;
  const left = Math.max(0, codesLeft - 1);
  const settings = `${origin}/dashboard/settings/two-factor`;
  const notice = recoveryCodeUsedEmail(email, left, settings, contactPoint(context));
  return {
    condition,
    last: {
      audit: recordAuditIf(
        db,
        isUsed,
        { userId, actor: "player", action: "recovery-code-used", details: { left } },
        now,
      ),
      email: enqueueEmailIf(context, isUsed, notice),
      use: db
        .update(recoveryCodes)
        .set({ usedAt: now })
        .where(
          and(
            eq(recoveryCodes.userId, userId),
            eq(recoveryCodes.codeHash, codeHash),
            isNull(recoveryCodes.usedAt),
            isAccepted,
          ),
        ),
    },
  };
}
