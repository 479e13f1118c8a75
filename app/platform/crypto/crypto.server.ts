import { hmac } from "@oslojs/crypto/hmac";
import { SHA256, sha256 } from "@oslojs/crypto/sha2";
import { constantTimeEqual } from "@oslojs/crypto/subtle";
import { encodeBase64urlNoPadding, encodeHexLowerCase } from "@oslojs/encoding";

const text = new TextEncoder();

/** Creates an opaque token of 160 random bits, safe in URLs and cookies. */
export function createToken(): string {
  return encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(20)));
}

/** Hashes a token for storage: its SHA-256 in hex. Tokens are random, so an unsalted hash is enough. */
export function hashToken(token: string): string {
  return encodeHexLowerCase(sha256(text.encode(token)));
}

/**
 * Signs a value.
 * @returns `value.signature`, the signature being an HMAC-SHA256 under the first secret
 */
export function sign(value: string, secrets: readonly string[]): string {
  return `${value}.${encodeBase64urlNoPadding(signature(value, secrets[0] as string))}`;
}

/**
 * Verifies a signed value.
 * @returns the value, or null if none of the secrets made its signature
 */
export function unsign(signed: string, secrets: readonly string[]): string | null {
  const dot = signed.lastIndexOf(".");
  if (dot < 1) return null;
  const value = signed.slice(0, dot);
  const given = text.encode(signed.slice(dot + 1));
  const valid = secrets.some((secret) =>
    constantTimeEqual(given, text.encode(encodeBase64urlNoPadding(signature(value, secret)))),
  );
  return valid ? value : null;
}

function signature(value: string, secret: string): Uint8Array {
  return hmac(SHA256, text.encode(secret), text.encode(value));
}
