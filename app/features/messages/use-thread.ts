import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { showToast } from "~/ui/use-toasts";
import { lastWithoutGap, mergeMessages, type ThreadMessage, UNEXPLAINED } from "./rules";
import { type UnsentMessage, unsentMessages } from "./unsent";

/** One's own message that the server has not confirmed, as the thread shows it. */
export interface PendingMessage extends UnsentMessage {
  state: "sending" | "failed";
}

/** Waits between the tries of a send, in milliseconds. Its id makes repeating it harmless. */
const RETRY_DELAYS = [1_000, 2_000, 4_000];
const SEND_TIMEOUT = 10_000;

const addressOf = (conversationId: string) => `/conversations/${conversationId}/messages`;

const wait = (duration: number) => new Promise((resolve) => setTimeout(resolve, duration));

type Verdict = { message: ThreadMessage } | { error: string } | "try-again";

async function post(conversationId: string, id: string, content: string): Promise<Verdict> {
  try {
    const response = await fetch(addressOf(conversationId), {
      method: "POST",
      body: new URLSearchParams({ id, message: content }),
      signal: AbortSignal.timeout(SEND_TIMEOUT),
    });
    if (response.status >= 500) return "try-again";
    const answer = (await response.json()) as { message?: ThreadMessage; error?: string };
    return answer.message ? { message: answer.message } : { error: answer.error ?? UNEXPLAINED };
  } catch {
    // Offline, cut off, or too slow: whether it arrived is unknown, and asking again is safe.
    return "try-again";
  }
}

/**
 * The messages of a thread: those of the page, what the room tells and what was missed, each once and in the one order;
 * besides, one's own that are on their way, or were when the thread was left.
 */
export function useThread(
  conversationId: string,
  viewerId: string,
  page: { messages: ThreadMessage[]; hasOlder: boolean },
) {
  const unsent = useMemo(() => unsentMessages(viewerId, conversationId), [viewerId, conversationId]);
  const [stored, setStored] = useState(page.messages);
  const [pending, setPending] = useState<PendingMessage[]>([]);
  const [hasOlder, setHasOlder] = useState(page.hasOlder);
  const latest = useRef(stored);
  latest.current = stored;
  const queue = useRef(Promise.resolve());

  const add = useCallback(
    (messages: readonly ThreadMessage[]) => {
      setStored((before) => mergeMessages(before, messages));
      setPending((before) => before.filter(({ id }) => !messages.some((message) => message.id === id)));
      unsent.drop(messages.map(({ id }) => id));
    },
    [unsent],
  );

  // A navigation or a revalidation may have brought newer ones.
  useEffect(() => add(page.messages), [add, page.messages]);
  // What arrived after all is told by the room, or by its own Retry: the id is the same.
  useEffect(() => setPending(unsent.list().map((message) => ({ ...message, state: "failed" }))), [unsent]);

  const catchingUp = useRef(false);
  /** Asks for everything after the last message before a gap, until there is no more. */
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
      // Still offline: the next sign of life asks again.
    } finally {
      catchingUp.current = false;
    }
  }, [add, conversationId]);

  const deliver = useCallback(
    (id: string, content: string) => {
      setPending((before) => before.map((message) => (message.id === id ? { ...message, state: "sending" } : message)));
      // One after the other, so that they arrive in the order they were written.
      queue.current = queue.current.then(async () => {
        for (const delay of [0, ...RETRY_DELAYS]) {
          if (delay > 0) await wait(delay);
          const verdict = await post(conversationId, id, content);
          if (verdict === "try-again") continue;
          if ("message" in verdict) return add([verdict.message]);
          showToast({
            id: crypto.randomUUID(),
            kind: "error",
            title: "Error sending message",
            description: verdict.error,
          });
          return fail(id);
        }
        showToast({ id: crypto.randomUUID(), kind: "error", title: "Error", description: UNEXPLAINED });
        fail(id);
      });
      function fail(failedId: string) {
        setPending((before) =>
          before.map((message) => (message.id === failedId ? { ...message, state: "failed" } : message)),
        );
      }
    },
    [add, conversationId],
  );

  const send = useCallback(
    (id: string, content: string) => {
      const message = { id, content, createdAt: Date.now() };
      unsent.keep(message);
      setPending((before) => [...before, { ...message, state: "sending" }]);
      deliver(id, content);
    },
    [deliver, unsent],
  );

  const discard = useCallback(
    (id: string) => {
      unsent.drop([id]);
      setPending((before) => before.filter((message) => message.id !== id));
    },
    [unsent],
  );

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
      const description = "Older messages could not be loaded. Please try again.";
      showToast({ id: crypto.randomUUID(), kind: "error", title: "Error", description });
    }
  }, [add, conversationId]);

  return { stored, pending, hasOlder, add, catchUp, send, retry: deliver, discard, loadOlder };
}
