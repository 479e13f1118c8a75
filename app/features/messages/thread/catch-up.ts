import type { ThreadMessage } from "../rules";

/** The functions with which an open thread loads and shows the messages that it missed. */
interface CatchUpPorts {
  /**
   * Loads messages after a `seq`, oldest first; none after the last one. The list may be cut off.
   * @returns null if the player can't read the conversation any more
   * @throws Error if there is no reliable response
   */
  load(after: number): Promise<readonly ThreadMessage[] | null>;
  add(messages: readonly ThreadMessage[]): void;
}

/**
 * The delays before each try, in milliseconds. During the first delay, a missing message usually arrives by itself. The
 * last delay repeats.
 */
const DELAYS = [300, 1_000, 2_000, 5_000, 10_000] as const;
/** A message that was announced counts as gone once it is missing from this many responses. */
const MAX_MISSES = 3;

export interface CatchUp {
  /**
   * Takes note of the thread's messages after each change. Those that are missing between them are loaded soon.
   * @param shown.lastSeq the `seq` of the last one
   * @param shown.completeSeq the `seq` of the last one before the first gap (`lastWithoutGap`)
   */
  look(shown: { lastSeq: number; completeSeq: number }): void;
  /** Loads the messages up to the conversation's last one, unless the thread has them. */
  catchUpTo(lastSeq: number): void;
  /** Loads new messages, if there are any. */
  poll(): void;
  stop(): void;
}

/**
 * Loads the messages that a thread missed. It tries again as long as a message with a known place is missing: a single
 * failed request must not leave a gap.
 */
export function createCatchUp(ports: CatchUpPorts, delays: readonly number[] = DELAYS): CatchUp {
  let completeSeq = 0;
  let knownSeq = 0;
  let tries = 0;
  let misses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isAskedAgain = false;
  let isStopped = false;

  const isMissingSome = () => completeSeq < knownSeq;

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function schedule(): void {
    if (!isMissingSome()) {
      tries = 0;
      misses = 0;
      stopWaiting();
    } else if (timer === undefined && !isRunning && !isStopped) {
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

  /** @param isPoll whether there may be messages that nobody has announced */
  async function run(isPoll = false): Promise<void> {
    if (isRunning || isStopped) return;
    stopWaiting();
    isRunning = true;
    tries += 1;
    try {
      let after = completeSeq;
      do {
        isAskedAgain = false;
        const messages = await ports.load(after);
        if (isStopped) return;
        if (messages === null) {
          knownSeq = 0;
          return;
        }
        if (messages.length > 0) ports.add(messages);
        const last = messages.at(-1);
        if (last) after = last.seq;
        if (!last && after < knownSeq) countMiss(after);
        // A message may have been stored after the last response.
        if (!last && !isAskedAgain) return;
      } while (isPoll || isAskedAgain || after < knownSeq);
    } catch {
      // Offline, cut off, or too slow: `schedule` tries again.
    } finally {
      isRunning = false;
      schedule();
    }
  }

  function countMiss(after: number): void {
    misses += 1;
    if (misses < MAX_MISSES) return;
    misses = 0;
    knownSeq = after;
  }

  return {
    look({ lastSeq, completeSeq: seq }) {
      completeSeq = seq;
      // A new message shows that the server can be reached again.
      if (lastSeq > knownSeq && tries > 1 && !isRunning) {
        stopWaiting();
        tries = 1;
      }
      knownSeq = Math.max(knownSeq, lastSeq);
      schedule();
    },
    catchUpTo(lastSeq) {
      knownSeq = Math.max(knownSeq, lastSeq);
      if (isMissingSome()) void run();
    },
    poll() {
      if (isRunning) isAskedAgain = true;
      else void run(true);
    },
    stop() {
      isStopped = true;
      stopWaiting();
    },
  };
}
