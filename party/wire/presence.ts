/**
 * A room says at least this often that a player is there: after a longer silence the presence was left by a room that
 * died. Milliseconds.
 */
export const PRESENCE_LAPSES = 10 * 60 * 1000;

export type PresenceState = "online" | "away" | "offline";

/** What is known of whether a player is there. */
export interface SeenPresence {
  state: PresenceState;
  /** Milliseconds since 1970. */
  seenAt: number;
}
