import { createHmac } from "node:crypto";

/**
 * Hashes a recovery code for storage. From a plain hash in a stolen table, its 50 bits could be guessed. The hash is
 * therefore keyed with the secret that the player's authenticator shares with us, which is encrypted at rest. This key
 * also binds the codes to their player and to this enrolment, and stays the same when the encryption key changes.
 * @param secret of the player's authenticator
 * @param code as `readRecoveryCode` returns it
 */
export function hashRecoveryCode(secret: Uint8Array, userId: string, code: string): string {
  return createHmac("sha256", secret).update(`recovery code:${userId}:${code}`).digest("hex");
}
