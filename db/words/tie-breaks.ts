/**
 * The tie-break orders that a host can choose from, the default first. `stepsOf` adds the steps that an order doesn't
 * name: forfeits before it, maps won and rounds won after it.
 */
export const TIE_BREAKS = [
  "head-to-head,map-difference,round-difference",
  "head-to-head,round-difference,map-difference",
  "map-difference,head-to-head,round-difference",
  "map-difference,round-difference,head-to-head",
  "round-difference,head-to-head,map-difference",
  "round-difference,map-difference,head-to-head",
] as const;

/**
 * A tournament's tie-breaks. Tournaments that predate the choice keep `legacy`: rounds don't count, no maps
 * count in forfeited matches, and play-offs are seeded by the groups' letters.
 */
export type TieBreaks = (typeof TIE_BREAKS)[number] | "legacy";

/** The last resorts for teams that are equal in every step, if the title or a play-off place depends on their order. */
export const LAST_TIE_BREAKS = ["match", "draw"] as const;

export type LastTieBreak = (typeof LAST_TIE_BREAKS)[number];

/** The order of a tournament whose host has not chosen one. */
export const DEFAULT_TIE_BREAKS = TIE_BREAKS[0];
