import { addressOf, outboxOf } from "./outboxes";
import { conversationsWithUnsent, isViewer, unsentMessages } from "./unsent";

/** The highest place that an address takes (`parseSeq`): no message comes after it. */
const LAST = "999999999999";

/**
 * Sends all messages that are waiting in this browser, in any conversation of the player. Those that another open tab
 * has yet to send wait for that tab to be closed.
 */
export function sendUnsent(viewerId: string): void {
  // The player may have signed out while this script was loading.
  if (!isViewer(viewerId)) return;
  for (const conversationId of conversationsWithUnsent(viewerId)) {
    outboxOf(viewerId, conversationId).takeOver();
    // Messages that have failed aren't tried again, so no response would show that their conversation is gone.
    const isWaiting = unsentMessages(viewerId, conversationId)
      .list()
      .some(({ isFailed }) => !isFailed);
    if (!isWaiting) void forgetIfGone(viewerId, conversationId);
  }
}

/** Removes a player's unsent messages from this browser if the player can no longer open their conversation. */
async function forgetIfGone(viewerId: string, conversationId: string): Promise<void> {
  const query = new URLSearchParams({ after: LAST, viewerId });
  try {
    const response = await fetch(`${addressOf(conversationId)}?${query}`);
    const answer = (await response.json()) as object;
    // Only the app responds with JSON; anything between it and the browser might also respond with a 404.
    if (response.status !== 404 || !("error" in answer)) return;
  } catch {
    // The browser is offline, or the response isn't the app's. The next page load asks again.
    return;
  }
  const outbox = outboxOf(viewerId, conversationId);
  outbox.drop(outbox.messages().map(({ id }) => id));
}
