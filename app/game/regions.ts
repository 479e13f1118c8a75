/** The regions of profiles and LFG posts. */
export const REGIONS = ["North America", "Europe", "Asia Pacific", "Korea", "Brazil", "Latin America"] as const;

export type Region = (typeof REGIONS)[number];

/**
 * The servers of each region. An account is bound to its region's servers, and all accounts of a party need to be on
 * the same servers. Riot has no machine-readable source; this follows players' guides and clients of the game's API,
 * which map Brazil and Latin America to North America's servers.
 */
const SERVERS: Record<Region, string> = {
  "North America": "na",
  Brazil: "na",
  "Latin America": "na",
  Europe: "eu",
  "Asia Pacific": "ap",
  Korea: "kr",
};

/** Whether players of these two regions can be in the same party. */
export const canPlayTogether = (one: Region, other: Region): boolean => SERVERS[one] === SERVERS[other];

/** The clusters of Riot's account service. Each of them knows all accounts; the nearest one answers fastest. */
export const VERIFICATION_REGIONS = ["americas", "europe", "asia"] as const;

export type VerificationRegion = (typeof VERIFICATION_REGIONS)[number];

/** The names of the clusters as players see them. */
export const VERIFICATION_REGION_LABELS: Record<VerificationRegion, string> = {
  americas: "Americas",
  europe: "Europe",
  asia: "Asia",
};
