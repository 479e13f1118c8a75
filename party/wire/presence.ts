/**
 * A room says at least this often that a player is there: after a longer silence the presence was left by a room that
 * died. Milliseconds.
 */
export const PRESENCE_LAPSES = 10 * 60 * 1000;
