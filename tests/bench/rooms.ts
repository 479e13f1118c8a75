import { setTimeout as pause } from "node:timers/promises";
import { uuidv7 } from "../../db/ids";
import { newPair, sendTo } from "../integration/players";
import type { TestApp } from "../support/app";
import { Client } from "../support/client";
import { startCutter } from "../support/cutter";
import { eventually } from "../support/eventually";
import { startLibsqlProxy } from "../support/libsql-proxy";
import { openConversation, type RoomSocket } from "../support/socket";
import { Talker } from "../support/talker";
import { cpuTime, findChildren, residentMemory } from "../support/workers";
import { startEcho } from "./checks/echo";
import { makeWrite } from "./one-write";
import type { Recorder } from "./results";
import { startBenchSite } from "./site";
import { openSlowReader } from "./slow-reader";
import { quantile, timed } from "./statistics";

/** Messages a second, over all conversations. */
const RATES = [25, 50, 75, 100, 125, 150, 200, 300, 400];
/** The series of rates ends once the 99th percentile of the deliveries exceeds this time, in milliseconds. */
const LONGEST_DELIVERY = 2_000;
/** The time that the last messages of a rate may take to arrive, in milliseconds. */
const PATIENCE = 60_000;
/** Rooms hibernate after ten seconds without work. */
const HIBERNATION = 15_000;

type Pair = Awaited<ReturnType<typeof newPair>>;

/**
 * Measures the rooms: deliveries at rising rates, idle sockets, reconnecting after all connections were cut, and a tab
 * that stops reading. Losses and duplicates are counted at every rate.
 */
export async function measureRooms(recorder: Recorder): Promise<void> {
  const { isQuick } = recorder;
  await recorder.step("One message", () => measureDelivery(recorder, isQuick ? 10 : 300));
  for (const conversations of isQuick ? [10] : [200, 1_000]) {
    await recorder.step(`Rising rates over ${conversations} conversations`, () =>
      measureRates(recorder, conversations, isQuick ? [10, 20] : RATES, isQuick ? 2 : 10),
    );
  }
  await recorder.step("Idle sockets", () => measureIdle(recorder, isQuick ? 5 : 250));
  await recorder.step("Reconnecting", () => measureStorm(recorder, isQuick ? 5 : 200));
  await recorder.step("A slow reader", () => measureSlowReader(recorder, isQuick ? 20 : 500));
}

/** Measures a delivery alongside its parts: an action without work, one write, and a bare partyserver echo. */
async function measureDelivery(recorder: Recorder, rounds: number): Promise<void> {
  const [site, echo] = [await startBenchSite({}), await startEcho()];
  try {
    const [{ one, other, conversationId }, elsewhere] = [await newPair(site), await newPair(site)];
    const socket = await openConversation(other.client, conversationId);
    const write = makeWrite(site, elsewhere);
    // The parts take turns, and the first rounds warm up.
    for (let round = 1 - Math.ceil(rounds / 6); round <= rounds; round += 1) {
      const id = uuidv7();
      const times = {
        "empty action": await timed(() => one.client.post("/theme", { theme: "dark", returnTo: "/" })),
        "one write": await timed(() => write(round + rounds)),
        echo: await timed(() => echo.bounce(`${round}`)),
        delivery: await timed(async () => {
          const response = sendTo(one.client, conversationId, `Message ${round}`, id);
          response.catch(() => undefined);
          await socket.next("message", ({ message }) => message.id === id);
        }),
      };
      if (round < 1) continue;
      for (const [name, took] of Object.entries(times)) recorder.add("one message", name, "ms", took);
    }
    socket.close();
  } finally {
    await echo.stop();
    await site.stop();
  }
}

/** Sends at each rate in turn, until deliveries take too long. */
export async function measureRates(
  recorder: Recorder,
  conversations: number,
  rates: readonly number[],
  seconds: number,
): Promise<void> {
  const site = await startBenchSite({});
  try {
    const sentAt = new Map<string, number>();
    const arrived = new Map<string, { took: number; times: number }>();
    const talks: { pair: Pair; sockets: RoomSocket[] }[] = [];
    for (const pair of await newPairs(site, conversations)) {
      const sockets = await Promise.all(
        [pair.one, pair.other].map(({ client, player }) =>
          openConversation(client, pair.conversationId, (frame) => {
            if (frame.type !== "message" || frame.message.senderId === player.id) return;
            const { id } = frame.message;
            const known = arrived.get(id);
            if (known) known.times += 1;
            else arrived.set(id, { took: performance.now() - (sentAt.get(id) ?? 0), times: 1 });
          }),
        ),
      );
      talks.push({ pair, sockets });
    }
    const allSockets = talks.flatMap(({ sockets }) => sockets);
    const group = `${conversations} conversations`;
    for (const rate of rates) {
      const processes = { workerd: findChildren("workerd"), sqld: findChildren("sqld") };
      const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuTime(pid), 0);
      const before = { workerd: cpuOf(processes.workerd), sqld: cpuOf(processes.sqld), own: process.cpuUsage() };
      const seen = new Map(allSockets.map((socket) => [socket, socket.messages.length]));
      const started = performance.now();
      const { ids, again } = await sendAtRate(talks, rate, seconds, sentAt);
      const took = (performance.now() - started) / 1_000;
      await eventually(() => ids.every((id) => arrived.has(id)) || undefined, PATIENCE).catch(() => undefined);
      const deliveries = ids.flatMap((id) => arrived.get(id)?.took ?? []);
      const own = process.cpuUsage(before.own);
      const add = (subject: string, unit: string, value: number) =>
        recorder.add(group, `${subject} at ${rate}`, unit, value);
      add("p50", "ms", quantile(deliveries, 0.5));
      add("p99", "ms", quantile(deliveries, 0.99));
      add("stored a second", "/s", ids.length / took);
      add("lost", "", ids.filter((id) => !arrived.has(id)).length);
      add("doubled", "", ids.filter((id) => (arrived.get(id)?.times ?? 0) > 1).length);
      add("sent again", "", again);
      add("overtaken", "", allSockets.filter((socket) => isOutOfOrder(socket.messages.slice(seen.get(socket)))).length);
      add("CPU of workerd a message", "ms", (cpuOf(processes.workerd) - before.workerd) / ids.length);
      add("CPU of sqld a message", "ms", (cpuOf(processes.sqld) - before.sqld) / ids.length);
      add("CPU of the bench a message", "ms", (own.user + own.system) / 1_000 / ids.length);
      if (quantile(deliveries, 0.99) > LONGEST_DELIVERY) break;
    }
    for (const socket of allSockets) socket.close();
  } finally {
    await site.stop();
  }
}

/** Whether a frame has arrived before one of an earlier message. Pages sort messages by their numbers. */
const isOutOfOrder = (messages: readonly { seq: number }[]) =>
  messages.some(({ seq }, at) => at > 0 && seq <= (messages[at - 1]?.seq ?? 0));

/**
 * Sends a message until it is acknowledged, as pages do.
 * @returns the number of times that it was sent again
 */
async function sendUntilStored(client: Client, conversationId: string, message: string, id = uuidv7()) {
  for (let again = 0, wait = 1_000; ; again += 1, wait = Math.min(wait * 2, 4_000)) {
    const response = await sendTo(client, conversationId, message, id).catch(() => null);
    if (response?.status === 200) return again;
    if (response && response.status !== 503) throw new Error(`A message was answered with ${response.status}.`);
    await pause(wait);
  }
}

/** Sends at a steady rate, however long the responses take. */
async function sendAtRate(
  talks: readonly { pair: Pair }[],
  rate: number,
  seconds: number,
  sentAt: Map<string, number>,
): Promise<{ ids: string[]; again: number }> {
  let again = 0;
  const begin = performance.now() + 200;
  const ids = Array.from({ length: rate * seconds }, () => uuidv7());
  await Promise.all(
    ids.map(async (id, at) => {
      const { pair } = talks[at % talks.length] as { pair: Pair };
      await pause(Math.max(0, begin + (at * 1_000) / rate - performance.now()));
      sentAt.set(id, performance.now());
      // Both sides of each conversation send, in turns.
      const sender = Math.floor(at / talks.length) % 2 ? pair.one.client : pair.other.client;
      again += await sendUntilStored(sender, pair.conversationId, `Message ${at}`, id);
    }),
  );
  return { ids, again };
}

/** Ten tabs for each of two players in each conversation. */
async function measureIdle(recorder: Recorder, conversations: number): Promise<void> {
  const tabs = 10;
  const site = await startBenchSite({});
  try {
    const pairs = await newPairs(site, conversations);
    const [worker] = findChildren("workerd") as [number];
    const empty = residentMemory(worker);
    const sockets: RoomSocket[] = [];
    for (const { one, other, conversationId } of pairs) {
      const opened = Array.from({ length: 2 * tabs }, (_, at) =>
        openConversation((at % 2 ? one : other).client, conversationId),
      );
      sockets.push(...(await Promise.all(opened)));
    }
    const group = "idle sockets";
    recorder.add(group, "sockets", "", sockets.length);
    recorder.add(group, "memory a socket, awake", "kB", (residentMemory(worker) - empty) / sockets.length / 1_000);
    await pause(HIBERNATION);
    recorder.add(group, "memory a socket, hibernated", "kB", (residentMemory(worker) - empty) / sockets.length / 1_000);
    // Pings are answered without waking the rooms.
    const before = cpuTime(worker);
    for (const socket of sockets) socket.send("ping");
    for (const socket of sockets) await socket.until(() => (socket.pongs >= 2 ? true : undefined), "a pong", PATIENCE);
    recorder.add(group, "CPU time a ping", "ms", (cpuTime(worker) - before) / sockets.length);
    const [first] = pairs as [Pair];
    const own = sockets.slice(0, 2 * tabs);
    const woken = await timed(async () => {
      await sendTo(first.one.client, first.conversationId, "Good morning");
      for (const socket of own) await socket.until(() => socket.messages[0], "the message", PATIENCE);
    });
    recorder.add(group, "first delivery after hibernation", "ms", woken);
    recorder.add(group, "closed by themselves", "", sockets.filter(({ end }) => end).length);
    for (const socket of sockets) socket.close();
  } finally {
    await site.stop();
  }
}

/** Cuts all connections at the same time, while each conversation receives a message. */
export async function measureStorm(recorder: Recorder, conversations: number): Promise<void> {
  const direct = await startBenchSite({});
  const proxy = await startLibsqlProxy(direct.libsqlUrl);
  const site = await startBenchSite({ libsqlUrl: direct.libsqlUrl, bindings: { LIBSQL_URL: proxy.url } });
  const cutter = await startCutter(site.url);
  try {
    const group = "reconnecting";
    const pairs = await newPairs(site, conversations);
    const talkers = await Promise.all(
      pairs.flatMap(({ one, other, conversationId }) =>
        [one, other].map(({ client }) => {
          const through = new Client(cutter.url);
          for (const [name, value] of client.cookies) through.cookies.set(name, value);
          return new Talker(through, conversationId).open();
        }),
      ),
    );
    proxy.clear();
    const steady = await timed(async () => {
      cutter.cut();
      const sent = pairs.map(({ one, conversationId }) =>
        sendUntilStored(one.client, conversationId, "During the storm"),
      );
      await eventually(() => talkers.every(({ sockets }) => sockets.length > 1) || undefined, PATIENCE);
      const again = await Promise.all(sent);
      recorder.add(
        group,
        "messages sent again",
        "",
        again.reduce((sum, times) => sum + times, 0),
      );
    });
    recorder.add(group, "sockets", "", talkers.length);
    recorder.add(group, "until all are back", "s", steady / 1_000);
    recorder.add(group, "requests to the database a socket", "", proxy.posts / talkers.length);
    await eventually(() => talkers.every(({ messages }) => messages.length === 1) || undefined, PATIENCE).catch(
      () => undefined,
    );
    recorder.add(
      group,
      "players who missed the message",
      "",
      talkers.filter(({ messages }) => messages.length !== 1).length,
    );
    for (const talker of talkers) talker.leave();
  } finally {
    await cutter.stop();
    await site.stop();
    await proxy.stop();
    await direct.stop();
  }
}

/** Long messages to a conversation in which one tab has stopped reading. */
export async function measureSlowReader(recorder: Recorder, count: number): Promise<void> {
  const site = await startBenchSite({});
  try {
    const { one, other, conversationId } = await newPair(site);
    const deliveries = { "without a slow reader": [] as number[], "with a slow reader": [] as number[] };
    const socket = await openConversation(other.client, conversationId);
    let stop = () => {};
    for (const [name, times] of Object.entries(deliveries)) {
      if (name === "with a slow reader") stop = await openSlowReader(other.client, conversationId);
      for (let at = 0; at < count; at += 1) {
        const id = uuidv7();
        const started = performance.now();
        const response = sendTo(one.client, conversationId, "x".repeat(2_000), id);
        await socket.until(() => socket.messages.find((message) => message.id === id), "the message", PATIENCE);
        times.push(performance.now() - started);
        await response;
      }
      recorder.add("slow reader", `p50 ${name}`, "ms", quantile(times, 0.5));
      recorder.add("slow reader", `p99 ${name}`, "ms", quantile(times, 0.99));
    }
    stop();
    socket.close();
  } finally {
    await site.stop();
  }
}

/** Adds pairs of players, a few at a time. */
async function newPairs(site: TestApp, count: number): Promise<Pair[]> {
  const pairs: Pair[] = [];
  while (pairs.length < count) {
    const some = Math.min(4, count - pairs.length);
    pairs.push(...(await Promise.all(Array.from({ length: some }, () => newPair(site)))));
  }
  return pairs;
}
