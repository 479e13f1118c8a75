import { and, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { users, type VerificationPurpose, verifications } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { isRestrictedSessionOpen, isSessionOpen, isSessionRecent } from "~/platform/session/session.server";
import { cookieOf, hashCode, VERIFICATION_LIFETIME } from "./verification.server";

const ownerRow = alias(users, "owner");

const MAX_TRIES = 5;

/** The result of a valid code or link. */
export interface Verified {
  userId: string;
  email: string;
  redirectTo: string | null;
}

/** A code typed into the browser that asked for it, or the token of a link. */
export type CodeOrToken = { code: string } | { token: string };

/** Whether this browser has asked for a code that may still be entered, according to its cookies. */
export const hasPendingCode = ({ cookies }: RequestContext, purpose: VerificationPurpose): boolean =>
  cookies.get(cookieOf(purpose)) !== undefined;

/** The code that this browser has asked for. */
export interface PendingCode {
  /** The address that the email went to. Entering the code proves that the player controls it. */
  email: string;
  /** Null if the code belongs to no account. Must not be sent to the browser, because it reveals who has an account. */
  userId: string | null;
  redirectTo: string | null;
  /** Whether the code may still be entered: it is not used, and has attempts left. */
  isUsable: boolean;
}

/** Finds the code that this browser has asked for in the last ten minutes; null if there is none. */
export async function findPendingCode(
  context: RequestContext,
  purpose: VerificationPurpose,
): Promise<PendingCode | null> {
  const { db, now } = context;
  if (!hasPendingCode(context, purpose)) return null;
  const { email, userId, redirectTo, tries, usedAt, expiresAt } = verifications;
  const row = await db
    .select({ email, userId, redirectTo, tries, usedAt })
    .from(verifications)
    .where(and(isVerificationOf(context, purpose, null), eq(verifications.purpose, purpose), gt(expiresAt, now)))
    .get();
  return row ? { ...row, isUsable: row.usedAt === null && row.tries < MAX_TRIES } : null;
}

/**
 * Checks a typed code, and uses it up if it is right. Each call is an attempt; the fifth wrong one uses the code up.
 * @param userId the player that the code must belong to, if someone is signed in. If the session cookie names that
 *   player, the statement itself requires the session to be open, so the caller needn't wait for the session check
 * @returns the result; null if the code is wrong, used, expired, for another purpose, or was never sent
 */
export async function redeemCode(
  context: RequestContext,
  purpose: VerificationPurpose,
  code: string,
  userId?: string,
): Promise<Verified | null> {
  const { db, env, now, cookies } = context;
  const token = cookies.get(cookieOf(purpose));
  if (!token) return null;
  const id = hashToken(token);
  const row = await db
    .update(verifications)
    .set({
      tries: sql`${verifications.tries} + 1`,
      usedAt: sql`CASE WHEN ${isCode(env, id, code)}
        AND ${isNotNull(verifications.userId)} THEN ${now.getTime()} END`,
    })
    .where(
      and(
        eq(verifications.id, id),
        isRedeemable(purpose, now),
        lt(verifications.tries, MAX_TRIES),
        // Attempts count even for rows without an owner; otherwise the limit would reveal which rows have an owner.
        userId === undefined ? undefined : or(isNull(verifications.userId), isOwnedBy(context, purpose, userId)),
      ),
    )
    .returning()
    .get();
  return row?.usedAt ? finishRedeeming(context, purpose, row) : null;
}

/**
 * Whether a typed code is right, without using it up or counting a try. If it is wrong, the caller must call
 * `redeemCode`, which counts the try.
 * @param userId the player that the code must belong to; as for `redeemCode`
 */
export async function isCodeRight(
  context: RequestContext,
  purpose: VerificationPurpose,
  code: string,
  userId: string,
): Promise<boolean> {
  const { db, env, now, cookies } = context;
  const id = hashToken(cookies.get(cookieOf(purpose)) ?? "");
  const row = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(
      and(
        eq(verifications.id, id),
        isCode(env, id, code),
        isRedeemable(purpose, now),
        lt(verifications.tries, MAX_TRIES),
        isOwnedBy(context, purpose, userId),
      ),
    )
    .get();
  return row !== undefined;
}

/**
 * Builds the SQL condition that an earlier call of `redeemCode` in the same macrotask has accepted the code. It is
 * meant for statements that are sent together with that call.
 */
export function wasCodeRedeemed({ cookies, now }: RequestContext, purpose: VerificationPurpose, userId: string): SQL {
  const id = hashToken(cookies.get(cookieOf(purpose)) ?? "");
  return sql`EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.id} = ${id}
    AND ${verifications.purpose} = ${purpose} AND ${verifications.userId} = ${userId}
    AND ${verifications.usedAt} = ${now.getTime()})`;
}

/**
 * Uses up the token of a link. It works in any browser, once.
 * @param userId the player that the link must belong to, if someone is signed in; as for `redeemCode`
 * @returns the result, or null
 */
export async function redeemLink(
  context: RequestContext,
  purpose: VerificationPurpose,
  token: string,
  userId?: string,
): Promise<Verified | null> {
  const { db, now } = context;
  const row = await db
    .update(verifications)
    .set({ usedAt: now })
    .where(
      and(
        eq(verifications.linkHash, hashToken(token)),
        isNotNull(verifications.userId),
        isRedeemable(purpose, now),
        isOwnedBy(context, purpose, userId),
      ),
    )
    .returning()
    .get();
  return row ? finishRedeeming(context, purpose, row) : null;
}

/**
 * Makes a code or link usable again after this request has redeemed it, because the action that it authorised has
 * failed.
 */
export async function restoreProof(
  context: RequestContext,
  purpose: VerificationPurpose,
  codeOrToken: CodeOrToken,
): Promise<void> {
  const { db, now, cookies } = context;
  await db
    .update(verifications)
    .set({ usedAt: null })
    .where(and(isVerificationOf(context, purpose, codeOrToken), eq(verifications.usedAt, now)));
  const token = cookies.get(cookieOf(purpose));
  if (token) cookies.set(cookieOf(purpose), token, { maxAge: VERIFICATION_LIFETIME / 1000 });
}

/**
 * Finds the account and address that a valid link would prove. The lookup doesn't use the link up, so mail scanners
 * that open it do no harm.
 */
export async function findLink(
  { db, now }: RequestContext,
  purpose: VerificationPurpose,
  token: string,
): Promise<{ userId: string; email: string } | null> {
  const row = await db
    .select({ userId: verifications.userId, email: verifications.email })
    .from(verifications)
    .where(
      and(eq(verifications.linkHash, hashToken(token)), isNotNull(verifications.userId), isRedeemable(purpose, now)),
    )
    .get();
  return row ? { userId: row.userId as string, email: row.email } : null;
}

/** Builds the statement that invalidates all codes and links of a player. */
export function voidVerifications({ db }: Pick<RequestContext, "db">, userId: string) {
  return db.delete(verifications).where(eq(verifications.userId, userId));
}

/**
 * Builds the condition that finds the row of this browser's code, or of a link's token, whether or not the row is still
 * valid.
 * @param codeOrToken null stands for this browser's code
 */
export function isVerificationOf(
  { cookies }: Pick<RequestContext, "cookies">,
  purpose: VerificationPurpose,
  codeOrToken: CodeOrToken | null,
): SQL {
  return codeOrToken && "token" in codeOrToken
    ? eq(verifications.linkHash, hashToken(codeOrToken.token))
    : eq(verifications.id, hashToken(cookies.get(cookieOf(purpose)) ?? ""));
}

function finishRedeeming(
  { cookies }: RequestContext,
  purpose: VerificationPurpose,
  row: typeof verifications.$inferSelect,
) {
  cookies.delete(cookieOf(purpose));
  return { userId: row.userId as string, email: row.email, redirectTo: row.redirectTo };
}

/** Builds the condition that this is the code of the row with this id. */
const isCode = ({ SESSION_SECRET }: Pick<RequestContext["env"], "SESSION_SECRET">, id: string, code: string): SQL =>
  inArray(
    verifications.codeHash,
    SESSION_SECRET.map((secret) => hashCode([secret], id, code)),
  );

/**
 * Builds the condition for a valid row: created for this purpose, neither used nor expired. The row's address must
 * still be the account's, except for a change of address, where it is the account's future one.
 */
function isRedeemable(purpose: VerificationPurpose, now: Date): SQL | undefined {
  const isStillTheirs = sql`EXISTS (SELECT 1 FROM ${users} AS ${ownerRow}
    WHERE ${ownerRow.id} = ${verifications.userId} AND ${ownerRow.email} = ${verifications.email})`;
  return and(
    eq(verifications.purpose, purpose),
    isNull(verifications.usedAt),
    gt(verifications.expiresAt, now),
    purpose === "change-email" ? undefined : or(isNull(verifications.userId), isStillTheirs),
  );
}

/**
 * Builds the condition that a row belongs to a player. If the request's session cookie names that player, the session
 * must also be open; to change the address, it must be recently authenticated. To authenticate again, a suspended
 * player's session is enough.
 */
function isOwnedBy(
  { claim, now }: RequestContext,
  purpose: VerificationPurpose,
  userId: string | undefined,
): SQL | undefined {
  if (userId === undefined) return undefined;
  const session =
    claim?.userId !== userId
      ? undefined
      : purpose === "change-email"
        ? isSessionRecent(claim, now)
        : purpose === "reauthenticate"
          ? isRestrictedSessionOpen(claim, now)
          : isSessionOpen(claim, now);
  return and(eq(verifications.userId, userId), session);
}
