import type { VerificationPurpose } from "#db/schema";
import { hashToken, sign } from "~/platform/crypto/crypto.server";
import { MINUTE } from "~/platform/dates/durations";

/*
 * All emailed codes and links are made in `issuing.server.ts` and checked in `redeeming.server.ts`. A code has six
 * digits, allows five attempts and works only in the browser that asked for it, which a cookie identifies. A link works
 * in any browser. Both last ten minutes, work once and for one purpose, and prove that one account owns one address.
 * Only SQL statements check whether an account exists when a code is requested. The request doesn't learn the result,
 * so its response can't reveal it.
 */

/** The lifetime of a code and its link, in milliseconds. */
export const VERIFICATION_LIFETIME = 10 * MINUTE;

/**
 * Returns the name of the cookie that identifies the browser that asked for a code. Each purpose has its own cookie, so
 * that a code counts only for its purpose.
 */
export const cookieOf = (purpose: VerificationPurpose) => `lineup_code_${purpose.replaceAll("-", "_")}`;

/** Hashes a code with an HMAC that includes its row's id, so that the same code in another row has another hash. */
export function hashCode(secrets: readonly string[], id: string, code: string): string {
  return hashToken(sign(`code:${id}:${code}`, secrets));
}
