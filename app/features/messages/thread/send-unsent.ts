import { addressOf, outboxOf } from "./outboxes";
import { conversationsWithUnsent } from "./unsent";

/** Sends all messages that are waiting in this browser, in any conversation of the player. */
export function sendUnsent(viewerId: string): void {
  for (const conversationId of conversationsWithUnsent(viewerId)) {
    const unsent = outboxOf(viewerId, conversationId).messages();
    // Messages that have failed aren't tried again, so no answer would show that their conversation is gone.
    if (unsent.every(({ state }) => state === "failed")) void forgetIfGone(viewerId, conversationId);
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
