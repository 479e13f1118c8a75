/**
 * The players who see whether a player is online: everyone (also on open posts and in the list of online players),
 * people whom the player knows (`knows`), or nobody. Blocked players never see it.
 */
export const PRESENCE_POLICIES = ["everyone", "known", "nobody"] as const;

export type PresencePolicy = (typeof PRESENCE_POLICIES)[number];
