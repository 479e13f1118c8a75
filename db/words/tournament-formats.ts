/** The tournament formats, by their names in `brackets-manager`. */
export const FORMATS = ["single_elimination", "double_elimination", "round_robin"] as const;

export type Format = (typeof FORMATS)[number];

/** Whether a single elimination has a match for third place; `automatic`: if enough teams start. */
export const THIRD_PLACE = ["automatic", "yes", "no"] as const;

export type ThirdPlace = (typeof THIRD_PLACE)[number];

/**
 * The grand final of a double elimination: one match; one match that the winners' side starts one map up; or a second
 * match if the losers' side wins the first.
 */
export const GRAND_FINALS = ["single", "advantage", "reset"] as const;

export type GrandFinal = (typeof GRAND_FINALS)[number];
