// `common-passwords.json` lists the 2 000 most common passwords of at least 6 characters. Source: zxcvbn-ts,
// @zxcvbn-ts/language-common (MIT).

import { MIN_PASSWORD_LENGTH } from "../rules";
import commonPasswords from "./common-passwords.json";

let common: Set<string> | undefined;

/**
 * Explains why a password is too weak, with the reasons that the specification lists for `weak_password`.
 * @param email the account's address, which must not be the password
 * @returns a sentence, or null if the password is acceptable
 */
export function passwordWeakness(password: string, email = ""): string | null {
  if (password.length < MIN_PASSWORD_LENGTH) return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  const lower = password.toLowerCase();
  common ??= new Set(commonPasswords);
  if (common.has(lower)) return "Too common and easy to guess. Pick another.";
  if (new Set(lower).size === 1) return "Don't just repeat one character. Pick another.";
  if (email && (lower === email.toLowerCase() || lower === email.toLowerCase().split("@")[0])) {
    return "Don't use your email address. Pick another.";
  }
  return null;
}
