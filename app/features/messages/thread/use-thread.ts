import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { showToast } from "~/ui/toasts/use-toasts";
import { lastWithoutGap, mergeMessages, type ThreadMessage } from "../rules";
import { type CatchUp, createCatchUp } from "./catch-up";
import type { Outbox, PendingMessage } from "./outbox";
import { addressOf, outboxOf } from "./outboxes";

const NONE: readonly PendingMessage[] = [];

/** The longest time that loading missed messages may take, in milliseconds. */
const LOAD_TIMEOUT = 10_000;

/** Loads messages for `createCatchUp`. */
async function loadAfter(conversationId: string, after: number): Promise<ThreadMessage[] | null> {
  const seen = document.hidden ? "" : "&seen";
  const response = await fetch(`${addressOf(conversationId)}?after=${after}${seen}`, {
    signal: AbortSignal.timeout(LOAD_TIMEOUT),
  });
  if ([401, 403, 404].includes(response.status)) return null;
  if (!response.ok) throw new Error(`Answered with ${response.status}`);
  return ((await response.json()) as { messages: ThreadMessage[] }).messages;
}

/**
 * Combines the messages of a thread, each once and in order: those from the page, from the room and from catch-up
 * requests. Adds the viewer's own messages that the server has not confirmed, even if the viewer left the thread
 * meanwhile.
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
  const completeSeq = lastWithoutGap(stored, hasOlder);
  const lastSeq = stored.at(-1)?.seq ?? 0;
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

  const latestAdd = useRef(add);
  latestAdd.current = add;
  const catchUp = useRef<CatchUp>();
  useEffect(() => {
    const current = createCatchUp({
      load: (after) => loadAfter(conversationId, after),
      add: (messages) => latestAdd.current(messages),
    });
    catchUp.current = current;
    return () => current.stop();
  }, [conversationId]);
  useEffect(() => catchUp.current?.look({ lastSeq, completeSeq }), [lastSeq, completeSeq]);

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
