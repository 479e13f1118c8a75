/** The orders that a host can choose from, the usual one first. The steps that an order leaves out follow. */
export const TIE_BREAKS = [
  "head-to-head,map-difference,round-difference",
  "head-to-head,round-difference,map-difference",
  "map-difference,head-to-head,round-difference",
  "map-difference,round-difference,head-to-head",
  "round-difference,head-to-head,map-difference",
  "round-difference,map-difference,head-to-head",
] as const;

/**
 * A tournament's tie-breaks. `legacy` is what tournaments keep that began before there was a choice: rounds and forfeited
 * matches count nothing, and play-offs are seeded by the groups' letters.
 */
export type TieBreaks = (typeof TIE_BREAKS)[number] | "legacy";

/** What decides where teams are equal in everything, and the title or a place in the play-offs depends on it. */
export const LAST_TIE_BREAKS = ["match", "draw"] as const;

export type LastTieBreak = (typeof LAST_TIE_BREAKS)[number];

/** The order of a tournament whose host has not chosen one. */
export const DEFAULT_TIE_BREAKS = TIE_BREAKS[0];
