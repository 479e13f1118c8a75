import type { Language } from "#db/words/languages";
import { isShared, type Shareable } from "#db/words/sharing";
import type { Agent } from "~/game/agents";
import { type Rank, rankPosition } from "~/game/ranks";
import type { Region } from "~/game/regions";
import type { Role } from "~/game/roles";
import type { VoiceComms } from "~/game/voice";

/** The parts of a profile that the directory can filter by; a missing one was not filled in. */
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

/** The facet of every listed player. */
export const EVERYONE = "all";
/** The facet of players with a verified Riot account. */
export const VERIFIED = "verified";

/**
 * The facet of a rank, alone or combined with a region, a language or both. Most visitors filter by all three, and with
 * this facet one index applies them together; a range of ranks reads one facet per rank. Stored as
 * `peer:<region>:<language>:<rank>`, with empty parts for the facts that are left out.
 */
export const rankFacet = (rank: Rank, region: Region | null, language: Language | null): string =>
  `peer:${region ?? ""}:${language ?? ""}:${rankPosition(rank)}`;

/**
 * Folds a personality tag for comparison, ignoring case in every alphabet. The result is normalised again, because a
 * lowercase letter may exist as a single character although its capital doesn't: ǰ does, J̌ doesn't.
 */
export const foldTag = (tag: string): string => tag.normalize().toLowerCase().normalize();

/**
 * Returns the facets of a profile, which are its rows of `player_facets`: one for each thing the directory can filter
 * by, and `all`. An unlisted player has none, so that no query has to check for that. Facts that a player keeps private
 * are left out, so that nobody can be found by them.
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
