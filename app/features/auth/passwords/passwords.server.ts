import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import { createWorkQueue } from "~/platform/limits/turns.server";

/** OWASP's parameters for scrypt with 16 MiB of memory. `scrypt` runs natively in workerd. */
const PARAMETERS = { N: 2 ** 14, r: 8, p: 5 };
const KEY_LENGTH = 32;
const MAX_MEMORY = 64 * 1024 * 1024;

/**
 * Hashes a password.
 * @returns `scrypt$N$r$p$salt$hash`, salt and hash in base64url
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, PARAMETERS);
  const { N, r, p } = PARAMETERS;
  return ["scrypt", N, r, p, encodeBase64urlNoPadding(salt), encodeBase64urlNoPadding(hash)].join("$");
}

/**
 * Checks a password against a stored hash. Without a hash (an unknown account, or one without a password) it does the
 * same work, so that the time doesn't reveal which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const isHash = stored?.startsWith("scrypt$") ?? false;
  const [, N, r, p, salt, hash] = (isHash ? (stored as string) : NO_HASH).split("$");
  const expected = decodeBase64urlIgnorePadding(hash as string);
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(password, decodeBase64urlIgnorePadding(salt as string), options);
  return timingSafeEqual(actual, expected) && isHash;
}

/** A hash that matches no password, with the current parameters. */
const NO_HASH = `scrypt$${PARAMETERS.N}$${PARAMETERS.r}$${PARAMETERS.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Hashing blocks the whole isolate for 0.3 s. The queue leaves time between two hashes for other requests. */
const inTurn = createWorkQueue({ concurrency: 1, maxWaiting: 10, maxWait: 15_000 });

/** Derives a key. @throws BusyError if too many passwords are waiting to be hashed, or this one has waited too long */
function derive(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  const hash = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(password.normalize("NFKC"), salt, KEY_LENGTH, { ...options, maxmem: MAX_MEMORY }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  return inTurn(hash);
}
