import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WebSocketRoute } from "@playwright/test";
import { eq } from "drizzle-orm";
import { lfgPosts } from "../../db/schema";
import { startSqld } from "../../scripts/local/sqld";
import { withoutTable } from "../support/broken-table";
import { openTestDatabase } from "../support/database";
import { test as base, expect, hasJavaScript, visit, waitForHydration } from "../support/e2e";
import { type LibsqlProxy, startLibsqlProxy } from "../support/libsql-proxy";
import { expectAccessibleEverywhere } from "./axe";
import {
  beginSignUp,
  cardOf,
  createPost,
  expectToast,
  fillCredentials,
  fillRiotAccount,
  newPlayer,
  setHidden,
  signInQuietly,
  unique,
} from "./steps";

/** Starts the file's own app behind a database proxy that can simulate an outage. */
const test = base.extend<{ database: LibsqlProxy }, { libsql: { sqldUrl: string; proxy: LibsqlProxy } }>({
  libsql: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies of a fixture off its parameters
    async ({}, use) => {
      const dir = mkdtempSync(join(tmpdir(), "lineup-e2e-"));
      const sqld = await startSqld({ dir });
      const proxy = await startLibsqlProxy(sqld.url);
      await use({ sqldUrl: sqld.url, proxy });
      await proxy.stop();
      await sqld.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  // Only the Worker goes through the proxy: the test's own statements always reach the database.
  appOptions: [
    async ({ libsql }, use) => use({ libsqlUrl: libsql.sqldUrl, bindings: { LIBSQL_URL: libsql.proxy.url } }),
    { scope: "worker" },
  ],
  database: async ({ libsql }, use) => {
    await use(libsql.proxy);
    libsql.proxy.mode = "through";
  },
});

test("Without the database a form says so and keeps its values, and it works once the database is back", async ({
  page,
  app,
  database,
}) => {
  const title = `Through the storm ${unique()}`;
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/lfg/new");
  const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
  await dialog.getByRole("textbox", { name: "Title" }).fill(title);
  await dialog.getByRole("textbox", { name: "Message" }).fill('Two lines,\n"quoted" & <kept>');
  await dialog.getByRole("radio", { name: "4", exact: true }).check();
  await dialog.getByRole("combobox", { name: "Region" }).selectOption("Brazil");

  database.mode = "away";
  await dialog.getByRole("button", { name: "Create Post" }).click();
  const again = hasJavaScript()
    ? dialog.getByRole("button", { name: "Create Post" })
    : page.getByRole("button", { name: "Try Again" });
  const expectKept = async () => {
    if (hasJavaScript()) {
      await expect(dialog.locator("form").getByRole("alert")).toContainText(
        "Lineup can't reach its database right now.",
      );
      await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(title);
      await expect(dialog.getByRole("textbox", { name: "Message" })).toHaveValue('Two lines,\n"quoted" & <kept>');
      await expect(dialog.getByRole("radio", { name: "4", exact: true })).toBeChecked();
      await expect(dialog.getByRole("combobox", { name: "Region" })).toHaveValue("Brazil");
    } else {
      await expect(page.getByRole("heading", { level: 1, name: "Back in a moment" })).toBeVisible();
      await expect(page.getByText("so this may not have been saved")).toBeVisible();
    }
  };
  await expectKept();
  await expectAccessibleEverywhere(page);

  // The database is still down.
  const refused = page.waitForResponse((response) => response.request().method() === "POST");
  await again.click();
  expect((await refused).status()).toBe(503);
  expect((await refused).headers()["retry-after"]).toMatch(/^\d+$/);
  await expectKept();

  database.mode = "through";
  await again.click();
  await expect(page).toHaveURL("/dashboard");
  await expectToast(page, "success", "LFG post created!", "Your post is now live and other players can see it.");
  const card = cardOf(page, title);
  await expect(card).toContainText("Needs 4 players");
  await expect(card).toContainText('"quoted" & <kept>');
  await expect(card).toContainText("Brazil");
  expect(await openTestDatabase(app).$count(lfgPosts, eq(lfgPosts.title, title))).toBe(1);
});

test("Without the database a page says so with 503 and Retry-After, and Try Again leads back to it", async ({
  page,
  app,
  database,
}) => {
  await signInQuietly(page, await newPlayer(app));
  database.mode = "away";
  const response = await page.goto("/dashboard/profile");
  expect(response?.status()).toBe(503);
  expect(response?.headers()["retry-after"]).toMatch(/^\d+$/);
  await expect(page.getByRole("heading", { level: 1, name: "Back in a moment" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Back in a moment" })).toBeVisible();

  database.mode = "through";
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await expect(page).toHaveURL("/dashboard/profile");
  await waitForHydration(page);
});

test("A page that reloads by itself keeps its content while the database is away, and reloads once it is back", async ({
  page,
  app,
  database,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/profile");
  const failure = page.waitForResponse((response) => response.url().includes("/profile.data"));
  database.mode = "away";
  await page.evaluate(() => window.__remixRouter.revalidate());
  expect((await failure).status()).toBe(503);
  await (await failure).finished();
  const success = page.waitForResponse((response) => response.url().includes("/profile.data") && response.ok());
  database.mode = "through";
  await success;
  await page.waitForFunction(() => window.__remixRouter.state.revalidation === "idle");
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

test("A page that reloads by itself keeps its content whatever the response, and pauses in a hidden tab", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/profile");
  const answers = [
    { status: 429, contentType: "text/plain", body: "Too many requests" },
    { status: 403, contentType: "text/html", body: "<h1>Are you human?</h1>" },
    { status: 200, contentType: "text/html", body: "<h1>Sign in to this network</h1>" },
  ];
  let asked = 0;
  let isBack = false;
  await page.route("**/profile.data*", (route) => {
    asked += 1;
    return isBack ? route.continue() : route.fulfill(answers[(asked - 1) % answers.length]);
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => window.__remixRouter.revalidate());
  await expect
    .poll(async () => {
      await page.clock.runFor(15_000);
      return asked;
    })
    .toBeGreaterThanOrEqual(answers.length);
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();

  await setHidden(page, true);
  await page.clock.runFor(15_000);
  const before = asked;
  await page.clock.runFor(60_000);
  expect(asked).toBe(before);
  isBack = true;
  await setHidden(page, false);
  await expect.poll(() => page.evaluate(() => window.__remixRouter.state.revalidation)).toBe("idle");
  expect(asked).toBe(before + 1);
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

test.describe("From page to page", () => {
  // The browser requests an icon while the error page replaces the whole document.
  test.use({ expectedErrors: [/\/favicon\.ico\)$/] });

  test("Without the database a link leads to a page that says so, and Try Again opens the target", async ({
    page,
    app,
    database,
  }) => {
    await signInQuietly(page, await newPlayer(app));
    await visit(page, "/dashboard");
    database.mode = "away";
    await page.getByRole("link", { name: "Tournaments" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Back in a moment" })).toBeVisible();
    database.mode = "through";
    await page.getByRole("link", { name: "Try Again" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Tournaments" })).toBeVisible();
    await expect(page).toHaveURL("/dashboard/tournaments");
    await waitForHydration(page);
    await page.getByRole("link", { name: "Chat" }).click();
    await expect(page.getByText("No conversations yet.")).toBeVisible();
  });
});

test("A conversation that fails to load leaves the header and list in place, and Try Again opens it there", async ({
  page,
  app,
}) => {
  await signInQuietly(page, "player1@example.com");
  const db = openTestDatabase(app);
  await visit(page, "/dashboard/messages");
  const list = page.getByRole("navigation", { name: "Conversations" });
  const failed = page.getByRole("heading", { level: 2, name: "Something went wrong" });
  const tryAgain = page.getByRole("link", { name: "Try Again" });
  await withoutTable(db, "messages", async () => {
    await list.getByRole("link", { name: "ren.aska" }).click();
    await expect(failed).toBeVisible();
    await expect(page).toHaveTitle(/Something went wrong · Lineup$/);
    await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
    await expect(list.getByRole("link", { name: "ren.aska" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Players", exact: true })).toBeVisible();
    await expectAccessibleEverywhere(page);
    // The table is still missing: the error stays, and the focus stays on Try Again.
    await tryAgain.press("Enter");
    await page.waitForLoadState("networkidle");
    await expect(failed).toBeVisible();
    if (hasJavaScript()) await expect(tryAgain).toBeFocused();
  });
  await tryAgain.press("Enter");
  await expect(page.getByRole("region", { name: "Conversation with ren.aska" })).toBeVisible();
  await expect(failed).toHaveCount(0);
  await expect(page).toHaveTitle(/ren\.aska · Chat · Lineup$/);
  if (hasJavaScript()) await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeFocused();
});

test.describe("From tab to tab", () => {
  test("A tab or a settings page that fails says so, and Try Again opens it once it works", async ({ page, app }) => {
    await signInQuietly(page, "player1@example.com");
    const db = openTestDatabase(app);
    await visit(page, "/dashboard");
    await withoutTable(db, "tournaments", async () => {
      await page.getByRole("link", { name: "Tournaments", exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Something went wrong" })).toBeVisible();
      await expectAccessibleEverywhere(page);
    });
    await page.getByRole("link", { name: "Try Again" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Tournaments" })).toBeVisible();

    await visit(page, "/dashboard/settings/appearance");
    await withoutTable(db, "blocks", async () => {
      await page.goto("/dashboard/settings/blocked");
      await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
      await expect(page.getByRole("heading", { level: 2, name: "Something went wrong" })).toBeVisible();
      await waitForHydration(page);
    });
    await page.getByRole("link", { name: "Try Again" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Blocked Players" })).toBeVisible();
  });
});

test("Without the database, signing in fails and keeps the email but never the password", async ({
  page,
  app,
  database,
}) => {
  const email = await newPlayer(app);
  await visit(page, "/auth");
  await fillCredentials(page, email, "password123");
  database.mode = "away";
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.locator("form").getByRole("alert")).toContainText("Lineup can't reach its database right now.");
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
  expect(await page.content()).not.toContain("password123");
  database.mode = "through";
  await fillCredentials(page, email, "password123");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/dashboard");
});

test("Without Riot, the verification says so and keeps its fields", async ({ page }) => {
  await visit(page, "/auth?tab=sign-up");
  await beginSignUp(page, `riot-${unique()}@example.com`, "four smokes and a wall");
  const cases = [
    ["Broken Bridge", "Riot isn't answering right now. Please try again in a minute."],
    ["Limited Time", "Riot is busy. Try again in a few seconds."],
    ["Garbled Words", "Riot isn't answering right now. Please try again in a minute."],
  ] as const;
  for (const [gameName, sentence] of cases) {
    await fillRiotAccount(page, gameName, "503", "asia");
    await page.getByRole("button", { name: "Verify" }).click();
    await expectToast(page, "error", "Verification failed", sentence);
    await expect(page.locator("form").getByRole("alert")).toHaveText(sentence);
    await expect(page.getByRole("textbox", { name: "Game Name" })).toHaveValue(gameName);
    await expect(page.getByRole("textbox", { name: "Tag" })).toHaveValue("503");
    await expect(page.getByRole("combobox", { name: "Region" })).toHaveValue("asia");
    await expect(page.getByRole("button", { name: "Complete Signup" })).toHaveCount(0);
  }
});

test("A page reconnects to its room as soon as the network is back, and notices a room that has gone silent", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript a page has no socket.");
  await page.clock.install();
  const sockets: WebSocketRoute[] = [];
  let pings = 0;
  let isDown = false;
  await page.routeWebSocket(/\/parties\/inbox/, (socket) => {
    sockets.push(socket);
    if (isDown) void socket.close({ code: 1012 });
    // Stands for a room that has gone silent: it counts the pings and never answers.
    else
      socket.onMessage((frame) => {
        if (frame === "ping") pings += 1;
      });
  });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/players");
  await expect.poll(() => pings).toBe(1);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));

  /** Reports that the network is back, and lets a moment pass. */
  const comeBack = async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await page.clock.runFor(100);
  };
  // The page pings at once, because the connection may have died while the device slept.
  await comeBack();
  await expect.poll(() => pings).toBe(2);
  await page.clock.runFor(10_000);
  await expect.poll(() => sockets.length).toBe(2);
  await expect.poll(() => pings).toBe(3);

  isDown = true;
  await sockets[1]?.close({ code: 1012 });
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return sockets.length;
    })
    .toBeGreaterThan(2);
  isDown = false;
  const tried = sockets.length;
  await expect
    .poll(async () => {
      await comeBack();
      return sockets.length;
    })
    .toBe(tried + 1);
  await expect.poll(() => pings).toBeGreaterThan(3);
});

test("A page gives its room ten seconds to answer, and tries again after about 1, 2 and 5 seconds, then every ten", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript a page has no socket.");
  await page.clock.install();
  await page.addInitScript(() => {
    const attempts: number[] = [];
    // The first attempt is never answered, and all others are refused. The page records their times, since only
    // it has the simulated clock.
    class FailingSocket extends EventTarget {
      readyState = 0;
      constructor() {
        super();
        if (attempts.push(Date.now()) > 1) queueMicrotask(() => this.close());
      }
      close() {
        this.readyState = 3;
        this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
      }
    }
    Object.assign(window, { attempts, WebSocket: FailingSocket });
  });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/players");
  const attempts = () => page.evaluate(() => (window as unknown as { attempts: number[] }).attempts);
  await expect.poll(async () => (await attempts()).length).toBeGreaterThan(0);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await page.clock.runFor(60_000);
  const times = await attempts();
  const pauses = times.slice(1, 7).map((time, index) => Math.round((time - (times[index] as number)) / 1_000));
  // The first pause follows the ten seconds of the unanswered attempt.
  expect(pauses).toEqual([10 + 1, 2, 5, 10, 10, 10]);
});

test("The main screens hydrate without an error in the console", async ({ page, app }) => {
  for (const address of ["/", "/auth", "/auth?tab=sign-up", "/dev/mailbox", "/no/such/page"]) {
    // The page fixture fails the test on any console error.
    await page.goto(address);
    if (address !== "/no/such/page") await waitForHydration(page);
  }
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title: `Alive ${unique()}`, message: "With emoji 🎯 and “quotes”" });
  const inside = [
    "",
    "?rank=Gold+1",
    "/lfg/new",
    "/tournaments",
    "/players",
    "/messages",
    "/profile",
    "/notifications",
  ];
  for (const address of [...inside.map((path) => `/dashboard${path}`), post, `${post}/edit`, `${post}/delete`]) {
    await visit(page, address);
  }
});
