import { expect, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { contact, createPost, expectNoOverflow, newPlayer, signInQuietly, unique } from "./steps";

test("A suspicious link in a message opens a page that shows where it leads, and the way back", async ({
  page,
  app,
  anotherPage,
}) => {
  const word = unique();
  // The second "o" is Cyrillic.
  const link = `https://disc\u043erd.example/${word}/${"path".repeat(40)}`;
  const { host } = new URL(link);
  const other = await anotherPage();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Ann ${word}` }));
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Bea ${word}` }));
  const post = await createPost(page, app, { title: `Duo ${word}` });
  await contact(other, post, `Free skins: ${link}`);
  await visit(page, "/dashboard/messages");
  await page.getByRole("link", { name: new RegExp(`Bea ${word}`) }).click();
  const log = page.getByRole("log");
  await expect(log).toContainText(`${link} (${host})`);
  const thread = page.url();
  const opened = page.context().waitForEvent("page");
  await log.getByRole("link", { name: link }).click();
  const leaving = await opened;
  await expect(leaving.getByRole("heading", { name: "You're leaving Lineup" })).toBeVisible();
  await expect(leaving.getByText(link.replace(/^[^/]*\/\/[^/]*/, `https://${host}`))).toBeVisible();
  await expect(leaving.locator("strong")).toHaveText(host);
  await expect(leaving.getByRole("link", { name: "Continue" })).toHaveAttribute("href", new URL(link).href);
  await expectAccessibleEverywhere(leaving);
  for (const width of [320, 390, 1280]) {
    await leaving.setViewportSize({ width, height: 844 });
    await expectNoOverflow(leaving);
  }
  await leaving.getByRole("link", { name: "Go back" }).click();
  await expect(leaving).toHaveURL(thread);
  await expect(leaving.getByRole("log")).toContainText("Free skins");
});
