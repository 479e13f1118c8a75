import { randomInt } from "node:crypto";
import { isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { users, type VerificationPurpose, verifications } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto/crypto.server";
import type { Email } from "~/platform/email/email";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { recipientOf } from "~/platform/limits/recipient.server";
import { prepareUses, type RateLimitVerdict } from "~/platform/limits/uses.server";
import { wideNetworkOf } from "~/platform/request/ip";
import { ifKnown, readKnownBrowser } from "~/platform/session/known-browser.server";
import { cookieOf, hashCode, VERIFICATION_LIFETIME } from "./verification.server";

const DIGITS = 6;

export interface VerificationRequest {
  purpose: VerificationPurpose;
  /** The address that the email goes to. Entering the code proves that the player controls it. */
  email: string;
  /**
   * The player whose address is to be proven, if they are signed in or have just signed up; by default the owner of the
   * address. If no account has this id, the code is created but can't be redeemed.
   */
  userId?: string;
  /** The path to redirect to afterwards. */
  redirectTo?: string | null;
  /** A further condition on `users` that the account must meet. Otherwise the code can't be redeemed. */
  condition?: SQL;
  /** An SQL condition; unless it holds, no code is created and no use is counted. By default true. */
  isWanted?: SQL;
  /** The path of the link, to which `?token=` is appended. */
  path: string;
  /** Composes the email. */
  compose(recipient: string, code: string, link: string): Email;
  /** The email sent instead if the code can't be redeemed and the address belongs to someone other than `userId`. */
  otherwise?: Email;
}

/**
 * Prepares a code and a link for a caller whose transaction also contains other statements.
 * @returns the statements, which also count the email against the limits; the row's id; `judge`, which turns the
 *   results of `statements.counts` into the limits' verdict; `waitsUntil`, the verdict as `prepareUses` returns it; and
 *   `deliver`, to be called once the transaction has succeeded: it sets the browser's cookie for the code, and sends
 *   the email
 */
export function prepareVerification(context: RequestContext, request: VerificationRequest) {
  const { purpose, email, userId, redirectTo = null, condition = sql`1`, isWanted, path, compose, otherwise } = request;
  const { db, env, ip, now, origin, cookies } = context;
  const token = createToken();
  const linkToken = createToken();
  const id = hashToken(token);
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
  const link = `${origin}${path}?${new URLSearchParams({ token: linkToken })}`;
  const owner = sql`(SELECT ${users.id} FROM ${users}
    WHERE ${userId === undefined ? sql`${users.email} = ${email}` : sql`${users.id} = ${userId}`}
      AND ${condition})`;
  const browser = readKnownBrowser(context, email);
  // A request from an unknown browser counts against the mailbox, however the address is spelled. One from a known
  // browser counts against its own account, so that requests for another spelling can't use up that account's emails.
  const accountKey = hashToken(email);
  const mailboxKey = `${recipientOf(email)}:${purpose}`;
  const { counts, isAllowed, judge, waitsUntil } = prepareUses(
    context,
    [
      ["verificationEmail", ifKnown(browser, `${accountKey}:${ip}`, ip)],
      [
        "verificationEmailTo",
        ifKnown(browser, `${accountKey}:${purpose}:${browser.id}`, `${mailboxKey}:${wideNetworkOf(ip)}`),
      ],
      ["verificationEmailToInAll", ifKnown(browser, `${accountKey}:${purpose}:known`, mailboxKey)],
    ],
    isWanted,
  );
  const at = now.getTime();
  const expiresAt = new Date(at + VERIFICATION_LIFETIME);
  // The new row decides which email is sent: `email` if the row has an owner, `otherwise` if it has none but the
  // address belongs to another account, and no email if the limits have prevented the row.
  const hasRow = (condition: SQL) => sql`EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.id} = ${id}
    AND ${condition})`;
  const isTaken = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.email} = ${email}
    AND ${users.id} <> ${userId ?? ""})`;
  const statements = {
    counts,
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
          WHERE ${isAllowed}`,
    ),
    email: enqueueEmailIf(context, hasRow(isNotNull(verifications.userId)), compose(email, code, link), expiresAt),
    otherwise:
      otherwise && enqueueEmailIf(context, sql`${hasRow(isNull(verifications.userId))} AND ${isTaken}`, otherwise),
  };
  const deliver = () => {
    cookies.set(cookieOf(purpose), token, { maxAge: VERIFICATION_LIFETIME / 1000 });
    context.defer(() => deliverDueEmails(context));
  };
  return { id, statements, judge, waitsUntil, deliver };
}

/**
 * Sends a code and a link if there is an account that can redeem them; otherwise at most the email `otherwise`. Either
 * way, sets the browser's cookie for the code, unless a limit is exceeded. One round trip, including the limits.
 * @returns the limits' verdict, which doesn't depend on whether the address has an account
 */
export async function startVerification(
  context: RequestContext,
  request: VerificationRequest,
): Promise<RateLimitVerdict> {
  const { statements, judge, deliver } = prepareVerification(context, request);
  const { counts } = await transact(context.db, statements);
  const verdict = judge(counts);
  if (verdict.allowed) deliver();
  return verdict;
}
