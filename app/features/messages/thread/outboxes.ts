import { checkConnection, whenOnline } from "~/platform/network";
import { showToast } from "~/ui/toasts/use-toasts";
import { type ThreadMessage, UNEXPLAINED } from "../rules";
import { createOutbox, type Outbox, type Release, type Verdict } from "./outbox";
import { type UnsentMessage, unsentMessages } from "./unsent";

const SEND_TIMEOUT = 10_000;

/** The address of a conversation's messages. */
export const addressOf = (conversationId: string) => `/conversations/${conversationId}/messages`;

async function post(senderId: string, conversationId: string, { id, content }: UnsentMessage): Promise<Verdict> {
  try {
    const response = await fetch(addressOf(conversationId), {
      method: "POST",
      body: new URLSearchParams({ id, message: content, senderId }),
      signal: AbortSignal.timeout(SEND_TIMEOUT),
    });
    if (response.status >= 500) return "no-answer";
    const answer = (await response.json()) as { message?: ThreadMessage; error?: string };
    if (answer.message) return { message: answer.message };
    return { error: answer.error ?? UNEXPLAINED, isGone: response.status === 404 };
  } catch {
    // Offline, cut off, or too slow: the message may have arrived, and repeating it is safe.
    return "no-answer";
  }
}

/**
 * Claims a message with a lock, which is released when the page is left: otherwise a browser may keep the page for its
 * Back button, with its locks and its place in their queues.
 * @throws if the browser lacks locks, or refuses them
 */
const claim = (id: string) =>
  new Promise<Release>((resolve, reject) => {
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener("pagehide", () => leaving.abort(), { once: true });
    const hold = () =>
      new Promise<void>((release) => {
        signal.addEventListener("abort", () => release());
        resolve(release);
      });
    navigator.locks.request(`lineup:unsent:${id}`, { signal }, hold).catch((error) => {
      if (!signal.aborted) reject(error);
      else addEventListener("pageshow", () => claim(id).then(resolve, reject), { once: true });
    });
  });

/** The outboxes of this page, by player and conversation. They go on sending after the player leaves the thread. */
const outboxes = new Map<string, Outbox>();

/** Finds the outbox, or creates it. A new one starts sending the messages that are waiting in this browser. */
export function outboxOf(viewerId: string, conversationId: string): Outbox {
  const key = `${viewerId}:${conversationId}`;
  let outbox = outboxes.get(key);
  if (!outbox) {
    outbox = createOutbox(unsentMessages(viewerId, conversationId), {
      post: (message) => post(viewerId, conversationId, message),
      whenOnline,
      isOnline: checkConnection,
      wait: (duration) => new Promise((resolve) => setTimeout(resolve, duration)),
      claim,
      report: (reason) =>
        showToast({
          id: crypto.randomUUID(),
          kind: "error",
          title: reason === null ? "Error" : "Error sending message",
          description: reason ?? UNEXPLAINED,
        }),
    });
    outboxes.set(key, outbox);
  }
  return outbox;
}
