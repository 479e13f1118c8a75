import { and, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { users, type VerificationPurpose, verifications } from "#db/schema";
import { columnsOf } from "#db/sql";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { failsWith } from "~/platform/database";
import { isRestrictedSessionOpen, isSessionOpen, isSessionRecent } from "~/platform/session/conditions.server";
import { cookieOf, hashCode } from "./verification.server";

const ownerRow = alias(users, "owner");

const MAX_TRIES = 5;

/** The result of a valid code or link. */
export interface Verified {
  userId: string;
  email: string;
  redirectTo: string | null;
}

/** The columns of `Verified`, in rows that belong to a player. */
const verifiedColumns = {
  userId: sql<string>`${verifications.userId}`,
  email: verifications.email,
  redirectTo: verifications.redirectTo,
};

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
  /** Whether the code or its link has been used, which takes access to the mailbox. */
  isUsed: boolean;
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
  if (!row) return null;
  const isUsed = row.usedAt !== null;
  return { ...row, isUsed, isUsable: !isUsed && row.tries < MAX_TRIES };
}

/**
 * Whether the page for a code has the form to enter it. The page returned for a submitted form keeps the form even if
 * the code has been used: if the database's response was lost, the page asks the player to send the form again
 * (`checkProofOrUse`).
 */
export const isEnterable = (
  { submitted }: Pick<RequestContext, "submitted">,
  pendingCode: PendingCode | null,
): pendingCode is PendingCode =>
  pendingCode !== null && (pendingCode.isUsable || (submitted !== null && pendingCode.isUsed));

/**
 * Checks a typed code. A wrong one counts as a try, and the fifth uses the code up. A right one doesn't count, and is
 * used up only by the transaction of the command that it authorises (`spend`): if that fails, the code works again.
 * @param userId the player that the code must belong to, if someone is signed in. If the session cookie names that
 *   player, the statement itself requires the session to be open, so the caller needn't wait for the session check
 * @returns the result; null if the code is wrong, used, expired, for another purpose, or was never sent
 */
export async function checkCode(
  context: RequestContext,
  purpose: VerificationPurpose,
  code: string,
  userId?: string,
): Promise<Verified | null> {
  if (!hasPendingCode(context, purpose)) return null;
  const { check, judge } = prepareCheck(context, purpose, code, userId);
  return judge(await check);
}

/**
 * Builds the statement of `checkCode`, for a transaction whose other statements decide whether the code is checked.
 * @param condition the code is checked only if this is true; otherwise a wrong code doesn't count as a try
 * @returns the statement; and `judge`, which turns its result into that of `checkCode`
 */
export function prepareCheck(
  context: RequestContext,
  purpose: VerificationPurpose,
  code: string,
  userId?: string,
  condition?: SQL,
) {
  const { db, now } = context;
  const isRight = and(isCode(context, purpose, code), isNotNull(verifications.userId));
  return {
    check: db
      .update(verifications)
      .set({ tries: sql`${verifications.tries} + iif(${isRight}, 0, 1)` })
      .where(
        and(
          isVerificationOf(context, purpose, null),
          isRedeemable(purpose, now),
          lt(verifications.tries, MAX_TRIES),
          // Attempts count even for rows without an owner; otherwise the limit would reveal which rows have an owner.
          userId === undefined ? undefined : or(isNull(verifications.userId), isOwnedBy(context, purpose, userId)),
          condition,
        ),
      )
      .returning({ verified: verifiedColumns, isRight: sql<number>`${isRight}` }),
    judge: ([row]: readonly { verified: Verified; isRight: number }[]): Verified | null =>
      row?.isRight ? row.verified : null,
  };
}

/**
 * Finds what a valid link would prove. The lookup doesn't use the link up, so mail scanners that open it do no harm. A
 * link works once, in any browser.
 * @param options.userId the player that the link must belong to, if someone is signed in; as for `checkCode`
 * @param options.mayBeUsed also finds a used link, which proves nothing: for a page that keeps its form, as for
 *   `isEnterable`
 */
export async function findLink(
  context: RequestContext,
  purpose: VerificationPurpose,
  token: string,
  { userId, mayBeUsed = false }: { userId?: string | undefined; mayBeUsed?: boolean } = {},
): Promise<Verified | null> {
  const { db, now } = context;
  const link = await db
    .select(verifiedColumns)
    .from(verifications)
    .where(
      and(
        isVerificationOf(context, purpose, { token }),
        isNotNull(verifications.userId),
        isRedeemable(purpose, now, mayBeUsed),
        isOwnedBy(context, purpose, userId),
      ),
    )
    .get();
  return link ?? null;
}

/**
 * Builds the statements that use a code or link up. They belong at the beginning of the transaction that the code or
 * link authorises, which `carryOut` runs: unless the code or link is still valid, a NOT NULL constraint fails, which
 * rolls back the whole transaction. So of two simultaneous requests only one takes effect, and a command that fails
 * doesn't use the code up.
 * @param userId as for `checkCode`
 * @param isDone the condition that the command has succeeded, if only the transaction can decide that. `use` then
 *   belongs after the statements that decide it
 */
export function spend(
  context: RequestContext,
  purpose: VerificationPurpose,
  codeOrToken: CodeOrToken,
  userId?: string,
  isDone?: SQL,
) {
  const { db, now } = context;
  const isThis = isVerificationOf(context, purpose, codeOrToken);
  const isValid = and(
    isThis,
    isNotNull(verifications.userId),
    isRedeemable(purpose, now),
    isOwnedBy(context, purpose, userId),
    "code" in codeOrToken
      ? and(isCode(context, purpose, codeOrToken.code), lt(verifications.tries, MAX_TRIES))
      : undefined,
  );
  return {
    check: db.run(sql`INSERT INTO ${verifications} ${columnsOf(verifications, "id")}
      SELECT NULL WHERE NOT EXISTS (SELECT 1 FROM ${verifications} WHERE ${isValid})`),
    use: db.update(verifications).set({ usedAt: now }).where(and(isThis, isDone)),
  };
}

/**
 * Carries out what a code or link authorises.
 * @param command its transaction begins with the statements of `spend`
 * @param isDone whether the command has used the code up; always, unless `spend` has a condition
 * @returns the command's result; null if the code or link is no longer valid, and nothing has changed
 */
export async function carryOut<T>(
  { cookies }: Pick<RequestContext, "cookies">,
  purpose: VerificationPurpose,
  command: () => Promise<T>,
  isDone: (result: T) => boolean = () => true,
): Promise<T | null> {
  try {
    const result = await command();
    if (isDone(result)) cookies.delete(cookieOf(purpose));
    return result;
  } catch (error) {
    if (failsWith(error, /NOT NULL constraint failed: verifications\.id/)) return null;
    throw error;
  }
}

/** Builds the statement that invalidates all codes and links of a player. Used ones stay, for `checkProofOrUse`. */
export function voidVerifications({ db }: Pick<RequestContext, "db">, userId: string) {
  return db.delete(verifications).where(and(eq(verifications.userId, userId), isNull(verifications.usedAt)));
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

/** Builds the condition that a row holds this code. */
export function isCode({ cookies, env }: RequestContext, purpose: VerificationPurpose, code: string): SQL {
  const id = hashToken(cookies.get(cookieOf(purpose)) ?? "");
  return inArray(
    verifications.codeHash,
    env.SESSION_SECRET.map((secret) => hashCode([secret], id, code)),
  );
}

/**
 * Builds the condition for a valid row: created for this purpose, not used (unless it may be), and not expired. The
 * row's address must still be the account's, except for a change of address, where it is the account's future one.
 */
function isRedeemable(purpose: VerificationPurpose, now: Date, mayBeUsed = false): SQL | undefined {
  const isStillTheirs = sql`EXISTS (SELECT 1 FROM ${users} AS ${ownerRow}
    WHERE ${ownerRow.id} = ${verifications.userId} AND ${ownerRow.email} = ${verifications.email})`;
  return and(
    eq(verifications.purpose, purpose),
    mayBeUsed ? undefined : isNull(verifications.usedAt),
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
