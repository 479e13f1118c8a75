import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { cardOf, createPost, expectNoOverflow, expectToast, newPlayer, signInQuietly, unique } from "./steps";

test("Cards show the viewer's status for a post, and an author answers requests beside the list", async ({
  page,
  anotherPage,
  app,
}) => {
  test.slow();
  const word = unique();
  const title = `Trio for Lotus ${word}`;
  const [author, joiner] = [`Ann ${word}`, `Ben ${word}`];
  await signInQuietly(page, await newPlayer(app, { riotGameName: author }));
  const address = await createPost(page, app, { title, neededPlayers: "2" });
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app, { riotGameName: joiner, currentRank: "Gold 2" }));
  const list = `/dashboard?q=${word}`;
  const card = cardOf(other, title);
  const request = async () => {
    await card.getByRole("link", { name: "Request to Join" }).click();
    await other.getByRole("dialog").getByRole("button", { name: "Send Request" }).click();
    await expectToast(other, "success", "Request sent!", "We'll let you know when they answer.");
  };

  await visit(page, list);
  /** Reloads the list in a page without JavaScript. With JavaScript, the open page updates by itself. */
  const update = (open: Page) => (hasJavaScript() ? undefined : visit(open, list));

  await test.step("the card says `Requested`, and `Withdraw` returns to it", async () => {
    await visit(other, list);
    await request();
    await expect(card.getByText("Requested", { exact: true })).toBeVisible();
    await expect(card.getByRole("link", { name: "Request to Join" })).toHaveCount(0);
    await expectAccessibleEverywhere(other);
    await card.getByRole("button", { name: "Withdraw" }).click();
    await expectToast(other, "success", "Request withdrawn");
    await expect(other).toHaveURL((url) => url.pathname + url.search === list);
    if (!hasJavaScript()) expect(new URL(other.url()).hash).toBe(address.replace("/lfg/", "#post-"));
    await expect(card).toBeInViewport();
    await request();
    // The first request's toast may still be there.
    await expect(card.getByText("Requested", { exact: true })).toBeVisible();
  });

  await test.step("the author reads the request beside the list, and accepts it there", async () => {
    await update(page);
    const own = page.getByRole("region", { name: "Your post" });
    await expect(own.getByRole("link", { name: joiner })).toBeVisible();
    await expect(own.getByRole("button", { name: "Accept" })).toHaveAccessibleDescription(joiner);
    await expectAccessibleEverywhere(page);
    await own.getByRole("button", { name: "Accept" }).click();
    await expectToast(page, "success", `${joiner} is in your team`, "Say hi in team chat.");
    await expect(page).toHaveURL((url) => url.pathname + url.search === list);
    const team = page.getByRole("region", { name: "Your team" });
    await expect(team).toContainText(`You and ${joiner}`);
    // The notification of an answered request counts as read.
    await update(page);
    await expect(page.getByRole("banner").getByRole("link", { name: "Notifications" })).not.toContainText("1");
  });

  await test.step("the card says `You're in`, and `Your team` comes first: on a phone, above the list", async () => {
    await update(other);
    await expect(card.getByText("You're in", { exact: true })).toBeVisible();
    await expect(card.getByRole("link", { name: "Contact" })).toHaveCount(0);
    const team = other.getByRole("region", { name: "Your team" });
    await expect(team).toContainText(`You and ${author}`);
    await expect(team.locator(".u-you")).toHaveCount(1);
    await expectAccessibleEverywhere(other);
    await other.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(other);
    const [above, below] = [await team.boundingBox(), await card.boundingBox()];
    expect(above?.y).toBeLessThan(below?.y ?? 0);
  });
});

test("The viewer's own banner drops in once, but not for players who prefer reduced motion", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await createPost(page, app, { title: `Mine ${unique()}` });
  for (const [reducedMotion, runs] of [
    ["no-preference", "you-drop"],
    ["reduce", "none"],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await visit(page, "/dashboard");
    const banner = page.getByRole("region", { name: "Your post" }).locator(".u-you");
    await expect(banner).toHaveCSS("animation-name", runs);
    await expect(banner).toHaveCSS("animation-iteration-count", "1");
  }
});

test("A card opens its post wherever it is clicked, and `Request to Join` has more weight than `Contact`", async ({
  page,
  anotherPage,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  const title = `Wide target ${unique()}`;
  const address = await createPost(page, app, { title, message: "A message of one line." });
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app));
  await visit(other, `/dashboard?q=${encodeURIComponent(title)}`);
  const card = cardOf(other, title);
  const join = card.getByRole("link", { name: "Request to Join" });
  const contact = card.getByRole("link", { name: "Contact" });
  await expect(join).not.toHaveAttribute("data-variant");
  await expect(contact).toHaveAttribute("data-variant", "quiet");
  /** The right edge of a link's text. */
  const right = (link: typeof join) =>
    link.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().right;
    });
  const edge = await join.evaluate((link) => link.getBoundingClientRect().right);
  expect(await right(contact)).toBeCloseTo(edge, 0);
  // No link or button contains another.
  await expect(card.locator(":is(a, button) :is(a, button)")).toHaveCount(0);
  await contact.click();
  await expect(other.getByRole("dialog")).toBeVisible();
  await visit(other, `/dashboard?q=${encodeURIComponent(title)}`);
  await card.getByText("A message of one line.").click({ force: true });
  await expect(other).toHaveURL(({ pathname }) => pathname === address);
});
