import { afterAll, beforeAll } from "vitest";
import { type App, type AppOptions, startApp } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { Client } from "./client";
import { openTestDatabase, type TestDatabase } from "./database";
import { type ReadEmail, readEmail } from "./mailbox";
import { quickHash } from "./passwords";

/** The app of one test file, with the helpers that its tests need. */
export interface TestApp extends App {
  db: TestDatabase;
  /** Makes a new visitor with an empty cookie jar. */
  client(): Client;
  /** Waits for an email to this address and returns the latest one. */
  readEmail(recipient: string): Promise<ReadEmail>;
}

/**
 * Starts one app for the tests of this file (or `describe`) and stops it after them. Rate limits are a thousand times
 * the default, so that only tests with `limitFactor: 1` reach them.
 *
 * @returns the app, for use inside tests and hooks only
 * @example
 * const app = useApp({ world: "demo" });
 * test("…", async () => { const player = await signIn(app.client(), "player1@example.com"); });
 */
export function useApp(options: AppOptions = {}): TestApp {
  let running: TestApp | undefined;
  beforeAll(async () => {
    const app = await startApp({ limitFactor: 1_000, passwordHash: quickHash(PASSWORD), ...options });
    running = {
      ...app,
      db: openTestDatabase(app),
      client: () => new Client(app.url),
      readEmail: (recipient) => readEmail(app, recipient),
    };
  });
  afterAll(() => running?.stop());
  return new Proxy({} as TestApp, {
    get(_, name) {
      if (!running) throw new Error("The app starts in beforeAll: use it inside of tests and hooks only.");
      return running[name as keyof TestApp];
    },
  });
}
