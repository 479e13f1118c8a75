import { expect, test, visit, waitForHydration } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { contact, createPost, expectNoOverflow, expectToast, newPlayer, signInQuietly, unique } from "./steps";

test("A visitor without an account reports a post, and mistakes lose nothing", async ({ page, app, anotherPage }) => {
  const title = `Rude ${unique()}`;
  await signInQuietly(page, await newPlayer(app, { riotGameName: title }));
  const post = await createPost(page, app, { title });
  const guest = await anotherPage();
  await visit(guest, post);
  await guest.getByRole("link", { name: "Report", exact: true }).click();
  await expect(guest).toHaveURL(`${post}/report`);
  const dialog = guest.getByRole("dialog", { name: "Report" });
  await expect(dialog).toContainText(title);
  await expectAccessibleEverywhere(guest);
  for (const width of [390, 1280]) {
    await guest.setViewportSize({ width, height: 844 });
    await expectNoOverflow(guest);
  }
  await dialog.getByRole("radio", { name: "Insults or harassment" }).check();
  await dialog.getByRole("textbox", { name: "Details" }).fill("This is not how we talk.");
  await dialog.getByRole("button", { name: "Send Report" }).click();
  await expect(dialog.getByRole("textbox", { name: "Your Name" })).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByRole("radio", { name: "Insults or harassment" })).toBeChecked();
  await expect(dialog.getByRole("textbox", { name: "Details" })).toHaveValue("This is not how we talk.");
  await expectAccessibleEverywhere(guest);
  const email = `${unique()}@lineup.test`.toLowerCase();
  await dialog.getByRole("textbox", { name: "Your Name" }).fill("A Visitor");
  await dialog.getByRole("textbox", { name: "Your Email" }).fill(email);
  await dialog.getByRole("textbox", { name: "Your Email" }).press("Enter");
  await expect(guest).toHaveURL(post);
  await expectToast(guest, "success", "Report sent", `Our moderators will read it. ${title} won't be told.`);
  await expect(page.getByRole("link", { name: "Report", exact: true })).toHaveCount(0);
});

test("A player reports a message from the thread, where each run of the other player's messages has a link", async ({
  page,
  app,
  anotherPage,
}) => {
  const word = unique();
  const other = await anotherPage();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Ann ${word}` }));
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Bea ${word}` }));
  const post = await createPost(page, app, { title: `Duo ${word}` });
  await contact(other, post, "Something rude.");
  await visit(page, "/dashboard/messages");
  await page.getByRole("link", { name: new RegExp(`Bea ${word}`) }).click();
  await page.getByRole("log").getByRole("link", { name: "Report" }).click();
  await expect(page).toHaveURL(/\/dashboard\/messages\/[^/]+\/report\/[^/]+$/);
  const dialog = page.getByRole("dialog", { name: `Report Bea ${word}` });
  await expect(dialog.getByRole("combobox", { name: "About" }).locator("option:checked")).toHaveText(
    /^“Something rude\.”/,
  );
  await waitForHydration(page);
  await expectAccessibleEverywhere(page);
  await dialog.getByRole("radio", { name: "Threats" }).check();
  await dialog.getByRole("button", { name: "Send Report" }).click();
  await expectToast(page, "success", "Report sent", `Our moderators will read it. Bea ${word} won't be told.`);
  await expect(page).toHaveURL(/\/dashboard\/messages\/[^/]+$/);
});
