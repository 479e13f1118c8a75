/**
 * The players who see whether a player is online: everyone (on open posts, too, and among those who are online), those
 * whom the player knows (`knows`), or nobody. It never shows across a block.
 */
export const PRESENCE_POLICIES = ["everyone", "known", "nobody"] as const;

export type PresencePolicy = (typeof PRESENCE_POLICIES)[number];
