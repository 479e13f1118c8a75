import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { cardOf, choose, createPost, expectNoOverflow, expectToast, newPlayer, signInQuietly, unique } from "./steps";

// This file has its own app, with a world that has enough players to choose from.
test.use({ appOptions: { world: "busy" } });

const EVERYONE = "/dashboard/players?sort=best";

const filtersOf = (page: Page) => page.getByRole("form", { name: "Filter players" });
const found = (page: Page) => page.getByRole("heading", { level: 2, name: /players?\b/ });
const rows = (page: Page) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 3 }) });
const openTab = (page: Page) =>
  page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Players" }).click();
const apply = (page: Page) => filtersOf(page).getByRole("button", { name: "Apply" }).click();

const NEWCOMER = {
  currentRank: "Platinum 2",
  preferredRole: "Controller",
  region: "Europe",
  languages: ["en"],
} as const;
const newcomer = () => ({ ...NEWCOMER, languages: [...NEWCOMER.languages] });

test("A newcomer completes the profile, finds five matching players, and writes to one", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));

  await test.step("a newcomer without a profile sees everyone and is asked to fill it in", async () => {
    await visit(page, "/dashboard");
    await openTab(page);
    await expect(page.getByRole("heading", { level: 1, name: "Players" })).toBeVisible();
    await expect(rows(page)).toHaveCount(20);
    await page.getByRole("link", { name: "Complete your profile" }).click();
    await expect(page.getByRole("group", { name: "Current Rank" })).toBeVisible();
  });

  await test.step("the newcomer fills in the profile", async () => {
    await waitForHydration(page);
    const box = (group: string, name: string) =>
      page.getByRole("group", { name: group }).getByLabel(name, { exact: true });
    await choose(box("Current Rank", "Platinum 2"));
    await page.getByRole("combobox", { name: "Preferred Role" }).selectOption("Controller");
    const basics = page.getByRole("region", { name: "Basic Information" });
    await basics.getByRole("combobox", { name: "Region" }).selectOption("Europe");
    await page.getByRole("combobox", { name: "Time Zone" }).selectOption("Europe/Berlin");
    for (const day of ["Monday", "Tuesday", "Saturday"]) await box("Weekly Availability", `${day} evening`).check();
    await choose(box("Languages", "English"));
    await page.getByRole("button", { name: "Save Profile" }).click();
    await expectToast(page, "success", "Profile updated!", "Your profile has been saved successfully.");
  });

  await test.step("the newcomer finds five matching players, with the reasons", async () => {
    await openTab(page);
    await expect(
      page.getByText("Set from your profile: Gold 1 to Diamond 2, can queue with you, Europe, English."),
    ).toBeVisible();
    await expect(filtersOf(page).getByRole("combobox", { name: "Minimum Rank" })).toHaveValue("Gold 1");
    await expect(filtersOf(page).getByRole("checkbox", { name: "Can queue with me" })).toBeChecked();
    expect(await rows(page).count()).toBeGreaterThanOrEqual(5);
    for (const row of (await rows(page).all()).slice(0, 5)) {
      await expect(row).toContainText(/your roles go together|can queue with|Both|Free together/);
      await expect(row).not.toContainText("can't queue ranked together");
      await expect(row).toContainText("English");
    }
    await expect(rows(page).first()).toContainText("a week together");
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 1280, height: 844 });
  });

  await test.step("the newcomer writes to the first of them", async () => {
    const name = (await rows(page).first().getByRole("heading", { level: 3 }).textContent()) ?? "";
    await rows(page).first().getByRole("link", { name: "Message" }).click();
    const dialog = page.getByRole("dialog", { name: `Message ${name}` });
    await expect(dialog).toBeVisible();
    await waitForHydration(page);
    await dialog.getByRole("textbox", { name: "Message" }).fill("Duo tonight? I smoke, you go in.");
    await dialog.getByRole("button", { name: "Send Message" }).click();
    await expectToast(page, "success", "Message sent!");
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  });
});

test("Filters narrow the list and stay in the address until Reset shows everyone again", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app, newcomer()));
  await visit(page, EVERYONE);
  const all = (await found(page).textContent()) ?? "";
  await filtersOf(page).getByRole("combobox", { name: "Role" }).selectOption("Sentinel");
  await filtersOf(page).getByRole("combobox", { name: "Sort by" }).selectOption("newest");
  await filtersOf(page).getByRole("checkbox", { name: "Verified only" }).check();
  await apply(page);
  await expect(found(page)).not.toHaveText(all);
  await expect(page).toHaveURL(/sort=newest.*verified=on.*role=Sentinel/);
  for (const row of await rows(page).all()) {
    await expect(row).toContainText("Sentinel");
    await expect(row).toContainText("Verified");
  }
  await page.reload();
  await expect(filtersOf(page).getByRole("combobox", { name: "Role" })).toHaveValue("Sentinel");
  await waitForHydration(page);
  await filtersOf(page).getByRole("link", { name: "Reset" }).click();
  await expect(page).toHaveURL(EVERYONE);
  await expect(found(page)).toHaveText(all);
  await expect(filtersOf(page).getByRole("combobox", { name: "Role" })).toHaveValue("");

  await page.getByRole("link", { name: "Set filters from my profile" }).click();
  await expect(page.getByText("Set from your profile:")).toBeVisible();
  await filtersOf(page).getByRole("combobox", { name: "Agent" }).selectOption("Astra");
  await filtersOf(page)
    .getByRole("textbox", { name: "Playstyle" })
    .or(filtersOf(page).getByRole("combobox", { name: "Playstyle" }))
    .fill("nobody says this");
  await apply(page);
  await expect(page.getByText("No player fits these filters right now.")).toBeVisible();
  await waitForHydration(page);
  await expectAccessibleEverywhere(page);
  await page.getByRole("link", { name: "Show all players" }).click();
  await expect(found(page)).toHaveText(all);
});

test("The list is paginated, and each player is on it once", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app, newcomer()));
  for (const sort of ["best", "newest"]) {
    await visit(page, `/dashboard/players?sort=${sort}&language=en`);
    const seen: string[] = [];
    for (let pages = 1; pages <= 3; pages += 1) {
      const links = rows(page).getByRole("heading", { level: 3 }).getByRole("link");
      seen.push(...(await links.evaluateAll((list: HTMLAnchorElement[]) => list.map(({ href }) => href))));
      expect(seen).toHaveLength(20 * pages);
      const before = page.url();
      await page.getByRole("link", { name: "Next page" }).click();
      await expect(page).not.toHaveURL(before);
      await expect(rows(page).first().getByRole("link").first()).not.toHaveAttribute(
        "href",
        new URL(seen.at(-20) as string).pathname,
      );
    }
    expect(new Set(seen).size).toBe(seen.length);
  }
});

test("On a phone the filters are behind a button with their count, and nothing is too wide", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app, newcomer()));
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, "/dashboard/players");
  const press = page.locator("summary").filter({ hasText: "Filters" });
  await expect(press).toHaveText("Filters5");
  await expect(filtersOf(page)).toBeHidden();
  await press.click();
  await filtersOf(page).getByRole("combobox", { name: "Role" }).selectOption("Duelist");
  await apply(page);
  await expect(press).toHaveText("Filters6");
  await expect(filtersOf(page)).toBeHidden();
  if (hasJavaScript()) await expect(press).toBeFocused();
  for (const address of [EVERYONE, page.url()]) {
    await visit(page, address);
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(page);
    }
  }
});

test("LFG starts with the best matches, and each post is on the page once", async ({ page, anotherPage, app }) => {
  const word = unique();
  const title = `A Controller for Haven ${word}`;
  const author = await anotherPage();
  await signInQuietly(
    author,
    await newPlayer(app, {
      ...newcomer(),
      riotGameName: `Ann ${word}`,
      preferredRole: "Duelist",
      currentRank: "Platinum 2",
    }),
  );
  await createPost(author, app, { title, requiredRank: "Gold 1", requiredRole: "Controller", region: "Europe" });
  await signInQuietly(page, await newPlayer(app, newcomer()));
  await visit(page, "/dashboard");
  const best = page.getByRole("region", { name: "Best matches" });
  const newest = page.getByRole("region", { name: "Newest" });
  await expect(best.getByText("Sorted for Platinum 2, Controller, Europe")).toBeVisible();
  await expect(best.getByRole("article")).toHaveCount(2);
  await expect(cardOf(page, title)).toHaveCount(1);
  for (const reason of ["You play Controller", "Both Platinum 2", "Both in Europe"]) {
    await expect(best.getByRole("article").first()).toContainText(reason);
  }
  await expect(best.getByRole("article").first()).toContainText(title);
  await expect(newest.getByText(title)).toHaveCount(0);
  const rail = page.getByRole("region", { name: "Who you can queue with" });
  await expect(rail).toContainText("Duo or trio. The long bar is you, Platinum 2.");
  await expect(rail).toContainText(/Gold 1.*to.*Diamond 2/s);
  await expectAccessibleEverywhere(page);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }
});
