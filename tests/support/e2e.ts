import { type BrowserContextOptions, test as base, expect, type Locator, type Page } from "@playwright/test";
import { ZONE_COOKIE } from "../../app/platform/dates/time-zone";
import { type App, type AppOptions, startApp } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { expectSilentLogs, listenForLeaks } from "./leaks";
import { readEmail } from "./mailbox";
import { quickHash } from "./passwords";

export { expect } from "@playwright/test";

/** One app for each Playwright worker. The worker's tests share it, so each test uses its own players and texts. */
export interface AppFixtures {
  app: App;
  /** Options that the app starts with. `test.use({ appOptions: { … } })` at the top of a file gives it its own app. */
  appOptions: AppOptions;
}

/** The origin of this worker's app. */
let origin = "";

interface PageFixtures {
  /**
   * Opens another visitor's page in its own browser context (cookies, storage), with the same checks as `page`.
   * JavaScript is on or off as in the scenario unless `options` says otherwise.
   */
  anotherPage: (options?: Pick<BrowserContextOptions, "javaScriptEnabled" | "locale" | "timezoneId">) => Promise<Page>;
  /** Console messages that a test provokes on purpose and that don't fail it. */
  expectedErrors: RegExp[];
}

export const test = base.extend<PageFixtures, AppFixtures>({
  appOptions: [{}, { option: true, scope: "worker" }],
  app: [
    async ({ appOptions }, use) => {
      const app = await startApp({
        world: "demo",
        limitFactor: 1_000,
        passwordHash: quickHash(PASSWORD),
        ...appOptions,
      });
      origin = app.url;
      await use(app);
      await expectSilentLogs(app);
      await app.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ app }, use) => use(app.url),
  expectedErrors: [[], { option: true }],
  page: async ({ page, app, expectedErrors }, use) => {
    await speedUpMotion(page);
    const problems = collectErrors(page);
    const expectNoLeaks = listenForLeaks(page.context(), app);
    await use(page);
    expectNoErrors(problems, expectedErrors);
    await expectNoLeaks();
  },
  anotherPage: async ({ browser, app, expectedErrors }, use) => {
    const opened: { page: Page; problems: string[]; expectNoLeaks: () => Promise<void> }[] = [];
    await use(async (options) => {
      const page = await (await browser.newContext(options)).newPage();
      await speedUpMotion(page);
      opened.push({ page, problems: collectErrors(page), expectNoLeaks: listenForLeaks(page.context(), app) });
      return page;
    });
    for (const { expectNoLeaks } of opened) await expectNoLeaks();
    for (const { page } of opened) await page.context().close();
    for (const { problems } of opened) expectNoErrors(problems, expectedErrors);
  },
});

/**
 * Plays a page's animations and transitions in a twentieth of their time. They stay real, with all their events, but
 * have fewer frames, whose drawing takes most of the time (docs/decisions/0059-faster-tests.md).
 */
async function speedUpMotion(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 20 });
}

/** Collects a page's errors: those on its console (CSP violations included) and uncaught exceptions. */
function collectErrors(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => {
    // Chromium reports this when it skips the animation between two documents and shows the next one immediately.
    if (!message.startsWith("Transition was aborted")) problems.push(`uncaught: ${message}`);
  });
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    // A room may be out of reach: without the database, after signing out, or when leaving. The page says so itself.
    if (/^WebSocket connection to '[^']+\/parties\//.test(message.text())) return;
    const { url } = message.location();
    // Chromium logs every status from 400 up. Pages may respond with one by design (a refused form); files may not.
    const isStatusError = message.text().startsWith("Failed to load resource: the server responded with a status of");
    if (isStatusError && !/\.\w+$/.test(new URL(url, "http://localhost").pathname.replace(/\.data$/, ""))) return;
    problems.push(`${message.text()} (${url})`);
  });
  return problems;
}

function expectNoErrors(problems: string[], expected: readonly RegExp[]): void {
  expect(
    problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
    "errors on the page",
  ).toEqual([]);
}

/** Whether the scenario runs with JavaScript. */
export const hasJavaScript = () => test.info().project.use.javaScriptEnabled !== false;

/** Waits until React has hydrated the page. Returns immediately without JavaScript. */
export async function waitForHydration(page: Page): Promise<void> {
  if (hasJavaScript()) await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

/**
 * Waits until a new page is shown and its view transition is over. A navigation during a transition makes the router
 * abandon that transition, and the pages then appear in an order that no human is fast enough to cause.
 * @param shown an element that the new page shows
 */
export async function waitForArrival(page: Page, shown: Locator): Promise<void> {
  await expect(shown).toBeVisible();
  if (hasJavaScript()) {
    await page.waitForFunction(() => !document.documentElement.matches(":active-view-transition"));
  }
}

/** Opens an address and waits until the page is hydrated. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/**
 * Gives the page's browser a session, without clicking through the sign-in.
 * @param email of a player in the seeded worlds, or of a player that the test made with the same password
 */
export async function signInAs(page: Page, email: string, password: string = PASSWORD): Promise<void> {
  const response = await page.request.post("/auth", {
    form: { email, password },
    headers: { Origin: origin },
    maxRedirects: 0,
  });
  expect(response.status(), `signing in as ${email}`).toBe(303);
}

/** Gives the page's browser the time zone cookie that its first visit would leave. */
export async function setZoneCookie(page: Page): Promise<void> {
  const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  await page.context().addCookies([{ name: ZONE_COOKIE, value: encodeURIComponent(zone), url: origin }]);
}

/** Waits for an email to this address and returns the latest one. */
export const emailTo = (app: App, recipient: string) => readEmail(app, recipient);
