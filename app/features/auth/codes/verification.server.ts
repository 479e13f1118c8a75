import { generateRandomString } from "@oslojs/crypto/random";
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
 * The one engine behind every code and link we send by e-mail. A code is six digits, bound to the browser that asked for
 * it by a cookie and good for five tries; its link works in any browser. Both live ten minutes, do one thing once, and
 * prove one address of one account. Whether there is an account is decided inside the statements: this code never
 * knows, so nothing it answers can tell.
 */

/** How long a code and its link work, in milliseconds. */
export const VERIFICATION_LIFETIME = 10 * MINUTE;
const MAX_TRIES = 5;
const DIGITS = "0123456789";

/** Names the row of the browser that asked: one cookie a purpose, so that a code is tried at what it was made for. */
const cookieOf = (purpose: VerificationPurpose) => `lineup_code_${purpose.replaceAll("-", "_")}`;

/** What a code or link proved. */
export interface Verified {
  userId: string;
  email: string;
  redirectTo: string | null;
}

/** What the player has: the code that they typed into the browser that asked, or the token of the link. */
export type Shown = { code: string } | { token: string };

export interface VerificationRequest {
  purpose: VerificationPurpose;
  /** The address that is written to, and proven. */
  email: string;
  /**
   * Whose it will be, where that is known because they are signed in or have just signed up; else whoever has the
   * address. An id that nobody has makes a code that proves nothing.
   */
  userId?: string;
  /** Where the player was going: a path of ours. */
  redirectTo?: string | null;
  /** A further condition for the account: a piece of SQL about `users`. Where it fails, the code proves nothing. */
  condition?: SQL;
  /** Where the link leads: a path, which gets `?token=`. */
  path: string;
  /** Makes the e-mail. */
  compose(recipient: string, code: string, link: string): Email;
  /** What the address gets instead, where it turns out to be the address of someone other than `userId`. */
  otherwise?: Email;
}

/**
 * Prepares a code and a link, for a batch that does more than send them. The caller counts them with
 * `countVerificationEmail` in the same tick, before the batch.
 * @returns the statements; the row's id; and `hand`, which gives the browser the cookie that its code belongs to, to be
 *   called once the batch has succeeded
 */
export function prepareVerification(
  context: RequestContext,
  { purpose, email, userId, redirectTo = null, condition = sql`1`, path, compose, otherwise }: VerificationRequest,
) {
  const { db, env, ip, now, origin, cookies } = context;
  const token = createToken();
  const linkToken = createToken();
  const id = hashToken(token);
  const code = generateRandomString({ read: (bytes) => void crypto.getRandomValues(bytes) }, DIGITS, 6);
  const link = `${origin}${path}?${new URLSearchParams({ token: linkToken })}`;
  const owner = sql`(SELECT ${users.id} FROM ${users}
    WHERE ${userId === undefined ? sql`${users.email} = ${email}` : sql`${users.id} = ${userId}`}
      AND ${users.suspendedAt} IS NULL AND ${condition})`;
  const allowed = sql`${isWithinLimit(env, "verificationEmail", ip)}
    AND ${isWithinLimit(env, "verificationEmailTo", hashToken(email))}`;
  const at = now.getTime();
  const expiresAt = new Date(at + VERIFICATION_LIFETIME);
  // The e-mails ask the row that was just made: it has an owner, or it has none, or the limits have kept it away.
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
  const hand = () => {
    cookies.set(cookieOf(purpose), token, { maxAge: VERIFICATION_LIFETIME / 1000 });
    context.defer(() => deliverDueEmails(context));
  };
  return { id, statements, hand };
}

/** Counts one e-mail with a code: for the address that asks and for the one that is written to. */
export async function countVerificationEmail(context: RequestContext, email: string): Promise<RateLimitVerdict> {
  const [byAddress, byRecipient] = await Promise.all([
    countUse(context, "verificationEmail", context.ip),
    countUse(context, "verificationEmailTo", hashToken(email)),
  ]);
  return byAddress.allowed ? byRecipient : byAddress;
}

/**
 * Sends a code and a link, if the address (or `userId`) has an account, and gives the browser the cookie that its code
 * belongs to. One round trip, in which the limits are counted as well.
 * @returns whether the limits allowed it; the same for known and unknown addresses
 */
export async function startVerification(
  context: RequestContext,
  request: VerificationRequest,
): Promise<RateLimitVerdict> {
  const { statements, hand } = prepareVerification(context, request);
  const [verdict] = await Promise.all([
    countVerificationEmail(context, request.email),
    transact(context.db, statements),
  ]);
  if (verdict.allowed) hand();
  return verdict;
}

/** Whether this browser has asked for a code that may still be entered, as far as its cookies tell. */
export const awaitsCode = ({ cookies }: RequestContext, purpose: VerificationPurpose): boolean =>
  cookies.get(cookieOf(purpose)) !== undefined;

/** What this browser has asked for. */
export interface Asked {
  /** The address that was written to, if it has an account. */
  email: string;
  /** Null where the code proves nothing; for the server alone. */
  userId: string | null;
  redirectTo: string | null;
  /** Whether the code may still be entered: not when it was used or guessed at five times. */
  open: boolean;
}

/** @returns what this browser has asked for in the last ten minutes, or null */
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
 * Takes the code that someone typed. Each call is a try; the fifth wrong one uses the code up.
 * @param userId whose it must be, where someone is signed in; if that is who the session cookie claims, their session
 *   must be open, so that the call may leave together with the check of it
 * @returns what it proved, or null: wrong, used, too old, for something else, or never sent
 */
export async function takeCode(
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
        // A row without an owner counts its tries, too: else it would show by how many it takes.
        userId === undefined ? undefined : or(isNull(verifications.userId), isFor(context, purpose, userId)),
      ),
    )
    .returning()
    .get();
  return row?.usedAt ? finish(context, purpose, row) : null;
}

/** That `takeCode`, called just before in the same tick, took its code: for a statement that doesn't wait for it. */
export function wasCodeTaken({ cookies, now }: RequestContext, purpose: VerificationPurpose, userId: string): SQL {
  const id = hashToken(cookies.get(cookieOf(purpose)) ?? "");
  return sql`EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.id} = ${id}
    AND ${verifications.purpose} = ${purpose} AND ${verifications.userId} = ${userId}
    AND ${verifications.usedAt} = ${now.getTime()})`;
}

/**
 * Takes the token of a link. It works in any browser, once.
 * @param userId whose it must be, where that matters; as for `takeCode`
 * @returns what it proved, or null
 */
export async function takeLink(
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

/** Makes a code or link good again that this very request has taken, because what it was taken for could not be done. */
export async function giveBack(context: RequestContext, purpose: VerificationPurpose, shown: Shown): Promise<void> {
  const { db, now, cookies } = context;
  await db
    .update(verifications)
    .set({ usedAt: null })
    .where(and(isShown(context, purpose, shown), eq(verifications.usedAt, now)));
  const token = cookies.get(cookieOf(purpose));
  if (token) cookies.set(cookieOf(purpose), token, { maxAge: VERIFICATION_LIFETIME / 1000 });
}

/**
 * Whose address a link would prove, if it works now: whoever has the link has the mailbox. Looking uses nothing up, so that
 * mail scanners do no harm.
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

/** The statement that voids all codes and links of a player: whoever has an old one has nothing. */
export function voidVerifications({ db }: Pick<RequestContext, "db">, userId: string) {
  return db.delete(verifications).where(eq(verifications.userId, userId));
}

/** Which row a code (of this browser) or a token names, whether or not it is any good. */
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

/** Made for this purpose, neither used nor too old; and the address is still that of the account, unless it is to become it. */
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

/** Theirs, and where it is the signed-in player's, by a session that is open; to change the address, by a recent sign-in. */
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

/** An HMAC, bound to the row: the same code of another row has another hash. */
function hashCode(secrets: readonly string[], id: string, code: string): string {
  return hashToken(sign(`code:${id}:${code}`, secrets));
}
