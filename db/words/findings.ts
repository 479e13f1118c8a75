/** The findings of our checks of players' texts: `app/features/flags` has the rules. */
export const FINDINGS = [
  "profanity",
  "userinfo-link",
  "lookalike-link",
  "shortener",
  "new-account-link",
  "reserved-name",
] as const;

export type Finding = (typeof FINDINGS)[number];
