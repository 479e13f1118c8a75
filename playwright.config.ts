import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS, findTestChromium, TEST_ARGS } from "./scripts/local/browser";
import type { AppFixtures } from "./tests/support/e2e";

/** Every scenario runs twice: with JavaScript and without. */
export default defineConfig<object, AppFixtures>({
  testDir: "tests/e2e",
  globalSetup: "./tests/support/build.ts",
  // Without the platform in the name: the screenshot tests handle differences themselves.
  snapshotPathTemplate: "{testDir}/screenshots/{arg}{ext}",
  // Three workers for two cores: tests spend about a fifth of their time waiting (docs/decisions/0050-test-run.md).
  workers: 3,
  // Machines are shared, and a browser is not always scheduled in time. `npm test` names each test that needed a retry.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    // Only the tests of pushes and of the service worker itself need one.
    serviceWorkers: "block",
    launchOptions: {
      executablePath: findTestChromium(),
      args: [...CHROMIUM_ARGS, ...TEST_ARGS],
    },
  },
  projects: [
    { name: "js", use: { javaScriptEnabled: true } },
    // Without motion, which takes a third of the CPU time (docs/decisions/0050-test-run.md). The other project shows
    // each scenario with it.
    { name: "no-js", use: { javaScriptEnabled: false, contextOptions: { reducedMotion: "reduce" } } },
  ],
});
