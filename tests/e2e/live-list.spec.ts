import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { cardOf, createPost, expectToast, newPlayer, signInQuietly, unique } from "./steps";

/** Counts layout shifts from now on, even those right after input. */
const watchShifts = (page: Page) =>
  page.evaluate(() => {
    const seen = window as unknown as { shifts: number };
    seen.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shifts += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift" });
  });
const shifts = (page: Page) => page.evaluate(() => (window as unknown as { shifts: number }).shifts);

test("New posts show as a link over the list, which doesn't move, and spots fill live", async ({
  page,
  anotherPage,
  app,
}) => {
  test.slow();
  const word = unique();
  const [author, mate] = [await anotherPage(), await anotherPage()];
  await signInQuietly(author, await newPlayer(app, { riotGameName: `Ann ${word}` }));
  // The search also finds a post by its author's name, so this one leaves `word` out.
  await signInQuietly(mate, await newPlayer(app, { riotGameName: `Ben ${unique()}` }));
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Cem ${word}` }));
  const first = await createPost(author, app, { title: `First ${word}`, neededPlayers: "1" });
  const opened = page.waitForEvent("websocket", (socket) => socket.url().includes("/parties/posts"));
  await visit(page, `/dashboard?q=${word}`);
  const card = cardOf(page, `First ${word}`);
  await expect(card).toBeVisible();

  if (!hasJavaScript()) {
    await createPost(author, app, { title: `Second ${word}` });
    await page.getByRole("link", { name: "Check for new posts" }).click();
    await expect(cardOf(page, `Second ${word}`)).toBeVisible();
    opened.catch(() => undefined);
    return;
  }

  await (await opened).waitForEvent("framereceived");
  await expect(page.getByRole("link", { name: "Check for new posts" })).toBeHidden();
  await watchShifts(page);
  const before = await card.boundingBox();
  const status = page.getByRole("status").filter({ hasText: /new posts?$/ });

  await test.step("only posts that the filters would show are counted", async () => {
    await createPost(author, app, { title: `Second ${word}`, neededPlayers: "2" });
    await expect(status.getByRole("link", { name: "1 new post", exact: true })).toBeVisible();
    await createPost(mate, app, { title: "Another subject" });
    await createPost(mate, app, { title: `Third ${word}` });
    await expect(status.getByRole("link", { name: "2 new posts", exact: true })).toBeVisible();
    await expect(cardOf(page, `Second ${word}`)).toHaveCount(0);
    expect(await card.boundingBox()).toEqual(before);
  });

  await test.step("a spot fills, the post closes, and both are undone when the player leaves", async () => {
    await visit(mate, `${first}/join`);
    await mate.getByRole("dialog").getByRole("button", { name: "Send Request" }).click();
    await expectToast(mate, "success", "Request sent!");
    await visit(author, first);
    await author.getByRole("button", { name: "Accept" }).click();
    await expect(card.getByText("Closed", { exact: true })).toBeVisible();
    await expect(card.getByText("Team is full")).toBeVisible();
    for (const name of ["Request to Join", "Contact"]) {
      await expect(card.getByRole("link", { name })).toBeHidden();
    }
    expect(await card.boundingBox()).toEqual(before);
    await visit(mate, first);
    await mate.getByRole("button", { name: "Leave" }).first().click();
    await expect(card.getByText("Needs 1 player")).toBeVisible();
    for (const name of ["Request to Join", "Contact"]) {
      await expect(card.getByRole("link", { name })).toBeVisible();
    }
    expect(await card.boundingBox()).toEqual(before);
  });
  // The link's own text moves by a few pixels as its number changes.
  expect((await shifts(page)).toFixed(2)).toBe("0.00");
  const size = page.viewportSize();
  await expectAccessibleEverywhere(page, { needsScript: true });
  if (size) await page.setViewportSize(size);

  await test.step("the link shows the newest list, from the top", async () => {
    await status.getByRole("link").click();
    await expect(cardOf(page, `Third ${word}`)).toBeVisible();
    await expect(cardOf(page, `Second ${word}`)).toBeVisible();
    await expect(status).toHaveCount(0);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(new URL(page.url()).searchParams.get("q")).toBe(word);
  });
});

test("Filters apply as they change, keep the focus and move nothing", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, filters apply with `Apply`.");
  const word = unique();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Dan ${word}` }));
  await createPost(page, app, { title: `Sentinel ${word}`, requiredRole: "Sentinel" });
  await visit(page, "/dashboard");
  const form = page.getByRole("form", { name: "Filter posts" });
  const search = form.getByRole("searchbox", { name: "Search" });
  // The place on the page, not in the window, because focusing a field may scroll it into view.
  const placeOnPage = () =>
    form.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y: y + window.scrollY, width, height };
    });
  const place = await placeOnPage();

  await search.pressSequentially(word);
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === word);
  await expect(cardOf(page, `Sentinel ${word}`)).toBeVisible();
  await expect(search).toBeFocused();
  await expect(search).toHaveValue(word);

  const role = form.getByRole("combobox", { name: "Role" });
  await role.focus();
  await role.selectOption("Duelist");
  await expect(page.getByText("No post fits these filters right now.")).toBeVisible();
  await expect(role).toBeFocused();
  expect(await placeOnPage()).toEqual(place);

  await page.goBack();
  await expect(role).toHaveValue("");
  await form.getByRole("link", { name: "Reset" }).click();
  await expect(search).toHaveValue("");
  await form.getByText("Online now").click();
  await expect(page).toHaveURL((url) => url.searchParams.get("online") === "on");
  await expect(form.getByRole("checkbox", { name: "Online now" })).toBeChecked();
});

test("The filters of tournaments and players also apply as they change", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, filters apply with `Apply`.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/tournaments");
  await page.getByText("Free entry", { exact: true }).first().click();
  await expect(page).toHaveURL((url) => url.searchParams.get("free") === "on");
  await expect(page.getByRole("checkbox", { name: "Free entry" })).toBeFocused();
  await visit(page, "/dashboard/players");
  const role = page.getByRole("form", { name: "Filter players" }).getByRole("combobox", { name: "Role" });
  await role.focus();
  await role.selectOption("Sentinel");
  await expect(page).toHaveURL((url) => url.searchParams.get("role") === "Sentinel");
  await expect(role).toBeFocused();
});
