import type { Locator, Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { createPost, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

const tooltip = (page: Page) => page.getByRole("tooltip");
/** The visible tooltip. The element with the role is a hidden copy inside it, which Radix adds for screen readers. */
const shownTooltip = (page: Page) => page.locator(".tooltip");

/** The page's first Verified mark: the tick and its text. */
const verifiedMark = (page: Page) => page.getByText("Verified", { exact: true }).first();

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error("The element is not visible.");
  return box;
};

/** Rests the pointer on an element, with the page's clock paused, until the tooltip's script has started its delay. */
async function restOn(page: Page, target: Locator): Promise<void> {
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await target.hover();
  await expect(target, "the script has removed the title").not.toHaveAttribute("title");
}

/** The distance between an element and its tooltip, above or below. */
async function gapBetween(page: Page, target: Locator): Promise<number> {
  const [one, other] = [await boxOf(target), await boxOf(shownTooltip(page))];
  return Math.max(one.y - (other.y + other.height), other.y - (one.y + one.height));
}

test("Marks, buttons without text and truncated names have a title that works without JavaScript", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app, verifiedProfile(`Tip ${unique()}`)));
  await visit(page, "/dashboard");
  await expect(page.getByRole("link", { name: "Notifications" })).toHaveAttribute("title", "Notifications");
  await expect(verifiedMark(page)).toHaveAttribute("title", "Riot ID found");
  await visit(page, "/dashboard/lfg/new");
  await expect(page.getByRole("dialog").getByRole("link", { name: "Close" })).toHaveAttribute("title", "Close");
});

test.describe("With JavaScript", () => {
  test.skip(() => !hasJavaScript(), "Without JavaScript the browser shows the title itself.");

  test("a tooltip opens after 700 ms, 4 px from its mark, and replaces the title", async ({ page, app }) => {
    await page.clock.install();
    await signInQuietly(page, await newPlayer(app, verifiedProfile(`Tip ${unique()}`)));
    await visit(page, "/dashboard");
    const mark = verifiedMark(page);
    await restOn(page, mark);
    await page.clock.runFor(699);
    await expect(tooltip(page)).toHaveCount(0);
    await page.clock.runFor(1);
    await expect(tooltip(page)).toHaveText("Riot ID found");
    await expect(mark).toHaveAccessibleDescription("Riot ID found");
    await expect(mark).not.toHaveAttribute("title");
    expect(await gapBetween(page, mark)).toBeCloseTo(4, 0);

    // The tooltip stays open when the pointer moves onto it.
    await shownTooltip(page).hover();
    await page.clock.runFor(2_000);
    await expect(tooltip(page)).toHaveCount(1);
    await page.mouse.move(5, 400);
    await page.clock.runFor(200);
    await expect(tooltip(page)).toHaveCount(0);
    await expect(mark).toHaveAttribute("title", "Riot ID found");
  });

  test("a tooltip opens immediately on keyboard focus; Escape closes it before the dialog", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    const post = await createPost(page, app, { title: `Tips ${unique()}` });
    await visit(page, `${post}/edit`);
    const dialog = page.getByRole("dialog");
    const close = dialog.getByRole("link", { name: "Close" });
    await dialog.getByRole("textbox", { name: "Title" }).focus();
    await page.keyboard.press("Shift+Tab");
    await expect(close).toBeFocused();
    await expect(tooltip(page)).toHaveText("Close");
    await expect(shownTooltip(page)).toBeInViewport();
    expect(await gapBetween(page, close)).toBeCloseTo(4, 0);
    await expect(close, "the name already says it").toHaveAccessibleDescription("");

    await page.keyboard.press("Escape");
    await expect(tooltip(page)).toHaveCount(0);
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  test("a name has a tooltip only when it is truncated", async ({ page, app }) => {
    await page.clock.install();
    const start = unique();
    await signInQuietly(page, await newPlayer(app, { email: `${start}-longname@lineup.test` }));
    await page.setViewportSize({ width: 1100, height: 800 });
    await visit(page, "/dashboard");
    const name = page.getByRole("banner").getByText(start, { exact: false });
    await restOn(page, name);
    await page.clock.runFor(700);
    await expect(tooltip(page)).toHaveText(`${start}-longname`);
    await page.mouse.move(5, 400);
    await page.clock.runFor(200);
    // The wider window has room for the name.
    await page.setViewportSize({ width: 1400, height: 800 });
    await name.hover();
    await page.clock.runFor(2_000);
    await expect(tooltip(page)).toHaveCount(0);
  });

  test("the tooltips' script loads on the first hover, not before", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    const loaded: string[] = [];
    page.on("request", (request) => {
      if (/tooltip/.test(request.url())) loaded.push(request.url());
    });
    await visit(page, "/dashboard");
    await page.waitForLoadState("networkidle");
    expect(loaded).toEqual([]);
    await page.getByRole("link", { name: "Notifications" }).hover();
    await expect(tooltip(page)).toHaveText("Notifications");
    expect(loaded.length).toBeGreaterThan(0);
  });
});
