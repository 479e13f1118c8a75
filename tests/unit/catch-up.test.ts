import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lastWithoutGap, mergeMessages, type ThreadMessage } from "~/features/messages/rules";
import { createCatchUp } from "~/features/messages/thread/catch-up";

const DELAYS = [300, 1_000, 2_000];

const messageAt = (seq: number) => ({ id: `m${seq}`, seq }) as ThreadMessage;
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageAt(first + index));

/**
 * An open thread of a conversation.
 * @param shown the messages that it shows at first
 * @param stored the messages that the server has
 * @param page the maximum number of messages in one response
 * @param delay the time until the thread shows added messages, in milliseconds: React renders later
 */
function openThread(options: { shown: ThreadMessage[]; stored: ThreadMessage[]; page?: number; delay?: number }) {
  const { page = 50, delay = 0 } = options;
  const thread = {
    messages: options.shown,
    stored: options.stored,
    /** The `seq` of each request. */
    asked: [] as number[],
    /** The outcomes of the next requests, in place of messages: null if the player can't read the conversation. */
    failures: [] as (Error | null)[],
    /** Responses wait for this. */
    released: Promise.resolve(),
    seqs: () => thread.messages.map(({ seq }) => seq),
    /** Shows messages, whether they were loaded or delivered by the room. */
    show(...messages: readonly ThreadMessage[]) {
      const merge = () => {
        thread.messages = mergeMessages(thread.messages, messages);
        look();
      };
      if (delay > 0) setTimeout(merge, delay);
      else merge();
    },
  };
  const catchUp = createCatchUp(
    {
      async load(after) {
        thread.asked.push(after);
        const [failure] = thread.failures.splice(0, 1);
        if (failure instanceof Error) throw failure;
        if (failure === null) return null;
        const answer = thread.stored.filter(({ seq }) => seq > after).slice(0, page);
        await thread.released;
        return answer;
      },
      add: (messages) => thread.show(...messages),
    },
    DELAYS,
  );
  function look() {
    const { messages } = thread;
    catchUp.look({ lastSeq: messages.at(-1)?.seq ?? 0, completeSeq: lastWithoutGap(messages, false) });
  }
  look();
  return { thread, catchUp };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("An open thread", () => {
  it("loads everything after its last message when the room names a later one, page by page", async () => {
    for (const delay of [0, 20]) {
      const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 12), page: 4, delay });
      catchUp.catchUpTo(12);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(thread.seqs()).toEqual(range(1, 12).map(({ seq }) => seq));
      expect(thread.asked).toEqual([3, 7, 11]);
    }
  });

  it("asks for nothing when it has everything", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 3) });
    catchUp.catchUpTo(3);
    for (let seq = 4; seq <= 9; seq += 1) thread.show(messageAt(seq));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([]);
  });

  it("waits a moment for a missing message to arrive by itself", async () => {
    const { thread } = openThread({ shown: range(1, 1), stored: range(1, 5) });
    thread.show(messageAt(3));
    await vi.advanceTimersByTimeAsync(290);
    thread.show(messageAt(2));
    // The next gap has a moment of its own.
    thread.show(messageAt(5));
    await vi.advanceTimersByTimeAsync(290);
    thread.show(messageAt(4));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([]);
  });

  it("loads a missing message during a burst of others, with one request", async () => {
    const { thread } = openThread({ shown: range(1, 1), stored: [] });
    for (let seq = 3; seq <= 9; seq += 1) {
      thread.stored = range(1, seq);
      thread.show(messageAt(seq));
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(thread.seqs()).toEqual(range(1, 9).map(({ seq }) => seq));
    expect(thread.asked).toEqual([1]);
  });

  it("loads a message that is missing before the viewer's own", async () => {
    const { thread } = openThread({ shown: range(1, 3), stored: range(1, 5) });
    thread.show(messageAt(5));
    await vi.advanceTimersByTimeAsync(300);
    expect(thread.seqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it("tries again, less and less often, for as long as a message is missing", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 5) });
    thread.failures = [new Error("503"), new Error("429"), new Error("503"), new Error("503")];
    catchUp.catchUpTo(5);
    const requests = [];
    for (const duration of [0, 999, 1, 1_999, 1, 1_999, 1]) {
      await vi.advanceTimersByTimeAsync(duration);
      requests.push(thread.asked.length);
    }
    expect(requests).toEqual([1, 1, 2, 2, 3, 3, 4]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(thread.asked).toHaveLength(5);
  });

  it("tries again a second after a new message", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 6) });
    thread.failures = [new Error("503"), new Error("503")];
    catchUp.catchUpTo(5);
    await vi.advanceTimersByTimeAsync(1_000);
    thread.show(messageAt(6));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(thread.seqs()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it.each(["catchUpTo", "poll"] as const)(
    "loads a message that was stored while it was already asking: %s",
    async (again) => {
      const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 3) });
      let release: () => void = () => undefined;
      thread.released = new Promise((resolve) => {
        release = resolve;
      });
      catchUp.poll();
      await vi.advanceTimersByTimeAsync(0);
      thread.stored = range(1, 4);
      catchUp[again](4);
      release();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(thread.seqs()).toEqual([1, 2, 3, 4]);
    },
  );

  it("runs one poll at a time, and a single further one for all calls made during it", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 3) });
    for (let time = 0; time < 5; time += 1) catchUp.poll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([3, 3]);
  });

  it("stops asking for a message that the server doesn't have", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 3) });
    catchUp.catchUpTo(5);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(thread.asked).toEqual([3, 3, 3]);
  });

  it("gives up when the player can't read the conversation any more", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 5) });
    thread.failures = [null];
    catchUp.catchUpTo(5);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([3]);
  });

  it("asks for nothing once it is left", async () => {
    const { thread, catchUp } = openThread({ shown: range(1, 3), stored: range(1, 5) });
    thread.failures = [new Error("503")];
    catchUp.catchUpTo(5);
    catchUp.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    catchUp.poll();
    thread.show(messageAt(5));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([3]);
  });
});
