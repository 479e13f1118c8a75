import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { uuidv7 } from "../../db/ids";
import { startSqld } from "../../scripts/local/sqld";
import { newPair, sendTo } from "../integration/players";
import type { TestApp } from "../support/app";
import { Client, signIn } from "../support/client";
import { findMeasuredPages, MEASURED_VISITOR, type MeasuredPage } from "../support/measured-pages";
import { cpuTime, findChildren } from "../support/workers";
import { startDelayProxy } from "./delay-proxy";
import { buildEmptySite, EMPTY_HOST, putEmptyPage } from "./empty-site";
import type { Recorder } from "./results";
import { startBenchSite } from "./site";
import { timed } from "./statistics";

/** The pages that are measured. */
const PAGES: readonly MeasuredPage[] = ["landing", "LFG", "Messages", "thread", "Players", "Tournaments"];
const CONNECTIONS = [1, 10];
/** Distances of the database, in milliseconds. */
const DELAYS = [0, 20, 100];
/** Requests in a batch whose CPU time is measured: Linux counts in steps of 10 ms. */
const BATCH = 20;

/**
 * Measures the Worker: requests a second, response times and CPU time for each page. Each page is compared with one of
 * the same elements and size, but without data, in the same workerd. Also measures response times with the database at
 * a distance.
 */
export async function measureServer(recorder: Recorder): Promise<void> {
  const { isQuick } = recorder;
  const size = isQuick
    ? { rounds: 1, seconds: 1, batches: 3, tries: 5 }
    : { rounds: 5, seconds: 3, batches: 10, tries: 40 };
  const dir = mkdtempSync(join(tmpdir(), "lineup-bench-"));
  const cleanUp: (() => Promise<void> | void)[] = [() => rmSync(dir, { recursive: true, force: true })];
  try {
    const sqld = await startSqld({ dir: join(dir, "libsql") });
    cleanUp.push(() => sqld.stop());
    const beside = { host: EMPTY_HOST, file: await buildEmptySite() };
    const site = await startBenchSite({ world: "busy", libsqlUrl: sqld.url, beside });
    try {
      await measureThroughput(recorder, site, size);
    } finally {
      await site.stop();
    }
    const proxy = await startDelayProxy(sqld.url);
    cleanUp.push(() => proxy.stop());
    const distant = await startBenchSite({ libsqlUrl: sqld.url, bindings: { LIBSQL_URL: proxy.url } });
    cleanUp.push(() => distant.stop());
    await measureDelays(recorder, distant, proxy, size.tries);
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
}

interface Subject {
  name: string;
  url: string;
  headers: Record<string, string>;
}

async function measureThroughput(
  recorder: Recorder,
  site: TestApp,
  { rounds, seconds, batches }: { rounds: number; seconds: number; batches: number },
): Promise<void> {
  const client = await signIn(site.client(), MEASURED_VISITOR);
  const addresses = await findMeasuredPages(site);
  const subjects: Subject[] = [];
  for (const name of PAGES) {
    const { path, isPublic } = addresses[name];
    const { text } = await (isPublic ? site.client() : client).get(path);
    await putEmptyPage(site.url, name, text);
    subjects.push(
      { name, url: site.url + path, headers: isPublic ? {} : { Cookie: client.cookieHeader } },
      { name: `${name}, empty`, url: `${site.url}/${encodeURIComponent(name)}`, headers: { Host: EMPTY_HOST } },
    );
  }
  const [worker] = findChildren("workerd") as [number];
  // Warms up: after a while, the compiler has optimised the hot code.
  for (const subject of subjects) await load(subject, 1, recorder.isQuick ? 0.5 : 2);
  for (let round = 1; round <= rounds; round += 1) {
    await recorder.step(`Throughput, round ${round} of ${rounds}`, async () => {
      for (const connections of CONNECTIONS) {
        for (const subject of subjects) {
          const { requests, latency, non2xx, errors } = await load(subject, connections, seconds);
          if (non2xx + errors > 0) throw new Error(`${subject.name}: ${non2xx} refused, ${errors} failed.`);
          recorder.add(subject.name, `requests a second at ${connections}`, "/s", requests.average);
          recorder.add(subject.name, `response time p50 at ${connections}`, "ms", latency.p50);
          recorder.add(subject.name, `response time p99 at ${connections}`, "ms", latency.p99);
        }
      }
    });
  }
  await recorder.step("CPU time", async () => {
    for (let batch = 0; batch < batches; batch += 1) {
      for (const { name, url, headers } of subjects) {
        const before = cpuTime(worker);
        await autocannon({ url, headers, connections: 1, amount: BATCH });
        recorder.add(name, "CPU time a request", "ms", (cpuTime(worker) - before) / BATCH);
      }
    }
  });
}

const load = ({ url, headers }: Subject, connections: number, seconds: number) =>
  autocannon({ url, headers, connections, duration: seconds });

async function measureDelays(
  recorder: Recorder,
  site: TestApp,
  proxy: { delay: number },
  tries: number,
): Promise<void> {
  const client = await signIn(new Client(site.url), MEASURED_VISITOR);
  const addresses = await findMeasuredPages(site);
  const { one, conversationId } = await newPair(site);
  const work: Record<string, () => Promise<{ status: number }>> = {};
  for (const name of PAGES) {
    const { path, isPublic } = addresses[name];
    work[name] = () => (isPublic ? site.client() : client).get(path);
  }
  let post = "";
  Object.assign(work, {
    "send a message": () => sendTo(one.client, conversationId, "Hello"),
    "make a post": () => {
      post = uuidv7();
      return one.client.post("/dashboard/lfg/new", { id: post, title: "Two for Haven", neededPlayers: "2" });
    },
    "close a post": () => one.client.post(`/lfg/${post}`, { intent: "close" }),
  });
  for (const delay of DELAYS) {
    await recorder.step(`Database ${delay} ms away`, async () => {
      proxy.delay = delay;
      for (let round = -2; round < tries; round += 1) {
        for (const [name, ask] of Object.entries(work)) {
          const took = await timed(async () => {
            const { status } = await ask();
            if (status >= 400) throw new Error(`${name}: ${status}`);
          });
          if (round >= 0) recorder.add(name, `response time, database ${delay} ms away`, "ms", took);
        }
      }
    });
  }
  proxy.delay = 0;
}
