import { hmac } from "@oslojs/crypto/hmac";
import { SHA256 } from "@oslojs/crypto/sha2";
import { encodeHexLowerCase } from "@oslojs/encoding";

/** How many codes a player gets at a time. */
export const RECOVERY_CODES = 10;
/** Crockford's base32: no letter that looks like a digit, and no U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/** New codes of 50 random bits each, as they are shown: `7K2M9-QX4TB`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
    // 256 is a multiple of 32, so every letter is as likely as another.
    return showRecoveryCode([...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join(""));
  });
}

/** A code as it is shown, of its ten characters. */
export const showRecoveryCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/**
 * Reads a recovery code as people write it: in any case, with or without dash and spaces, O for 0 and I or L for 1.
 * @returns its ten characters, or null when it can't be one
 */
export function readRecoveryCode(text: string): string | null {
  const code = text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Dash}]/gu, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
  const isCode = code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter));
  return isCode ? code : null;
}

/**
 * What the database keeps of a recovery code. 50 bits alone could be found by trying, were the table stolen; so the key
 * is the secret that the player's authenticator shares with us, which is encrypted at rest. It also binds the codes to
 * their player and to this very enrolment, and survives a change of the encryption key.
 * @param secret of the player's authenticator
 * @param code as `readRecoveryCode` gives it
 */
export function hashRecoveryCode(secret: Uint8Array, userId: string, code: string): string {
  return encodeHexLowerCase(hmac(SHA256, secret, new TextEncoder().encode(`recovery code:${userId}:${code}`)));
}
