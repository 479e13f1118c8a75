import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { checkConnection, whenOnline } from "~/platform/network";
import { showToast } from "~/ui/toasts/use-toasts";
import { lastWithoutGap, mergeMessages, type ThreadMessage, UNEXPLAINED } from "../rules";
import { createOutbox, type Outbox, type PendingMessage, type Verdict } from "./outbox";
import { type UnsentMessage, unsentMessages } from "./unsent";

const SEND_TIMEOUT = 10_000;

const addressOf = (conversationId: string) => `/conversations/${conversationId}/messages`;

async function post(conversationId: string, { id, content }: UnsentMessage): Promise<Verdict> {
  try {
    const response = await fetch(addressOf(conversationId), {
      method: "POST",
      body: new URLSearchParams({ id, message: content }),
      signal: AbortSignal.timeout(SEND_TIMEOUT),
    });
    if (response.status >= 500) return "no-answer";
    const answer = (await response.json()) as { message?: ThreadMessage; error?: string };
    return answer.message ? { message: answer.message } : { error: answer.error ?? UNEXPLAINED };
  } catch {
    // Offline, cut off, or too slow: the message may have arrived, and repeating it is safe.
    return "no-answer";
  }
}

const NONE: readonly PendingMessage[] = [];
/** The outboxes of this page, by player and conversation. They go on sending after the player leaves the thread. */
const outboxes = new Map<string, Outbox>();

function outboxOf(viewerId: string, conversationId: string): Outbox {
  const key = `${viewerId}:${conversationId}`;
  let outbox = outboxes.get(key);
  if (!outbox) {
    outbox = createOutbox(unsentMessages(viewerId, conversationId), {
      post: (message) => post(conversationId, message),
      whenOnline,
      isOnline: checkConnection,
      wait: (duration) => new Promise((resolve) => setTimeout(resolve, duration)),
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

/**
 * Combines the messages of a thread, each once and in order: those from the page, from the room and from catch-up
 * requests. Adds the viewer's own messages that are still being sent, even if the viewer left the thread meanwhile.
 */
export function useThread(
  conversationId: string,
  viewerId: string,
  page: { messages: ThreadMessage[]; hasOlder: boolean },
) {
  // Set only after hydration: the server can't know what this browser stores.
  const [outbox, setOutbox] = useState<Outbox>();
  useEffect(() => setOutbox(outboxOf(viewerId, conversationId)), [viewerId, conversationId]);
  const [stored, setStored] = useState(page.messages);
  const [hasOlder, setHasOlder] = useState(page.hasOlder);
  const latest = useRef(stored);
  latest.current = stored;
  const subscribe = useCallback((listener: () => void) => outbox?.subscribe(listener) ?? (() => {}), [outbox]);
  const pending = useSyncExternalStore(
    subscribe,
    () => outbox?.messages() ?? NONE,
    () => NONE,
  );

  const add = useCallback(
    (messages: readonly ThreadMessage[]) => {
      setStored((before) => mergeMessages(before, messages));
      outbox?.drop(messages.map(({ id }) => id));
    },
    [outbox],
  );
  useEffect(() => outbox?.onStored((message) => add([message])), [outbox, add]);

  // A navigation or a revalidation may have loaded newer messages.
  useEffect(() => add(page.messages), [add, page.messages]);

  const catchingUp = useRef(false);
  /** Requests all messages after the first gap, page by page. */
  const catchUp = useCallback(async () => {
    if (catchingUp.current) return;
    catchingUp.current = true;
    try {
      let after = lastWithoutGap(latest.current);
      for (;;) {
        const seen = document.hidden ? "" : "&seen";
        const response = await fetch(`${addressOf(conversationId)}?after=${after}${seen}`);
        if (!response.ok) return;
        const { messages } = (await response.json()) as { messages: ThreadMessage[] };
        const last = messages.at(-1);
        if (!last) return;
        add(messages);
        after = last.seq;
      }
    } catch {
      // Still offline: the next poll, or the room's next message, triggers another request.
    } finally {
      catchingUp.current = false;
    }
  }, [add, conversationId]);

  const send = useCallback(
    (id: string, content: string) => outbox?.send({ id, content, createdAt: Date.now() }),
    [outbox],
  );
  const retry = useCallback((id: string) => outbox?.retry(id), [outbox]);
  const discard = useCallback((id: string) => outbox?.drop([id]), [outbox]);

  const loadOlder = useCallback(async () => {
    const before = latest.current[0]?.seq;
    if (before === undefined) return;
    try {
      const response = await fetch(`${addressOf(conversationId)}?before=${before}`);
      if (!response.ok) throw new Error(`Answered with ${response.status}`);
      const older = (await response.json()) as { messages: ThreadMessage[]; hasOlder: boolean };
      add(older.messages);
      setHasOlder(older.hasOlder);
    } catch {
      const description = "Older messages couldn't be loaded. Please try again.";
      showToast({ id: crypto.randomUUID(), kind: "error", title: "Error", description });
    }
  }, [add, conversationId]);

  return { stored, pending, hasOlder, add, catchUp, send, retry, discard, loadOlder };
}
