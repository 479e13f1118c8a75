import { afterAll, beforeAll } from "vitest";
import { type App, type AppOptions, startApp } from "../../scripts/local/app";
import { Client } from "./client";
import { openTestDatabase, type TestDatabase } from "./database";
import { type ReadEmail, readEmail } from "./mailbox";

/** The app of one test file, with what tests ask of it. */
export interface TestApp extends App {
  db: TestDatabase;
  /** A new visitor, with a cookie jar of its own. */
  client(): Client;
  /** The latest e-mail to someone, as soon as there is one. */
  readEmail(recipient: string): Promise<ReadEmail>;
}

/**
 * Starts one app for the tests of this file (or `describe`) and stops it after them. Limits are a thousand times the
 * default, so that tests meet them only where they ask to (`limitFactor: 1`).
 *
 * @returns the app; to be used inside of tests and hooks only
 * @example
 * const app = useApp({ world: "demo" });
 * test("…", async () => { const player = await signIn(app.client(), "player1@example.com"); });
 */
export function useApp(options: AppOptions = {}): TestApp {
  let running: TestApp | undefined;
  beforeAll(async () => {
    const app = await startApp({ limitFactor: 1_000, ...options });
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
