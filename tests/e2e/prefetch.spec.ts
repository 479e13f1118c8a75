import type { Locator, Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { contact, createPost, newPlayer, signInQuietly, unique } from "./steps";

/** Points at a link until the browser has prefetched its page. Returns whether the browser may keep it. */
async function prefetch(page: Page, link: Locator): Promise<boolean> {
  const { pathname } = new URL((await link.getAttribute("href")) as string, page.url());
  const fetched = page.waitForResponse((response) => new URL(response.url()).pathname === `${pathname}.data`);
  await link.hover();
  const response = await fetched;
  await response.finished();
  return response.headers()["cache-control"] !== "private, no-store";
}

test("A click on a link to a prefetched page marks the news about that page as read", async ({
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

test("A conversation shows immediately that it was blocked, even if it has been prefetched", async ({
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

test("A page that was prefetched before a message keeps the message's count and its place in the list", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Only scripts prefetch pages.");
  const word = unique();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Ann ${word}` }));
  const post = await createPost(page, app, { title: `Talk ${word}` });
  const rows = page.getByRole("navigation", { name: "Conversations" }).getByRole("listitem");
  const row = (name: string) => rows.filter({ hasText: `${name} ${word}` });
  const link = (name: string) => row(name).getByRole("link");
  const [ben, cem] = [await anotherPage(), await anotherPage()];
  for (const [other, name] of [
    [ben, "Ben"],
    [cem, "Cem"],
  ] as const) {
    await signInQuietly(other, await newPlayer(app, { riotGameName: `${name} ${word}` }));
    await contact(other, post, `Hello from ${name}`);
    // Ann reads it.
    await visit(page, "/dashboard/messages");
    await link(name).click();
    await expect(page.getByRole("log")).toContainText(`Hello from ${name}`);
    await expect(page).not.toHaveTitle(/^\(/);
  }
  await visit(cem, new URL(page.url()).pathname);

  await visit(page, "/dashboard/messages");
  await prefetch(page, link("Ben"));
  await cem.getByRole("textbox", { name: "Message" }).fill("Are you on?");
  await cem.getByRole("button", { name: "Send", exact: true }).click();
  await expect(row("Cem")).toContainText("Are you on?");
  await expect(page).toHaveTitle(/^\(1\)/);
  await link("Ben").click();
  await expect(page.getByRole("log")).toContainText("Hello from Ben");
  await expect(page).toHaveTitle(/^\(1\)/);
  await expect(row("Cem")).toContainText("Are you on?");
});
