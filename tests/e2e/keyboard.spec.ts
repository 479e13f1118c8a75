import type { Locator, Page } from "@playwright/test";
import { inArray } from "drizzle-orm";
import { lfgPosts } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { cardOf, createPost, newPlayer, signInQuietly, tabTo, unique } from "./steps";

test("The first link of every page skips to its content", async ({ page, app }) => {
  await visit(page, "/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await signInQuietly(page, await newPlayer(app));
  for (const address of [
    "/dashboard",
    "/dashboard/players?sort=best",
    "/dashboard/messages",
    "/dashboard/search",
    "/rules",
  ]) {
    await visit(page, address);
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expect(skip).not.toBeInViewport();
    // Begin before the page's first element, wherever the page itself has put the focus.
    await page.locator("body").evaluate((body) => {
      body.tabIndex = -1;
      body.focus();
    });
    await page.keyboard.press("Tab");
    await expect(skip, address).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${address}#content`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null), address).toBe(true);
  }
});

test("Contact and Request to Join are described by their post and its author", async ({ page, app, anotherPage }) => {
  const title = `Described ${unique()}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  await createPost(author, app, { title });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  const name = await cardOf(page, title).locator(".author-link").textContent();
  for (const link of ["Contact", "Request to Join"]) {
    await expect(cardOf(page, title).getByRole("link", { name: link, exact: true })).toHaveAccessibleDescription(
      `${title} ${name}`,
    );
  }
});

test("Repeated actions are described by their post or player", async ({ page, app, anotherPage }) => {
  test.slow();
  const word = unique();
  const author = `Ann ${word}`;
  const titles = [`First ${word}`, `Second ${word}`] as const;
  await signInQuietly(page, await newPlayer(app, { riotGameName: author }));
  for (const title of titles) await createPost(page, app, { title, neededPlayers: "2" });
  // The posts are made older, so that both can be bumped.
  await openTestDatabase(app)
    .update(lfgPosts)
    .set({ listedAt: new Date(Date.now() - 3_600_000) })
    .where(inArray(lfgPosts.title, [...titles]));

  await visit(page, "/dashboard");
  const own = page.getByRole("region", { name: "Your posts" }).getByRole("listitem");
  for (const title of titles) {
    const post = own.filter({ hasText: title });
    for (const name of ["Bump", "Edit", "Close Post"]) {
      const action = post.getByRole(name === "Bump" ? "button" : "link", { name, exact: true });
      await expect(action).toHaveAccessibleDescription(title);
    }
  }

  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app));
  await visit(other, `/dashboard?q=${word}`);
  const card = cardOf(other, titles[0]);
  await card.getByRole("link", { name: "Request to Join" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Send Request" }).click();
  const withdraw = (place: Page | Locator) => place.getByRole("button", { name: "Withdraw", exact: true });
  await expect(withdraw(card)).toHaveAccessibleDescription(`${titles[0]} ${author}`);
  await card.getByRole("link", { name: author }).click();
  await expect(other.getByRole("heading", { level: 1, name: author })).toBeVisible();
  await expect(withdraw(other)).toHaveAccessibleDescription(`${titles[0]} ${author}`);

  await visit(page, "/dashboard");
  await own.filter({ hasText: titles[0] }).getByRole("button", { name: "Accept" }).click();
  await expect(page.getByRole("region", { name: "Your team" })).toBeVisible();
  await visit(other, `/dashboard?q=${word}`);
  await expect(card.getByRole("link", { name: "Team Chat" })).toHaveAccessibleDescription(`${titles[0]} ${author}`);

  await visit(other, "/dashboard/players");
  const rows = other.locator(".player-row");
  for (const row of (await rows.all()).slice(0, 3)) {
    const name = (await row.getByRole("heading").textContent()) as string;
    await expect(row.getByRole("link", { name: "Message" })).toHaveAccessibleDescription(name);
  }
});

test("The caret is at the end of the draft to an author", async ({ page, app, anotherPage }) => {
  test.skip(!hasJavaScript(), "Without JavaScript the browser decides where the caret is.");
  const title = `Draft ${unique()}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  const post = await createPost(author, app, { title });
  await signInQuietly(page, await newPlayer(app));
  for (const address of [post, `${post}/contact`]) {
    await visit(page, address);
    if (address === post) await page.getByRole("link", { name: "Contact", exact: true }).click();
    const message = page.getByRole("dialog").getByRole("textbox", { name: "Message" });
    await expect(message).toBeFocused();
    await page.keyboard.type(" I play Omen.");
    await expect(message).toHaveValue(/\S I play Omen\.$/);
  }
});

test("The composer has the focus where there is a mouse, and not on a touch screen", async ({ page, browser }) => {
  test.skip(!hasJavaScript(), "Without JavaScript the keyboard would open on touch screens, too.");
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  const row = page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: "ren.aska" });
  const composer = page.getByRole("textbox", { name: "Message", exact: true });
  await tabTo(page, row);
  await page.keyboard.press("Enter");
  await expect(composer).toBeFocused();
  const address = page.url();
  await page.keyboard.type("Half a sentence");
  await page.reload();
  await expect(composer).toBeFocused();
  await page.keyboard.type(", and the rest");
  await expect(composer).toHaveValue("Half a sentence, and the rest");
  await composer.fill("");

  const phone = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  const other = await phone.newPage();
  await other.context().addCookies(await page.context().cookies());
  await other.goto(address);
  await other.locator("html[data-hydrated]").waitFor({ state: "attached" });
  await expect(other.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await expect(other.getByRole("textbox", { name: "Message", exact: true })).not.toBeFocused();
  await phone.close();
});

test("In forced colours, taken spots are filled and open ones are not", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard");
  const fillOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((spot) => getComputedStyle(spot).backgroundColor);
  const [taken, open, sheet] = [await fillOf(".u-banner"), await fillOf(".u-spot, .u-misfit"), await fillOf("body")];
  expect(taken).not.toBe(open);
  expect(taken).not.toBe(sheet);
});

test("Enter that accepts an input method's suggestion doesn't send the message, even in Safari", async ({ page }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, Enter begins a new line.");
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: "ren.aska" }).click();
  const composer = page.getByRole("textbox", { name: "Message", exact: true });
  await composer.fill("こんばんは");
  /** Presses Enter as an input method does. @returns whether the page handled it */
  const enter = (isComposing: boolean) =>
    composer.evaluate((field, composing) => {
      const init = { key: "Enter", keyCode: 229, isComposing: composing, bubbles: true, cancelable: true };
      return !field.dispatchEvent(new KeyboardEvent("keydown", init));
    }, isComposing);
  expect(await enter(true)).toBe(false);
  // Safari ends the composition first.
  expect(await enter(false)).toBe(false);
  await expect(composer).toHaveValue("こんばんは");
  await composer.fill("");
});
