import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { ZONE_COOKIE } from "../../app/platform/dates/time-zone";
import { conversations, messages, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { createPost, newPlayer, signInQuietly, unique } from "./steps";

// The server guesses UTC from the client's IP address. The browser is in another zone and formats dates the US way.
test.use({ timezoneId: "Asia/Kathmandu", locale: "en-US" });

/** 15:15 on 9 March in Kathmandu. */
const MOMENT = new Date("2020-03-09T09:30:00Z");

/** Makes a conversation whose only message the player sent to a post's author years ago. @returns its address */
async function startOldConversation(page: Page, other: Page, app: App): Promise<string> {
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Ann ${unique()}` }));
  const post = await createPost(other, app, { title: `Talk ${unique()}` });
  await page.request.post(`${post}/contact`, {
    form: { id: crypto.randomUUID(), message: `Hello ${post}` },
    headers: { Origin: app.url },
    maxRedirects: 0,
  });
  await page.context().clearCookies({ name: "lineup_toast" });
  const db = openTestDatabase(app);
  const [said] = await db
    .update(messages)
    .set({ createdAt: MOMENT })
    .where(eq(messages.content, `Hello ${post}`))
    .returning({ id: messages.conversationId });
  await db
    .update(conversations)
    .set({ lastMessageAt: MOMENT })
    .where(eq(conversations.id, said?.id as string));
  return `/dashboard/messages/${said?.id}`;
}

/** Deletes the zone cookie, so that the next page is loaded as on a first visit. */
const forgetZone = (page: Page) => page.context().clearCookies({ name: ZONE_COOKIE });

const thread = (page: Page) => page.getByRole("log");
const times = (page: Page) => thread(page).locator("time");

test("A player's first page shows times in the browser's zone, and so do all later pages", async ({
  page,
  app,
  anotherPage,
}) => {
  const email = await newPlayer(app, { riotGameName: `Ben ${unique()}` });
  await signInQuietly(page, email);
  await forgetZone(page);
  const here = await startOldConversation(page, await anotherPage(), app);
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(`${here}.data`)) loads.push(request.url());
  });
  await visit(page, here);

  if (!hasJavaScript()) {
    // Without JavaScript the zone is guessed from the IP address, so the page names it.
    await expect(times(page).first()).toHaveText("9:30 AM");
    await expect(times(page).first()).toHaveAttribute("title", /^March 9, 2020, 9:30\sAM, UTC$/);
    await expect(thread(page)).toContainText("March 9, 2020, UTC");
    return;
  }
  // Firefox and Chromium spell the zone's name differently.
  const inFull = /^March 9, 2020, 3:15\sPM, Asia\/Kath?mandu time$/;
  await expect(times(page).first()).toHaveText("3:15 PM");
  await expect(times(page).first()).toHaveAttribute("title", inFull);
  await expect(thread(page)).toContainText("March 9, 2020");
  await expect(thread(page)).not.toContainText("UTC");
  const list = page.getByRole("navigation", { name: "Conversations" });
  await expect(list.locator("time").first()).toHaveAttribute("title", /Asia\/Kath?mandu time$/);
  expect(loads).toHaveLength(1);

  // A new message, which the browser renders, shows the time in the same zone.
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Still there?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(times(page).last()).toHaveAttribute("title", /, \d{1,2}:\d\d\s[AP]M, Asia\/Kath?mandu time$/);
  await expect(times(page).last()).toHaveText(/^\d{1,2}:\d\d\s[AP]M$/);
  await expect(thread(page)).toContainText("Today");

  // From now on the server knows the zone, so no page is loaded twice, with or without JavaScript.
  loads.length = 0;
  await page.reload();
  await waitForHydration(page);
  await expect(times(page).first()).toHaveText("3:15 PM");
  // The page compares zones in an idle callback. Idle callbacks run in order, so this one runs after the page's.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.waitForLoadState("networkidle");
  expect(loads).toEqual([]);
  const { value } = (await page.context().cookies()).find(({ name }) => name === ZONE_COOKIE) ?? {};
  expect(decodeURIComponent(value ?? "")).toMatch(/^Asia\/Kath?mandu$/);
  const stored = () =>
    openTestDatabase(app).select({ zone: users.timeZone }).from(users).where(eq(users.email, email)).get();
  await expect.poll(async () => (await stored())?.zone).toMatch(/^Asia\/Kath?mandu$/);
});

test("A profile's zone takes precedence over the browser's, and is named", async ({ page, app, anotherPage }) => {
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Ben ${unique()}`, timeZone: "Europe/Warsaw" }));
  await forgetZone(page);
  const here = await startOldConversation(page, await anotherPage(), app);
  await visit(page, here);
  // Once it is idle, the page stores the browser's zone in the cookie.
  const knownZone = async () => (await page.context().cookies()).find(({ name }) => name === ZONE_COOKIE)?.value;
  if (hasJavaScript()) await expect.poll(knownZone).toBeTruthy();
  await page.reload();
  await waitForHydration(page);
  await expect(times(page).first()).toHaveText("10:30 AM");
  await expect(times(page).first()).toHaveAttribute("title", /Europe\/Warsaw time$/);
  if (hasJavaScript()) await expect(thread(page)).toContainText("March 9, 2020, Europe/Warsaw time");
});

test("The sign-in form sends the zone along", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Only a script can read the browser's zone.");
  const email = await newPlayer(app, { riotGameName: `Cem ${unique()}` });
  await visit(page, "/auth");
  await expect(page.locator("input[name=browserZone]").first()).toHaveValue(/^Asia\/Kath?mandu$/);
  // Remove the cookie, as if scripts could not set cookies.
  await forgetZone(page);
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill("password123");
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL("**/dashboard");
  await visit(page, "/dashboard/profile");
  await expect(page.getByLabel("Time Zone")).toHaveValue(/^Asia\/Kath?mandu$/);
});
