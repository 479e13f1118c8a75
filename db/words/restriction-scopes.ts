/** The actions that a limit can forbid until it ends. */
export const RESTRICTION_SCOPES = ["posting", "messaging", "hosting", "joining"] as const;

export type RestrictionScope = (typeof RESTRICTION_SCOPES)[number];
