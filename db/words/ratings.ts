/**
 * What a rating usually is: the middle that few ratings are drawn to, and where players stand who have none. A guess made
 * before there was anything to measure (docs/decisions/0021-feedback.md says how to see the true mean). It is the default of
 * `profiles.ranking_score`, too.
 */
export const USUAL_RATING = 4;
