export const PRESENCE_STATES = ["online", "away", "offline"] as const;

/**
 * The time for which a player counts as online after they were last seen, in milliseconds. The index of open posts
 * divides time into slots of this length.
 */
export const SEEN_SLOT = 5 * 60 * 1000;

/**
 * Returns the number of the slot in which a player was last seen. The filter for online authors reads only the latest
 * slots, so that an author drops out of it without another write. Players who are away have no slot, because their tab
 * is open but unused.
 * @param seenAt milliseconds since 1970
 */
export const seenSlot = (state: (typeof PRESENCE_STATES)[number], seenAt: number): number | null =>
  state === "away" ? null : Math.floor(seenAt / SEEN_SLOT);
