import type { Page, Response } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, messages } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { test as base, expect, hasJavaScript, visit } from "../support/e2e";
import { type FrontDoor, startFrontDoor } from "../support/front-door";
import { expectAccessibleEverywhere } from "./axe";
import { createPost, newPlayer, setHidden, signInNewPlayer, signInQuietly, unique } from "./steps";

const test = base.extend<{ door: FrontDoor }>({
  door: async ({ app }, use) => {
    const door = await startFrontDoor(app.url);
    await use(door);
    await door.close();
  },
});

// All other tests block service workers (playwright.config.ts).
test.use({ serviceWorkers: "allow", expectedErrors: [/net::ERR_/] });

const offline = (page: Page) => page.getByRole("heading", { level: 1, name: "You're offline" });

/** Opens a page on which the browser installs the service worker, and waits until the worker is active. */
async function installServiceWorker(page: Page, door: FrontDoor): Promise<void> {
  await visit(page, `${door.url}/dashboard`);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

/** Everything that service workers have cached, by the cache's name. */
const readCaches = (page: Page) =>
  page.evaluate(async () => {
    const kept: Record<string, Record<string, string>> = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const entries = (await cache.keys()).map(async (request) => {
        const text = await (await cache.match(request))?.text();
        return [new URL(request.url).pathname, text ?? ""];
      });
      kept[name] = Object.fromEntries(await Promise.all(entries));
    }
    return kept;
  });

/** Starts a conversation between a new player, who is signed in on the page, and another. */
async function startConversation(page: Page, other: Page, app: App): Promise<{ id: string; userId: string }> {
  const { id: userId } = await signInNewPlayer(page, app, `Ann ${unique()}`);
  await signInNewPlayer(other, app, `Ben ${unique()}`);
  const post = await createPost(page, app, { title: `Offline ${unique()}` });
  const form = { id: uuidv7(), message: "Hello there!" };
  await other.request.post(`${post}/contact`, { form, headers: { Origin: app.url }, maxRedirects: 0 });
  const [message] = await openTestDatabase(app).select().from(messages).where(eq(messages.id, form.id));
  return { id: message?.conversationId as string, userId };
}

test("A page that can't be loaded says so at its own address, and opens when the site is back", async ({
  page,
  app,
  door,
}) => {
  await signInQuietly(page, await newPlayer(app));
  if (!hasJavaScript()) {
    await page.goto(`${door.url}/dashboard`);
    expect(page.context().serviceWorkers()).toEqual([]);
    await door.close();
    await expect(page.goto(`${door.url}/dashboard/profile`)).rejects.toThrow("ERR_CONNECTION_REFUSED");
    await door.reopen();
    return;
  }
  await installServiceWorker(page, door);
  await door.close();
  await page.goto(`${door.url}/dashboard/profile?from=here`);
  await expect(offline(page)).toBeVisible();
  await expect(page.getByText("This page opens when you're back.")).toBeVisible();
  await expect(page.getByText("Waiting to be sent")).toBeHidden();
  await expect(page).toHaveURL(`${door.url}/dashboard/profile?from=here`);
  // Its style sheet and its fonts are there, too.
  expect(await page.evaluate(() => getComputedStyle(document.querySelector("h1") as Element).fontFamily)).toMatch(
    /^"?Special Gothic/,
  );
  expect(await page.evaluate(() => document.fonts.check("1rem 'Onest Variable'"))).toBe(true);
  await expectAccessibleEverywhere(page);
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(offline(page)).toBeVisible();
  await expect(page).toHaveURL(`${door.url}/dashboard/profile?from=here`);

  await door.reopen();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveURL(`${door.url}/dashboard/profile?from=here`);
});

test("Messages that wait for the network are listed offline, and sent when any page is back online", async ({
  page,
  app,
  door,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no message waits in the browser.");
  const { id, userId } = await startConversation(page, await anotherPage(), app);
  await installServiceWorker(page, door);
  await visit(page, `${door.url}/dashboard/messages/${id}`);
  await door.close();
  const line = `On my way ${unique()} <b>soon</b>`;
  await page.getByRole("textbox", { name: "Message", exact: true }).fill(line);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log").getByText("Sends when you're back online")).toBeVisible();
  // Another player has used this browser, too.
  await page.evaluate((conversationId) => {
    const theirs = { id: "1", content: "Not for your eyes", createdAt: 1 };
    localStorage.setItem(`lineup:unsent:somebody-else:${conversationId}:1`, JSON.stringify(theirs));
  }, id);

  await page.goto(`${door.url}/dashboard/tournaments`);
  await expect(offline(page)).toBeVisible();
  await expect(page.getByRole("region", { name: "Waiting to be sent" }).getByRole("listitem")).toHaveText([line]);

  await door.reopen();
  await expect(page.getByRole("heading", { level: 1, name: "Tournaments" })).toBeVisible({ timeout: 30_000 });
  const db = openTestDatabase(app);
  const stored = () => db.select().from(messages).where(eq(messages.content, line));
  await expect.poll(stored).toMatchObject([{ conversationId: id, senderId: userId }]);
  const waiting = (viewerId: string) =>
    page.evaluate(
      (prefix) => Object.entries(localStorage).flatMap(([key, item]) => (key.startsWith(prefix) ? [item] : [])),
      `lineup:unsent:${viewerId}:${id}:`,
    );
  await expect.poll(() => waiting(userId)).toEqual([]);
  expect(await waiting("somebody-else")).toEqual([expect.stringContaining("Not for your eyes")]);
});

test("A page that can't be loaded waits until its tab is visible, and marks nothing as read before that", async ({
  page,
  app,
  door,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page opens by itself.");
  const { id, userId } = await startConversation(page, await anotherPage(), app);
  await installServiceWorker(page, door);
  await door.close();
  await page.goto(`${door.url}/dashboard/messages/${id}`);
  await expect(offline(page)).toBeVisible();
  await setHidden(page, true);
  await door.reopen();
  // The browser says that the network is back. If the page sent a request now, the second one below would be answered
  // after that request.
  await page.evaluate(() => {
    dispatchEvent(new Event("online"));
    return fetch("/healthz", { method: "HEAD" }).then(() => null);
  });
  await page.evaluate(() => fetch("/healthz", { method: "HEAD" }).then(() => null));
  await expect(offline(page)).toBeVisible();
  const db = openTestDatabase(app);
  const isThisMember = and(eq(conversationMembers.conversationId, id), eq(conversationMembers.userId, userId));
  const unread = async () => (await db.select().from(conversationMembers).where(isThisMember).get())?.unreadCount;
  expect(await unread()).toBe(1);
  await setHidden(page, false);
  await expect(page.getByRole("log")).toContainText("Hello there!");
  await expect.poll(unread).toBe(0);
});

test("The caches hold none of the player's data, and nobody's messages show after signing out", async ({
  page,
  app,
  door,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no service worker is installed.");
  const name = `Kept ${unique()}`;
  const email = await newPlayer(app, { riotGameName: name });
  await signInQuietly(page, email);
  await installServiceWorker(page, door);
  for (const path of ["/dashboard/messages", "/dashboard/profile"]) await visit(page, door.url + path);
  const [kept, ...others] = Object.values(await readCaches(page));
  expect(others).toEqual([]);
  const { "/offline": html, ...files } = kept ?? {};
  expect(
    Object.keys(files).filter((path) => !/^\/offline\/(page\.js|_assets\/[\w.-]+\.(css|woff2|svg))$/.test(path)),
  ).toEqual([]);
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(4);
  expect(html).toContain("can&#x27;t be reached from here");
  const texts = Object.values(kept ?? {}).join("\n");
  for (const secret of [name, email, email.split("@")[0] as string, "lineup_session"])
    expect(texts).not.toContain(secret);

  const remembered = () => page.evaluate(() => localStorage.getItem("lineup:viewer"));
  expect(await remembered()).toBeTruthy();
  await page.context().clearCookies({ name: /lineup_session/ });
  await visit(page, `${door.url}/auth`);
  expect(await remembered()).toBeNull();
});

test("A new version takes over immediately and deletes the previous copy, and pages come from the site", async ({
  page,
  app,
  door,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no service worker is installed.");
  await signInQuietly(page, await newPlayer(app));
  await installServiceWorker(page, door);
  const names = async () => Object.keys(await readCaches(page));
  const [before] = await names();
  door.deploy((serviceWorker) => serviceWorker.replace(/const VERSION = \d+;/, "const VERSION = 999;"));
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await expect.poll(names).toEqual(["lineup-offline-999"]);
  expect(before).not.toBe("lineup-offline-999");

  const built: Response[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/build/")) built.push(response);
  });
  const response = await page.goto(`${door.url}/dashboard/players`);
  expect(response?.headers()["x-request-id"], "an answer of the Worker").toBeTruthy();
  await page.waitForLoadState("networkidle");
  expect(built.length).toBeGreaterThan(5);
  expect(built.filter((one) => one.fromServiceWorker())).toEqual([]);
  await door.close();
  await page.goto(`${door.url}/dashboard/players`);
  await expect(offline(page)).toBeVisible();
});

test("The offline page can also be opened online", async ({ page }) => {
  await page.goto("/offline");
  await expect(offline(page)).toBeVisible();
  await expect(page.getByText("Lineup can't be reached from here.")).toBeVisible();
  await expect(page.getByText("This page opens when you're back.")).toBeHidden();
  await expect(page.getByText("Waiting to be sent")).toBeHidden();
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(page).toHaveURL("/");
});
