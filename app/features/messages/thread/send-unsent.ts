import { addressOf, outboxOf } from "./outboxes";
import { conversationsWithUnsent, isViewer, unsentMessages } from "./unsent";

/**
 * How long a page counts as new after it has loaded, and how long an older one waits once it can reach the site again,
 * in milliseconds. Meanwhile the browser's other tabs send their own messages. If two tabs sent a message, it would be
 * stored once, but count twice against the limits.
 */
const OTHERS_FIRST = 10_000;

/**
 * Sends all messages that are waiting in this browser, in any conversation of the player. A page that has just loaded
 * sends them at once. One that can reach the site again gives other tabs the time to send their own.
 */
export async function sendUnsent(viewerId: string): Promise<void> {
  if (performance.now() > OTHERS_FIRST) await new Promise((resolve) => setTimeout(resolve, OTHERS_FIRST));
  // The player may have signed out meanwhile.
  if (!isViewer(viewerId)) return;
  for (const conversationId of conversationsWithUnsent(viewerId)) {
    takeOver(viewerId, conversationId);
    const unsent = outboxOf(viewerId, conversationId).messages();
    // Messages that have failed aren't tried again, so no answer would show that their conversation is gone.
    if (unsent.every(({ state }) => state === "failed")) void forgetIfGone(viewerId, conversationId);
  }
}

/** Adds to the conversation's outbox the messages of tabs that have been closed since it was created. */
function takeOver(viewerId: string, conversationId: string): void {
  const kept = unsentMessages(viewerId, conversationId);
  const outbox = outboxOf(viewerId, conversationId);
  const own = outbox.messages().map(({ id }) => id);
  for (const { isFailed, ...message } of kept.list()) {
    if (isFailed || own.includes(message.id)) continue;
    // The outbox stores it again.
    kept.drop([message.id]);
    outbox.send(message);
  }
}

/** Removes a player's unsent messages from this browser if the player can no longer open their conversation. */
async function forgetIfGone(viewerId: string, conversationId: string): Promise<void> {
  const query = new URLSearchParams({ after: String(Number.MAX_SAFE_INTEGER), viewerId });
  try {
    const response = await fetch(`${addressOf(conversationId)}?${query}`);
    const answer = (await response.json()) as object;
    // Only the app answers in JSON; anything between it and the browser might answer 404, too.
    if (response.status !== 404 || !("error" in answer)) return;
  } catch {
    // The browser is offline, or the answer isn't the app's. The next page load asks again.
    return;
  }
  const outbox = outboxOf(viewerId, conversationId);
  outbox.drop(outbox.messages().map(({ id }) => id));
}
