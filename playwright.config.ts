import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium } from "./scripts/local/browser";
import type { AppFixtures } from "./tests/support/e2e";

/** Every scenario runs twice: with JavaScript and without. */
export default defineConfig<object, AppFixtures>({
  testDir: "tests/e2e",
  globalSetup: "./tests/support/build.ts",
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  use: {
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findChromium(),
      args: [...CHROMIUM_ARGS],
    },
  },
  projects: [
    { name: "js", use: { javaScriptEnabled: true } },
    { name: "no-js", use: { javaScriptEnabled: false } },
  ],
});
