import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "../../db/ids";
import { startSqld } from "../../scripts/local/sqld";
import { newModerator } from "../integration/moderators";
import { addConversation, newVisitor, sendTo } from "../integration/players";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { type LibsqlProxy, startLibsqlProxy } from "../support/libsql-proxy";
import { roundTrips } from "../support/server-timing";
import type { Recorder } from "./results";
import { fillWorld, type WorldSize } from "./scale-worlds";
import { startBenchSite } from "./site";
import { timed } from "./statistics";

/** The worlds, by name. A quick run divides their sizes by a hundred, but never goes below those of the first. */
const WORLDS: Record<string, WorldSize> = {
  "1 000 posts": { players: 1_000, posts: 1_000, messages: 1_000, thread: 100, tournaments: 1_000, cases: 1_000 },
  "100 000 posts": {
    players: 20_000,
    posts: 100_000,
    messages: 100_000,
    thread: 10_000,
    tournaments: 3_000,
    cases: 10_000,
  },
  "1 000 000 posts": {
    players: 100_000,
    posts: 1_000_000,
    messages: 1_000_000,
    thread: 100_000,
    tournaments: 10_000,
    cases: 100_000,
  },
};

/**
 * Measures every list and the main forms in worlds of rising size: rows read, bytes, round trips and time. Also
 * measures how long each world takes to build, and the size of its database.
 */
export async function measureScale(recorder: Recorder): Promise<void> {
  const tries = recorder.isQuick ? 2 : 25;
  for (const [name, size] of Object.entries(WORLDS)) {
    await recorder.step(name, async () => {
      const share = recorder.isQuick ? 100 : 1;
      const least = WORLDS["1 000 posts"] as WorldSize;
      const scaled = Object.fromEntries(
        Object.entries(size).map(([kind, count]) => [kind, Math.max(count / share, least[kind as keyof WorldSize])]),
      ) as unknown as WorldSize;
      const dir = mkdtempSync(join(tmpdir(), "lineup-scale-"));
      const sqld = await startSqld({ dir: join(dir, "libsql") });
      const proxy = await startLibsqlProxy(sqld.url);
      const started = performance.now();
      const site = await startBenchSite({
        world: "large",
        size: { players: scaled.players, posts: scaled.posts, openShare: 0.5 },
        libsqlUrl: sqld.url,
        bindings: { LIBSQL_URL: proxy.url },
      });
      recorder.add(name, "players and posts built in", "s", (performance.now() - started) / 1_000);
      try {
        await measureWorld(recorder, name, site, proxy, scaled, tries);
        recorder.add(name, "database", "MB", folderSize(join(dir, "libsql")) / 1e6);
      } finally {
        await site.stop();
        await proxy.stop();
        await sqld.stop();
        rmSync(dir, { recursive: true, force: true });
      }
    });
  }
}

/** The lists, by name; `:thread` is the reader's long conversation. */
const LISTS: Record<string, string> = {
  LFG: "/dashboard",
  "LFG by role": "/dashboard?role=Sentinel",
  "LFG by rank": "/dashboard?rank=Gold+1",
  "LFG by text": "/dashboard?q=controller",
  Players: "/dashboard/players?sort=best",
  "Players, newest": "/dashboard/players?sort=newest",
  "Players by name": "/dashboard/players?name=sh&sort=newest",
  Messages: "/dashboard/messages",
  thread: "/dashboard/messages/:thread",
  Tournaments: "/dashboard/tournaments",
  "Tournaments, open": "/dashboard/tournaments?open=on",
  notifications: "/dashboard/notifications",
  search: "/dashboard/search?q=cold",
};

const QUEUES: Record<string, string> = {
  "moderation queue": "/moderation",
  "queue by reports": "/moderation?order=reports",
};

async function measureWorld(
  recorder: Recorder,
  world: string,
  site: TestApp,
  proxy: LibsqlProxy,
  size: WorldSize,
  tries: number,
): Promise<void> {
  const [reader, writer] = [await newVisitor(site, verified("Reader")), await newVisitor(site, verified("Writer"))];
  const moderator = await newModerator(site, "admin");
  const thread = await addConversation(site, reader.player, writer.player);
  recorder.add(
    world,
    "messages, tournaments and cases built in",
    "s",
    (await timed(() => fillWorld(site.libsqlUrl, size, { readerId: reader.player.id, thread }))) / 1_000,
  );

  const measure = async (name: string, { before, ask, after }: Form) => {
    for (let round = -1; round < tries; round += 1) {
      await before?.();
      proxy.clear();
      const started = performance.now();
      const response = await ask();
      const took = performance.now() - started;
      if (response.status >= 400) throw new Error(`${name} in the world of ${world}: ${response.status}`);
      if (round >= 0) record(name, response, took);
      await after?.();
    }
  };
  const record = (name: string, response: HttpResponse, took: number) => {
    recorder.add(name, `time, ${world}`, "ms", took);
    recorder.add(
      name,
      `rows read, ${world}`,
      "",
      proxy.statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    );
    recorder.add(name, `bytes, ${world}`, "B", Buffer.byteLength(response.text));
    recorder.add(name, `round trips, ${world}`, "", roundTrips(response));
  };

  for (const [name, path] of Object.entries(LISTS)) {
    await measure(name, { ask: () => reader.client.get(path.replace(":thread", thread)) });
  }
  for (const [name, path] of Object.entries(QUEUES)) await measure(name, { ask: () => moderator.client.get(path) });
  for (const [name, form] of Object.entries(formsOf(reader.client, writer.client, thread))) await measure(name, form);
}

const verified = (riotGameName: string) => ({
  riotGameName,
  riotPuuid: uuidv7(),
  riotVerifiedAt: new Date(),
  currentRank: "Gold 2" as const,
});

interface Form {
  /** Makes what the form needs; not measured. */
  before?: () => Promise<unknown>;
  ask: () => Promise<HttpResponse>;
  /** Ends what the form has begun; not measured. */
  after?: () => Promise<unknown>;
}

/** The forms to measure: `client` sends messages and makes posts; `other` acts on the posts and joins a tournament. */
function formsOf(client: Client, other: Client, thread: string): Record<string, Form> {
  let post = "";
  const tournament = "/tournaments/0000000a-0000-7000-8000-000000000000";
  const make = () => {
    post = uuidv7();
    return client.post("/dashboard/lfg/new", { id: post, title: "Two for Haven", neededPlayers: "2" });
  };
  const press = (intent: string) => client.post(`/lfg/${post}`, { intent });
  const close = () => press("close");
  return {
    "send a message": { ask: () => sendTo(client, thread, "Hello") },
    "make a post": { ask: make, after: close },
    "close a post": { before: make, ask: close },
    "ask to join": { before: make, ask: () => other.post(`/lfg/${post}/join`, { id: uuidv7() }), after: close },
    "report a post": {
      before: make,
      ask: () => other.post(`/lfg/${post}/report`, { id: uuidv7(), reason: "other" }),
      after: close,
    },
    "register for a tournament": {
      ask: () => other.post(`${tournament}/register`, { id: uuidv7(), alone: "yes" }),
      after: () => other.post(`${tournament}/withdraw`),
    },
  };
}

function folderSize(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
