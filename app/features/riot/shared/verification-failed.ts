/** The title of the toast of a refused verification. Apart from `rules.ts`, which every page of the dashboard loads. */
export const VERIFICATION_FAILED = "Verification failed";
