import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import { hashToken } from "./crypto.server";

/*
 * Uses `node:crypto`, because it doesn't return promises: a statement that stores an encrypted value has to be built in
 * the same macrotask as the statements that share its round trip.
 */

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const encoder = new TextEncoder();

/**
 * Encrypts a text for the database (AES-256-GCM).
 * @param keys the setting `ENCRYPTION_KEY`: the first one encrypts
 * @param owner the owner's id, bound to the ciphertext so that it can't be decrypted in another owner's row
 * @returns `key id.iv.ciphertext`, in base64url
 */
export function encrypt(keys: readonly string[], plaintext: string, owner: string): string {
  const key = keys[0] as string;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const cipher = createCipheriv(CIPHER, deriveKey(key), iv).setAAD(encoder.encode(owner));
  const data = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [keyId(key), base64url(iv), base64url(data)].join(".");
}

/** Whether a text comes from `encrypt`: for columns that may also hold texts that were never encrypted. */
export const isEncrypted = (stored: string): boolean => /^[\da-f]{8}\.[\w-]{16}\.[\w-]+$/.test(stored);

/**
 * Decrypts a text from `encrypt`, with the same key that encrypted it.
 * @returns the text, and whether to encrypt it again because its key is being replaced
 * @throws Error if no key fits, or the text belongs to another owner or was changed
 */
export function decrypt(
  keys: readonly string[],
  encrypted: string,
  owner: string,
): { plaintext: string; outdated: boolean } {
  const [id, iv, data = ""] = encrypted.split(".");
  const key = keys.find((candidate) => keyId(candidate) === id);
  const bytes = Buffer.from(data, "base64url");
  // Shorter tags, which are easier to forge, would also be accepted.
  if (!key || !iv || bytes.length < TAG_BYTES) throw new Error("No ENCRYPTION_KEY fits what is stored.");
  const decipher = createDecipheriv(CIPHER, deriveKey(key), Buffer.from(iv, "base64url"))
    .setAAD(encoder.encode(owner))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const plaintext = decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  return { plaintext, outdated: key !== keys[0] };
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** Identifies a key without revealing it. */
const keyId = (key: string) => hashToken(`key id:${key}`).slice(0, 8);

/** The setting is a string of any length, from which HKDF derives the key. */
const deriveKey = (key: string) =>
  new Uint8Array(hkdfSync("sha256", encoder.encode(key), new Uint8Array(), encoder.encode("lineup encryption"), 32));
