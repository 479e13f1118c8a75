import { readdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium, TEST_ARGS } from "../../scripts/local/browser";
import { expect, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";

/**
 * Compares each section of /dev/components with its picture in tests/e2e/screenshots, in the dark and the light theme.
 *
 * `threshold`: two colours count as different when they are about three of 255 levels apart. The dark surfaces are only
 * nine levels apart, so Playwright's default of 0.2 (52 levels) would miss a panel in the wrong colour.
 * `maxDiffPixels`: versions of Chromium antialias the edges of letters and curves differently. The comparison ignores
 * such pixels where it recognises them. This allows for the others, and is less than one side of the smallest badge's
 * border. (Font hinting is off, see playwright.config.ts: with hinting, up to 1,500 pixels of a section changed.)
 */
const TOLERANCE = {
  threshold: 0.01,
  maxDiffPixels: 30,
  stylePath: `${import.meta.dirname}/without-resizers.css`,
};

const RENEW = "if the new look is intended, renew the pictures: npx playwright test components --update-snapshots";

// A whole Chromium, because the headless shell draws letters differently.
test.use({ launchOptions: { executablePath: findChromium(), args: [...CHROMIUM_ARGS, ...TEST_ARGS] } });

/** Sections with a different layout on phones. One theme is enough, since colours don't depend on the width. */
const ON_PHONES = ["dashboard-header", "lfg-card", "match-box", "players-needed", "skeleton"];

/** Large static parts of whole screens: maintaining pictures of them would cost more than they are worth. */
const WITHOUT_PICTURE = ["account-aside", "error-page"];

test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "hovered and focused specimens need JavaScript");
test.skip(process.platform !== "linux", "the pictures were taken on Linux; other systems draw letters differently");

/** Opens a page so that it looks the same each time: with its fonts loaded and without motion. */
async function visitStill(page: Page, address: string, colorScheme: "dark" | "light"): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await visit(page, address);
  // A script renders the specimens after the page has loaded.
  await page.locator("main section[id]").first().waitFor();
  await page.evaluate(() => document.fonts.ready);
}

for (const theme of ["dark", "light"] as const) {
  test(`Components look like their pictures in the ${theme} theme`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width: 1280, height: 900 });
    await visitStill(page, "/dev/components", theme);
    const names: string[] = [];
    for (const section of await page.locator("main section[id]").all()) {
      const id = (await section.getAttribute("id")) ?? "";
      if (WITHOUT_PICTURE.includes(id)) continue;
      names.push(`${id}.png`);
      await expect.soft(section.locator("> .specimens"), RENEW).toHaveScreenshot([theme, `${id}.png`], TOLERANCE);
    }
    expect(readdirSync(`${import.meta.dirname}/screenshots/${theme}`).sort(), "one picture for each").toEqual(
      names.sort(),
    );
  });
}

test("Components look like their pictures on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visitStill(page, "/dev/components", "dark");
  for (const id of ON_PHONES) {
    const specimens = page.locator(`section#${id} > .specimens`);
    await expect.soft(specimens, RENEW).toHaveScreenshot(["phone", `${id}.png`], TOLERANCE);
  }
});

test("A dialog looks like its pictures", async ({ page }) => {
  for (const [picture, width, theme] of [
    ["wide-dark.png", 1280, "dark"],
    ["wide-light.png", 1280, "light"],
    ["phone.png", 390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 420 });
    await visitStill(page, "/dev/components/dialog", theme);
    await expect.soft(page.locator(".route-dialog"), RENEW).toHaveScreenshot(["dialog", picture], TOLERANCE);
  }
});

test("axe finds no violations among the components", async ({ page }) => {
  await visitStill(page, "/dev/components", "dark");
  await expectAccessibleEverywhere(page);
});
