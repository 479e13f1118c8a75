/** The four agent roles, in the game's order. */
export const ROLES = ["Duelist", "Initiator", "Controller", "Sentinel"] as const;

export type Role = (typeof ROLES)[number];
