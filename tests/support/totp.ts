import { decodeBase32IgnorePadding } from "@oslojs/encoding";
import { generateHOTP } from "@oslojs/otp";

/** The authenticator's secret as the set-up page shows it: base32 in groups of four. */
export const SHOWN_SECRET = /\b(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/;
/** A recovery code as a page shows it. */
export const SHOWN_RECOVERY_CODE = /\b[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}\b/g;

/**
 * The code that an authenticator app with this secret shows.
 * @param secret as the page shows it
 * @param steps the number of 30-second steps by which the app's clock is ahead
 */
export function authenticatorCode(secret: string, steps = 0): string {
  const step = Math.floor(Date.now() / 30_000) + steps;
  return generateHOTP(decodeBase32IgnorePadding(secret.replaceAll(" ", "")), BigInt(step), 6);
}
