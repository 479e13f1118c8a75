import { expect, test, visit } from "../support/e2e";
import { cardOf, newPlayer, signInQuietly } from "./steps";

// This file has its own app, in which nobody has posted yet.
test.use({ appOptions: { world: "empty" } });

test("The very first player is invited to write the first post", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await expect(page.getByText("No active LFG posts. Be the first to create one!", { exact: true })).toBeVisible();
  await expect(page.getByText("0 active posts")).toBeVisible();
  await page.getByRole("link", { name: "Write the first post" }).click();
  const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Somebody has to begin");
  await dialog.getByRole("radio", { name: "4", exact: true }).check();
  await dialog.getByRole("button", { name: "Create Post" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(cardOf(page, "Somebody has to begin")).toBeVisible();
  await expect(page.getByText("1 active post", { exact: true })).toBeVisible();
  await expect(page.getByText(/^No active LFG posts/)).toHaveCount(0);
});

test("The very first player is invited to host the first tournament, and to read posts while there is no news", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/notifications");
  await page.getByRole("main").getByRole("link", { name: "Browse posts" }).click();
  await expect(page).toHaveURL("/dashboard");
  await visit(page, "/dashboard/tournaments");
  await expect(page.getByText("No tournaments yet", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Host the first one" }).click();
  await expect(page.getByRole("dialog", { name: "Host Tournament" })).toBeVisible();
});
