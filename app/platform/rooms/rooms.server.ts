import type { RequestContext } from "../context";
import type { SessionClaim } from "../session/viewer";

/*
 * Messages from routes to the rooms once something is stored. Everything goes out after the response, and a room that fails
 * fails no request: whoever missed something finds it in the database.
 */

/** Waits between the tries of a call that never reached its room, in milliseconds. */
const RETRY_DELAYS = [100, 500];

/** The part of a request's context that it takes to tell rooms something. */
export type Teller = Pick<RequestContext, "env" | "defer">;

/** Closes the sockets of a session that has ended, in the player's inbox and in all conversations. */
export function closeSession(
  { env, defer }: Teller,
  { userId, sessionId }: Pick<SessionClaim, "userId" | "sessionId">,
): void {
  defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).closeSession(sessionId)));
}

/** The same for several sessions of one player, in one call. */
export function closeSessions({ env, defer }: Teller, userId: string, sessionIds: readonly string[]): void {
  if (sessionIds.length === 0) return;
  defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).closeSessions([...sessionIds])));
}

/** Calls a room, again where the platform says that the call may be repeated. Rooms take the same word twice. */
export async function callRoom(work: () => Promise<void>): Promise<void> {
  for (const delay of RETRY_DELAYS) {
    try {
      return await work();
    } catch (error) {
      if (!(error as { retryable?: boolean }).retryable) throw error;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return work();
}
