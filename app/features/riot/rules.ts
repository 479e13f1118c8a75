import { VERIFICATION_REGIONS, type VerificationRegion } from "~/game/regions";

/** The maximum length of a Riot account's game name, in characters. */
export const MAX_GAME_NAME_LENGTH = 16;
/** The maximum length of a Riot ID as players type it, in characters. */
export const MAX_RIOT_ID_LENGTH = 40;

/**
 * Splits a Riot ID, `Name#TAG`, that a player has typed or pasted into the game name field.
 * @param tagLine the value of the tag field, which is kept if the `#` ends the game name
 * @returns null unless the game name contains exactly one `#`
 */
export function splitRiotId(gameName: unknown, tagLine: unknown): { gameName: string; tagLine: string } | null {
  if (typeof gameName !== "string") return null;
  const [name = "", tag, ...more] = gameName.split("#");
  if (tag === undefined || more.length > 0) return null;
  return { gameName: name.trim(), tagLine: tag.trim() || (typeof tagLine === "string" ? tagLine : "") };
}

/** A Riot account that exists. It says nothing about who owns the account. */
export interface RiotAccountData {
  puuid: string;
  gameName: string;
  tagLine: string;
  region: VerificationRegion;
}

/** The mark beside a player's name about their Riot account. */
export interface VerifiedMark {
  label: string;
  /** An explanation of the mark. */
  title: string;
}

/**
 * Returns the words that say whether a player's Riot account was found at Riot, or proven by Riot Sign-On to be theirs;
 * null if it isn't verified. Pages get the words as data, which keeps them out of the browser's JavaScript.
 */
export function verifiedMark({
  verified,
  riotProven,
}: {
  verified: boolean;
  riotProven: boolean;
}): VerifiedMark | null {
  if (!verified) return null;
  return riotProven ? PROVEN : FOUND;
}

// Shared objects: a page's data contains the same object only once, however often it is used.
const PROVEN: VerifiedMark = { label: "Verified by Riot", title: "Riot has confirmed that this account is theirs" };
const FOUND: VerifiedMark = { label: "Verified", title: "Riot ID found" };

/** Returns the Riot account of a profile; null if it isn't verified. */
export function verifiedAccount(
  profile: { [Name in "riotPuuid" | "riotId" | "riotTagLine" | "riotRegion"]: string | null } | undefined,
): RiotAccountData | null {
  if (!profile?.riotPuuid) return null;
  const { riotPuuid: puuid, riotId, riotTagLine, riotRegion } = profile;
  return {
    puuid,
    gameName: riotId?.replace(/#[^#]*$/, "") ?? "",
    tagLine: riotTagLine ?? "",
    // If the cluster is unknown, any will do: each knows all accounts.
    region: VERIFICATION_REGIONS.find((region) => region === riotRegion) ?? "americas",
  };
}

/**
 * Explains why a Riot account that was found can't be linked to a player.
 * @param isVerified whether the player is already verified with another account
 * @param mustConfirm whether a claim of the player has lapsed because their email address isn't confirmed
 * @param hasSignOn whether Riot Sign-On is configured, in which case the account's owner can prove that it is theirs
 */
export function linkRefusal({
  isVerified,
  mustConfirm,
  hasSignOn,
}: {
  isVerified: boolean;
  mustConfirm: boolean;
  hasSignOn: boolean;
}): string {
  if (mustConfirm) return "You didn't confirm your email within 7 days. Confirm it, then verify again.";
  if (isVerified) return "Your profile is already linked to another Riot account.";
  return `Another player here has this Riot account, so you can't verify it. ${
    hasSignOn
      ? "If it's yours, link it with Riot Sign-On. Otherwise verify another Riot account."
      : "Verify another Riot account."
  }`;
}
