/**
 * The lifetime of a published presence, in milliseconds. Rooms republish it before that. An older one was left behind
 * by a room that stopped without publishing. Ten minutes, written out because this folder may not import the app's
 * durations.
 */
export const PRESENCE_LIFETIME = 10 * 60 * 1000;

export type PresenceState = "online" | "away" | "offline";

/** A player's presence as last published. */
export interface SeenPresence {
  state: PresenceState;
  /** Milliseconds since 1970. */
  seenAt: number;
}
