import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lastWithoutGap, mergeMessages, type ThreadMessage } from "~/features/messages/rules";
import { createCatchUp } from "~/features/messages/thread/catch-up";

const DELAYS = [300, 1_000, 2_000];

const messageAt = (seq: number) => ({ id: `m${seq}`, seq }) as ThreadMessage;
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => messageAt(first + index));

/**
 * An open thread of a conversation.
 * @param held the messages that it shows at first
 * @param stored the messages that the server has
 * @param page the most messages that the server sends at once
 */
function openThread({ held, stored, page = 50 }: { held: ThreadMessage[]; stored: ThreadMessage[]; page?: number }) {
  const thread = {
    messages: held,
    stored,
    /** The `seq` of each request. */
    asked: [] as number[],
    /** The answers of the next requests, in place of the messages. */
    failures: [] as (Error | null)[],
    /** Holds back the answers until it resolves. */
    held: Promise.resolve(),
    seqs: () => thread.messages.map(({ seq }) => seq),
  };
  const catchUp = createCatchUp(
    {
      completeSeq: () => lastWithoutGap(thread.messages, false),
      async load(after) {
        thread.asked.push(after);
        const [failure] = thread.failures.splice(0, 1);
        if (failure instanceof Error) throw failure;
        if (failure === null) return null;
        const answer = thread.stored.filter(({ seq }) => seq > after).slice(0, page);
        await thread.held;
        return answer;
      },
      add: (messages) => {
        thread.messages = mergeMessages(thread.messages, messages);
      },
    },
    DELAYS,
  );
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
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 12), page: 4 });
    catchUp.catchUpTo(12);
    await vi.advanceTimersByTimeAsync(0);
    expect(thread.seqs()).toEqual(range(1, 12).map(({ seq }) => seq));
    expect(thread.asked).toEqual([3, 7, 11, 12]);
  });

  it("asks for nothing when it has everything", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 3) });
    catchUp.catchUpTo(3);
    catchUp.hear(3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([]);
  });

  it("waits a moment for a missing message to arrive by itself, even during a burst", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 1), stored: range(1, 9) });
    for (let seq = 3; seq <= 9; seq += 1) {
      thread.messages = mergeMessages(thread.messages, [messageAt(seq)]);
      catchUp.hear(seq);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(thread.asked[0]).toBe(1);
    expect(thread.seqs()).toEqual(range(1, 9).map(({ seq }) => seq));

    const late = openThread({ held: range(1, 1), stored: range(1, 3) });
    late.thread.messages = [messageAt(1), messageAt(3)];
    late.catchUp.hear(3);
    late.thread.messages = range(1, 3);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(late.thread.asked).toEqual([]);
  });

  it("tries again, less and less often, for as long as a message is missing", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 5) });
    thread.failures = [new Error("503"), new Error("503"), new Error("503"), new Error("503")];
    catchUp.catchUpTo(5);
    const requests = [];
    for (const duration of [0, 999, 1, 1_999, 1, 1_999, 1]) {
      await vi.advanceTimersByTimeAsync(duration);
      requests.push(thread.asked.length);
    }
    expect(requests).toEqual([1, 1, 2, 2, 3, 3, 4]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(thread.seqs()).toEqual([1, 2, 3, 4, 5]);
    const { length } = thread.asked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toHaveLength(length);
  });

  it("tries again soon after the room has sent a message", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 6) });
    thread.failures = [new Error("503"), new Error("503")];
    catchUp.catchUpTo(5);
    await vi.advanceTimersByTimeAsync(1_000);
    catchUp.hear(6);
    await vi.advanceTimersByTimeAsync(300);
    expect(thread.seqs()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("loads a message that was stored while it was already asking", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 3) });
    let answer: () => void = () => undefined;
    thread.held = new Promise((resolve) => {
      answer = resolve;
    });
    catchUp.poll();
    await vi.advanceTimersByTimeAsync(0);
    thread.stored = range(1, 4);
    catchUp.catchUpTo(4);
    answer();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(thread.seqs()).toEqual([1, 2, 3, 4]);
  });

  it("polls once at a time", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 3) });
    for (let time = 0; time < 3; time += 1) catchUp.poll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([3]);
  });

  it("gives up when the player can't read the conversation any more, and when the thread is left", async () => {
    const { thread, catchUp } = openThread({ held: range(1, 3), stored: range(1, 5) });
    thread.failures = [null];
    catchUp.catchUpTo(5);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([3]);
    catchUp.hear(5);
    catchUp.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(thread.asked).toEqual([3]);
  });
});
