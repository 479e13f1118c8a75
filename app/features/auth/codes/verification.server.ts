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
 * All e-mailed codes and links are made and checked here. A code has six digits, works only in the browser that asked
 * for it (by a cookie) and allows five attempts; its link works in any browser. Both last ten minutes, serve one
 * purpose once, and prove one address of one account. Whether there is an account is decided inside the SQL statements:
 * this code never knows, so its answers can't reveal it.
 */

/** How long a code and its link work, in milliseconds. */
export const VERIFICATION_LIFETIME = 10 * MINUTE;
const MAX_TRIES = 5;
const DIGITS = 6;

/** Names the cookie of the browser that asked. Each purpose has its own, so that a code only counts for its purpose. */
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
  /** The address to send to, and to prove. */
  email: string;
  /**
   * The player to prove it for, if they are signed in or have just signed up; by default the owner of the address. An
   * id without an account makes a code that proves nothing.
   */
  userId?: string;
  /** The path to redirect to afterwards. */
  redirectTo?: string | null;
  /** A further condition on `users` for the account. If it fails, the code proves nothing. */
  condition?: SQL;
  /** The path of the link, which gets `?token=`. */
  path: string;
  /** Composes the e-mail. */
  compose(recipient: string, code: string, link: string): Email;
  /** The e-mail sent instead if the address belongs to someone other than `userId`. */
  otherwise?: Email;
}

/**
 * Prepares a code and a link, for a batch that does more than send them. The caller counts them with
 * `countVerificationEmail` in the same macrotask, before the batch.
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
  // The e-mails depend on the new row: it has an owner or none, or the limits have prevented it.
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
  /** The address that was written to, if it has an account. */
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
 * @param userId the player it must belong to, if someone is signed in. If the session cookie claims that player, the
 *   session must be open, so that this call can be sent together with the session check
 * @returns the result, or null: wrong, used, expired, for another purpose, or never sent
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
        // Rows without an owner count attempts as well, or the number of attempts would reveal them.
        userId === undefined ? undefined : or(isNull(verifications.userId), isFor(context, purpose, userId)),
      ),
    )
    .returning()
    .get();
  return row?.usedAt ? finish(context, purpose, row) : null;
}

/**
 * SQL condition that the preceding `redeemCode` in the same macrotask succeeded: for a statement that doesn't wait for
 * it.
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

/** Restores a code or link that this request has used up, because its purpose could not be carried out. */
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
 * Finds the address that a link would prove, if it is valid: its holder controls the mailbox. Looking it up doesn't use
 * it up, so that mail scanners do no harm.
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

/** Builds the condition for the row of a code (of this browser) or a token, valid or not. */
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
 * Builds the condition for a valid row: made for this purpose, neither used nor expired; and the address is still the
 * account's, unless it is the account's new one.
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
 * Builds the condition that a row belongs to a player. For the signed-in player the session must be open; to change the
 * address, also recently authenticated.
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

/** Hashes a code with an HMAC bound to its row: the same code in another row has another hash. */
function hashCode(secrets: readonly string[], id: string, code: string): string {
  return hashToken(sign(`code:${id}:${code}`, secrets));
}
