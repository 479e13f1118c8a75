export const PRESENCE_STATES = ["online", "away", "offline"] as const;

/**
 * The time after being seen during which a player counts as online now, in milliseconds. The index of open posts counts
 * in slots of this length.
 */
export const SEEN_SLOT = 5 * 60 * 1000;

/**
 * Returns the slot in which a player was seen. It leaves the index's range over time without a further write. Players
 * who are away have none, because their tab is open but unused.
 * @param seenAt milliseconds since 1970
 */
export const seenSlot = (state: (typeof PRESENCE_STATES)[number], seenAt: number): number | null =>
  state === "away" ? null : Math.floor(seenAt / SEEN_SLOT);
