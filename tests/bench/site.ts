import { type AppOptions, startApp } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import type { TestApp } from "../support/app";
import { Client } from "../support/client";
import { openTestDatabase } from "../support/database";
import { readEmail } from "../support/mailbox";
import { quickHash } from "../support/passwords";

/** Starts the app with the tests' helpers, outside of a test runner. Rate limits are out of reach. */
export async function startBenchSite(options: AppOptions): Promise<TestApp> {
  const app = await startApp({ limitFactor: 1_000_000, passwordHash: quickHash(PASSWORD), ...options });
  return {
    ...app,
    db: openTestDatabase(app),
    client: () => new Client(app.url),
    readEmail: (recipient) => readEmail(app, recipient),
  };
}
