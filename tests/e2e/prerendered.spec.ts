import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { cardOf, createPost, newPlayer, signInQuietly, unique } from "./steps";

test("A link on a card keeps the focus when the list is loaded again", async ({ page, anotherPage, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript a list is loaded again with its page");
  const title = `Focus ${unique()}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  await createPost(author, app, { title });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  const link = cardOf(page, title).getByRole("link", { name: title });
  await link.focus();
  const before = await link.elementHandle();
  await page.evaluate(() => window.__remixRouter?.revalidate());
  await expect.poll(() => before?.evaluate((element) => element.isConnected)).toBe(false);
  await expect(link).toBeFocused();
});

test.describe("While hydration fails", () => {
  // React reports that the page isn't what it expected, and that it renders all of it again.
  test.use({ expectedErrors: [/Minified React error #(418|423)/] });

  test("a page that an extension has changed shows its posts all the same", async ({ page, anotherPage, app }) => {
    test.skip(!hasJavaScript(), "Without JavaScript a page isn't hydrated");
    const title = `Changed ${unique()}`;
    const author = await anotherPage();
    await signInQuietly(author, await newPlayer(app));
    await createPost(author, app, { title });
    await signInQuietly(page, await newPlayer(app));
    await page.route("**/dashboard", async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      const body = html.replace(/<h1[^>]*>/, (tag) => `<aside>An advertisement</aside>${tag}`);
      await route.fulfill({ response, body });
    });
    await visit(page, "/dashboard");
    await expect(page.getByText("An advertisement")).toHaveCount(0);
    await expect(cardOf(page, title)).toContainText("left");
  });
});
