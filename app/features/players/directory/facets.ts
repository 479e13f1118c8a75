import type { Language } from "#db/words/languages";
import { isShared, type Shareable } from "#db/words/sharing";
import type { Agent } from "~/game/agents";
import { type Rank, rankPosition } from "~/game/ranks";
import type { Region } from "~/game/regions";
import type { Role } from "~/game/roles";
import type { VoiceComms } from "~/game/voice";

/** What the directory can be asked for of one player; what is absent was not said. */
interface FacetedProfile {
  isListed?: boolean | undefined;
  riotVerifiedAt?: Date | null | undefined;
  preferredRole?: Role | null | undefined;
  region?: Region | null | undefined;
  currentRank?: Rank | null | undefined;
  voiceCommsPreference?: VoiceComms | null | undefined;
  mainAgents?: readonly Agent[] | null | undefined;
  personalityTags?: readonly string[] | null | undefined;
  languages?: readonly Language[] | null | undefined;
  shares?: readonly Shareable[] | null | undefined;
}

/** Whoever the directory names has it. */
export const EVERYONE = "all";
/** Has a Riot ID that was found at Riot. */
export const VERIFIED = "verified";

/**
 * Holds a rank; also of one region, or speaking one language, or both. A range of ranks is several of these, walked together,
 * so that those facets narrow the list by what most of its visitors ask for.
 */
export const rankFacet = (rank: Rank, region: Region | null, language: Language | null): string =>
  `peer:${region ?? ""}:${language ?? ""}:${rankPosition(rank)}`;

/** A personality tag as it is compared: every alphabet's capitals are equal. Normal again at the end: J̌ has no letter of its own, ǰ has. */
export const foldTag = (tag: string): string => tag.normalize().toLowerCase().normalize();

/**
 * The rows of `player_facets` that a profile has: one for each thing the directory can be filtered by, and `all`. Whoever
 * is not listed has none, so that no query has to look; and nobody is found by what they keep to themselves.
 */
export function facetsOf(profile: FacetedProfile): string[] {
  const { isListed = true, riotVerifiedAt, preferredRole, region, currentRank, voiceCommsPreference } = profile;
  if (!isListed) return [];
  const languages = (isShared(profile.shares ?? null, "languages") && profile.languages) || [];
  return [
    EVERYONE,
    ...(riotVerifiedAt ? [VERIFIED] : []),
    ...(preferredRole ? [`role:${preferredRole}`] : []),
    ...(region ? [`region:${region}`] : []),
    ...(voiceCommsPreference ? [`voice:${voiceCommsPreference}`] : []),
    ...(profile.mainAgents ?? []).map((agent) => `agent:${agent}`),
    ...new Set((profile.personalityTags ?? []).map((tag) => `tag:${foldTag(tag)}`)),
    ...languages.map((language) => `language:${language}`),
    ...(currentRank ? rankFacets(currentRank, region ?? null, languages) : []),
  ];
}

const rankFacets = (rank: Rank, region: Region | null, languages: readonly Language[]): string[] =>
  [null, ...(region ? [region] : [])].flatMap((place) =>
    [null, ...languages].map((language) => rankFacet(rank, place, language)),
  );
