import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { playNewsSound, playSound } from "~/features/notifications/sound/play.client";

type Use = (lock: object | null) => Promise<void>;

/** Grants each lock to one request at a time, in order, as `navigator.locks` does. */
class Locks {
  readonly #queues = new Map<string, Promise<void>>();
  readonly #held = new Map<string, number>();

  request(name: string, ...[options, use]: [Use] | [{ ifAvailable: boolean }, Use]): Promise<void> {
    if (typeof options !== "function" && this.#held.get(name)) return (use as Use)(null);
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    const turn = (this.#queues.get(name) ?? Promise.resolve()).then(() =>
      (typeof options === "function" ? options : (use as Use))({}),
    );
    const end = turn.finally(() => this.#held.set(name, (this.#held.get(name) as number) - 1));
    this.#queues.set(
      name,
      end.catch(() => undefined),
    );
    return end;
  }
}

/** For each context yet to be created, the milliseconds until it plays; null if the browser doesn't let it play. */
let startsAfter: (number | null)[];
/** The contexts created so far, in order. */
let contexts: FakeContext[];

class FakeContext extends EventTarget {
  state: "suspended" | "running" | "closed" = "suspended";
  readonly currentTime = 0;
  readonly destination = {};
  notes = 0;

  constructor() {
    super();
    contexts.push(this);
    const delay = startsAfter.shift();
    if (typeof delay === "number") setTimeout(() => this.#change("running"), delay);
  }

  async close(): Promise<void> {
    this.#change("closed");
  }

  #change(state: FakeContext["state"]): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

class FakeNode {
  readonly gain = { linearRampToValueAtTime: () => undefined };
  constructor(readonly context: FakeContext) {}
  connect<Target>(target: Target): Target {
    return target;
  }
  start(): void {
    this.context.notes += 1;
  }
  stop(): void {
    // The test doesn't care how long a note lasts.
  }
}

let hasFocus: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  startsAfter = [];
  contexts = [];
  hasFocus = true;
  vi.stubGlobal("navigator", { locks: new Locks() });
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("OscillatorNode", FakeNode);
  vi.stubGlobal("GainNode", FakeNode);
  vi.stubGlobal("document", { hasFocus: () => hasFocus });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("The sound for news plays both notes in browsers whose audio begins in a later task", async () => {
  startsAfter = [20];
  const played = playSound();
  await vi.advanceTimersByTimeAsync(900);
  expect(contexts).toMatchObject([{ notes: 2, state: "running" }]);
  await vi.runAllTimersAsync();
  await played;
  expect(contexts).toMatchObject([{ state: "closed" }]);
});

it("The sound for news comes from the first tab that may play, and from no other", async () => {
  startsAfter = [null, 20, 20];
  const tabs = [playSound(), playSound(), playSound()];
  await vi.advanceTimersByTimeAsync(1_500);
  expect(contexts).toMatchObject([{ state: "closed" }, { state: "running", notes: 2 }]);
  await vi.runAllTimersAsync();
  await Promise.all(tabs);
  expect(contexts).toHaveLength(2);
  startsAfter = [20];
  void playSound();
  await vi.advanceTimersByTimeAsync(100);
  expect(contexts).toMatchObject([{}, {}, { state: "running" }]);
  await vi.runAllTimersAsync();
});

it("The sound for news waits in a tab without the focus, in case the player reads the news in another", async () => {
  hasFocus = false;
  startsAfter = [20, 20];
  let isUnread = true;
  const playIfUnread = () => playNewsSound(() => isUnread);
  void playIfUnread();
  await vi.advanceTimersByTimeAsync(1_000);
  isUnread = false;
  await vi.runAllTimersAsync();
  expect(contexts).toEqual([]);
  isUnread = true;
  void playIfUnread();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(contexts).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(contexts).toMatchObject([{ notes: 2 }]);
  await vi.runAllTimersAsync();
});

it("The sound for news plays immediately in the tab with the focus, and not in the others", async () => {
  startsAfter = [20, 20];
  void playNewsSound(() => true);
  hasFocus = false;
  void playNewsSound(() => true);
  await vi.advanceTimersByTimeAsync(100);
  expect(contexts).toMatchObject([{ notes: 2, state: "running" }]);
  await vi.runAllTimersAsync();
  expect(contexts).toHaveLength(1);
});

it("The sound waits even in the focused tab if the page may show the news, in case the player reads it", async () => {
  startsAfter = [20, 20];
  let isUnread = true;
  void playNewsSound(() => isUnread, true);
  await vi.advanceTimersByTimeAsync(1_000);
  isUnread = false;
  await vi.runAllTimersAsync();
  expect(contexts).toEqual([]);
  isUnread = true;
  void playNewsSound(() => isUnread, true);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(contexts).toMatchObject([{ notes: 2 }]);
  await vi.runAllTimersAsync();
});
