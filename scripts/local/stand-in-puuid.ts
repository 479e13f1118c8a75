import { createHash } from "node:crypto";

/** The length of a PUUID in Riot's description of account-v1. */
export const PUUID_LENGTH = 78;
/**
 * Returns the stand-in's PUUID for a Riot ID. It depends only on name and tag, ignoring case, so that worlds and tests
 * can compute it.
 */
export function standInPuuid(gameName: string, tagLine: string): string {
  return createHash("sha512")
    .update(fold(`${gameName}#${tagLine}`))
    .digest("base64url")
    .slice(0, PUUID_LENGTH);
}

/** Folds a Riot ID to compare it, ignoring case. */
export const fold = (text: string) => text.normalize("NFC").toLowerCase();
