import type { RequestContext } from "../context";
import type { SessionClaim } from "../session/viewer";
import { settleAll } from "../settle-all";

/*
 * Calls from routes to rooms, after a change has been stored. They run after the response, so a failing room doesn't
 * make a request fail; pages load missed messages from the database.
 */

/** Delays before the retries of a call that never reached its room, in milliseconds. */
const RETRY_DELAYS = [100, 500];

/** The part of a request's context that is needed to call rooms. */
export type RoomCaller = Pick<RequestContext, "env" | "defer">;

/** Closes the sockets of an ended session, in the player's inbox and in all conversations. */
export function closeSession(
  { env, defer }: RoomCaller,
  { userId, sessionId }: Pick<SessionClaim, "userId" | "sessionId">,
): void {
  defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).closeSession(sessionId)));
}

/** Closes the sockets of several sessions of one player, in one call. */
export function closeSessions({ env, defer }: RoomCaller, userId: string, sessionIds: readonly string[]): void {
  if (sessionIds.length === 0) return;
  defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).closeSessions([...sessionIds])));
}

/**
 * Does some work and everything that it defers, immediately instead of after the response. If a part fails, the others
 * are still done.
 * @param work receives the `defer` to use in place of the request's
 * @throws the error of the first part that failed, so that the caller can try again later
 */
export async function doAtOnce(work: (defer: RoomCaller["defer"]) => unknown): Promise<void> {
  const deferred: Parameters<RoomCaller["defer"]>[0][] = [async () => work((call) => void deferred.push(call))];
  const begun: Promise<unknown>[] = [];
  // Deferred work may defer more work.
  while (deferred.length > 0) {
    begun.push(...deferred.splice(0).map((call) => call()));
    await Promise.allSettled(begun);
  }
  await settleAll(begun);
}

/**
 * Closes the sockets of all of a player's sessions that have ended. The player's room looks up which ones those are.
 */
export function checkSessions({ env, defer }: RoomCaller, userId: string): void {
  defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).checkSessions()));
}

/** Calls a room, and retries if the platform marks the error as retryable. Room calls are idempotent. */
export async function callRoom<T>(work: () => Promise<T>): Promise<T> {
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
