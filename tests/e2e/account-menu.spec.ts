import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessiblePart } from "./axe";
import { newPlayer, signInQuietly, tabTo, unique, verifiedProfile } from "./steps";

const item = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });

/** Opens the dashboard as a new player. @returns the player's name */
async function enter(page: Page, app: Parameters<typeof newPlayer>[0]): Promise<string> {
  const name = `menu-${unique()}`;
  await signInQuietly(page, await newPlayer(app, { email: `${name}@lineup.test` }));
  await visit(page, "/dashboard");
  return name;
}

test("The name in the header is a link to the profile, and with JavaScript the button of a menu", async ({
  page,
  app,
}) => {
  const name = await enter(page, app);
  const header = page.getByRole("banner");
  await expect(header.getByRole("button", { name: "Sign Out" })).toBeVisible();
  if (!hasJavaScript()) {
    await header.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL("/dashboard/profile");
    return;
  }
  const button = header.getByRole("button", { name, exact: true });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  // A click on the banner opens the menu, too.
  const banner = await header.getByText(name.charAt(0).toUpperCase(), { exact: true }).last().boundingBox();
  await page.mouse.click((banner?.x ?? 0) + 10, (banner?.y ?? 0) + 20);
  await expect(page.getByRole("menu", { name })).toBeVisible();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("menuitem")).toHaveText([/^Profile$/, /^Settings$/, /^Theme/, /^Sign Out$/]);
  await expectAccessiblePart(page, "[role=menu]");
  await button.click();
  await expect(page.getByRole("menu")).toHaveCount(0);
  await button.click();
  await item(page, "Settings").click();
  await expect(page).toHaveURL("/dashboard/settings");
  await expect(page.getByRole("menu")).toHaveCount(0);
});

test.describe("With JavaScript", () => {
  test.skip(() => !hasJavaScript(), "Without JavaScript the name is a link to the profile.");

  test("the menu works by keyboard alone: keys open it, walk it, choose a theme, leave it, and sign out", async ({
    page,
    app,
  }) => {
    const name = await enter(page, app);
    const button = page.getByRole("banner").getByRole("button", { name, exact: true });
    await tabTo(page, button);
    await page.keyboard.press("Enter");
    await expect(item(page, "Profile")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(item(page, "Settings")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(button).toBeFocused();

    await page.keyboard.press("ArrowDown");
    await expect(item(page, "Profile")).toBeFocused();
    await page.keyboard.press("t");
    await expect(item(page, "Theme")).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    const radios = page.getByRole("menuitemradio");
    await page.keyboard.press("ArrowRight");
    await expect(radios).toHaveText(["System", "Dark", "Light"]);
    await expect(radios.first()).toBeFocused();
    await expect(radios.first()).toBeChecked();
    await page.keyboard.press("End");
    await expect(radios.last()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(button).toBeFocused();

    await page.keyboard.press("Space");
    await expect(item(page, "Profile")).toBeFocused();
    await page.keyboard.press("End");
    await expect(item(page, "Sign Out")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/auth");
  });

  test("the browser's own buttons close the menu, whose script loads only when it is about to be opened", async ({
    page,
    app,
  }) => {
    const name = await enter(page, app);
    const loaded: string[] = [];
    page.on("request", (request) => {
      if (/account-menu/.test(request.url())) loaded.push(request.url());
    });
    await page.getByRole("link", { name: "Chat", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Chat" })).toBeVisible();
    expect(loaded).toEqual([]);
    await page.getByRole("banner").getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    expect(loaded.length).toBeGreaterThan(0);
    await page.goBack();
    await expect(page).toHaveURL("/dashboard");
    await expect(page.getByRole("menu")).toHaveCount(0);
  });

  test("below 1024 pixels the name is a plain link", async ({ page, app }) => {
    const name = await enter(page, app);
    await page.setViewportSize({ width: 800, height: 800 });
    await page.locator("summary").filter({ hasText: "Account menu" }).click();
    await page.getByRole("banner").getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL("/dashboard/profile");
  });
});

test("The header says which name others see, once it is verified", async ({ page, app }) => {
  const gameName = `Seen ${unique().slice(0, 8)}`;
  await signInQuietly(page, await newPlayer(app, verifiedProfile(gameName)));
  await visit(page, "/dashboard");
  await expect(page.getByRole("banner").getByText(`Online as ${gameName}`, { exact: true })).toBeVisible();
  await signInQuietly(page, await newPlayer(app, { riotGameName: gameName, riotId: `${gameName}#ONE` }));
  await visit(page, "/dashboard");
  await expect(page.getByRole("banner").getByText("Online", { exact: true })).toBeVisible();
  await expect(page.getByRole("banner")).not.toContainText(gameName);
});
