import { USUAL_RATING } from "#db/words/ratings";

/** The usual rating weighs as much as this many ratings of players. */
export const USUAL_WEIGHT = 5;

/**
 * What players are sorted by: the mean of their ratings as if a few usual ones had been among them (a Bayesian mean), so
 * that one rating of five stars does not come before a hundred that are nearly as good. Nobody sees this number.
 * @param count how many ratings
 * @param sum of their stars
 */
export const rankingScore = (count: number, sum: number): number =>
  (USUAL_WEIGHT * USUAL_RATING + sum) / (USUAL_WEIGHT + count);
