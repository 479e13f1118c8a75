import { describe, expect, test, vi } from "vitest";
import { uuidv7 } from "../../db/ids";
import { measureFaults } from "../bench/faults";
import { Recorder } from "../bench/results";
import { measureRates, measureSlowReader, measureStorm } from "../bench/rooms";
import { useApp } from "../support/app";
import { signIn } from "../support/client";
import { findMeasuredPages, MEASURED_PAGES, MEASURED_VISITOR } from "../support/measured-pages";
import { startWatchedDatabase } from "../support/watched-database";
import { addPost, newPair, newVisitor, sendTo } from "./players";

/*
 * Small versions of the benchmarks. They fail if the Worker waits for the database too often, or if messages are lost,
 * duplicated or reordered. Only `npm run bench` measures times.
 */

describe("A distant database", async () => {
  const { proxy, appOptions } = await startWatchedDatabase();
  const app = useApp({ world: "busy", ...appOptions });

  /** Counts how often the Worker waits for the database. The latency makes requests overlap where they can. */
  async function waitsOf(ask: () => Promise<{ status: number }>): Promise<number> {
    await proxy.settle();
    proxy.clear();
    proxy.latency = 20;
    const { status } = await ask();
    proxy.latency = 0;
    expect(status).toBeLessThan(400);
    return proxy.waits;
  }

  test("delays each measured page at most once", async () => {
    const client = await signIn(app.client(), MEASURED_VISITOR);
    const addresses = await findMeasuredPages(app);
    const waits: Record<string, number> = {};
    for (const name of MEASURED_PAGES) {
      const { path, isPublic } = addresses[name];
      waits[name] = await waitsOf(() => (isPublic ? app.client() : client).get(path));
    }
    expect(Object.fromEntries(Object.entries(waits).filter(([, count]) => count > 1))).toEqual({});
    expect(waits.LFG).toBe(1);
  });

  test("delays each measured form at most twice", async () => {
    const { one, conversationId } = await newPair(app);
    const other = await newVisitor(app);
    const post = await addPost(app, one.player.id);
    const forms: Record<string, () => Promise<{ status: number }>> = {
      message: () => sendTo(one.client, conversationId, "Hello"),
      post: () => one.client.post("/dashboard/lfg/new", { id: uuidv7(), title: "Two for Haven", neededPlayers: "2" }),
      request: () => other.client.post(`/lfg/${post}/join`, { id: uuidv7() }),
      report: () => other.client.post(`/lfg/${post}/report`, { id: uuidv7(), reason: "other" }),
      close: () => one.client.post(`/lfg/${post}`, { intent: "close" }),
    };
    for (const [name, ask] of Object.entries(forms)) {
      const waits = await waitsOf(ask);
      expect(waits, name).toBeGreaterThan(0);
      expect(waits, name).toBeLessThanOrEqual(2);
    }
  });
});

describe("The small benchmark of rooms", () => {
  test("loses, duplicates and reorders no messages at a steady rate", async () => {
    const recorder = new Recorder("rooms", { isStored: false });
    await measureRates(recorder, 5, [20], 2);
    for (const subject of ["lost at 20", "doubled at 20", "overtaken at 20"]) {
      expect(recorder.samples("5 conversations", subject), subject).toEqual([0]);
    }
  });

  test("reconnects everyone after all connections are cut, and nobody misses a message", async () => {
    const recorder = new Recorder("rooms", { isStored: false });
    await measureStorm(recorder, 5);
    expect(recorder.samples("reconnecting", "players who missed the message")).toEqual([0]);
  });

  test("delivers messages to everyone else while one reader is stalled", async () => {
    const recorder = new Recorder("rooms", { isStored: false });
    await measureSlowReader(recorder, 10);
    expect(recorder.samples("slow reader", "p50 with a slow reader")).toHaveLength(1);
  });
});

test("The benchmark of faults plays three seeds, and counts what each has lost, doubled or put out of order", async () => {
  const recorder = new Recorder("faults", { isStored: false });
  const log = vi.spyOn(console, "log").mockReturnValue();
  const found = { lost: ["a message"], doubled: [], outOfOrder: ["one", "two"], broken: [], unexpected: [] };
  await measureFaults(recorder, async () => ({ ...found, acknowledged: 20, done: "" }));
  expect(log).toHaveBeenCalledWith("To look into it: npm run faults -- --seed 2 --minutes 0.1");
  log.mockRestore();
  const subjects = ["rounds", "acknowledged actions", "lost", "doubled", "out of order"];
  for (const seed of ["seed 1", "seed 2", "seed 3"]) {
    expect(subjects.map((subject) => recorder.samples(seed, subject))).toEqual([[3], [20], [1], [0], [2]]);
  }
});
