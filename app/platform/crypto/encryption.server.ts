import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import { hashToken } from "./crypto.server";

const IV_BYTES = 12;
const text = new TextEncoder();

/**
 * Encrypts a short text for the database (AES-256-GCM).
 * @param keys the setting `ENCRYPTION_KEY`: the first one encrypts
 * @param owner the owner's id, bound to the ciphertext so that it can't be decrypted in another owner's row
 * @returns `key id.iv.ciphertext`, in base64url
 */
export async function encrypt(keys: readonly string[], plaintext: string, owner: string): Promise<string> {
  const key = keys[0] as string;
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const data = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: text.encode(owner) },
    await importKey(key),
    text.encode(plaintext),
  );
  return [keyId(key), encodeBase64urlNoPadding(iv), encodeBase64urlNoPadding(new Uint8Array(data))].join(".");
}

/**
 * Decrypts a text from `encrypt`, with the same key that encrypted it.
 * @returns the text, and whether to encrypt it again because its key is being replaced
 * @throws Error if no key fits, or the text belongs to another owner or was changed
 */
export async function decrypt(
  keys: readonly string[],
  encrypted: string,
  owner: string,
): Promise<{ plaintext: string; outdated: boolean }> {
  const [id, iv, data] = encrypted.split(".");
  const key = keys.find((candidate) => keyId(candidate) === id);
  if (!key || !iv || !data) throw new Error("No ENCRYPTION_KEY fits what is stored.");
  const plaintext = await crypto.subtle.decrypt(
    {
      name: "AES-GCM",
      iv: decodeBase64urlIgnorePadding(iv) as Uint8Array<ArrayBuffer>,
      additionalData: text.encode(owner),
    },
    await importKey(key),
    decodeBase64urlIgnorePadding(data) as Uint8Array<ArrayBuffer>,
  );
  return { plaintext: new TextDecoder().decode(plaintext), outdated: key !== keys[0] };
}

/** Identifies a key without revealing it. */
const keyId = (key: string) => hashToken(`key id:${key}`).slice(0, 8);

/** The setting is a text of any length, from which HKDF derives the key. */
async function importKey(key: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", text.encode(key), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: text.encode("lineup encryption") },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
