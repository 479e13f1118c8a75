import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { createPost, expectNoOverflow, holdRequests, newPlayer, signInQuietly, unique } from "./steps";

test("A player searches from the header, searches again on the page, goes back, and opens the post found", async ({
  page,
  app,
  anotherPage,
}) => {
  const word = `éclair${unique()}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  const post = await createPost(author, app, { title: `Calm ${word} ${"long".repeat(12)}` });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "Search" }).click();
  await expect(page).toHaveURL("/dashboard/search");
  const field = page.getByRole("textbox", { name: "Search" });
  await expect(field).toBeFocused();
  await field.fill(word.toUpperCase().replace("É", "E"));
  await field.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "1 result for" })).toBeVisible();
  const found = page.getByRole("region", { name: "Posts" }).getByRole("link");
  await expect(found).toHaveCount(1);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }
  await field.fill(`${word} nothing like this`);
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Try the start of a name, or fewer words.")).toBeVisible();
  // The field keeps the text for the next try.
  await expect(field).toHaveValue(`${word} nothing like this`);
  await page.goBack();
  await found.click();
  await expect(page).toHaveURL(post);
  if (hasJavaScript()) await expect(page.locator("html[data-hydrated]")).toBeAttached();
});

test("Ctrl K opens the search over any page, its results follow the typing, and Escape returns the focus", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "The shortcut needs JavaScript; the link in the header doesn't.");
  const word = `quick${unique()}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  const post = await createPost(author, app, { title: `Calm ${word}` });
  await signInQuietly(page, await newPlayer(app));
  const dialog = page.getByRole("dialog", { name: "Search" });
  const field = dialog.getByRole("textbox", { name: "Search" });
  // A dashboard page, and a public page with the viewer's header.
  for (const address of ["/dashboard/profile", post]) {
    await visit(page, address);
    const link = page.getByRole("banner").getByRole("link", { name: "Search" });
    await expect(link).toHaveAttribute("title", "Search (Ctrl K or ⌘K)");
    await page.getByRole("banner").getByRole("link", { name: "Notifications" }).focus();
    await page.keyboard.press("Control+k");
    await expect(field).toBeFocused();
    await expectAccessibleEverywhere(page, { needsScript: true });
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("banner").getByRole("link", { name: "Notifications" })).toBeFocused();
    await expect(page).toHaveURL(address);
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type(word);
  const found = dialog.getByRole("region", { name: "Posts" }).getByRole("link", { name: `Calm ${word}` });
  await expect(found).toBeVisible();
  await expectAccessibleEverywhere(page, { needsScript: true });
  await found.press("Enter");
  await expect(page).toHaveURL(post);
  await expect(dialog).toHaveCount(0);

  // Enter opens the search page, where the shortcut moves the focus to the page's own field.
  await page.keyboard.press("Control+k");
  await page.keyboard.type(`${word} more`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/dashboard/search?q=${word}+more`);
  await expect(dialog).toHaveCount(0);
  await page.getByRole("main").getByRole("button", { name: "Search" }).focus();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("textbox", { name: "Search" })).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(post);
  await expect(dialog).toHaveCount(0);
});

test("Letters typed before the dialog has opened end up in its field", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "The dialog needs JavaScript.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/profile");
  // The events happen immediately, before any response from the server.
  await page.evaluate(() => {
    const press = (options: KeyboardEventInit) =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { ...options, bubbles: true, cancelable: true }));
    press({ key: "k", ctrlKey: true });
    for (const key of "duo ") press({ key });
  });
  const field = page.getByRole("dialog", { name: "Search" }).getByRole("textbox", { name: "Search" });
  await expect(field).toHaveValue("duo ");
  await expect(field).toBeFocused();
  await page.keyboard.type("bind");
  await expect(field).toHaveValue("duo bind");
});

test("Text typed while a search loads stays in the field, and Back shows the search of each earlier page", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, each search loads a new page.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/search");
  const field = page.getByRole("textbox", { name: "Search" });
  const release = await holdRequests(page, /\/dashboard\/search\.data/);
  await field.fill("kay");
  await field.press("Enter");
  await field.press("End");
  await field.pressSequentially(" med");
  release();
  await expect(page.getByRole("status").filter({ hasText: "for “kay”" })).toBeVisible();
  await expect(page).toHaveURL("/dashboard/search?q=kay");
  await expect(field).toHaveValue("kay med");
  await expect(field).toBeFocused();
  await field.press("Enter");
  await expect(page).toHaveURL("/dashboard/search?q=kay+med");
  await page.goBack();
  await expect(field).toHaveValue("kay");
  await page.goBack();
  await expect(field).toHaveValue("");
  await page.goForward();
  await expect(field).toHaveValue("kay");
});

test("A search that fails in the dialog leaves the page below as it was", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "The dialog needs JavaScript.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/profile");
  await page.getByRole("textbox", { name: "Description" }).fill("Half a sentence");
  await page.route("**/dashboard/search/results*", (route) => route.fulfill({ status: 503, body: "" }));
  // The shortcut works even while a field has the focus, because no field uses these keys.
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search" });
  await expect(dialog.getByRole("textbox", { name: "Search" })).toBeFocused();
  await page.keyboard.type("anybody");
  await expect(dialog.getByRole("alert")).toHaveText(/Search didn't answer/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("textbox", { name: "Description" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("Half a sentence");
});
