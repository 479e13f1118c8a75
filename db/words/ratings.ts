/**
 * The usual rating: few ratings are pulled towards it, and players without ratings rank by it. The value is a guess,
 * made before there was data (docs/decisions/0021-feedback.md says how to measure the true mean). It is also the
 * default of `profiles.ranking_score`.
 */
export const USUAL_RATING = 4;
