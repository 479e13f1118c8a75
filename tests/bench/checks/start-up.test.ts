import { readdirSync, readFileSync } from "node:fs";
import { cpus, platform } from "node:os";
import { gzipSync } from "node:zlib";
import { Log, LogLevel, Miniflare, type WorkerOptions } from "miniflare";
import { expect, test } from "vitest";
import { LOCAL_SECRET } from "../../../scripts/local/app";
import { ROOT, readWorkerOptions, WORKER } from "../../../scripts/local/build";

/*
 * Measures how much more CPU time workerd spends on the Worker than on an empty one: until it listens (it parses and
 * runs the module) and until it has sent its first response (it compiles the functions that the module only defines).
 * CPU time suffers less from other load than elapsed time, but it does suffer, so the figures are reported and not
 * asserted.
 */

const RUNS = 10;
const EMPTY =
  "export default { fetch: () => new Response() }; export class Conversation {}; export class Inbox {}; export class Tournament {}; export class PostList {}";

/** CPU time in milliseconds: of the thread that runs JavaScript, and of all threads (compiler, garbage collector). */
interface Time {
  main: number;
  all: number;
}

const ran = (schedstat: string) => Number(readFileSync(schedstat, "utf8").split(" ")[0]) / 1e6;

/** The CPU time that this process's workerd child has used so far. @throws Error when there is none */
function workerdTime(): Time {
  const child = readdirSync("/proc").find((pid) => {
    try {
      const [, name, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").match(/^\d+ \((.*)\) \S (\d+)/) ?? [];
      return name === "workerd" && Number(parent) === process.pid;
    } catch {
      return false; // The process has ended.
    }
  });
  if (!child) throw new Error("There is no workerd.");
  const threads = readdirSync(`/proc/${child}/task`).map((id) => ran(`/proc/${child}/task/${id}/schedstat`));
  return { main: ran(`/proc/${child}/task/${child}/schedstat`), all: threads.reduce((sum, time) => sum + time, 0) };
}

/** Starts a Worker, requests a page and stops it. @returns the CPU time until it listened and until it had responded */
async function startOnce(contents: string): Promise<{ listening: Time; answered: Time }> {
  const { bindings, ...options } = readWorkerOptions() as WorkerOptions & { bindings: Record<string, unknown> };
  const miniflare = new Miniflare({
    ...options,
    rootPath: ROOT,
    modules: [{ type: "ESModule", path: WORKER, contents }],
    bindings: {
      ...bindings,
      LIBSQL_URL: "http://127.0.0.1:1",
      SESSION_SECRET: LOCAL_SECRET,
      ENCRYPTION_KEY: LOCAL_SECRET,
      LOCAL_TOOLS: "true",
    },
    host: "127.0.0.1",
    log: new Log(LogLevel.ERROR),
    handleStructuredLogs: () => undefined,
  });
  try {
    const url = await miniflare.ready;
    const listening = workerdTime();
    const { status } = await fetch(new URL("/healthz", url));
    expect(status).toBe(200);
    return { listening, answered: workerdTime() };
  } finally {
    await miniflare.dispose();
  }
}

const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] as number;

test.skipIf(platform() !== "linux")("The Worker's start-up time is reported", async () => {
  const contents = readFileSync(WORKER, "utf8");
  const times: Record<"ours" | "empty", { listening: Time; answered: Time }[]> = { ours: [], empty: [] };
  // Alternate, so that other load on the machine affects both.
  for (let run = 0; run < RUNS; run += 1) {
    times.ours.push(await startOnce(contents));
    times.empty.push(await startOnce(EMPTY));
  }
  console.log(
    `${cpus().length} cores (${cpus()[0]?.model}); ${(gzipSync(contents).byteLength / 1000).toFixed(1)} kB gzip`,
  );
  for (const until of ["listening", "answered"] as const) {
    for (const threads of ["main", "all"] as const) {
      const [ours, empty] = [times.ours, times.empty].map((runs) => runs.map((run) => run[until][threads]));
      const [best, median] = [0, 0.5].map((share) => (at(ours ?? [], share) - at(empty ?? [], share)).toFixed(0));
      console.log(
        `CPU time until ${until}, ${threads === "main" ? "main thread" : "all threads"}, over an empty Worker: median ${median} ms, best ${best} ms`,
      );
    }
  }
  expect(times.ours).toHaveLength(RUNS);
});
