/** Where a player plays: the regions of profiles and LFG posts. */
export const REGIONS = ["North America", "Europe", "Asia Pacific", "Korea", "Brazil", "Latin America"] as const;

export type Region = (typeof REGIONS)[number];

/**
 * The servers that each region plays on. An account is bound to its own, and only accounts of the same servers can be in one
 * party. From secondary sources, as Riot has no machine-readable one: players' guides, and clients of the game's API, which
 * map Brazil and Latin America to North America's.
 */
const SERVERS: Record<Region, string> = {
  "North America": "na",
  Brazil: "na",
  "Latin America": "na",
  Europe: "eu",
  "Asia Pacific": "ap",
  Korea: "kr",
};

/** Whether players of these two regions can be in one party at all. */
export const canMeet = (one: Region, other: Region): boolean => SERVERS[one] === SERVERS[other];

/** The clusters of Riot's account service; any account can be asked of any of them, the nearest answers fastest. */
export const VERIFICATION_REGIONS = ["americas", "europe", "asia"] as const;

export type VerificationRegion = (typeof VERIFICATION_REGIONS)[number];

/** Their names as players read them. */
export const VERIFICATION_REGION_LABELS: Record<VerificationRegion, string> = {
  americas: "Americas",
  europe: "Europe",
  asia: "Asia",
};
