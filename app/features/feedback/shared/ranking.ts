import { USUAL_RATING } from "#db/words/ratings";

/** The weight of `USUAL_RATING`: it counts as much as the ratings of this many players. */
export const USUAL_WEIGHT = 5;

/**
 * The score by which players are sorted: the mean of their ratings with a few average ones added (a Bayesian mean), so
 * that a single rating of five stars doesn't rank above a hundred nearly as good. It is never displayed.
 * @param count the number of ratings
 * @param sum the sum of their stars
 */
export const rankingScore = (count: number, sum: number): number =>
  (USUAL_WEIGHT * USUAL_RATING + sum) / (USUAL_WEIGHT + count);
