import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { cardOf, createPost, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

/** Reloads the page's data, as happens when news arrives. */
const reloadData = (page: Page) => page.evaluate(() => window.__remixRouter?.revalidate());

test.beforeEach(() => test.skip(!hasJavaScript(), "Without JavaScript a page isn't hydrated"));

test("A link on a card keeps the focus when the list is loaded again", async ({ page, anotherPage, app }) => {
  const title = `Focus ${unique()}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  await createPost(author, app, { title });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  const link = cardOf(page, title).getByRole("link", { name: title });
  await link.focus();
  const before = await link.elementHandle();
  await reloadData(page);
  await expect.poll(() => before?.evaluate((element) => element.isConnected)).toBe(false);
  await expect(link).toBeFocused();
});

test("A link beside LFG keeps the focus when new links appear above it", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app, verifiedProfile(`Beside ${unique()}`)));
  await visit(page, "/dashboard");
  const link = page.getByRole("region", { name: "Next tournament" }).getByRole("link");
  await link.focus();
  await createPost(page, app, { title: `Above ${unique()}` });
  await reloadData(page);
  await expect(page.getByRole("heading", { name: "Your post" })).toBeVisible();
  await expect(link).toBeFocused();
});

test.describe("When hydration fails", () => {
  // React reports that the page isn't what it expected, and that it is rendering the whole page again.
  test.use({ expectedErrors: [/Minified React error #(418|423)/] });

  const changes = {
    "a style in the head": { change: /<\/head>/, into: "<style>p { color: inherit }</style></head>", loads: 0 },
    "an element in the list's head": { change: /<h1/, into: "<aside>An advertisement</aside><h1", loads: 0 },
    "an element around the list": { change: /(<main[^>]*>)/, into: "$1<aside>An advertisement</aside>", loads: 1 },
  };
  for (const [what, { change, into, loads }] of Object.entries(changes)) {
    test(`a page that an extension has changed still shows its posts: ${what}`, async ({ page, anotherPage, app }) => {
      const title = `Changed ${unique()}`;
      const author = await anotherPage();
      await signInQuietly(author, await newPlayer(app));
      await createPost(author, app, { title });
      await signInQuietly(page, await newPlayer(app));
      await page.route("**/dashboard", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace(change, into) });
      });
      const loaded: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/dashboard.data")) loaded.push(request.url());
      });
      await visit(page, "/dashboard");
      await expect(page.getByText("An advertisement")).toHaveCount(0);
      const card = cardOf(page, title);
      await expect(card).toContainText("left");
      await expect(card.getByRole("link", { name: "Contact" })).toHaveAccessibleDescription(new RegExp(title));
      expect(loaded).toHaveLength(loads);
      // Data that is loaded later still replaces the server's elements.
      await reloadData(page);
      await expect(card).toContainText("left");
    });
  }
});
