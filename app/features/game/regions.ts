/** Where a player plays: the regions of profiles and LFG posts. */
export const REGIONS = ["North America", "Europe", "Asia Pacific", "Korea", "Brazil", "Latin America"] as const;

export type Region = (typeof REGIONS)[number];

/** The clusters of Riot's account service; any account can be asked of any of them, the nearest answers fastest. */
export const VERIFICATION_REGIONS = ["americas", "europe", "asia"] as const;

export type VerificationRegion = (typeof VERIFICATION_REGIONS)[number];
