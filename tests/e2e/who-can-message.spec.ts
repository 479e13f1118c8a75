import { expect, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { expectNoOverflow, expectToast, newPlayer, signInNewPlayer, signInQuietly, unique } from "./steps";

test("A player who takes messages from nobody new says so on their page, and strangers find no way to write", async ({
  page,
  anotherPage,
  app,
}) => {
  const { id } = await signInNewPlayer(page, app, `Quiet ${unique()}`);
  const profile = `/players/${id}`;
  const stranger = await anotherPage();
  await signInQuietly(stranger, await newPlayer(app));
  await visit(stranger, profile);
  await expect(stranger.getByRole("link", { name: "Message", exact: true })).toBeVisible();

  await visit(page, "/dashboard/settings");
  await page.getByRole("link", { name: "Who Can Message Me" }).first().click();
  await expect(page.getByRole("heading", { name: "Who Can Message Me" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Everyone" })).toBeChecked();
  await page.getByRole("radio", { name: "Nobody new" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "success", "Settings saved");
  await expect(page.getByRole("radio", { name: "Nobody new" })).toBeChecked();
  await expectAccessibleEverywhere(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }

  await visit(stranger, profile);
  await expect(stranger.getByText("This player doesn't take messages from new players.")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Message", exact: true })).toHaveCount(0);
  await visit(stranger, `${profile}/message`);
  await expectToast(stranger, "error", "Error", "This player doesn't take messages from players they don't know.");
  await expect(stranger).toHaveURL(profile);
});
