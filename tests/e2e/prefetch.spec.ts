import type { Locator, Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { contact, createPost, newPlayer, signInQuietly, unique } from "./steps";

/** Points at a link until the browser has prefetched its page. Returns whether the browser may keep it. */
async function prefetch(page: Page, link: Locator): Promise<boolean> {
  const { pathname } = new URL((await link.getAttribute("href")) as string, page.url());
  const isFetched = page.waitForResponse((response) => new URL(response.url()).pathname === `${pathname}.data`);
  await link.hover();
  const response = await isFetched;
  await response.finished();
  return response.headers()["cache-control"] !== "private, no-store";
}

test("A click on a page that was prefetched marks the news that it shows as read", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Only scripts prefetch pages.");
  const word = unique();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Ann ${word}` }));
  const post = await createPost(page, app, { title: `Duo ${word}` });
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Ben ${word}` }));
  await visit(other, `${post}/join`);
  await other.getByRole("dialog").getByRole("button", { name: "Send Request" }).click();
  await expect(other.getByText("Request sent!")).toBeVisible();

  await visit(page, "/dashboard");
  await expect(page).toHaveTitle(/^\(1\)/);
  const link = page.getByRole("complementary").getByRole("link", { name: `Duo ${word}` });
  await prefetch(page, link);
  await expect(page).toHaveTitle(/^\(1\)/);
  await link.click();
  await expect(page.getByRole("button", { name: "Accept" })).toBeVisible();
  await expect(page).not.toHaveTitle(/^\(/);
});

test("A conversation shows at once that it was blocked, even if it has been prefetched", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Only scripts prefetch pages.");
  const word = unique();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Ann ${word}` }));
  const post = await createPost(page, app, { title: `Talk ${word}` });
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Ben ${word}` }));
  await contact(other, post, "Hello");

  await visit(page, "/dashboard/messages");
  const row = page.getByRole("link", { name: `Ben ${word}` });
  const address = (await row.getAttribute("href")) as string;
  // The browser keeps only a conversation that has been read.
  await visit(page, address);
  await visit(page, "/dashboard/messages");
  await expect(row).not.toHaveAccessibleDescription(/unread/);
  expect(await prefetch(page, row)).toBe(true);
  await visit(page, address);
  await expect(page.getByText("Live", { exact: true })).toBeAttached();
  await visit(other, `${address}/block`);
  await other.getByRole("dialog").getByRole("button", { name: "Block" }).click();
  await expect(page.getByText("You can't message this player.")).toBeVisible();
});
