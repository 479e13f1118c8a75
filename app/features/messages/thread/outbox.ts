import type { ThreadMessage } from "../rules";
import type { UnsentMessage, UnsentMessages } from "./unsent";

/** The viewer's own message that the server has not confirmed, as the thread shows it. */
export interface PendingMessage extends UnsentMessage {
  state: "sending" | "failed";
}

/**
 * The result of one try: the stored message, the reason for a refusal, or no reliable response, whether or not the
 * server was reached. `isGone`: whether the player can't open the conversation any more, so that no page offers another
 * try.
 */
export type Verdict = { message: ThreadMessage } | { error: string; isGone: boolean } | "no-answer";

export type Release = () => void;

/** The functions with which an outbox reaches the network and the player. */
export interface OutboxPorts {
  /** Tries once to send a message. Repeating this is harmless, because the message has an id. */
  post(message: UnsentMessage): Promise<Verdict>;
  /** Resolves once the site can be reached. */
  whenOnline(): Promise<void>;
  /** Whether the site can be reached now. A try without a response counts as failed only if this is true. */
  isOnline(): Promise<boolean>;
  wait(duration: number): Promise<void>;
  /**
   * Claims a message for this tab, until the tab is closed. Waits while another open tab has it.
   * @returns a function that releases it earlier
   * @throws if the browser can't tell, so that several tabs may send it
   */
  claim(id: string): Promise<Release>;
  /** Reports that a message was refused, with the reason, or that all tries have failed (null). */
  report(reason: string | null): void;
}

/** The delays before the three retries, in milliseconds. */
const RETRY_DELAYS = [1_000, 2_000, 4_000];

export interface Outbox {
  messages(): readonly PendingMessage[];
  /** Calls the listener whenever `messages()` has changed. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  /** Calls the listener with each message that the server has stored. @returns a function that unsubscribes */
  onStored(listener: (message: ThreadMessage) => void): () => void;
  send(message: UnsentMessage): void;
  /**
   * Adds the messages in this browser's storage that have failed, and sends the others once no open tab has them.
   * Removes failed messages that another tab has sent or discarded.
   */
  takeOver(): void;
  retry(id: string): void;
  /** Removes messages that were discarded, or that have arrived another way. */
  drop(ids: readonly string[]): void;
}

/**
 * Sends a player's messages of one conversation, one at a time in the order in which they were written, for as long as
 * the page lives. Without a network it waits, and then continues by itself. A refused message waits for the player to
 * retry or discard it, while those behind it are sent. If the conversation is gone, this browser forgets all of them.
 * If four tries get no response from the server, that message and all behind it wait for the player. A tab claims the
 * messages that it is sending, so that no other tab sends them, too. It doesn't send messages that were discarded in
 * another tab.
 * @param unsent the copy in this browser's storage, which keeps each message until the server confirms it
 */
export function createOutbox(unsent: UnsentMessages, ports: OutboxPorts): Outbox {
  let messages: readonly PendingMessage[] = [];
  const releases = new Map<string, Release>();
  /** The ids of messages that were stored. One that is gone from the storage was sent or discarded by another tab. */
  const kept = new Set<string>();
  const listeners = new Set<() => void>();
  const storedListeners = new Set<(message: ThreadMessage) => void>();
  let isRunning = false;
  let isTaking = false;

  function set(after: readonly PendingMessage[]): void {
    messages = after;
    for (const listener of listeners) listener();
  }

  const find = (id: string) => unsent.list().find((message) => message.id === id);
  const isNew = ({ id }: UnsentMessage) => messages.every((message) => message.id !== id);

  function release(ids: readonly string[]): void {
    for (const id of ids) {
      releases.get(id)?.();
      releases.delete(id);
    }
  }

  function mark(ids: readonly string[], state: PendingMessage["state"]): void {
    unsent.mark(ids, state === "failed");
    set(messages.map((message) => (ids.includes(message.id) ? { ...message, state } : message)));
    if (state === "failed") release(ids);
  }

  function drop(ids: readonly string[]): void {
    unsent.drop(ids);
    if (messages.some(({ id }) => ids.includes(id))) set(messages.filter(({ id }) => !ids.includes(id)));
    release(ids);
  }

  /** Removes all messages from this browser. A thread that is still open shows them, so that they can be copied. */
  function forget(): void {
    const ids = messages.map(({ id }) => id);
    unsent.drop(ids);
    kept.clear();
    set(messages.map((message) => ({ ...message, state: "failed" })));
    release(ids);
  }

  function takeOver(): void {
    const stored = unsent.list();
    /** Whether another tab has discarded or sent a message that failed here, or tries it again. */
    const isOutdated = ({ id, state }: PendingMessage) =>
      state === "failed" && kept.has(id) && !stored.some((message) => message.id === id && message.isFailed);
    if (messages.some(isOutdated)) set(messages.filter((message) => !isOutdated(message)));
    const found = stored.filter(isNew);
    const failed = found.filter(({ isFailed }) => isFailed);
    if (failed.length > 0) add(failed, "failed");
    const waiting = found.find(({ isFailed }) => !isFailed);
    if (waiting && !isTaking) void take(waiting.id);
  }

  function add(added: readonly UnsentMessage[], state: PendingMessage["state"]): void {
    for (const { id } of added) if (find(id)) kept.add(id);
    set([...messages, ...added.map(({ id, content, createdAt }) => ({ id, content, createdAt, state }))]);
  }

  /** Takes over the oldest message that waits in another tab, then those behind it, so that they stay in order. */
  async function take(id: string): Promise<void> {
    isTaking = true;
    await sendOnceFree(id, () => {
      const message = find(id);
      if (message && !message.isFailed && isNew(message)) add([message], "sending");
    });
    isTaking = false;
    takeOver();
  }

  /** Waits until no other tab has the message. It may have been sent there, or discarded here, in the meantime. */
  async function sendOnceFree(id: string, onceFree = () => {}): Promise<void> {
    const claimed = await ports.claim(id).catch(() => () => {});
    onceFree();
    if (!messages.some((message) => message.id === id && message.state === "sending")) return claimed();
    releases.set(id, claimed);
    void run();
  }

  const next = () => messages.find(({ id, state }) => state === "sending" && releases.has(id));

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let message = next(); message; message = next()) await deliver(message);
    isRunning = false;
  }

  /** Tries until the message is stored, refused or discarded, or all tries have failed. */
  async function deliver({ id, content, createdAt }: PendingMessage): Promise<void> {
    for (let failures = 0; ; ) {
      await ports.whenOnline();
      if (kept.has(id) && !find(id)) return drop([id]);
      if (next()?.id !== id) return;
      const verdict = await ports.post({ id, content, createdAt });
      if (verdict !== "no-answer" && "message" in verdict) {
        for (const listener of storedListeners) listener(verdict.message);
        return drop([id]);
      }
      if (verdict !== "no-answer") {
        if (verdict.isGone) forget();
        else mark([id], "failed");
        return ports.report(verdict.error);
      }
      if (!(await ports.isOnline())) continue;
      const delay = RETRY_DELAYS[failures];
      failures += 1;
      if (delay === undefined) {
        mark(
          messages.filter(({ state }) => state === "sending").map((message) => message.id),
          "failed",
        );
        return ports.report(null);
      }
      await ports.wait(delay);
    }
  }

  takeOver();
  return {
    messages: () => messages,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onStored(listener) {
      storedListeners.add(listener);
      return () => storedListeners.delete(listener);
    },
    send(message) {
      unsent.keep(message);
      add([message], "sending");
      void sendOnceFree(message.id);
    },
    takeOver,
    retry(id) {
      mark([id], "sending");
      void sendOnceFree(id);
    },
    drop,
  };
}
