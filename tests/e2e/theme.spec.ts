import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { signInQuietly } from "./steps";

/** The page's computed background colour. */
const backgroundOf = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (!canvas) throw new Error("No canvas");
    canvas.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data.slice(0, 3).join(" ");
  });
const DARK = "22 17 14";
const LIGHT = "246 244 240";

const footer = (page: Page) => page.getByRole("contentinfo").getByRole("group", { name: "Theme" });
const choice = (page: Page, name: string) => footer(page).getByRole("button", { name });

test("A theme chosen in the footer applies to every page, and System follows the device again", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await visit(page, "/auth?tab=sign-up");
  await expect(choice(page, "System")).toHaveAttribute("aria-pressed", "true");
  expect(await backgroundOf(page)).toBe(DARK);
  if (hasJavaScript()) await page.getByRole("textbox", { name: "Email" }).fill("half@typed.example");

  await choice(page, "Light").click();
  await expect(choice(page, "Light")).toHaveAttribute("aria-pressed", "true");
  await expect(choice(page, "System")).toHaveAttribute("aria-pressed", "false");
  expect(await backgroundOf(page)).toBe(LIGHT);
  expect(new URL(page.url()).search).toBe("?tab=sign-up");
  // With JavaScript, only the page's colours change, so the field keeps its value.
  if (hasJavaScript()) await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("half@typed.example");

  await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toContain("lineup_theme");
  for (const path of ["/", "/no/such/page"]) {
    await visit(page, path);
    expect(await backgroundOf(page), path).toBe(LIGHT);
    await expect(choice(page, "Light")).toHaveAttribute("aria-pressed", "true");
  }

  await choice(page, "System").click();
  await expect(choice(page, "System")).toHaveAttribute("aria-pressed", "true");
  expect(await backgroundOf(page)).toBe(DARK);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await backgroundOf(page)).toBe(LIGHT);
  await choice(page, "Dark").click();
  await expect(choice(page, "Dark")).toHaveAttribute("aria-pressed", "true");
  expect(await backgroundOf(page)).toBe(DARK);
});

test("The colours change before the server answers", async ({ page }) => {
  test.skip(!hasJavaScript(), "Without JavaScript the colours come with the new page.");
  await page.emulateMedia({ colorScheme: "dark" });
  await visit(page, "/auth");
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/theme.data", async (route) => {
    await held;
    await route.continue();
  });
  await choice(page, "Light").click();
  await expect(choice(page, "Light")).toHaveAttribute("aria-pressed", "true");
  expect(await backgroundOf(page)).toBe(LIGHT);
  const answered = page.waitForResponse("**/theme.data");
  release();
  await answered;
  await expect(choice(page, "Light")).toHaveAttribute("aria-pressed", "true");
  expect(await backgroundOf(page)).toBe(LIGHT);
});

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("The theme is in the account menu, beside the player's profile", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await signInQuietly(page, "player2@example.com");
    await visit(page, "/dashboard?rank=Gold+1");
    const header = page.getByRole("banner");
    const light = header.locator("button", { hasText: "Light" });
    await expect(light).toBeHidden();
    await page.locator("summary").filter({ hasText: "Account menu" }).tap();
    await expect(header.getByRole("button", { name: "System" })).toHaveAttribute("aria-pressed", "true");
    expect((await light.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await light.tap();
    await expect(light).toHaveAttribute("aria-pressed", "true");
    expect(await backgroundOf(page)).toBe(LIGHT);
    await expect(page).toHaveURL(/\?rank=Gold\+1$/);
    // With JavaScript the menu stays open; without it, a new page loads.
    if (!hasJavaScript()) await page.locator("summary").filter({ hasText: "Account menu" }).tap();
    // The bar at the bottom has a link with the same name.
    await header.getByRole("link", { name: "Profile" }).first().tap();
    await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  });
});
