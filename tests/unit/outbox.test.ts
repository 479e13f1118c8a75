import { describe, expect, it, vi } from "vitest";
import { createOutbox, type OutboxPorts, type Release, type Verdict } from "../../app/features/messages/thread/outbox";
import type { UnsentMessage, UnsentMessages } from "../../app/features/messages/thread/unsent";

/** A stand-in for the browser's storage of unsent messages. */
function newStorage(kept: (UnsentMessage & { isFailed?: boolean })[] = []): UnsentMessages {
  return {
    list: () => [...kept],
    keep: (message) => void kept.push(message),
    mark(ids, isFailed) {
      for (const message of kept) if (ids.includes(message.id)) message.isFailed = isFailed;
    },
    drop(ids) {
      for (const id of ids) {
        const index = kept.findIndex((message) => message.id === id);
        if (index >= 0) kept.splice(index, 1);
      }
    },
  };
}

const written = (id: string): UnsentMessage => ({ id, content: `Words of ${id}`, createdAt: 1 });
const stored = (id: string): Verdict => ({
  message: { id, seq: 1, senderId: "me", content: `Words of ${id}`, createdAt: 2 },
});

/**
 * A network that tests switch off and on, with a server that answers with the result of `answer`. Outboxes that share
 * it are those of a browser's open tabs.
 */
function newNetwork(answer: (id: string, tries: number) => Verdict) {
  let online = true;
  const claims = new Map<string, Promise<void>>();
  let back: (() => void)[] = [];
  const network = {
    tried: [] as string[],
    told: [] as (string | null)[],
    waited: [] as number[],
    goOffline() {
      online = false;
    },
    goOnline() {
      online = true;
      for (const resolve of back) resolve();
      back = [];
    },
  };
  const ports: OutboxPorts = {
    async post({ id }) {
      network.tried.push(id);
      return online ? answer(id, network.tried.filter((tried) => tried === id).length) : "no-answer";
    },
    whenOnline: () => (online ? Promise.resolve() : new Promise((resolve) => back.push(resolve))),
    isOnline: async () => online,
    async claim(id) {
      const before = claims.get(id);
      let release: Release = () => {};
      claims.set(id, new Promise((resolve) => (release = resolve)));
      await before;
      return release;
    },
    wait: async (duration) => void network.waited.push(duration),
    report: (reason) => void network.told.push(reason),
  };
  return { ...network, ports };
}

/** Waits until all work that needs no network is done. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("messages written offline", () => {
  it("are sent once the network is back, each once and in the order in which they were written", async () => {
    const network = newNetwork(stored);
    const outbox = createOutbox(newStorage(), network.ports);
    network.goOffline();
    for (const id of ["a", "b", "c"]) outbox.send(written(id));
    await settle();
    expect(network.tried).toEqual([]);
    expect(outbox.messages().map(({ id, state }) => [id, state])).toEqual([
      ["a", "sending"],
      ["b", "sending"],
      ["c", "sending"],
    ]);
    network.goOnline();
    await settle();
    expect(network.tried).toEqual(["a", "b", "c"]);
    expect(outbox.messages()).toEqual([]);
    expect(network.told).toEqual([]);
  });

  it("don't use up their retries while the network is down", async () => {
    const network = newNetwork(stored);
    const outbox = createOutbox(newStorage(), { ...network.ports, whenOnline: settle as () => Promise<never> });
    network.goOffline();
    outbox.send(written("a"));
    await vi.waitFor(() => expect(network.tried.length).toBeGreaterThan(4), 10_000);
    expect(outbox.messages()).toMatchObject([{ id: "a", state: "sending" }]);
    network.goOnline();
    await vi.waitFor(() => expect(outbox.messages()).toEqual([]));
  });

  it("are sent when the page is opened again, except for failed ones, which wait for their writer", async () => {
    const network = newNetwork(stored);
    const kept = newStorage([written("a"), { ...written("b"), isFailed: true }, written("c")]);
    const outbox = createOutbox(kept, network.ports);
    await settle();
    expect(network.tried).toEqual(["a", "c"]);
    expect(outbox.messages()).toMatchObject([{ id: "b", state: "failed" }]);
    expect(kept.list()).toMatchObject([{ id: "b" }]);
  });

  it("are not sent once they are discarded", async () => {
    const network = newNetwork(stored);
    const outbox = createOutbox(newStorage(), network.ports);
    network.goOffline();
    outbox.send(written("a"));
    outbox.send(written("b"));
    outbox.drop(["a"]);
    network.goOnline();
    await settle();
    expect(network.tried).toEqual(["b"]);
  });

  it("are left to the open tab that is to send them, so that none is sent after it is discarded there", async () => {
    const network = newNetwork(stored);
    const kept = newStorage();
    const writer = createOutbox(kept, network.ports);
    network.goOffline();
    writer.send(written("a"));
    const another = createOutbox(kept, network.ports);
    another.takeOver();
    await settle();
    expect(another.messages()).toEqual([]);
    expect(kept.list()).toMatchObject([{ id: "a" }]);
    writer.drop(["a"]);
    network.goOnline();
    await settle();
    expect(network.tried).toEqual([]);
  });

  it("that failed are gone from a tab once another has discarded them, and sent by it if another wanted to", async () => {
    const network = newNetwork(stored);
    const kept = newStorage(["a", "b"].map((id) => ({ ...written(id), isFailed: true })));
    const tab = createOutbox(kept, network.ports);
    expect(tab.messages()).toMatchObject([
      { id: "a", state: "failed" },
      { id: "b", state: "failed" },
    ]);
    // The other tab discards one message, tries the other again, and is closed.
    kept.drop(["a"]);
    kept.mark(["b"], false);
    tab.takeOver();
    await settle();
    expect(network.tried).toEqual(["b"]);
    expect(tab.messages()).toEqual([]);
  });

  it("in a tab that was closed are sent by one of the open tabs, each once and in their order", async () => {
    const network = newNetwork(stored);
    const kept = newStorage();
    const tabs = [
      createOutbox(kept, network.ports),
      createOutbox(kept, network.ports),
      createOutbox(kept, network.ports),
    ];
    for (const id of ["a", "b", "c"]) kept.keep(written(id));
    for (const tab of tabs) tab.takeOver();
    await settle();
    expect(network.tried).toEqual(["a", "b", "c"]);
    expect(kept.list()).toEqual([]);
    expect(tabs.flatMap((tab) => tab.messages())).toEqual([]);
  });

  it("in a closed tab are sent by one of several tabs that open then, each once and in their order", async () => {
    const network = newNetwork(stored);
    const kept = newStorage(["a", "b", "c"].map(written));
    for (let tab = 0; tab < 3; tab++) {
      const post: OutboxPorts["post"] = async (message) => {
        const verdict = await network.ports.post(message);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return verdict;
      };
      createOutbox(kept, { ...network.ports, post }).takeOver();
      await settle();
    }
    await vi.waitFor(() => expect(kept.list()).toEqual([]));
    await settle();
    expect(network.tried).toEqual(["a", "b", "c"]);
  });

  it("are sent by another tab that has looked before, if the tab that was sending them is closed", async () => {
    const network = newNetwork(stored);
    const kept = newStorage();
    const locks: Release[] = [];
    const writer = createOutbox(kept, {
      ...network.ports,
      post: () => new Promise(() => {}),
      claim: async (id) => {
        const release = await network.ports.claim(id);
        locks.push(release);
        return release;
      },
    });
    writer.send(written("a"));
    writer.send(written("b"));
    const another = createOutbox(kept, network.ports);
    await settle();
    expect([network.tried, another.messages()]).toEqual([[], []]);
    for (const release of locks) release();
    await settle();
    expect(network.tried).toEqual(["a", "b"]);
    expect([another.messages(), kept.list()]).toEqual([[], []]);
  });
});

describe("a message that can't be sent", () => {
  it("is retried three times, then waits for its writer, and so do the messages behind it", async () => {
    const network = newNetwork((id) => (network.tried.length > 4 ? stored(id) : "no-answer"));
    const kept = newStorage();
    const outbox = createOutbox(kept, network.ports);
    outbox.send(written("a"));
    outbox.send(written("b"));
    await settle();
    expect(network.tried).toEqual(["a", "a", "a", "a"]);
    expect(network.waited).toEqual([1_000, 2_000, 4_000]);
    expect(network.told).toEqual([null]);
    expect(outbox.messages().map(({ state }) => state)).toEqual(["failed", "failed"]);
    expect(kept.list().map(({ isFailed }) => isFailed)).toEqual([true, true]);
    outbox.retry("a");
    await settle();
    expect(outbox.messages()).toMatchObject([{ id: "b", state: "failed" }]);
    expect(kept.list()).toMatchObject([{ id: "b" }]);
  });

  it("doesn't hold up the next one if it was refused", async () => {
    const network = newNetwork((id) =>
      id === "a" ? { error: "You can't message this player.", isGone: false } : stored(id),
    );
    const outbox = createOutbox(newStorage(), network.ports);
    const arrived: string[] = [];
    outbox.onStored(({ id }) => void arrived.push(id));
    for (const id of ["a", "b", "c"]) outbox.send(written(id));
    await settle();
    expect(network.tried).toEqual(["a", "b", "c"]);
    expect(arrived).toEqual(["b", "c"]);
    expect(network.told).toEqual(["You can't message this player."]);
    expect(outbox.messages()).toMatchObject([{ id: "a", state: "failed" }]);
  });

  it("can be retried in any tab, and is then left to that tab", async () => {
    const network = newNetwork((id) =>
      network.tried.length === 1 ? { error: "Not now.", isGone: false } : stored(id),
    );
    const kept = newStorage([written("a")]);
    const one = createOutbox(kept, network.ports);
    await settle();
    const other = createOutbox(kept, network.ports);
    expect(other.messages()).toMatchObject([{ id: "a", state: "failed" }]);
    network.goOffline();
    other.retry("a");
    const third = createOutbox(kept, network.ports);
    await settle();
    expect([one.messages(), third.messages()]).toMatchObject([[{ id: "a", state: "failed" }], []]);
    network.goOnline();
    await settle();
    expect(network.tried).toEqual(["a", "a"]);
    expect([other.messages(), kept.list()]).toEqual([[], []]);
  });

  it("is sent once if it is retried in two tabs, and not at all if it was discarded in one of them", async () => {
    const network = newNetwork(stored);
    const kept = newStorage(["a", "b"].map((id) => ({ ...written(id), isFailed: true })));
    const one = createOutbox(kept, network.ports);
    const other = createOutbox(kept, network.ports);
    network.goOffline();
    for (const id of ["a", "b"]) one.retry(id);
    other.drop(["a"]);
    other.retry("b");
    await settle();
    network.goOnline();
    await settle();
    expect(network.tried).toEqual(["b"]);
    expect([one.messages(), other.messages(), kept.list()]).toEqual([[], [], []]);
  });

  it("is sent even if this browser's storage is full", async () => {
    const network = newNetwork(stored);
    const outbox = createOutbox({ ...newStorage(), keep: () => {} }, network.ports);
    outbox.send(written("a"));
    await settle();
    expect(network.tried).toEqual(["a"]);
    expect(outbox.messages()).toEqual([]);
  });

  it("is forgotten with all others, and the player is told once, if its conversation is gone", async () => {
    const network = newNetwork(() => ({ error: "This conversation no longer exists.", isGone: true }));
    const kept = newStorage([{ ...written("a"), isFailed: true }, written("b"), written("c")]);
    // Requests take longer than claims.
    const post: OutboxPorts["post"] = (message) => new Promise(setImmediate).then(() => network.ports.post(message));
    const outbox = createOutbox(kept, { ...network.ports, post });
    await vi.waitFor(() => expect(network.told).toEqual(["This conversation no longer exists."]));
    await settle();
    expect([network.tried, network.told]).toEqual([["b"], ["This conversation no longer exists."]]);
    expect(kept.list()).toEqual([]);
    // The text of the messages can still be copied from a page that is open.
    expect(outbox.messages().map(({ content, state }) => [content, state])).toEqual(
      ["a", "b", "c"].map((id) => [`Words of ${id}`, "failed"]),
    );
  });
});
