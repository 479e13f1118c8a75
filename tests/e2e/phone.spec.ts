import { addPlayedTournament } from "../support/brackets";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { createPost, filtersOf, newAccount, newPlayer, signInQuietly, unique } from "./steps";

const PHONE = { width: 390, height: 844 };
const PHONE_ON_ITS_SIDE = { width: 844, height: 390 };

test("On a phone, a player's own profile begins with their name, rank and role", async ({ page, app }) => {
  const riotGameName = `First ${unique()}`;
  await page.setViewportSize(PHONE);
  await signInQuietly(
    page,
    await newPlayer(app, { riotGameName, currentRank: "Gold 2", preferredRole: "Sentinel", description: "Calm." }),
  );
  await visit(page, "/dashboard/profile");
  const card = page.locator(".page-lead");
  for (const words of [riotGameName, "Gold 2", "Sentinel"]) {
    await expect(card.getByText(words, { exact: true })).toBeInViewport();
  }
  await expect(card.getByRole("link", { name: "See how others see you" })).toBeInViewport();
  await expect(page.getByRole("button", { name: "Save Profile" })).toBeInViewport();
});

test("A player's page on a phone shows the name and the main action above a long description", async ({
  page,
  app,
  anotherPage,
}) => {
  const riotGameName = `Wordy ${unique()}`;
  await signInQuietly(page, await newPlayer(app, { riotGameName, description: "Many words. ".repeat(40) }));
  const post = await createPost(page, app, { title: `By a wordy player ${unique()}` });
  const visitor = await anotherPage();
  await visitor.setViewportSize(PHONE);
  await signInQuietly(visitor, await newPlayer(app));
  await visit(visitor, post);
  await visitor.getByRole("link", { name: riotGameName }).first().click();
  await expect(visitor.getByRole("heading", { name: riotGameName })).toBeInViewport();
  await expect(visitor.getByRole("link", { name: "Message", exact: true })).toBeInViewport();
});

test("On a phone on its side, filters are folded behind their button", async ({ page, app }) => {
  await page.setViewportSize(PHONE_ON_ITS_SIDE);
  // A profile in which nothing is missing, so that nothing comes before the list.
  const availability = [8, 0, 0, 0, 0, 0, 0];
  await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2", preferredRole: "Duelist", availability }));
  await visit(page, "/dashboard");
  const button = page.locator("summary").filter({ hasText: "Filters" });
  await expect(button).toBeInViewport();
  await expect(filtersOf(page)).toBeHidden();
  await button.click();
  await expect(filtersOf(page).getByLabel("Rank")).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(button).toBeHidden();
  await expect(filtersOf(page).getByLabel("Rank")).toBeVisible();
});

test("On a phone on its side, a conversation fits below the page's header", async ({ page }) => {
  await signInQuietly(page, "player2@example.com");
  await page.setViewportSize(PHONE_ON_ITS_SIDE);
  await visit(page, "/dashboard/messages");
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: "Thunder Kitten 9" }).click();
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  await expect(field).toBeVisible();
  const pane = page.locator(".chat");
  const heights: number[] = [];
  for (let height = PHONE_ON_ITS_SIDE.height; height <= 620; height += 10) {
    await page.setViewportSize({ ...PHONE_ON_ITS_SIDE, height });
    const box = await pane.boundingBox();
    heights.push(box?.height ?? 0);
    if (height <= 460) {
      expect(await page.evaluate(() => scrollY)).toBe(0);
      expect((box?.y ?? 0) + (box?.height ?? 0), `in a window ${height} pixels high`).toBeLessThanOrEqual(height);
    }
  }
  // In taller windows the pane grows with the window, without a jump.
  const growth = heights.slice(1).map((height, index) => height - (heights[index] as number));
  expect(Math.max(...growth)).toBeLessThanOrEqual(20);
  expect(Math.min(...growth)).toBeGreaterThanOrEqual(0);
  expect(heights.at(-1)).toBe(600);
});

test("A tournament's tabs keep their place on the screen", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the page that a link opens begins at its top");
  await page.setViewportSize(PHONE);
  await signInQuietly(page, await newPlayer(app));
  const { id } = await addPlayedTournament(openTestDatabase(app), { teams: 8, play: 6 });
  await visit(page, `/tournaments/${id}`);
  const tab = (name: string) => page.getByRole("navigation").getByRole("link", { name, exact: true });
  await tab("Bracket").evaluate((link) => link.scrollIntoView({ block: "start" }));
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(0);
  await tab("Matches").click();
  await expect(tab("Matches")).toHaveAttribute("aria-current", "page");
  expect(await page.evaluate(() => scrollY)).toBe(before);
});

test("A confirmation on a phone is only as tall as its text, at the bottom of the screen", async ({ page, app }) => {
  await page.setViewportSize(PHONE);
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title: `Closed soon ${unique()}` });
  const dialog = page.getByRole("dialog");
  await visit(page, `${post}/close`);
  await expect(dialog).toBeVisible();
  // The dialog moves into place with an animation.
  await expect(async () => {
    const box = await dialog.boundingBox();
    expect(box?.height).toBeLessThan(PHONE.height / 2);
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(PHONE.height);
  }).toPass();
  await dialog.getByRole("link", { name: hasJavaScript() ? "Cancel" : "Close", exact: true }).click();
  await expect(page).toHaveURL(post);
  await visit(page, `${post}/edit`);
  await expect(async () => expect((await dialog.boundingBox())?.height).toBe(PHONE.height)).toPass();
});

test("A phone's keyboard makes the page smaller instead of covering the field being typed into", async ({ page }) => {
  await visit(page, "/");
  await expect(page.locator("meta[name=viewport]")).toHaveAttribute(
    "content",
    /\binteractive-widget=resizes-content\b/,
  );
});

test("Each row of buttons begins at the page's margin: a quiet button with its text, others with their edge", async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const { id } = await newAccount(app, { riotGameName: `Wraps ${unique()}` });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, `/players/${id}`);
  const rows = await page.locator(".actions").evaluate((actions) => {
    const { left } = actions.getBoundingClientRect();
    const starts = new Map<number, number>();
    for (const button of actions.querySelectorAll<HTMLElement>(".btn")) {
      // `Share` is hidden without JavaScript.
      if (!button.checkVisibility()) continue;
      const { top, left: edge } = button.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(button);
      const start = (button.dataset.variant === "quiet" ? range.getBoundingClientRect().left : edge) - left;
      if (!starts.has(top)) starts.set(top, start);
    }
    return [...starts.values()];
  });
  expect(rows.length).toBeGreaterThan(1);
  for (const start of rows) expect(start).toBeCloseTo(0, 0);
});

test("In a conversation on a phone, the Tab key leads only to what can be seen", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signInQuietly(page, "player2@example.com");
  await visit(page, "/dashboard/messages");
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: "Thunder Kitten 9" }).click();
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  const visited: string[] = [];
  const covered: string[] = [];
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const { activeElement: place } = document;
      if (!place || place === document.body) return null;
      const { x, y, width, height } = place.getBoundingClientRect();
      const isSeen = place.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      return { isSeen, name: place.getAttribute("aria-label") ?? (place.textContent || place.id) };
    });
    if (!stop) continue;
    if (visited.includes(stop.name) && stop.name !== "Report") break;
    visited.push(stop.name);
    if (!stop.isSeen) covered.push(stop.name);
  }
  expect(visited).toEqual(expect.arrayContaining(["Back to all conversations", "message"]));
  expect(covered).toEqual([]);
  await page.getByRole("link", { name: "Back to all conversations" }).press("Enter");
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
});
