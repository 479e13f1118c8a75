import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessiblePart } from "./axe";
import { cardOf, createPost, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

test("A link to a player opens a card about them, on hover and on focus", async ({ page, anotherPage, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript the links lead to the player's page, which says the same.");
  const name = `Card ${unique().slice(0, 8)}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app, { ...verifiedProfile(name), preferredRole: "Sentinel" }));
  const title = `With a card ${unique()}`;
  await createPost(author, app, { title });
  await signInQuietly(page, await newPlayer(app, verifiedProfile(`Reader ${unique().slice(0, 6)}`)));
  const requests: string[] = [];
  page.on("request", (request) => {
    if (/\/card$|player-cards/.test(request.url())) requests.push(request.url());
  });
  await visit(page, `/dashboard?q=${encodeURIComponent(title)}`);
  const link = cardOf(page, title).getByRole("link", { name });
  const card = page.locator(".menu");
  expect(requests, "before the first hover or focus").toEqual([]);

  await link.hover();
  await expect(card).toContainText("Sentinel");
  await expect(card).toContainText("Both Gold 2");
  await expect(card).toContainText("No reviews yet");
  await expect(link).toHaveAccessibleDescription(/Sentinel/);
  await expectAccessiblePart(page, ".menu");
  await card.hover();
  await expect(card).toHaveCount(1);
  await page.mouse.move(5, 5);
  await expect(card).toHaveCount(0);

  await cardOf(page, title).getByRole("link", { name: title }).focus();
  await page.keyboard.press("Tab");
  await expect(link).toBeFocused();
  await expect(card).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await expect(link).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  expect(
    requests.filter((url) => url.endsWith("/card")),
    "once per page",
  ).toHaveLength(1);
});

test.describe("When a card can't be loaded", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("pointing at the link again loads it", async ({ page, anotherPage, app }) => {
    test.skip(!hasJavaScript(), "Without JavaScript there are no cards.");
    const name = `Card ${unique().slice(0, 8)}`;
    const author = await anotherPage();
    await signInQuietly(author, await newPlayer(app, verifiedProfile(name)));
    const title = `With a late card ${unique()}`;
    await createPost(author, app, { title });
    await signInQuietly(page, await newPlayer(app));
    await visit(page, `/dashboard?q=${encodeURIComponent(title)}`);
    const link = cardOf(page, title).getByRole("link", { name });
    await page.route(/\/card$/, (route) => route.abort(), { times: 1 });
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/card"));
    await link.hover();
    await failed;
    await page.route(/\/card$/, (route) => route.fulfill({ status: 503 }), { times: 1 });
    const refused = page.waitForResponse((response) => response.url().endsWith("/card"));
    await page.mouse.move(5, 5);
    await link.hover();
    await refused;
    await page.mouse.move(5, 5);
    await link.hover();
    await expect(page.locator(".menu")).toContainText("Gold 2");
  });
});
