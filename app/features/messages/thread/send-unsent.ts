import { addressOf, outboxOf } from "./outboxes";
import { conversationsWithUnsent, isViewer } from "./unsent";

/**
 * Sends all messages that are waiting in this browser, in any conversation of the player, unless another tab that is
 * still open has yet to send them.
 */
export async function sendUnsent(viewerId: string): Promise<void> {
  // The player may have signed out while this script was loading.
  if (!isViewer(viewerId)) return;
  for (const conversationId of conversationsWithUnsent(viewerId)) {
    const outbox = outboxOf(viewerId, conversationId);
    await outbox.takeOver();
    const unsent = outbox.messages();
    // Messages that have failed aren't tried again, so no answer would show that their conversation is gone.
    const needsAnswer = unsent.length > 0 && unsent.every(({ state }) => state === "failed");
    if (needsAnswer) void forgetIfGone(viewerId, conversationId);
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
