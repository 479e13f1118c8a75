import { createHmac } from "node:crypto";

/**
 * Hashes a recovery code for storage. Its 50 bits alone could be guessed from a stolen table, so the key is the secret
 * that the player's authenticator shares with us, which is encrypted at rest. It also binds the codes to their player and
 * to this very enrolment, and survives a change of the encryption key.
 * @param secret of the player's authenticator
 * @param code as `readRecoveryCode` gives it
 */
export function hashRecoveryCode(secret: Uint8Array, userId: string, code: string): string {
  return createHmac("sha256", secret).update(`recovery code:${userId}:${code}`).digest("hex");
}
