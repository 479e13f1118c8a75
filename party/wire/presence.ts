/**
 * The longest time between two publications of a lasting presence, in milliseconds. An older presence was left behind
 * by a room that stopped without publishing. Ten minutes, written out because this rung may not import the app's
 * durations.
 */
export const PRESENCE_LAPSES = 10 * 60 * 1000;

export type PresenceState = "online" | "away" | "offline";

/** A player's presence as last published. */
export interface SeenPresence {
  state: PresenceState;
  /** Milliseconds since 1970. */
  seenAt: number;
}
