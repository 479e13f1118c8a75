import type { joinRequests } from "#db/schema";

/** A request to join says at most so many characters. */
export const MAX_NOTE_LENGTH = 200;
/** How long a team is taken to play after its last spot was filled, in milliseconds. */
export const SESSION_LENGTH = 2 * 60 * 60 * 1000;

export type JoinState = typeof joinRequests.$inferSelect.state;

/**
 * In these states a player may ask a post again: they took the request back, left by themselves, or got no answer before
 * the team was full or the post ended. Whom the author has declined or removed may not: once no is no.
 */
export const RENEWABLE = ["withdrawn", "left", "lapsed"] as const satisfies readonly JoinState[];

/** Whether a player may ask to join, as far as what they asked before goes; null when that is nothing. */
export const mayAsk = (before: JoinState | null): boolean =>
  before === null || (RENEWABLE as readonly JoinState[]).includes(before);
