import { eq } from "drizzle-orm";
import { HOUR } from "../../app/platform/dates/durations";
import { lfgPosts, profiles, users } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, test, visit, waitForHydration } from "../support/e2e";
import { createPost, expectToast, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

/** How long a player points at a link before its page is prefetched (`app/ui/page/follow-links.tsx`). */
const INTENT = 100;

test.use({ expectedErrors: [/net::ERR_(FAILED|INTERNET_DISCONNECTED)/] });
test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Without JavaScript, the browser shows an error.");

test("A page requested offline waits for the network, and the current page stays", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await page.getByRole("searchbox", { name: "Search by name" }).fill("half.typed");
  const header = page.getByRole("banner");
  await expect(header.getByText("Online", { exact: true })).toBeAttached();

  await page.context().setOffline(true);
  await expect(header.getByText("Offline", { exact: true })).toBeAttached();
  // Pointing at a link must not prefetch anything: if that failed, Remix would reload the document.
  const profile = page.getByRole("link", { name: "Profile", exact: true });
  await profile.hover();
  await page.evaluate((pause) => new Promise((resolve) => setTimeout(resolve, pause)), 3 * INTENT);
  await expect(page.locator('link[rel="prefetch"], link[rel="modulepreload"][href*="profile"]')).toHaveCount(0);
  await profile.click();
  await page.getByRole("link", { name: "Tournaments" }).click();
  await expect(page.getByRole("status").filter({ hasText: "You're offline." })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
  await expect(page.getByRole("searchbox", { name: "Search by name" })).toHaveValue("half.typed");
  await expect(page).toHaveURL("/dashboard/messages");
  await expect(page.getByText("Something went wrong")).toHaveCount(0);

  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Tournaments" })).toBeVisible();
  await expect(page).toHaveURL("/dashboard/tournaments");
  await expect(header.getByText("Online", { exact: true })).toBeAttached();
  await expect(page.getByText("You're offline.")).toHaveCount(0);
});

test("Revalidating a page offline doesn't show the message about a page that opens later", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/profile");
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.body.textContent?.includes("You're offline.")) Object.assign(window, { hasPromised: true });
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.context().setOffline(true);
  await page.evaluate(() => window.__remixRouter.revalidate());
  await expect(page.getByRole("banner").getByText("Offline", { exact: true })).toBeAttached();
  const reloaded = page.waitForResponse(/profile\.data/);
  await page.context().setOffline(false);
  await reloaded;
  await page.waitForFunction(() => window.__remixRouter.state.revalidation === "idle");
  expect(await page.evaluate(() => "hasPromised" in window)).toBe(false);
});

test("Going back offline waits as well, and a failed load is retried", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/tournaments");
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await page.context().setOffline(true);
  // Going back abandons this navigation, so the page doesn't open later.
  await page.getByRole("link", { name: "Players", exact: true }).click();
  await expect(page.getByText("You're offline.")).toBeVisible();
  await page.goBack({ waitUntil: "commit" });
  await expect(page.getByText("You're offline.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Tournaments" })).toBeVisible();
  await expect(page.getByText("You're offline.")).toHaveCount(0);
  await expect(page).toHaveURL("/dashboard/tournaments");

  // The browser reports that it is online, but the request fails.
  let failures = 0;
  await page.route("**/dashboard/profile.data*", (route) => {
    failures += 1;
    return failures < 2 ? route.abort() : route.continue();
  });
  await page.getByRole("link", { name: "Profile", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

test("A button that can't reach the server says so, and the page stays", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title: `Still here ${unique()}` });
  await visit(page, post);
  await page.context().setOffline(true);
  for (let round = 0; round < 2; round += 1) {
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expectToast(page, "error", "Error", "Lineup can't be reached from here. Try again in a moment.");
    await expect(page.getByRole("link", { name: "Edit" })).toBeVisible();
    await page.locator(".toast-card").getByRole("button", { name: "Close" }).click();
    await expect(page.locator(".toast-card")).toHaveCount(0);
  }
  await page.context().setOffline(false);
  await expect(page.getByRole("banner").getByText("Online", { exact: true })).toBeAttached();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expectToast(page, "success", "Signed out");
});

test("`Bump` and `Get ready` say that they can't reach the server, although their pages' scripts are missing", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2", preferredRole: "Duelist" }));
  const title = `Bumped in a tunnel ${unique()}`;
  const id = (await createPost(page, app, { title })).replace("/lfg/", "");
  await openTestDatabase(app)
    .update(lfgPosts)
    .set({ listedAt: new Date(Date.now() - HOUR) })
    .where(eq(lfgPosts.id, id));
  await visit(page, "/dashboard");
  // The page has discovered the routes of both actions.
  await expect.poll(() => page.evaluate(() => "routes/dashboard.ready" in window.__remixManifest.routes)).toBe(true);
  await expect.poll(() => page.evaluate(() => "routes/lfg.$postId" in window.__remixManifest.routes)).toBe(true);
  const strip = page.getByRole("region", { name: "Get ready" });
  await strip.getByRole("checkbox", { name: "Morning" }).first().check();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.context().setOffline(true);
  for (const button of [page.getByRole("button", { name: "Bump" }), strip.getByRole("button", { name: "Save" })]) {
    await button.click();
    await expectToast(page, "error", "Error", "Lineup can't be reached from here. Try again in a moment.");
    await page.locator(".toast-card").getByRole("button", { name: "Close" }).click();
    await expect(page.locator(".toast-card")).toHaveCount(0);
  }
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  await expect(strip.getByRole("checkbox", { name: "Morning" }).first()).toBeChecked();

  await page.context().setOffline(false);
  await expect(page.getByRole("banner").getByText("Online", { exact: true })).toBeAttached();
  await strip.getByRole("button", { name: "Save" }).click();
  await expect(strip).toHaveCount(0);
  await page.getByRole("button", { name: "Bump" }).click();
  await expectToast(page, "success", "Post bumped");
});

test("`Update Riot ID` says that verification failed if it can't reach the server", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app, verifiedProfile(`Nova ${unique()}`)));
  await visit(page, "/dashboard/profile");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Update Riot ID" }).click();
  await expectToast(page, "error", "Verification failed");
  await page.context().setOffline(false);
});

test("A form that can't reach the server says so under its own error title, and keeps all entries", async ({
  page,
  app,
}) => {
  const chosen = {
    mainAgents: ["Jett", "Omen", "Sage"],
    languages: ["en", "fr", "de"],
    availability: [8, 8, 0, 0, 0, 24, 8],
    shares: ["discordTag", "description", "availability", "feedback"],
  } satisfies Partial<typeof profiles.$inferInsert>;
  const email = await newPlayer(app, chosen);
  await signInQuietly(page, email);
  await visit(page, "/dashboard/profile");
  const checked = () =>
    page
      .locator("#profile input:checked")
      .evaluateAll((boxes) =>
        boxes.map((box) => `${(box as HTMLInputElement).name} ${(box as HTMLInputElement).value}`),
      );
  const before = await checked();
  await page.getByRole("textbox", { name: "Discord" }).fill("kept.here");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expectToast(page, "error", "Error updating profile");
  await expect(page.getByRole("textbox", { name: "Discord" })).toHaveValue("kept.here");
  expect(await checked()).toEqual(before);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Save Profile" }).click();
  await expectToast(page, "success", "Profile updated!");
  const [saved] = await openTestDatabase(app)
    .select({ profile: profiles })
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.userId))
    .where(eq(users.email, email));
  expect(saved?.profile).toMatchObject({ ...chosen, discordTag: "kept.here" });
  await expect(page.locator(".toast-card")).toHaveCount(1);
  // The script that hides toasts can't be loaded offline. It is loaded when the network is back.
  await expect(page.locator(".toast-card")).toHaveCount(0);
  await waitForHydration(page);
});

test("A load that is abandoned for a newer one logs no error to the console", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await visit(page, "/dashboard");
  // Slow down reading the body, so that the load is aborted there. A `fetch` aborted earlier logs nothing anyway.
  await page.evaluate(() => {
    const read = Response.prototype.arrayBuffer;
    Response.prototype.arrayBuffer = async function slowly(this: Response) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return read.call(this);
    };
  });
  for (const name of ["Tournaments", "Chat", "Profile", "Tournaments"]) {
    const head = page.waitForResponse((response) => response.url().includes(".data"));
    await page.getByRole("link", { name, exact: true }).click();
    await head;
  }
  await expect(page.getByRole("heading", { level: 1, name: "Tournaments" })).toBeVisible();
  expect(errors).toEqual([]);
});
