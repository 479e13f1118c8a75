import { expect, test, visit } from "../support/e2e";
import { newPlayer, signInQuietly } from "./steps";

const PAGES = [
  ["Code of conduct", "/rules", "Code of conduct"],
  ["Terms", "/terms", "Terms"],
  ["Privacy", "/privacy", "Privacy"],
  ["Write to us", "/contact", "Contact"],
  ["Imprint", "/imprint", "Imprint"],
] as const;

test("A visitor finds rules, terms, privacy, contact and imprint in the footer", async ({ page }) => {
  for (const [link, path, title] of PAGES) {
    await visit(page, "/");
    await page.getByRole("contentinfo").getByRole("link", { name: link, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

test("A player opens Privacy from the dashboard, and returns by the dashboard's tabs", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Privacy" })).toBeVisible();
  await page.getByRole("link", { name: "Cookies, and why there's no banner" }).click();
  await expect(page.getByRole("heading", { name: "Cookies, and why there's no banner" })).toBeInViewport();
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "LFG" }).click();
  await expect(page.getByRole("heading", { name: /^Welcome back, / })).toBeVisible();
});

test("Someone who signs up reads the terms in a new tab, and keeps what was typed", async ({ page, context }) => {
  await visit(page, "/auth?tab=sign-up");
  await page.getByRole("textbox", { name: "Email" }).fill("reader@example.com");
  const opened = context.waitForEvent("page");
  await page.getByRole("main").getByRole("link", { name: "Terms" }).click();
  const terms = await opened;
  await expect(terms.getByRole("heading", { name: "How old you have to be" })).toBeVisible();
  await expect(terms.locator("script")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("reader@example.com");
});

test("Lines of text are at most 70ch wide, in every window", async ({ page }) => {
  for (const width of [390, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [, path] of PAGES) {
      await visit(page, path);
      const widths = await page.getByRole("main").evaluate((main) =>
        [...main.querySelectorAll("p")].map((paragraph) => {
          const ruler = document.createElement("span");
          ruler.style.cssText = "position:absolute;width:70ch";
          paragraph.appendChild(ruler);
          const isWider = paragraph.clientWidth > ruler.offsetWidth;
          ruler.remove();
          return isWider;
        }),
      );
      expect(widths, `${path} at ${width}`).not.toContain(true);
    }
  }
});
