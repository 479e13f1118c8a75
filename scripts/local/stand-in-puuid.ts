import { createHash } from "node:crypto";

/** A PUUID has this many characters, as Riot describes its account-v1. */
export const PUUID_LENGTH = 78;
/**
 * The PUUID that the stand-in gives a Riot ID: it depends on name and tag only, in any case of letters, so that the
 * worlds and the tests know it beforehand.
 */
export function standInPuuid(gameName: string, tagLine: string): string {
  return createHash("sha512")
    .update(fold(`${gameName}#${tagLine}`))
    .digest("base64url")
    .slice(0, PUUID_LENGTH);
}

/** A Riot ID as the stand-in compares it: in any case of letters. */
export const fold = (text: string) => text.normalize("NFC").toLowerCase();
