import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { cardOf, createPost, expectToast, newPlayer, signInQuietly, unique } from "./steps";

/** Scrolls until a card is in the middle of the window. @returns the page's scroll position */
const scrollTo = (page: Page, title: string) =>
  cardOf(page, title).evaluate((card) => {
    card.scrollIntoView({ block: "center" });
    return window.scrollY;
  });

test("A post, Contact and Request to Join lead back to the list with its filters, page and scroll position", async ({
  page,
  anotherPage,
  app,
}) => {
  const word = unique();
  const titles: string[] = [];
  for (const author of ["Ann", "Ben", "Cem", "Dag", "Eva", "Fen", "Gil", "Hal"]) {
    const writing = await anotherPage({ javaScriptEnabled: false });
    await signInQuietly(writing, await newPlayer(app, { riotGameName: `${author} ${word}` }));
    for (const number of [1, 2, 3]) {
      titles.unshift(`${author} ${number} ${word}`);
      await createPost(writing, app, { title: `${author} ${number} ${word}` });
    }
    await writing.context().close();
  }
  await signInQuietly(page, await newPlayer(app));
  await visit(page, `/dashboard?q=${word}`);
  // With 24 posts, the last four are on a second page.
  const title = titles[11] as string;
  const list = page.url();
  const scrolled = await scrollTo(page, title);
  expect(scrolled).toBeGreaterThan(500);

  const expectBack = async () => {
    await expect(page).toHaveURL((url) => url.href.split("#")[0] === list && url.hash.startsWith("#post-"));
    await expect(cardOf(page, title)).toBeInViewport();
    // Without JavaScript the browser scrolls the card to the top. With it, a click may first scroll the whole link into
    // view, by less than half a card.
    const offset = () => page.evaluate((before) => Math.abs(window.scrollY - before), scrolled);
    if (hasJavaScript()) await expect.poll(offset).toBeLessThan(80);
  };

  const dialog = page.getByRole("dialog");
  await test.step("a closed dialog leads back", async () => {
    for (const name of ["Contact", "Request to Join"]) {
      await scrollTo(page, title);
      await cardOf(page, title).getByRole("link", { name }).click();
      await expect(dialog).toBeVisible();
      await dialog.getByRole("link", { name: "Cancel" }).click();
      await expectBack();
    }
  });

  await test.step("a dialog leads back after its form is sent", async () => {
    await scrollTo(page, title);
    await cardOf(page, title).getByRole("link", { name: "Contact" }).click();
    await dialog.getByRole("button", { name: "Send Message" }).click();
    await expectToast(page, "success", "Message sent!");
    await expectBack();
  });

  await test.step("the post's page leads back, even through its own dialogs", async () => {
    await scrollTo(page, title);
    await cardOf(page, title).getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    const own = page.url();
    await page.getByRole("link", { name: "Contact" }).click();
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await expect(page).toHaveURL(own);
    // The page's canonical address says nothing about the list.
    const address = new URL(page.url());
    expect(address.searchParams.get("from")).toBe(`/dashboard?q=${word}`);
    const canonical = `${address.origin}${address.pathname}`;
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", canonical);
    await expect(page.locator('meta[property="og:url"]')).toHaveAttribute("content", canonical);
    await page.getByRole("link", { name: "All posts" }).click();
    await expectBack();
  });

  await test.step("a dialog also leads back to a later page of the list", async () => {
    await page.getByRole("link", { name: "Older" }).click();
    const last = titles.at(-1) as string;
    await expect(cardOf(page, last)).toBeVisible();
    const second = page.url();
    await cardOf(page, last).getByRole("link", { name: "Request to Join" }).click();
    await dialog.getByRole("button", { name: "Send Request" }).click();
    await expectToast(page, "success", "Request sent!");
    await expect(page).toHaveURL((url) => url.href.split("#")[0] === second);
  });
});
