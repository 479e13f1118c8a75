import { useNavigate } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { showToast } from "~/ui/toasts/use-toasts";
import { lastWithoutGap, mergeMessages, type Stretch, showPage, type ThreadMessage } from "../rules";
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
 * requests. Adds the viewer's own messages that the server has not confirmed, even if the viewer has left the thread
 * since. A page of older messages stays as it was loaded, and doesn't catch up: there may be thousands after it.
 * @param page the page's data: the same object until it is loaded again
 */
export function useThread(conversationId: string, viewerId: string, page: Stretch) {
  const navigate = useNavigate();
  // Set only after hydration: the server can't know what this browser stores.
  const [outbox, setOutbox] = useState<Outbox>();
  useEffect(() => {
    const opened = outboxOf(viewerId, conversationId);
    // It may be from an earlier visit, and a tab with unsent messages may have been closed since.
    opened.takeOver();
    setOutbox(opened);
  }, [viewerId, conversationId]);
  const [shown, setShown] = useState<Stretch>(page);
  const { messages: stored, hasOlder, isOlderPage } = shown;
  const completeSeq = lastWithoutGap(stored, hasOlder);
  const lastSeq = stored.at(-1)?.seq ?? 0;
  const subscribe = useCallback((listener: () => void) => outbox?.subscribe(listener) ?? (() => {}), [outbox]);
  const pending = useSyncExternalStore(
    subscribe,
    () => outbox?.messages() ?? NONE,
    () => NONE,
  );

  /** @param onlyShown whether to only replace messages that are shown already, and to leave out all others */
  function add(messages: readonly ThreadMessage[], onlyShown = false): void {
    // Compares with `before`, because several messages may arrive before the tab renders.
    setShown((before) => {
      const isShown = (message: ThreadMessage) => before.messages.some(({ id }) => id === message.id);
      const added = onlyShown ? messages.filter(isShown) : messages;
      return { ...before, messages: mergeMessages(before.messages, added) };
    });
    outbox?.drop(messages.map(({ id }) => id));
  }
  const latestAdd = useRef(add);
  latestAdd.current = add;

  /**
   * Adds a message that was stored or changed, unless that would leave a gap, which the tab would fill by loading
   * everything in between. There would be a gap after a page of older messages, and for a change to a message that
   * isn't shown.
   */
  const receive = (message: ThreadMessage) => add([message], message.isChanged || isOlderPage);
  useEffect(() => outbox?.onStored(receive));

  /** Whether the next page that is loaded replaces all messages. */
  const isOutdated = useRef(false);

  /** Drops a message that has changed, so that catching up loads it again. */
  function drop(seq: number): void {
    // Catching up finds only gaps between messages, and none on a page of older ones.
    if (isOlderPage || stored[0]?.seq === seq) isOutdated.current = true;
    setShown((before) => ({ ...before, messages: before.messages.filter((message) => message.seq !== seq) }));
  }

  // A navigation or a revalidation may have loaded other messages.
  useEffect(() => {
    const replaces = isOutdated.current;
    isOutdated.current = false;
    setShown((before) => (replaces ? page : showPage(before, page)));
    outbox?.drop(page.messages.map(({ id }) => id));
  }, [page, outbox]);

  const catchUp = useRef<CatchUp>();
  useEffect(() => {
    if (isOlderPage) return;
    const current = createCatchUp({
      load: (after) => loadAfter(conversationId, after),
      add: (messages) => latestAdd.current(messages),
    });
    catchUp.current = current;
    return () => current.stop();
  }, [conversationId, isOlderPage]);
  useEffect(() => catchUp.current?.look({ lastSeq, completeSeq }), [lastSeq, completeSeq]);

  /** Opens the newest messages, if the page shows older ones: the viewer's own new message belongs there. */
  function showNewest(): void {
    if (isOlderPage) navigate(".", { preventScrollReset: true });
  }

  function send(id: string, content: string): void {
    outbox?.send({ id, content, createdAt: Date.now() });
    showNewest();
  }

  function retry(id: string): void {
    outbox?.retry(id);
    showNewest();
  }

  const discard = (id: string) => outbox?.drop([id]);

  async function loadOlder(): Promise<void> {
    try {
      const response = await fetch(`${addressOf(conversationId)}?before=${stored[0]?.seq ?? 0}`);
      if (!response.ok) throw new Error(`Answered with ${response.status}`);
      const older = (await response.json()) as { messages: ThreadMessage[]; hasOlder: boolean };
      setShown((now) => showPage(now, { ...older, isOlderPage: true }));
    } catch {
      const description = "Older messages couldn't be loaded. Please try again.";
      showToast({ id: crypto.randomUUID(), kind: "error", title: "Error", description });
    }
  }

  return {
    ...{ stored, lastSeq, pending, hasOlder, isOlderPage },
    ...{ receive, drop, catchUp, send, retry, discard, loadOlder },
  };
}
