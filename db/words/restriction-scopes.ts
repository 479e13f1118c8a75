/** The actions that a limited player can't take until the limit ends. */
export const RESTRICTION_SCOPES = ["posting", "messaging", "hosting", "joining"] as const;

export type RestrictionScope = (typeof RESTRICTION_SCOPES)[number];
