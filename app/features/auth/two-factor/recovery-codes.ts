/** The number of codes in a set. */
export const RECOVERY_CODE_COUNT = 10;
/** Crockford's base32: no letter that looks like a digit, and no U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 10;

/** Creates recovery codes of 50 random bits each, formatted: `7K2M9-QX4TB`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
    // 256 is a multiple of 32, so all letters are equally likely.
    return formatRecoveryCode([...bytes].map((byte) => ALPHABET[byte % ALPHABET.length]).join(""));
  });
}

/** Formats the ten characters of a code. */
export const formatRecoveryCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Removes the spaces and dashes that people put between a code's characters, and narrows full-width characters. */
export const withoutSeparators = (text: string): string => text.normalize("NFKC").replace(/[\s\p{Dash}]/gu, "");

/**
 * Reads a recovery code as people write it: in any case, with or without dash and spaces, O for 0 and I or L for 1.
 * @returns its ten characters, or null if it can't be one
 */
export function readRecoveryCode(text: string): string | null {
  const code = withoutSeparators(text).toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  const isCode = code.length === LENGTH && [...code].every((letter) => ALPHABET.includes(letter));
  return isCode ? code : null;
}
