/**
 * The title of the toast shown when a verification is refused. Kept out of `rules.ts`, which every dashboard page
 * loads.
 */
export const VERIFICATION_FAILED = "Verification failed";
