/** The findings of our checks of players' texts: `app/features/flags` has the rules. */
export const FINDINGS = ["profanity", "userinfo-link", "lookalike-link", "shortener", "new-account-link"] as const;

export type Finding = (typeof FINDINGS)[number];
