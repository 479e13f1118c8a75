import { randomInt } from "node:crypto";
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { users, type VerificationPurpose, verifications } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken, sign } from "~/platform/crypto/crypto.server";
import { MINUTE } from "~/platform/dates/durations";
import type { Email } from "~/platform/email/email";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { countUse, isWithinLimit, type RateLimitVerdict } from "~/platform/limits/rate-limit.server";
import { isSessionOpen, isSessionRecent } from "~/platform/session/session.server";

const ownerRow = alias(users, "owner");

/*
 * All e-mailed codes and links are made and checked here. A code has six digits, allows five attempts and works only in
 * the browser that asked for it, which a cookie identifies. A link works in any browser. Both last ten minutes, work
 * once and for one purpose, and prove that one account owns one address. Only the SQL statements look up whether there
 * is an account. This code never knows, so its answers can't reveal it.
 */

/** How long a code and its link work, in milliseconds. */
export const VERIFICATION_LIFETIME = 10 * MINUTE;
const MAX_TRIES = 5;
const DIGITS = 6;

/**
 * Returns the name of the cookie that identifies the browser that asked. Each purpose has its own cookie, so that a
 * code counts only for its purpose.
 */
const cookieOf = (purpose: VerificationPurpose) => `lineup_code_${purpose.replaceAll("-", "_")}`;

/** The result of a valid code or link. */
export interface Verified {
  userId: string;
  email: string;
  redirectTo: string | null;
}

/** A code typed into the browser that asked for it, or the token of a link. */
export type Shown = { code: string } | { token: string };

export interface VerificationRequest {
  purpose: VerificationPurpose;
  /** The address that gets the e-mail, and that the code proves. */
  email: string;
  /**
   * The player for whom the code proves the address, if they are signed in or have just signed up; by default the owner
   * of the address. If no account has this id, a code is made that proves nothing.
   */
  userId?: string;
  /** The path to redirect to afterwards. */
  redirectTo?: string | null;
  /** A further condition on `users` that the account must meet. If it doesn't, the code proves nothing. */
  condition?: SQL;
  /** The path of the link, which gets `?token=`. */
  path: string;
  /** Composes the e-mail. */
  compose(recipient: string, code: string, link: string): Email;
  /** The e-mail sent instead if the address belongs to someone other than `userId`. */
  otherwise?: Email;
}

/**
 * Prepares a code and a link for a caller whose batch also does other things. The caller calls `countVerificationEmail`
 * before its batch, in the same macrotask: the statements check the limits that it counts.
 * @returns the statements; the row's id; and `deliver`, to be called once the batch has succeeded: it sets the
 *   browser's cookie for the code, and sends the e-mail
 */
export function prepareVerification(
  context: RequestContext,
  { purpose, email, userId, redirectTo = null, condition = sql`1`, path, compose, otherwise }: VerificationRequest,
) {
  const { db, env, ip, now, origin, cookies } = context;
  const token = createToken();
  const linkToken = createToken();
  const id = hashToken(token);
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
  const link = `${origin}${path}?${new URLSearchParams({ token: linkToken })}`;
  const owner = sql`(SELECT ${users.id} FROM ${users}
    WHERE ${userId === undefined ? sql`${users.email} = ${email}` : sql`${users.id} = ${userId}`}
      AND ${users.suspendedAt} IS NULL AND ${condition})`;
  const allowed = sql`${isWithinLimit(env, "verificationEmail", ip)}
    AND ${isWithinLimit(env, "verificationEmailTo", hashToken(email))}`;
  const at = now.getTime();
  const expiresAt = new Date(at + VERIFICATION_LIFETIME);
  // The new row decides which e-mail is sent: `email` if it has an owner, `otherwise` if it has none, and no e-mail if
  // the limits have prevented the row.
  const hasRow = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.id} = ${id}
    AND ${condition})`;
  const isTaken = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.email} = ${email}
    AND ${users.id} <> ${userId ?? ""})`;
  const statements = {
    insert: db.run(
      sql`INSERT INTO ${verifications} ${columnsOf(
        verifications,
        "id",
        "linkHash",
        "codeHash",
        "purpose",
        "userId",
        "email",
        "redirectTo",
        "createdAt",
        "expiresAt",
      )}
          SELECT ${id}, ${hashToken(linkToken)}, ${hashCode(env.SESSION_SECRET, id, code)},
            ${purpose}, ${owner}, ${email}, ${redirectTo}, ${at}, ${expiresAt.getTime()}
          WHERE ${allowed}`,
    ),
    email: enqueueEmailIf(db, hasRow(isNotNull(verifications.userId)), compose(email, code, link), now, expiresAt),
    otherwise:
      otherwise && enqueueEmailIf(db, sql`${hasRow(isNull(verifications.userId))} AND ${isTaken}`, otherwise, now),
  };
  const deliver = () => {
    cookies.set(cookieOf(purpose), token, { maxAge: VERIFICATION_LIFETIME / 1000 });
    context.defer(() => deliverDueEmails(context));
  };
  return { id, statements, deliver };
}

/** Counts one e-mail with a code: against the requesting IP address and the recipient. */
export async function countVerificationEmail(context: RequestContext, email: string): Promise<RateLimitVerdict> {
  const [byAddress, byRecipient] = await Promise.all([
    countUse(context, "verificationEmail", context.ip),
    countUse(context, "verificationEmailTo", hashToken(email)),
  ]);
  return byAddress.allowed ? byRecipient : byAddress;
}

/**
 * Sends a code and a link if the address (or `userId`) has an account, and sets the browser's cookie for the code. One
 * round trip, including the limits.
 * @returns whether the limits allowed it; the same for known and unknown addresses
 */
export async function startVerification(
  context: RequestContext,
  request: VerificationRequest,
): Promise<RateLimitVerdict> {
  const { statements, deliver } = prepareVerification(context, request);
  const [verdict] = await Promise.all([
    countVerificationEmail(context, request.email),
    transact(context.db, statements),
  ]);
  if (verdict.allowed) deliver();
  return verdict;
}

/** Whether this browser has asked for a code that may still be entered, according to its cookies. */
export const awaitsCode = ({ cookies }: RequestContext, purpose: VerificationPurpose): boolean =>
  cookies.get(cookieOf(purpose)) !== undefined;

/** The code that this browser has asked for. */
export interface Asked {
  /** The address that was entered. The code was sent to it only if `userId` is set. */
  email: string;
  /** Null if the code proves nothing; must not be sent to the browser. */
  userId: string | null;
  redirectTo: string | null;
  /** Whether the code may still be entered: it is not used, and has attempts left. */
  open: boolean;
}

/** Finds the code that this browser has asked for in the last ten minutes; null if there is none. */
export async function findAsked(context: RequestContext, purpose: VerificationPurpose): Promise<Asked | null> {
  const { db, now } = context;
  if (!awaitsCode(context, purpose)) return null;
  const { email, userId, redirectTo, tries, usedAt, expiresAt } = verifications;
  const row = await db
    .select({ email, userId, redirectTo, tries, usedAt })
    .from(verifications)
    .where(and(isShown(context, purpose, null), eq(verifications.purpose, purpose), gt(expiresAt, now)))
    .get();
  return row ? { ...row, open: row.usedAt === null && row.tries < MAX_TRIES } : null;
}

/**
 * Checks a typed code, and uses it up if it is right. Each call is an attempt; the fifth wrong one uses the code up.
 * @param userId the player it must belong to, if someone is signed in. If the session cookie names that player, the
 *   statement itself requires the session to be open, so the caller needn't wait for the session check
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
  const hashes = env.SESSION_SECRET.map((secret) => hashCode([secret], id, code));
  const row = await db
    .update(verifications)
    .set({
      tries: sql`${verifications.tries} + 1`,
      usedAt: sql`CASE WHEN ${inArray(verifications.codeHash, hashes)}
        AND ${isNotNull(verifications.userId)} THEN ${now.getTime()} END`,
    })
    .where(
      and(
        eq(verifications.id, id),
        isOpen(purpose, now),
        lt(verifications.tries, MAX_TRIES),
        // Attempts count even for rows without an owner; otherwise the limit would reveal which rows have one.
        userId === undefined ? undefined : or(isNull(verifications.userId), isFor(context, purpose, userId)),
      ),
    )
    .returning()
    .get();
  return row?.usedAt ? finish(context, purpose, row) : null;
}

/**
 * Builds the SQL condition that a call of `redeemCode` earlier in the same macrotask has accepted the code: for a
 * statement that is sent together with it.
 */
export function wasCodeTaken({ cookies, now }: RequestContext, purpose: VerificationPurpose, userId: string): SQL {
  const id = hashToken(cookies.get(cookieOf(purpose)) ?? "");
  return sql`EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.id} = ${id}
    AND ${verifications.purpose} = ${purpose} AND ${verifications.userId} = ${userId}
    AND ${verifications.usedAt} = ${now.getTime()})`;
}

/**
 * Uses up the token of a link. It works in any browser, once.
 * @param userId the player it must belong to, if that matters; as for `redeemCode`
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
        isOpen(purpose, now),
        isFor(context, purpose, userId),
      ),
    )
    .returning()
    .get();
  return row ? finish(context, purpose, row) : null;
}

/** Restores a code or link that this request has used up, because the action that it was for failed. */
export async function restoreProof(context: RequestContext, purpose: VerificationPurpose, shown: Shown): Promise<void> {
  const { db, now, cookies } = context;
  await db
    .update(verifications)
    .set({ usedAt: null })
    .where(and(isShown(context, purpose, shown), eq(verifications.usedAt, now)));
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
    .where(and(eq(verifications.linkHash, hashToken(token)), isNotNull(verifications.userId), isOpen(purpose, now)))
    .get();
  return row ? { userId: row.userId as string, email: row.email } : null;
}

/** Builds the statement that invalidates all codes and links of a player. */
export function voidVerifications({ db }: Pick<RequestContext, "db">, userId: string) {
  return db.delete(verifications).where(eq(verifications.userId, userId));
}

/**
 * Builds the condition that finds the row of this browser's code, or of a link's token, whether or not it is still
 * valid.
 */
export function isShown(
  { cookies }: Pick<RequestContext, "cookies">,
  purpose: VerificationPurpose,
  shown: Shown | null,
): SQL {
  return shown && "token" in shown
    ? eq(verifications.linkHash, hashToken(shown.token))
    : eq(verifications.id, hashToken(cookies.get(cookieOf(purpose)) ?? ""));
}

function finish({ cookies }: RequestContext, purpose: VerificationPurpose, row: typeof verifications.$inferSelect) {
  cookies.delete(cookieOf(purpose));
  return { userId: row.userId as string, email: row.email, redirectTo: row.redirectTo };
}

/**
 * Builds the condition for a valid row: made for this purpose, neither used nor expired. Its address must still be the
 * account's, except for a change of address, where it is the new one.
 */
function isOpen(purpose: VerificationPurpose, now: Date): SQL | undefined {
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
 * must also be open; to change the address, it must be recently authenticated.
 */
function isFor(
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
        : isSessionOpen(claim, now);
  return and(eq(verifications.userId, userId), session);
}

/** Hashes a code with an HMAC that includes its row's id, so that the same code in another row has another hash. */
function hashCode(secrets: readonly string[], id: string, code: string): string {
  return hashToken(sign(`code:${id}:${code}`, secrets));
}
