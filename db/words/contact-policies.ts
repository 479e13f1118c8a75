/**
 * The players who may begin a conversation with a player: everyone, those they have met (see `knows`), or nobody.
 * Conversations in which the player has written stay open in any case, and so do the chats of teams and matches.
 */
export const CONTACT_POLICIES = ["everyone", "met", "nobody"] as const;

export type ContactPolicy = (typeof CONTACT_POLICIES)[number];
