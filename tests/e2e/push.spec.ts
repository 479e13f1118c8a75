import type { CDPSession, Page } from "@playwright/test";
import { uuidv7 } from "../../db/ids";
import { CHROMIUM_ARGS, findChromium, TEST_ARGS } from "../../scripts/local/browser";
import type { ReceivedPush } from "../../scripts/local/push-stand-in";
import { expect, hasJavaScript, signInAs, test, visit } from "../support/e2e";
import { expectToast, newPlayer, signInQuietly } from "./steps";

// All other tests block service workers (playwright.config.ts). chromium-headless-shell refuses notifications.
test.use({
  serviceWorkers: "allow",
  permissions: ["notifications"],
  launchOptions: { executablePath: findChromium(), args: [...CHROMIUM_ARGS, ...TEST_ARGS] },
});

const SETTINGS = "/dashboard/settings/notifications";

/**
 * Lets a page subscribe with the stand-in. A browser would subscribe with its maker's push service, which test machines
 * can't reach. Everything else is the browser's own.
 * @returns the endpoint
 */
async function subscribeAtStandIn(page: Page, push: { subscribe(): { endpoint: string } }): Promise<string> {
  const subscription = push.subscribe();
  await page.addInitScript((made) => {
    PushManager.prototype.subscribe = async () => ({ toJSON: () => made }) as unknown as PushSubscription;
  }, subscription);
  return subscription.endpoint;
}

/** @returns a function that delivers a push to the page's service worker, as the browser does when one arrives */
async function openDelivery(page: Page): Promise<(push: ReceivedPush) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  // The browser drops a push whose service worker isn't active yet.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const { origin } = new URL(page.url());
  return async ({ payload }) => {
    await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data: JSON.stringify(payload) });
  };
}

/** The notifications on the screen. */
const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const { getNotifications } = await navigator.serviceWorker.ready.then((registration) => ({
      getNotifications: () => registration.getNotifications(),
    }));
    return (await getNotifications()).map(({ title, body }) => ({ title, body }));
  });

/** Answers the post with this title as the page's player, over HTTP. */
async function answerPost(page: Page, title: string, message: string): Promise<void> {
  await visit(page, `/dashboard?q=${encodeURIComponent(title)}`);
  await page.getByRole("link", { name: title }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const origin = new URL(page.url()).origin;
  const path = new URL(page.url()).pathname;
  const form = { id: uuidv7(), message };
  const answer = await page.request.post(`${path}/contact`, { form, headers: { Origin: origin }, maxRedirects: 0 });
  expect(answer.status()).toBe(303);
}

async function post(page: Page, title: string): Promise<void> {
  await visit(page, "/dashboard/lfg/new");
  await page.getByLabel("Title").fill(title);
  await page.getByRole("group", { name: "Players Needed" }).getByRole("radio", { name: "2", exact: true }).check();
  await page.getByRole("button", { name: "Create Post" }).click();
  await expectToast(page, "success", "LFG post created!");
}

test("Push is offered after posting, and notifies of an answer if no tab is in view, until the answer is read", async ({
  page,
  app,
  anotherPage,
}) => {
  await signInAs(page, "player9@example.com");
  const title = "Push me when somebody answers";
  const offer = page.getByRole("button", { name: "Tell me when someone answers" });
  if (!hasJavaScript()) {
    await post(page, title);
    await expect(offer).toBeHidden();
    return;
  }
  const endpoint = await subscribeAtStandIn(page, app.push);
  await visit(page, "/dashboard");
  await expect(offer).toHaveCount(0);
  await post(page, title);
  await offer.click();
  await expect(page.getByText("Push is on in this browser.")).toBeFocused();
  await visit(page, "/dashboard");
  await expect(page.getByRole("link", { name: title }).first()).toBeVisible();
  await expect(offer).toHaveCount(0);

  // A page without a socket to the inbox: no tab of Lineup is in view.
  await page.goto("/healthz");
  const deliver = await openDelivery(page);
  const other = await anotherPage();
  await signInAs(other, "player10@example.com");
  await answerPost(other, title, "I'm in, give me five minutes");
  const push = () => app.push.received.find((one) => one.endpoint === endpoint);
  await expect.poll(push).toBeTruthy();
  await deliver(push() as ReceivedPush);
  await expect
    .poll(() => shownOn(page))
    .toEqual([
      { title: expect.stringContaining(`replied to your post “${title}”`), body: "I'm in, give me five minutes" },
    ]);

  // A second message replaces the first one.
  const form = { id: uuidv7(), message: "Or ten, sorry" };
  await other.request.post(push()?.payload.url as string, { form, headers: { Origin: app.url }, maxRedirects: 0 });
  const pushes = () => app.push.received.filter((one) => one.endpoint === endpoint);
  await expect.poll(pushes).toHaveLength(2);
  await deliver(pushes()[1] as ReceivedPush);
  await expect
    .poll(() => shownOn(page))
    .toEqual([{ title: expect.stringContaining(`replied to your post “${title}”`), body: "Or ten, sorry" }]);

  // The page that the notification links to tells the service worker that the news was read.
  await visit(page, push()?.payload.url as string);
  await expect(page.getByText("I'm in, give me five minutes").last()).toBeVisible();
  await expect.poll(() => shownOn(page)).toEqual([]);
});

test("Signing out ends the browser's subscription and closes the player's notifications", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Push needs JavaScript.");
  await signInQuietly(page, await newPlayer(app));
  await subscribeAtStandIn(page, app.push);
  await page.addInitScript(() => {
    const unsubscribe = async () => sessionStorage.setItem("unsubscribed", "");
    PushManager.prototype.getSubscription = async () => ({ unsubscribe }) as unknown as PushSubscription;
  });
  await visit(page, SETTINGS);
  await page.getByRole("button", { name: "Turn on push" }).click();
  await expect(page.getByRole("button", { name: "Turn off push" })).toBeVisible();
  const deliver = await openDelivery(page);
  // The notification is newer than any list of unread news, so only signing out closes it.
  const payload = { tag: "t", title: "For this player", url: "/", isRepeat: false, unread: 1, open: null };
  await deliver({ payload: { ...payload, at: Number.MAX_SAFE_INTEGER } } as ReceivedPush);
  await expect.poll(() => shownOn(page)).toMatchObject([{ title: "For this player" }]);
  const form = { scope: "local" };
  await page.request.post("/auth/sign-out", { form, headers: { Origin: app.url }, maxRedirects: 0 });
  await visit(page, "/auth");
  await expect.poll(() => shownOn(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("unsubscribed"))).not.toBeNull();
});

test("The settings turn push off, and set what a locked screen shows and when push is quiet", async ({ page, app }) => {
  await signInAs(page, "player12@example.com");
  if (hasJavaScript()) await subscribeAtStandIn(page, app.push);
  await visit(page, SETTINGS);
  const on = page.getByRole("button", { name: "Turn on push" });
  if (hasJavaScript()) {
    await on.press("Enter");
    const off = page.getByRole("button", { name: "Turn off push" });
    await expect(off).toBeVisible();
    const section = page.getByRole("region", { name: "Push", exact: true });
    await expect(section.getByRole("heading")).toBeFocused();
    await expect(section.getByRole("status")).toContainText("Push is on in this browser");
    await off.click();
    await expectToast(page, "success", "Push is off in this browser");
    await expect(on).toBeVisible();
  } else {
    await expect(on).toBeHidden();
    await expect(page.getByText("It needs JavaScript in this browser.")).toBeVisible();
  }
  await page.getByLabel("Name only").check();
  await page.getByLabel("From", { exact: true }).selectOption("23");
  await page.getByLabel("Until", { exact: true }).selectOption("8");
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "success", "Settings saved");
  await visit(page, SETTINGS);
  await expect(page.getByLabel("Name only")).toBeChecked();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("23");
  await expect(page.getByLabel("Until", { exact: true })).toHaveValue("8");
});

test.describe("Turning on push", () => {
  // Chromium may be checking for a new version of the service worker at the moment it goes offline.
  test.use({ expectedErrors: [/net::ERR_(FAILED|INTERNET_DISCONNECTED)|error occurred when fetching the script/] });
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Push needs JavaScript.");

  test("fails with an error while offline, then works; sound can be turned on meanwhile", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    await subscribeAtStandIn(page, app.push);
    await visit(page, SETTINGS);
    const header = page.getByRole("banner");
    const on = page.getByRole("button", { name: "Turn on push" });
    await page.context().setOffline(true);
    await expect(header.getByText("Offline", { exact: true })).toBeAttached();
    await on.hover();
    await on.click();
    await expect(page.getByText("Push couldn't be turned on. Check your connection, then try again.")).toBeVisible();
    await page.getByRole("button", { name: "Turn on sound" }).click();
    await expect(page.getByRole("button", { name: "Turn off sound" })).toBeVisible();
    await page.context().setOffline(false);
    await expect(header.getByText("Online", { exact: true })).toBeAttached();
    await on.click();
    await expect(page.getByText("Push is on in this browser")).toBeVisible();
  });

  test("asks for a reload if its script can't be loaded even though Lineup can be reached", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    await visit(page, SETTINGS);
    await page.route(/turn-on\.client/, (route) => route.abort());
    await page.getByRole("button", { name: "Turn on push" }).click();
    await expect(page.getByText("Push couldn't be turned on. Reload the page, then try again.")).toBeVisible();
  });
});
