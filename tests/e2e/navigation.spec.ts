import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { lfgPosts, userFeedback } from "../../db/schema";
import { addPost } from "../integration/players";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForArrival } from "../support/e2e";
import { addTournament } from "../support/tournaments";
import {
  cardOf,
  createPost,
  expectToast,
  filtersOf,
  holdRequests,
  newAccount,
  newPlayer,
  signInQuietly,
  unique,
} from "./steps";

// These tests are about client-side navigation. Without JavaScript the browser itself loads each document.
test.beforeEach(() => test.skip(!hasJavaScript(), "Without JavaScript each page is a document of its own."));

/** Collects the URLs of all data requests that the page makes from now on. */
function collectLoads(page: Page): string[] {
  const loads: string[] = [];
  page.on("request", (request) => {
    if (/\.data(\?|$)/.test(request.url())) loads.push(request.url());
  });
  return loads;
}

test("A new page announces its title, and the focus stays where it was or moves to the heading", async ({
  page,
  app,
}) => {
  const title = `Read aloud ${unique()}`;
  await signInQuietly(page, await newPlayer(app));
  await createPost(page, app, { title });
  await visit(page, "/dashboard");
  const announcement = page.locator("p[aria-live]");
  await expect(announcement).toHaveText("");
  const tab = page.getByRole("link", { name: "Tournaments" });
  await tab.press("Enter");
  await expect(announcement).toHaveText("Tournaments · Lineup");
  await expect(tab).toBeFocused();
  await page.goBack();
  await cardOf(page, title).getByRole("link", { name: title }).press("Enter");
  await expect(announcement).toHaveText(`${title} · Lineup`);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeFocused();

  await page.goBack();
  const apply = filtersOf(page).getByRole("button", { name: "Apply" });
  await filtersOf(page).getByLabel("Rank", { exact: true }).selectOption("Gold 1");
  await apply.press("Enter");
  await expect(page).toHaveURL(/rank=Gold/);
  await expect(apply).toBeFocused();
});

test("The next page of a list moves the focus to its beginning: the heading of the page or of the list", async ({
  page,
  app,
}) => {
  const db = openTestDatabase(app);
  const word = unique();
  const { id: userId } = await newAccount(app, { riotGameName: `Listed ${word}` });
  // Old enough to stay below the posts of other tests.
  const times = Array.from({ length: 41 }, (_, minutes) => new Date(Date.now() - (20 * 60 + minutes) * 60_000));
  for (const [number, createdAt] of times.entries()) {
    await addPost({ db }, userId, { title: `Long list ${word} ${number}`, createdAt });
  }
  await db.insert(userFeedback).values(
    times.slice(0, 21).map((at, number) => {
      const moments = { createdAt: at, updatedAt: at, dueAt: at, revealedAt: at };
      return { id: uuidv7(), reviewedId: userId, rating: 5, comment: `Review ${number}.`, ...moments };
    }),
  );
  await signInQuietly(page, await newPlayer(app));
  const older = page.getByRole("link", { name: "Older", exact: true });
  await visit(page, `/dashboard?q=${word}`);
  for (const number of [20, 40]) {
    await older.press("Enter");
    await expect(cardOf(page, `Long list ${word} ${number}`)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  }
  await visit(page, `/players/${userId}`);
  for (const number of [10, 20]) {
    await older.press("Enter");
    await expect(page.getByText(`Review ${number}.`)).toBeVisible();
    await expect(page.getByRole("heading", { name: "Feedback" })).toBeFocused();
  }
});

test("A bumped post is on top before the server answers", async ({ page, app }) => {
  const word = unique();
  const title = `Optimist ${word}`;
  const other = `On top ${word}`;
  await signInQuietly(page, await newPlayer(app));
  await createPost(page, app, { title: other });
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title });
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await openTestDatabase(app)
    .update(lfgPosts)
    .set({ listedAt: anHourAgo })
    .where(eq(lfgPosts.id, post.slice(5)));
  // Posts of other tests may fill the first page of the whole list.
  await visit(page, `/dashboard?q=${word}`);
  const own = page.getByRole("complementary").getByRole("listitem").filter({ hasText: title });
  const first = page.locator("main article").first();
  await expect(first).toContainText(other);

  const release = await holdRequests(page, /\/lfg\/[^/]+\.data$/);
  await own.getByRole("button", { name: "Bump" }).click();
  await expect(first).toContainText(title);
  await expect(first).toContainText("less than a minute ago");
  release();
  await expectToast(page, "success", "Post bumped", "It's at the top of the list again.");
  await expect(first).toContainText(title);
});

test("A bump that is refused says why and leaves the list as it was", async ({ page, app }) => {
  const word = unique();
  const title = `Too early ${word}`;
  const other = `On top ${word}`;
  const author = await newPlayer(app);
  await signInQuietly(page, author);
  const post = await createPost(page, app, { title });
  await signInQuietly(page, await newPlayer(app));
  await createPost(page, app, { title: other });
  await signInQuietly(page, author);
  const list = (minutesAgo: number) =>
    openTestDatabase(app)
      .update(lfgPosts)
      .set({ listedAt: new Date(Date.now() - minutesAgo * 60_000) })
      .where(eq(lfgPosts.id, post.slice(5)));
  await list(60);
  await visit(page, `/dashboard?q=${word}`);
  // The post has been bumped in another tab in the meantime.
  await list(1);
  const own = page.getByRole("complementary").getByRole("listitem").filter({ hasText: title });
  const bump = own.getByRole("button", { name: "Bump" });
  const release = await holdRequests(page, /\/lfg\/[^/]+\.data$/);
  await bump.click();
  await expect(bump).toHaveAttribute("aria-busy", "true");
  release();
  await expectToast(page, "error", "Not yet", "You can bump a post every 30 minutes.");
  await expect(page).toHaveURL(`/dashboard?q=${word}`);
  await expect(page.locator("main article").first()).not.toContainText(title);
  await expect(cardOf(page, title)).toBeVisible();
});

test("Opening a dialog loads only the dialog, closing it loads nothing, and the filters stay", async ({ page }) => {
  await signInQuietly(page, "player9@example.com");
  await visit(page, "/dashboard?rank=Gold+1");
  const loads = collectLoads(page);
  await page.getByRole("link", { name: "Create Post" }).click();
  const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
  await expect(dialog).toBeVisible();
  for (const load of loads) expect(new URL(load).searchParams.get("_routes")).toBe("routes/dashboard._lfg.lfg.new");
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("link", { name: "Close" }).click(),
    () => dialog.getByRole("link", { name: "Cancel" }).click(),
  ]) {
    await expect(dialog).toBeVisible();
    loads.length = 0;
    await leave();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL("/dashboard?rank=Gold+1");
    // The focus is on `Create Post` again, which loads the dialog ahead.
    expect(loads.filter((load) => !load.includes("/lfg/new.data"))).toEqual([]);
    await page.getByRole("link", { name: "Create Post" }).click();
  }
});

test("A slow navigation shows Loading... until the new page appears", async ({ page }) => {
  await signInQuietly(page, "player9@example.com");
  await visit(page, "/dashboard");
  const loading = page.getByText("Loading...", { exact: true });
  const release = await holdRequests(page, /messages\.data/);
  await page.getByRole("link", { name: "Chat" }).click();
  await expect(loading).toBeVisible();
  release();
  await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
  await expect(loading).toHaveCount(0);
});

test("A card moves to its page in a view transition, except for players who prefer reduced motion", async ({
  page,
  app,
}) => {
  // Records the parts that move in the latest transition, and how long they take.
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (update) => {
      const transition = start(update);
      transition.ready.then(() => {
        const moves = document.getAnimations().flatMap(({ effect }) => {
          const part = (effect as KeyframeEffect | null)?.pseudoElement?.match(
            /^::view-transition-group\((.+)\)$/,
          )?.[1];
          return part ? [{ part, duration: Number(effect?.getTiming().duration) }] : [];
        });
        const { dataset } = document.documentElement;
        dataset.moved = [...new Set(moves.map(({ part }) => part))].sort().join(" ");
        dataset.durations = moves.map(({ duration }) => duration).join(" ");
      });
      return transition;
    };
  });
  const title = `Moves along ${unique()}`;
  // A new tournament is on the list's first page, however many other tests have added.
  const cup = `Moving Cup ${unique()}`;
  await addTournament(openTestDatabase(app), { title: cup, teams: 0, teamSize: 5 });
  await signInQuietly(page, await newPlayer(app));
  await createPost(page, app, { title });
  await signInQuietly(page, "player9@example.com");
  const html = page.locator("html");
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await page.emulateMedia({ reducedMotion });
    /** Follows a link whose page shows `heading`, and expects these parts to move. */
    const follow = async (link: Locator, heading: string, parts: string) => {
      await html.evaluate(({ dataset }) => delete dataset.moved);
      await link.click();
      await waitForArrival(page, page.getByRole("heading", { level: 1, name: heading }));
      const expected = reducedMotion === "reduce" ? "" : parts;
      await expect(html, `${heading}, ${reducedMotion}`).toHaveAttribute("data-moved", expected);
      const durations = ((await html.getAttribute("data-durations")) ?? "").split(" ").filter(Boolean).map(Number);
      expect(
        durations.filter((duration) => duration < 160 || duration > 240),
        heading,
      ).toEqual([]);
    };
    await visit(page, `/dashboard?q=${encodeURIComponent(title)}`);
    await follow(cardOf(page, title).getByRole("link", { name: title }), title, "post root");
    await visit(page, "/dashboard/players");
    const player = page.locator(".player-row").first().getByRole("heading").getByRole("link");
    await follow(player, (await player.textContent()) as string, "player root");
    await visit(page, "/dashboard/tournaments");
    await follow(page.getByRole("link", { name: cup }), cup, "root tab-mark tournament");
  }
});

test("The tab mark slides without a view transition, and jumps for players who prefer reduced motion", async ({
  page,
  app,
}) => {
  // Records the marks that slide, and throws if a view transition starts.
  await page.addInitScript(() => {
    document.startViewTransition = () => {
      throw new Error("A tab started a view transition.");
    };
    addEventListener("transitionrun", ({ target, pseudoElement, propertyName }) => {
      const nav = target instanceof Element && pseudoElement === "::after" && target.closest("nav");
      const { dataset } = document.documentElement;
      if (nav) dataset.slid = [dataset.slid, propertyName].filter(Boolean).join(" ");
    });
  });
  const title = `Sliding Cup ${unique()}`;
  const { id } = await addTournament(openTestDatabase(app), { title, teams: 0, teamSize: 5 });
  await signInQuietly(page, "player9@example.com");
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    await page.emulateMedia({ reducedMotion });
    /** Follows the tab `name`, and expects the mark to reach it, with `inset` pixels left at each side. */
    const follow = async (tabs: Locator, name: string, heading: string, inset: number) => {
      await tabs.getByRole("link", { name, exact: true }).click();
      await waitForArrival(page, page.getByRole("heading", { level: 1, name: heading }));
      const html = page.locator("html");
      if (reducedMotion === "no-preference") await expect(html, name).toHaveAttribute("data-slid", /left/);
      await expect.poll(() => markInsets(tabs), name).toBe(`${inset} ${inset}`);
      if (reducedMotion === "reduce") await expect(html, name).not.toHaveAttribute("data-slid");
    };
    await visit(page, "/dashboard");
    await follow(page.getByRole("navigation", { name: "Dashboard" }), "Players", "Players", 0);
    await visit(page, `/tournaments/${id}`);
    await follow(page.getByRole("navigation", { name: "Tournament" }), "Teams", title, 8);
  }
});

test("A page whose address has many segments runs its script and opens the next page in the same document", async ({
  page,
}) => {
  await visit(page, `/long${"/er".repeat(200)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Oops! Page not found");
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Oops! Page not found");
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

test("A click on a link opens its page in the same document, and one with Ctrl or the middle button in a new tab", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/players");
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const tab = page.getByRole("link", { name: "Tournaments", exact: true });
  for (const click of [{ modifiers: ["ControlOrMeta"] }, { button: "middle" }] as const) {
    const opened = page.context().waitForEvent("page");
    await tab.click(click as Parameters<Locator["click"]>[0]);
    const other = await opened;
    await expect(other).toHaveURL(/\/dashboard\/tournaments$/);
    await other.close();
    await expect(page).toHaveURL(/\/dashboard\/players/);
  }
  await tab.click();
  await expect(page).toHaveURL(/\/dashboard\/tournaments$/);
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

test("A link to the page that is shown adds no entry to the history", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/tournaments");
  const entries = () => page.evaluate(() => history.length);
  const before = await entries();
  const loads = collectLoads(page);
  await page.getByRole("link", { name: "Tournaments", exact: true }).click();
  await expect.poll(() => loads.length).toBeGreaterThan(0);
  await expect(page).toHaveURL(/\/dashboard\/tournaments$/);
  expect(await entries()).toBe(before);
});

test("Pressing a link keeps its prefetched data even if another link had the focus, and the click uses it", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/tournaments");
  await page.getByRole("link", { name: "Players", exact: true }).focus();
  await page.getByRole("link", { name: "Profile", exact: true }).hover();
  const ahead = page.locator('link[rel="prefetch"][href*="/dashboard/profile.data"]');
  await expect(ahead).toHaveCount(1);
  await page.mouse.down();
  expect(await ahead.count()).toBe(1);
  await page.mouse.up();
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
  const transfers = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).filter(
      ({ name, transferSize }) => name.endsWith("/dashboard/profile.data") && transferSize > 0,
    ),
  );
  expect(transfers).toHaveLength(1);
});

test("Pointing at a link prefetches its page, and an immediate click loads the page only once", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/tournaments");
  const ahead = page.locator('link[rel="prefetch"][href*="/dashboard/profile.data"]');
  const link = page.getByRole("link", { name: "Profile", exact: true });
  const loads = collectLoads(page);
  await link.hover();
  await expect(ahead).toHaveCount(1);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(ahead).toHaveCount(0);
  await visit(page, "/dashboard/tournaments");
  loads.length = 0;
  await link.click();
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
  await page.waitForLoadState("networkidle");
  expect(loads.filter((address) => address.includes("/dashboard/profile.data"))).toHaveLength(1);
  await expect(ahead).toHaveCount(0);
});

/** How far inside the current tab its mark begins and ends, in whole pixels. */
function markInsets(tabs: Locator): Promise<string> {
  return tabs.evaluate((nav) => {
    const row = nav.querySelector("ul") as Element;
    const tab = nav.querySelector("[aria-current]") as Element;
    const mark = getComputedStyle(row, "::after");
    const [space, { left, right }] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
    const insets = [
      space.left + Number.parseFloat(mark.left) - left,
      right - (space.right - Number.parseFloat(mark.right)),
    ];
    return insets.map(Math.round).join(" ");
  });
}
