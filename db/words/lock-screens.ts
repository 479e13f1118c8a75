/**
 * The amount of text that a push shows on a locked screen: the sentence and the words below it, the sentence alone
 * (which may name a player), or neither.
 */
export const LOCK_SCREENS = ["text", "name", "nothing"] as const;

export type LockScreen = (typeof LOCK_SCREENS)[number];
