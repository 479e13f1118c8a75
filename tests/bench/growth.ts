import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { uuidv7 } from "../../db/ids";
import { startSqld } from "../../scripts/local/sqld";
import { addConversation, newVisitor, sendTo } from "../integration/players";
import { startLibsqlProxy } from "../support/libsql-proxy";
import { findMeasuredPages } from "../support/measured-pages";
import { openConversation, openInbox } from "../support/socket";
import { cpuTime, findChildren } from "../support/workers";
import type { Recorder } from "./results";
import { startBenchSite } from "./site";
import { type MIX, simulateDay } from "./traffic";

/** The numbers of daily players whose costs are reported. */
export const DAILY_PLAYERS = [10_000, 100_000, 1_000_000];
/** The number of players who are simulated one by one. A day with more players is a multiple of this day. */
const SIMULATED = 10_000;

/**
 * Measures what a day costs: performs each action of the traffic mix against the built Worker, counts its rows, and
 * simulates the day's arrivals for the peaks.
 */
export async function measureGrowth(recorder: Recorder): Promise<void> {
  const tries = recorder.isQuick ? 2 : 30;
  const dir = mkdtempSync(join(tmpdir(), "lineup-growth-"));
  const sqld = await startSqld({ dir });
  const proxy = await startLibsqlProxy(sqld.url);
  const site = await startBenchSite({ world: "busy", libsqlUrl: sqld.url, bindings: { LIBSQL_URL: proxy.url } });
  try {
    const [one, other, third] = [await newVisitor(site), await newVisitor(site), await newVisitor(site)];
    // Players who act have a tab open, so their inboxes count what is unread after each change.
    const inboxes = [await openInbox(one.client), await openInbox(other.client)];
    const conversationId = await addConversation(site, one.player, other.player);
    const addresses = await findMeasuredPages(site);
    const { client } = one;
    const get = (path: string) => () => client.get(path);
    let post = uuidv7();
    const actions: Record<keyof typeof MIX, () => Promise<unknown>> = {
      "open LFG": get("/dashboard"),
      "filter LFG": get("/dashboard?role=Sentinel&region=Europe"),
      "open a player": get(addresses.player.path),
      "open Players": get(addresses.Players.path),
      "open Messages": get("/dashboard/messages"),
      "open a thread": async () => {
        const socket = await openConversation(client, conversationId);
        await client.get(`/dashboard/messages/${conversationId}`);
        socket.close();
      },
      "send a message": () => sendTo(client, conversationId, "On my way"),
      "make and close a post": async () => {
        post = uuidv7();
        await client.post("/dashboard/lfg/new", { id: post, title: "Two for Haven", neededPlayers: "2" });
        await client.post(`/lfg/${post}`, { intent: "close" });
      },
      "ask to join": async () => {
        post = uuidv7();
        await client.post("/dashboard/lfg/new", { id: post, title: "Two for Haven", neededPlayers: "2" });
        await other.client.post(`/lfg/${post}/join`, { id: uuidv7() });
        await client.post(`/lfg/${post}`, { intent: "close" });
      },
      "open Tournaments": get("/dashboard/tournaments"),
      "open a bracket": get(addresses.bracket.path),
      "come and go": async () => {
        const socket = await openInbox(third.client);
        await third.client.get("/dashboard/messages");
        socket.close();
      },
    };
    const [worker] = findChildren("workerd") as [number];
    for (const [name, perform] of Object.entries(actions)) {
      await recorder.step(`Action: ${name}`, async () => {
        await perform();
        for (let round = 0; round < tries; round += 1) {
          await pause(50);
          proxy.clear();
          const before = cpuTime(worker);
          await perform();
          // Rooms and the outbox write after the response.
          await pause(150);
          const sum = (kind: "rowsRead" | "rowsWritten") =>
            proxy.statements.reduce((total, statement) => total + (statement[kind] || 0), 0);
          recorder.add(name, "rows read", "", sum("rowsRead"));
          recorder.add(name, "rows written", "", sum("rowsWritten"));
          recorder.add(name, "statements", "", proxy.statements.length);
          recorder.add(name, "CPU time", "ms", cpuTime(worker) - before);
        }
      });
    }
    for (const inbox of inboxes) inbox.close();
    await recorder.step("A simulated day", async () => {
      const day = simulateDay(recorder.isQuick ? SIMULATED / 10 : SIMULATED);
      const share = recorder.isQuick ? SIMULATED / 10 : SIMULATED;
      for (const players of DAILY_PLAYERS) {
        const times = players / share;
        const group = `${players} daily players`;
        for (const [name, count] of Object.entries(day.counts)) recorder.add(group, name, "a day", count * times);
        recorder.add(group, "requests a second at the peak", "/s", day.peakRequests * times);
        recorder.add(group, "writes a second at the peak", "/s", day.peakWrites * times);
        recorder.add(group, "sockets at the peak", "", day.peakSockets * times);
        recorder.add(group, "hours with an open socket", "h", day.socketHours * times);
      }
    });
  } finally {
    await site.stop();
    await proxy.stop();
    await sqld.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
