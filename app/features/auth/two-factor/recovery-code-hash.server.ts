import { createHmac } from "node:crypto";

/**
 * Hashes a recovery code for storage. If the table were stolen, a plain hash wouldn't protect the code's 50 bits from
 * guessing. So the hash is keyed with the secret that the authenticator shares with us, encrypted at rest. This key
 * also binds the codes to their player and to this enrolment, and stays the same when the encryption key changes.
 * @param secret of the player's authenticator
 * @param code as `readRecoveryCode` returns it
 */
export function hashRecoveryCode(secret: Uint8Array, userId: string, code: string): string {
  return createHmac("sha256", secret).update(`recovery code:${userId}:${code}`).digest("hex");
}
