/** The four agent roles, in the order the game shows them. */
export const ROLES = ["Duelist", "Initiator", "Controller", "Sentinel"] as const;

export type Role = (typeof ROLES)[number];
