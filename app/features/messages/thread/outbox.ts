import type { ThreadMessage } from "../rules";
import type { UnsentMessage, UnsentMessages } from "./unsent";

/** One's own message that the server has not confirmed, as the thread shows it. */
export interface PendingMessage extends UnsentMessage {
  state: "sending" | "failed";
}

/** What became of one try: stored; refused, and why; or no answer to rely on, from a server that was reached or not. */
export type Verdict = { message: ThreadMessage } | { error: string } | "no-answer";

/** What an outbox needs of the world around it. */
export interface Line {
  /** Tries once. The message's id makes repeating it harmless. */
  post(message: UnsentMessage): Promise<Verdict>;
  /** Resolves once the site is reached. */
  whenOnline(): Promise<void>;
  /** Whether the site is reached at this moment: a try without an answer counts only then. */
  isOnline(): Promise<boolean>;
  wait(duration: number): Promise<void>;
  /** A message was refused, with the reason, or its tries are used up. */
  tell(reason: string | null): void;
}

/** Waits before the three retries, in milliseconds. */
const RETRY_DELAYS = [1_000, 2_000, 4_000];

export interface Outbox {
  messages(): readonly PendingMessage[];
  /** Calls back when `messages()` has changed. @returns what ends that */
  subscribe(listener: () => void): () => void;
  /** Calls back with each message that the server has stored. @returns what ends that */
  onStored(listener: (message: ThreadMessage) => void): () => void;
  send(message: UnsentMessage): void;
  retry(id: string): void;
  /** Forgets messages: they were given up, or arrived on another way. */
  drop(ids: readonly string[]): void;
}

/**
 * Sends a player's messages of one conversation, one after the other in the order in which they were written, for as
 * long as the page lives. Without network it waits, and goes on by itself. A message that is refused waits for its
 * writer and holds nobody up; when the server gives no answer to four tries, it and all behind it do.
 * @param unsent what is kept in this browser until it is confirmed
 */
export function createOutbox(unsent: UnsentMessages, line: Line): Outbox {
  let messages: readonly PendingMessage[] = unsent
    .list()
    .map(({ isFailed, ...message }) => ({ ...message, state: isFailed ? "failed" : "sending" }));
  const listeners = new Set<() => void>();
  const storedListeners = new Set<(message: ThreadMessage) => void>();
  let isRunning = false;

  function set(after: readonly PendingMessage[]): void {
    messages = after;
    for (const listener of listeners) listener();
  }

  function mark(ids: readonly string[], state: PendingMessage["state"]): void {
    unsent.mark(ids, state === "failed");
    set(messages.map((message) => (ids.includes(message.id) ? { ...message, state } : message)));
  }

  function drop(ids: readonly string[]): void {
    unsent.drop(ids);
    if (messages.some(({ id }) => ids.includes(id))) set(messages.filter(({ id }) => !ids.includes(id)));
  }

  const next = () => messages.find(({ state }) => state === "sending");

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let message = next(); message; message = next()) await deliver(message);
    isRunning = false;
  }

  /** Tries until the message is stored, refused, given up or out of tries. */
  async function deliver({ id, content, createdAt }: PendingMessage): Promise<void> {
    for (let failures = 0; ; ) {
      await line.whenOnline();
      if (next()?.id !== id) return;
      const verdict = await line.post({ id, content, createdAt });
      if (verdict !== "no-answer" && "message" in verdict) {
        for (const listener of storedListeners) listener(verdict.message);
        return drop([id]);
      }
      if (verdict !== "no-answer") {
        mark([id], "failed");
        return line.tell(verdict.error);
      }
      if (!(await line.isOnline())) continue;
      const delay = RETRY_DELAYS[failures];
      failures += 1;
      if (delay === undefined) {
        mark(
          messages.filter(({ state }) => state === "sending").map((message) => message.id),
          "failed",
        );
        return line.tell(null);
      }
      await line.wait(delay);
    }
  }

  void run();
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
      set([...messages, { ...message, state: "sending" }]);
      void run();
    },
    retry(id) {
      mark([id], "sending");
      void run();
    },
    drop,
  };
}
