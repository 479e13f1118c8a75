import type { ThreadMessage } from "../rules";

/** The functions with which an open thread finds and loads the messages that it missed. */
interface CatchUpPorts {
  /** The `seq` of the last message before the thread's first gap (`lastWithoutGap`). */
  completeSeq(): number;
  /**
   * Loads messages after a `seq`, oldest first; none after the last one. The list may be cut off.
   * @returns null if the player can't read the conversation any more
   * @throws Error if there is no reliable answer
   */
  load(after: number): Promise<readonly ThreadMessage[] | null>;
  add(messages: readonly ThreadMessage[]): void;
}

/**
 * The delays before each try, in milliseconds. Within the first, a missing message usually arrives by itself. The last
 * one repeats.
 */
const DELAYS = [300, 1_000, 2_000, 5_000, 10_000] as const;

export interface CatchUp {
  /** Takes note of a message that the room has sent. If others before it are missing, they are loaded soon. */
  hear(seq: number): void;
  /** Loads the messages up to the conversation's last one, unless the thread has them. */
  catchUpTo(lastSeq: number): void;
  /** Loads new messages, if there are any. */
  poll(): void;
  stop(): void;
}

/**
 * Loads the messages that a thread missed. As long as one is missing whose place is known, it tries again: a gap must
 * not stay because the server didn't answer once.
 */
export function createCatchUp(ports: CatchUpPorts, delays: readonly number[] = DELAYS): CatchUp {
  let knownSeq = 0;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isStopped = false;

  const isMissingSome = () => ports.completeSeq() < knownSeq;

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function schedule(): void {
    if (!isMissingSome()) tries = 0;
    else if (timer === undefined && !isRunning && !isStopped) {
      timer = setTimeout(
        () => {
          timer = undefined;
          if (isMissingSome()) void run();
          else tries = 0;
        },
        delays[Math.min(tries, delays.length - 1)],
      );
    }
  }

  async function run(): Promise<void> {
    if (isRunning || isStopped) return;
    stopWaiting();
    isRunning = true;
    tries += 1;
    try {
      let after = ports.completeSeq();
      for (;;) {
        const messages = await ports.load(after);
        if (isStopped) return;
        if (messages === null) knownSeq = 0;
        const last = messages?.at(-1);
        if (!messages || !last) break;
        ports.add(messages);
        after = last.seq;
      }
    } catch {
      // Offline, cut off, or too slow: `schedule` tries again.
    } finally {
      isRunning = false;
      schedule();
    }
  }

  return {
    hear(seq) {
      knownSeq = Math.max(knownSeq, seq);
      // A message from the room shows that the server can be reached again.
      if (tries > 0 && !isRunning) {
        stopWaiting();
        tries = 0;
      }
      schedule();
    },
    catchUpTo(lastSeq) {
      knownSeq = Math.max(knownSeq, lastSeq);
      if (isMissingSome()) void run();
    },
    poll: () => void run(),
    stop() {
      isStopped = true;
      stopWaiting();
    },
  };
}
