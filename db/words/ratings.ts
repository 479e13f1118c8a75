/**
 * The usual rating. The fewer ratings a player has, the more their ranking score is pulled towards it, and players
 * without ratings rank by it. The value is a guess, made before there was data (docs/operations.md says how to see the
 * true mean). It is also the default of `profiles.ranking_score`.
 */
export const USUAL_RATING = 4;
