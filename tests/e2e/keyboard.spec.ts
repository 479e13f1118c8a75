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
