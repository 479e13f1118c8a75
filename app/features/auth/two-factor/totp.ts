import { encodeBase32NoPadding } from "@oslojs/encoding";
import { createTOTPKeyURI, verifyHOTP } from "@oslojs/otp";

/*
 * Codes of authenticator apps (RFC 6238) with the parameters that every app knows: SHA-1, six digits, 30 seconds.
 */

const DIGITS = 6;
const STEP_SECONDS = 30;
/** Steps that a clock may be off, either way (RFC 6238, section 5.2). */
const DRIFT = 1;
/** RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20;
const ISSUER = "Lineup";

/** A new secret, to be shared with an authenticator app. */
export const createTotpSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** What the QR code holds: an `otpauth://` address that authenticator apps read. */
export const enrolmentUri = (secret: Uint8Array, email: string): string =>
  createTOTPKeyURI(ISSUER, email, secret, STEP_SECONDS, DIGITS);

/** The secret as people type it: base32 in groups of four. */
export const secretInGroups = (secret: Uint8Array): string =>
  encodeBase32NoPadding(secret).replace(/.{4}(?=.)/g, "$& ");

/** The number of the 30 seconds in which a moment lies. */
export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / STEP_SECONDS);

/**
 * Which step a code belongs to, if it may be taken now. Of two steps with the same code it is the later one, so that a
 * code which was taken stays taken.
 * @param lastStep the step of the last code that was taken: neither it nor one before it is taken again
 * @returns the step, to be kept as the new `lastStep`; or null
 */
export function matchingStep(secret: Uint8Array, code: string, now: Date, lastStep: number): number | null {
  const current = stepAt(now);
  for (let step = current + DRIFT; step >= current - DRIFT && step > lastStep; step -= 1) {
    if (verifyHOTP(secret, BigInt(step), DIGITS, code)) return step;
  }
  return null;
}
