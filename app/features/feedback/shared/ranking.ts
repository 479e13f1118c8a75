import { USUAL_RATING } from "#db/words/ratings";

/** The weight of `USUAL_RATING`, as a number of ratings. */
export const USUAL_WEIGHT = 5;

/**
 * Returns the score for sorting players: the mean of their ratings and a few average ones (a Bayesian mean), so that a
 * single five-star rating doesn't rank above a hundred that are nearly as good. It is never displayed.
 * @param count the number of ratings
 * @param sum the sum of their stars
 */
export const rankingScore = (count: number, sum: number): number =>
  (USUAL_WEIGHT * USUAL_RATING + sum) / (USUAL_WEIGHT + count);
