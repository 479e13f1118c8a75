import { timingSafeEqual } from "node:crypto";
import { hmac } from "@oslojs/crypto/hmac";
import { SHA256, sha256 } from "@oslojs/crypto/sha2";
import { encodeBase64urlNoPadding, encodeHexLowerCase } from "@oslojs/encoding";

/*
 * Each page hashes and signs a few short strings. `node:crypto` makes a stream for each, which takes workerd longer
 * than the hash itself (docs/decisions/0077-cheaper-pages.md).
 */

const encoder = new TextEncoder();

/** Creates an opaque token of 160 random bits, safe in URLs and cookies. */
export function createToken(): string {
  return encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(20)));
}

/** Hashes a token for storage: its SHA-256 in hex. Tokens are random, so an unsalted hash is enough. */
export function hashToken(token: string): string {
  return encodeHexLowerCase(sha256(encoder.encode(token)));
}

/**
 * Signs a value.
 * @returns `value.signature`, the signature being an HMAC-SHA256 under the first secret
 */
export function sign(value: string, secrets: readonly string[]): string {
  return `${value}.${signature(value, secrets[0] as string)}`;
}

/**
 * Verifies a signed value.
 * @returns the value, or null if none of the secrets made its signature
 */
export function unsign(signed: string, secrets: readonly string[]): string | null {
  const dot = signed.lastIndexOf(".");
  if (dot < 1) return null;
  const value = signed.slice(0, dot);
  const given = signed.slice(dot + 1);
  return secrets.some((secret) => isSameSecret(signature(value, secret), given)) ? value : null;
}

/**
 * Hashes a value with a key derived from a secret for one purpose. Someone who reads the database can't guess the value
 * by hashing candidates, and hashes for different purposes can't be compared.
 * @returns HMAC-SHA256 in hex
 */
export function keyedHash(secret: string, purpose: string, value: string): string {
  const key = hmac(SHA256, encoder.encode(secret), encoder.encode(`key for ${purpose}`));
  return encodeHexLowerCase(hmac(SHA256, key, encoder.encode(value)));
}

/** Compares two strings in constant time: the duration reveals only whether their lengths are equal. */
export function isSameSecret(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signature(value: string, secret: string): string {
  return encodeBase64urlNoPadding(hmac(SHA256, encoder.encode(secret), encoder.encode(value)));
}
