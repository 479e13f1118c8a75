import { encodeBase32NoPadding } from "@oslojs/encoding";
import { createTOTPKeyURI, verifyHOTP } from "@oslojs/otp";

/*
 * Codes of authenticator apps (RFC 6238) with the parameters that all apps support: SHA-1, six digits, 30 seconds.
 */

const DIGITS = 6;
const STEP_SECONDS = 30;
/** The number of steps that a clock may be off, either way (RFC 6238, section 5.2). */
const DRIFT = 1;
/** RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20;
const ISSUER = "Lineup";

/** Creates a secret to be shared with an authenticator app. */
export const createTotpSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** Builds the `otpauth://` URI for the QR code, which authenticator apps read. */
export const enrolmentUri = (secret: Uint8Array, email: string): string =>
  createTOTPKeyURI(ISSUER, email, secret, STEP_SECONDS, DIGITS);

/** Formats the secret for typing: base32 in groups of four. */
export const secretInGroups = (secret: Uint8Array): string =>
  encodeBase32NoPadding(secret).replace(/.{4}(?=.)/g, "$& ");

/** Returns the number of the 30-second step that contains a moment. */
export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / STEP_SECONDS);

/**
 * Finds the step of a code, if it is acceptable now. If two steps have the same code, the later one counts, so that a
 * used code stays used.
 * @param lastStep the step of the last accepted code: codes of this step and of earlier ones are refused
 * @returns the step, to be stored as the new `lastStep`; or null
 */
export function matchingStep(secret: Uint8Array, code: string, now: Date, lastStep: number): number | null {
  const current = stepAt(now);
  for (let step = current + DRIFT; step >= current - DRIFT && step > lastStep; step -= 1) {
    if (verifyHOTP(secret, BigInt(step), DIGITS, code)) return step;
  }
  return null;
}
