import { MINUTE } from "~/platform/dates/durations";

/** The number of messages that each of two players must have written for their conversation to count as a meeting. */
export const MET_MESSAGES = 5;
/** The shortest duration of such a conversation, from its first message to its last, in milliseconds. */
export const MET_DURATION = 10 * MINUTE;

/**
 * Returns whether the conversation of two players counts as a meeting. `haveTalked` in `shared/met.server.ts` is the
 * same rule in SQL, but counts only a conversation's first 200 messages.
 * @param messages messages of the conversation of the two, in any order; `createdAt` in milliseconds since 1970
 */
export function haveMetByTalking(
  messages: readonly { senderId: string | null; createdAt: number }[],
  viewerId: string,
): boolean {
  const own = messages.filter(({ senderId }) => senderId === viewerId).length;
  const theirs = messages.filter(({ senderId }) => senderId !== null && senderId !== viewerId).length;
  const times = messages.map(({ createdAt }) => createdAt);
  return own >= MET_MESSAGES && theirs >= MET_MESSAGES && Math.max(...times) - Math.min(...times) >= MET_DURATION;
}
