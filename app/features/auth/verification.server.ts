import { generateRandomString } from "@oslojs/crypto/random";
import { and, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type VerificationPurpose, verifications } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken, sign } from "~/platform/crypto.server";
import type { Email } from "~/platform/email/content";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { countUse, isWithinLimit, type RateLimitVerdict } from "~/platform/rate-limit.server";

/*
 * The one engine behind every code and link we send by e-mail. A code is six digits, bound to the browser that asked for
 * it by a cookie and good for five tries; its link works in any browser. Both live ten minutes, do one thing once, and
 * prove one address of one account. Whether there is an account is decided inside the statements: this code never
 * knows, so nothing it answers can tell.
 */

/** How long a code and its link work, in milliseconds. */
export const VERIFICATION_LIFETIME = 10 * 60 * 1000;
const MAX_TRIES = 5;
const DIGITS = "0123456789";

const cookieOf = (purpose: VerificationPurpose) => `lineup_${purpose.replace("-", "_")}`;

/** What a code or link proved. */
export interface Verified {
  userId: string;
  email: string;
  redirectTo: string | null;
}

export interface VerificationRequest {
  purpose: VerificationPurpose;
  /** The address that is written to, and proven. */
  email: string;
  /** Whose it will be, where that is known because they are signed in or have just signed up; else whoever has the address. */
  userId?: string;
  /** Where the player was going: a path of ours. */
  redirectTo?: string | null;
  /** A further condition for the e-mail and for the account: a piece of SQL about `users`. */
  condition?: SQL;
  /** Where the link leads: a path, which gets `?token=`. */
  path: string;
  /** Makes the e-mail. */
  compose(recipient: string, code: string, link: string): Email;
}

/**
 * Sends a code and a link, if the address (or `userId`) has an account, and gives the browser the cookie that its code
 * belongs to. One round trip, in which the limits are counted as well.
 * @returns whether the limits allowed it; the same for known and unknown addresses
 */
export async function startVerification(
  context: RequestContext,
  { purpose, email, userId, redirectTo = null, condition = sql`1`, path, compose }: VerificationRequest,
): Promise<RateLimitVerdict> {
  const { db, env, ip, now, origin, cookies } = context;
  const recipient = hashToken(email);
  const token = createToken();
  const linkToken = createToken();
  const id = hashToken(token);
  const code = generateRandomString({ read: (bytes) => void crypto.getRandomValues(bytes) }, DIGITS, 6);
  const link = `${origin}${path}?${new URLSearchParams({ token: linkToken })}`;
  const owner = sql`(SELECT id FROM users WHERE ${userId ? sql`id = ${userId}` : sql`email = ${email}`} AND suspended_at IS NULL AND ${condition})`;
  const allowed = sql`${isWithinLimit(env, "verificationEmail", ip)} AND ${isWithinLimit(env, "verificationEmailTo", recipient)}`;
  const at = now.getTime();
  const [byAddress, byRecipient] = await Promise.all([
    countUse(context, "verificationEmail", ip),
    countUse(context, "verificationEmailTo", recipient),
    db.batch([
      db.run(
        sql`INSERT INTO verifications (id, link_hash, code_hash, purpose, user_id, email, redirect_to, created_at, expires_at)
          SELECT ${id}, ${hashToken(linkToken)}, ${hashCode(env.SESSION_SECRET, id, code)}, ${purpose}, ${owner}, ${email}, ${redirectTo}, ${at}, ${at + VERIFICATION_LIFETIME}
          WHERE ${allowed}`,
      ),
      enqueueEmailIf(db, sql`${allowed} AND ${owner} IS NOT NULL`, compose(email, code, link), now),
    ]),
  ]);
  for (const verdict of [byAddress, byRecipient]) if (!verdict.allowed) return verdict;
  cookies.set(cookieOf(purpose), token, { maxAge: VERIFICATION_LIFETIME / 1000 });
  context.defer(() => deliverDueEmails(context));
  return { allowed: true };
}

/** Whether this browser has asked for a code that may still be entered, as far as its cookies tell. */
export const awaitsCode = ({ cookies }: RequestContext, purpose: VerificationPurpose): boolean =>
  cookies.get(cookieOf(purpose)) !== undefined;

/**
 * Takes the code that someone typed. Each call is a try; the fifth wrong one uses the code up.
 * @param userId whose it must be, where someone is signed in
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
      usedAt: sql`CASE WHEN ${inArray(verifications.codeHash, hashes)} AND ${isNotNull(verifications.userId)} THEN ${now.getTime()} END`,
    })
    .where(and(eq(verifications.id, id), isOpen(purpose, now), lt(verifications.tries, MAX_TRIES), isFor(userId)))
    .returning()
    .get();
  return row?.usedAt ? finish(context, purpose, row) : null;
}

/** That `takeCode`, called just before in the same tick, took its code: for a statement that doesn't wait for it. */
export function wasCodeTaken({ cookies, now }: RequestContext, purpose: VerificationPurpose, userId: string): SQL {
  const id = hashToken(cookies.get(cookieOf(purpose)) ?? "");
  return sql`EXISTS (SELECT 1 FROM verifications WHERE id = ${id} AND purpose = ${purpose} AND user_id = ${userId} AND used_at = ${now.getTime()})`;
}

/**
 * Takes the token of a link. It works in any browser, once.
 * @param userId whose it must be, where that matters
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
        isFor(userId),
      ),
    )
    .returning()
    .get();
  return row ? finish(context, purpose, row) : null;
}

/** Whether a link would work now; looking at it uses nothing up, so that mail scanners do no harm. */
export async function isLinkOpen(
  { db, now }: RequestContext,
  purpose: VerificationPurpose,
  token: string,
): Promise<boolean> {
  const row = await db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.linkHash, hashToken(token)), isNotNull(verifications.userId), isOpen(purpose, now)))
    .get();
  return row !== undefined;
}

/** The statement that voids all codes and links of a player: whoever has an old one has nothing. */
export function voidVerifications({ db }: Pick<RequestContext, "db">, userId: string) {
  return db.delete(verifications).where(eq(verifications.userId, userId));
}

function finish({ cookies }: RequestContext, purpose: VerificationPurpose, row: typeof verifications.$inferSelect) {
  cookies.delete(cookieOf(purpose));
  return { userId: row.userId as string, email: row.email, redirectTo: row.redirectTo };
}

/** Made for this purpose, neither used nor too old; and the address is still that of the account, unless it is to become it. */
function isOpen(purpose: VerificationPurpose, now: Date): SQL | undefined {
  const isStillTheirs = sql`EXISTS (SELECT 1 FROM users AS owner WHERE owner.id = verifications.user_id AND owner.email = verifications.email)`;
  return and(
    eq(verifications.purpose, purpose),
    isNull(verifications.usedAt),
    gt(verifications.expiresAt, now),
    purpose === "change-email" ? isNotNull(verifications.userId) : or(isNull(verifications.userId), isStillTheirs),
  );
}

const isFor = (userId: string | undefined) => (userId === undefined ? undefined : eq(verifications.userId, userId));

/** An HMAC, bound to the row: the same code of another row has another hash. */
function hashCode(secrets: readonly string[], id: string, code: string): string {
  return hashToken(sign(`code:${id}:${code}`, secrets));
}
