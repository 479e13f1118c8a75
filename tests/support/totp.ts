import { decodeBase32IgnorePadding } from "@oslojs/encoding";
import { generateHOTP } from "@oslojs/otp";

/** How a page shows the secret of an enrolment: base32 in groups of four. */
export const SHOWN_SECRET = /\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/;
/** How a page shows a recovery code. */
export const SHOWN_RECOVERY_CODE = /\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b/g;

/**
 * What an authenticator app shows that has a secret.
 * @param secret as the page shows it
 * @param steps how many times 30 seconds its clock is ahead
 */
export function authenticatorCode(secret: string, steps = 0): string {
  const step = Math.floor(Date.now() / 30_000) + steps;
  return generateHOTP(decodeBase32IgnorePadding(secret.replaceAll(" ", "")), BigInt(step), 6);
}
