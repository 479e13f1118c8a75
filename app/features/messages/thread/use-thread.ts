import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { showToast } from "~/ui/toasts/use-toasts";
import { lastWithoutGap, mergeMessages, type ThreadMessage } from "../rules";
import type { Outbox, PendingMessage } from "./outbox";
import { addressOf, outboxOf } from "./outboxes";

const NONE: readonly PendingMessage[] = [];

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
  // The place of the last message before the first gap.
  const complete = lastWithoutGap(stored, hasOlder);
  const latestComplete = useRef(complete);
  latestComplete.current = complete;
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

  const catchUpState = useRef<"idle" | "running" | "asked again">("idle");
  /** Requests all messages after the first gap, page by page. */
  const catchUp = useCallback(async () => {
    if (catchUpState.current !== "idle") {
      // A message may have been stored after the server answered the last request.
      catchUpState.current = "asked again";
      return;
    }
    try {
      let after = latestComplete.current;
      for (;;) {
        catchUpState.current = "running";
        const seen = document.hidden ? "" : "&seen";
        const response = await fetch(`${addressOf(conversationId)}?after=${after}${seen}`);
        if (!response.ok) return;
        const { messages } = (await response.json()) as { messages: ThreadMessage[] };
        const last = messages.at(-1);
        if (last) {
          add(messages);
          after = last.seq;
        } else if (catchUpState.current === "running") return;
      }
    } catch {
      // Still offline: the next poll, or the room's next message, triggers another request.
    } finally {
      catchUpState.current = "idle";
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

  return { stored, complete, pending, hasOlder, add, catchUp, send, retry, discard, loadOlder };
}
