import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { lfgPosts } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { cardOf, createPost, expectForScreenReaders, expectToast, newPlayer, signInQuietly, unique } from "./steps";

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Create LFG Post" });
const submitOf = (page: Page) => dialogOf(page).getByRole("button", { name: "Create Post" });

/** The page under a dialog, which can't be reached: the dialog is modal, or without JavaScript the page is `inert`. */
const inertMain = (page: Page) =>
  hasJavaScript() ? page.locator("body:has(dialog:modal) main") : page.locator("main[inert], [inert] main");

/** Counts the posts with this title, open or not. */
const countPosts = (app: App, title: string) => openTestDatabase(app).$count(lfgPosts, eq(lfgPosts.title, title));

/** Turns the browser's own validation off, so that the page shows the server's errors. */
const withoutBrowserChecks = (page: Page) =>
  dialogOf(page)
    .locator("form")
    .evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
      for (const field of form.querySelectorAll("[maxlength]")) field.removeAttribute("maxlength");
    });

test("The dialog for a new post has its own address and opens over the list, and closing it leads back there", async ({
  page,
}) => {
  await signInQuietly(page, "player9@example.com");
  await visit(page, "/dashboard");
  const opener = page.getByRole("link", { name: "Create Post" });
  await opener.click();
  await expect(page).toHaveURL("/dashboard/lfg/new");
  await expect(page).toHaveTitle("Create LFG Post · Lineup");
  await expect(dialogOf(page)).toBeVisible();
  await expect(inertMain(page)).toHaveCount(1);
  await expect(page.locator("main article").first()).toBeAttached();

  // Opening the dialog's address directly shows the same page.
  await visit(page, "/dashboard/lfg/new");
  await expect(dialogOf(page)).toBeVisible();
  await expect(page.locator("main article").first()).toBeAttached();
  await expect(page.locator("dialog:modal")).toHaveCount(hasJavaScript() ? 1 : 0);
  const start = hasJavaScript()
    ? dialogOf(page).getByRole("textbox", { name: "Title" })
    : dialogOf(page).getByRole("heading", { name: "Create LFG Post" });
  await expect(start).toBeFocused();

  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.querySelector("main")?.contains(document.activeElement))).toBe(false);
  }

  for (const name of ["Close", "Cancel"]) {
    await dialogOf(page).getByRole("link", { name }).click();
    await expect(page).toHaveURL("/dashboard");
    await expect(dialogOf(page)).toHaveCount(0);
    await expect(inertMain(page)).toHaveCount(0);
    await opener.click();
    await expect(dialogOf(page)).toBeVisible();
  }

  await page.goBack();
  await expect(page).toHaveURL("/dashboard");
  await expect(dialogOf(page)).toHaveCount(0);
  await page.goForward();
  await expect(page).toHaveURL("/dashboard/lfg/new");
  await expect(dialogOf(page)).toBeVisible();
});

test("Close returns the focus to the link that opened the dialog", async ({ page }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, opening and closing the dialog load new pages.");
  await signInQuietly(page, "player9@example.com");
  await visit(page, "/dashboard");
  const opener = page.getByRole("link", { name: "Create Post" });
  await opener.press("Enter");
  await expect(dialogOf(page)).toBeVisible();
  await dialogOf(page).getByRole("link", { name: "Close" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(opener).toBeFocused();
});

test("Esc closes the dialog and returns the focus to the link that opened it", async ({ page }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, opening and closing the dialog load new pages.");
  await signInQuietly(page, "player9@example.com");
  await visit(page, "/dashboard");
  const opener = page.getByRole("link", { name: "Create Post" });
  await opener.press("Enter");
  await expect(dialogOf(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/dashboard");
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test("Esc and Cancel return the focus to the menu entry that opened the dialog", async ({ page }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, opening and closing the dialog load new pages.");
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: "ren.aska" }).click();
  const menu = page.locator("summary").filter({ hasText: "More" });
  const dialog = page.getByRole("dialog", { name: /^Block/ });
  const block = page.getByRole("link", { name: "Block", exact: true });
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("link", { name: "Cancel" }).click(),
  ]) {
    await menu.press("Enter");
    await block.press("Enter");
    await expect(dialog).toBeVisible();
    await leave();
    await expect(dialog).toHaveCount(0);
    await expect(block).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(menu).toBeFocused();
    await expect(block).toBeHidden();
  }
});

test("The form's fields are labelled, and the browser asks for the required ones", async ({ page }) => {
  await signInQuietly(page, "player9@example.com");
  await visit(page, "/dashboard/lfg/new");
  const dialog = dialogOf(page);
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveAttribute("required");
  await expect(dialog.getByRole("textbox", { name: "Message" })).not.toHaveAttribute("required");
  const players = dialog.getByRole("group", { name: "Players Needed" });
  await expect(players.getByRole("radio")).toHaveCount(4);
  for (const count of ["1", "2", "3", "4"]) {
    await expect(players.getByRole("radio", { name: count, exact: true })).not.toBeChecked();
  }
  await players.getByRole("radio", { name: "2", exact: true }).check();
  await expect(players.getByRole("radio", { name: "2", exact: true })).toHaveAccessibleDescription(
    "You and 2 players make three. A trio can queue Competitive if your ranks are close enough.",
  );
  await expect(players.getByText("You and 2 players make three.")).toBeVisible();
  const lists = { "Required Rank": 26, "Required Role": 5, Region: 7 };
  for (const [name, options] of Object.entries(lists)) {
    const list = dialog.getByRole("combobox", { name, exact: true });
    await expect(list.getByRole("option")).toHaveCount(options);
    await expect(list).toHaveValue("");
  }
});

test("A form with mistakes comes back with its values, and with the mistakes in a list and at their fields", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/lfg/new");
  const dialog = dialogOf(page);
  const title = dialog.getByRole("textbox", { name: "Title" });
  const message = dialog.getByRole("textbox", { name: "Message" });
  await withoutBrowserChecks(page);
  await title.fill("   ");
  await message.fill("Kept as it is:\n<b>two</b> lines & a half 🎯");
  await dialog.getByRole("combobox", { name: "Required Role" }).selectOption("Sentinel");
  await submitOf(page).click();

  const summary = dialog.locator("form").getByRole("alert");
  await expect(summary).toContainText("2 things are missing.");
  await expect(summary.getByRole("link")).toHaveText([
    "Title: give your post a title.",
    "Players Needed: choose how many players you need, 1 to 4.",
  ]);
  await expect(title).toHaveAttribute("aria-invalid", "true");
  await expect(title).toHaveAccessibleDescription("Give your post a title.");
  await expect(title).toBeFocused();
  await expect(message).not.toHaveAttribute("aria-invalid");
  await expect(message).toHaveValue("Kept as it is:\n<b>two</b> lines & a half 🎯");
  await expect(dialog.getByRole("combobox", { name: "Required Role" })).toHaveValue("Sentinel");
  await expect(dialog.getByRole("group", { name: "Players Needed" })).toHaveAccessibleDescription(
    "Choose how many players you need, 1 to 4.",
  );
  await expect(page).toHaveURL("/dashboard/lfg/new");

  // A link in the summary leads to its field.
  await message.focus();
  await summary.getByRole("link", { name: /^Title/ }).click();
  await expect(title).toBeFocused();

  const words = `Right this time ${unique()}`;
  await title.fill(words);
  if (hasJavaScript()) {
    // A corrected field loses its error and keeps the focus; the other error stays.
    await expect(title).not.toHaveAttribute("aria-invalid");
    await expect(dialog.locator("form").getByText("Give your post a title.")).toHaveCount(0);
    await expect(summary.getByRole("link")).toHaveText(["Players Needed: choose how many players you need, 1 to 4."]);
    await expect(title).toBeFocused();
  }
  await withoutBrowserChecks(page);
  await submitOf(page).click();
  await expect(summary).toContainText("One thing is missing.");
  const first = dialog.getByRole("radio", { name: "1", exact: true });
  await expect(first).toHaveAttribute("aria-invalid", "true");
  await expect(first).toBeFocused();
  await expect(title).toHaveValue(words);
  await expect(title).not.toHaveAttribute("aria-invalid");

  await first.check();
  await submitOf(page).click();
  await expect(page).toHaveURL("/dashboard");
  await expectToast(page, "success", "LFG post created!", "Your post is now live and other players can see it.");
  await expect(cardOf(page, words)).toContainText("<b>two</b> lines & a half 🎯");
});

test("Title and message accept text that is too long, count down, and show the refusal at their fields", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/lfg/new");
  const dialog = dialogOf(page);
  const title = dialog.getByRole("textbox", { name: "Title" });
  const message = dialog.getByRole("textbox", { name: "Message" });
  const start = unique();
  await title.fill("t".repeat(80));
  await expect(dialog.getByText(/characters? (left|too many)/)).toHaveCount(0);
  await title.fill("t".repeat(95));
  await message.fill("m".repeat(901));
  if (hasJavaScript()) {
    await expect(dialog.getByText("5 characters left").first()).toBeVisible();
    await expect(title).toHaveAccessibleDescription("5 characters left");
    await expect(message).toHaveAccessibleDescription("99 characters left");
  }
  await title.fill("t".repeat(101));
  await message.fill("m".repeat(1_001));
  if (hasJavaScript()) {
    await expect(dialog.getByText("1 character too many").first()).toBeVisible();
    await expect(title).toHaveAccessibleDescription("1 character too many");
  }
  await dialog.getByRole("radio", { name: "1", exact: true }).check();
  await submitOf(page).click();
  await expect(dialog.locator("form").getByRole("alert")).toContainText("Check these:");
  await expect(title).toHaveAccessibleDescription("This title is 1 character too long. The limit is 100.");
  await expect(message).toHaveAccessibleDescription("This message is 1 character too long. The limit is 1,000.");
  await expect(title).toHaveValue("t".repeat(101));
  await expect(dialog.getByRole("radio", { name: "1", exact: true })).toBeChecked();

  await title.fill(start + "T".repeat(92));
  await message.fill("m".repeat(1_000));
  await submitOf(page).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(cardOf(page, start + "T".repeat(92))).toBeVisible();
});

test("A first message that is too long is refused at its field, until it is shortened", async ({
  page,
  anotherPage,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title: `Short words ${unique()}` });
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app));
  await visit(other, `${post}/contact`);
  const dialog = other.getByRole("dialog");
  const message = dialog.getByRole("textbox", { name: "Message" });
  await message.fill("m".repeat(2_001));
  await dialog.getByRole("button", { name: "Send Message" }).click();
  await expect(message).toHaveAttribute("aria-invalid", "true");
  await message.fill("Hello");
  if (hasJavaScript()) {
    await expect(message).not.toHaveAttribute("aria-invalid");
    await expect(dialog.locator("form").getByText(/too long/)).toHaveCount(0);
  }
  await dialog.getByRole("button", { name: "Send Message" }).click();
  await expectToast(other, "success", "Message sent!", "Check the Messages tab to continue the conversation.");
});

test("A double click on Create Post makes one post, and going back makes no second one", async ({ page, app }) => {
  const title = `Just the one ${unique()}`;
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await page.getByRole("link", { name: "Create Post" }).click();
  await dialogOf(page).getByRole("textbox", { name: "Title" }).fill(title);
  await dialogOf(page).getByRole("radio", { name: "3", exact: true }).check();
  await submitOf(page).dblclick();
  await expect(page).toHaveURL("/dashboard");
  await expect(cardOf(page, title)).toHaveCount(1);
  expect(await countPosts(app, title)).toBe(1);

  await page.goBack();
  await expect(page.getByRole("heading", { name: /^Welcome back/ })).toBeAttached();
  await expect(page.getByRole("alert")).toHaveCount(0);
  // The response replaced the dialog in the browser's history. Without JavaScript a form can't do that.
  if (hasJavaScript()) await expect(page).toHaveURL("/dashboard");
  expect(await countPosts(app, title)).toBe(1);
});

test("An author whose post has changed elsewhere is told so, and replaces it by saving again", async ({
  page,
  app,
}) => {
  const word = unique();
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title: `As it was ${word}` });
  const elsewhere = await page.context().newPage();
  for (const tab of [page, elsewhere]) await visit(tab, `${address}/edit`);
  const saveAs = async (tab: Page, title: string) => {
    const dialog = tab.getByRole("dialog", { name: "Edit LFG Post" });
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("button", { name: "Save Post" }).click();
  };
  await saveAs(elsewhere, `On the phone ${word}`);
  await expectToast(elsewhere, "success", "Post saved");
  await saveAs(page, `At the desk ${word}`);
  await expect(page.locator(".error-summary")).toContainText("save again to replace what's saved");
  await page.getByRole("button", { name: "Save Post" }).click();
  await expectToast(page, "success", "Post saved");
  await expect(page.getByRole("heading", { level: 1, name: `At the desk ${word}` })).toBeVisible();
});

test.describe("After a lost response", () => {
  /** Sends the open form, but its page never gets the response, as if the connection had broken in between. */
  async function sendUnanswered(page: Page, app: App): Promise<void> {
    const form = page.getByRole("dialog").locator("form");
    const entries = await form.evaluate((form: HTMLFormElement) =>
      Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])),
    );
    const headers = { Origin: app.url };
    const response = await page.request.post(page.url(), { form: entries, headers, maxRedirects: 0 });
    expect(response.status()).toBe(303);
    await page.context().clearCookies({ name: "lineup_toast" });
  }

  test("pressing Create Post again with another title makes another post", async ({ page, app }) => {
    const word = unique();
    await signInQuietly(page, await newPlayer(app));
    await visit(page, "/dashboard/lfg/new");
    const title = dialogOf(page).getByRole("textbox", { name: "Title" });
    await title.fill(`First ${word}`);
    await dialogOf(page).getByRole("radio", { name: "2", exact: true }).check();
    await sendUnanswered(page, app);
    await title.fill(`Second ${word}`);
    await submitOf(page).click();
    await expect(page.locator(".error-summary")).toContainText("To create another, press Create Post again.");
    await submitOf(page).click();
    await expectToast(page, "success", "LFG post created!");
    for (const one of ["First", "Second"]) expect(await countPosts(app, `${one} ${word}`), one).toBe(1);
  });

  test("pressing Create Tournament again with another title makes another tournament", async ({ page, app }) => {
    const word = unique();
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 16);
    await signInQuietly(page, await newPlayer(app));
    await visit(page, "/dashboard/tournaments/new");
    const dialog = page.getByRole("dialog", { name: "Host Tournament" });
    const fields = {
      Title: `First ${word}`,
      Description: "One evening.",
      "Entry Fee": "0",
      "Prize Pool": "0",
      "Max Participants": "8",
      "Tournament Date": inDays(10),
      "Registration Deadline": inDays(9),
    };
    for (const [name, value] of Object.entries(fields)) await dialog.getByLabel(name, { exact: true }).fill(value);
    await sendUnanswered(page, app);
    await dialog.getByLabel("Title", { exact: true }).fill(`Second ${word}`);
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expect(page.locator(".error-summary")).toContainText("To host another, press Create Tournament again.");
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expectToast(page, "success", "Tournament created!");
    for (const one of ["First", "Second"]) await expect(page.getByText(`${one} ${word}`).first()).toBeVisible();
  });

  test("pressing Send Message again with other text sends another message", async ({ page, anotherPage, app }) => {
    await signInQuietly(page, await newPlayer(app));
    const post = await createPost(page, app, { title: `Twice ${unique()}` });
    const other = await anotherPage();
    await signInQuietly(other, await newPlayer(app));
    await visit(other, `${post}/contact`);
    const dialog = other.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Message" }).fill("Hello");
    await sendUnanswered(other, app);
    await dialog.getByRole("textbox", { name: "Message" }).fill("Hello again");
    await dialog.getByRole("button", { name: "Send Message" }).click();
    await expect(other.locator(".error-summary")).toContainText("Send again to send this one, too.");
    await dialog.getByRole("button", { name: "Send Message" }).click();
    await expectToast(other, "success", "Message sent!");
  });
});

test("A post's dialogs open over its page, and closing them leads back to it", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title: `Over its page ${unique()}` });
  await visit(page, address);
  for (const [link, name] of [
    ["Edit", "Edit LFG Post"],
    ["Delete Post", "Delete Post"],
  ] as const) {
    await page.getByRole("link", { name: link }).click();
    const dialog = page.getByRole("dialog", { name });
    await expect(dialog).toBeVisible();
    await expect(inertMain(page)).toHaveCount(1);
    // The first field has the focus; in a dialog without one, and without JavaScript, the heading.
    const hasField = hasJavaScript() && link === "Edit";
    const first = hasField ? dialog.getByRole("textbox", { name: "Title" }) : dialog.getByRole("heading", { name });
    await expect(first).toBeFocused();
    if (hasJavaScript()) {
      await expect(page.locator("dialog:modal")).toHaveCount(1);
      await page.keyboard.press("Escape");
    } else {
      await dialog.getByRole("link", { name: "Close" }).click();
    }
    await expect(page).toHaveURL(address);
    await expect(dialog).toHaveCount(0);
  }
});

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true });

  test("A dialog is a page of its own", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    await visit(page, "/dashboard/lfg/new");
    const dialog = dialogOf(page);
    await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 700 });
    const title = `From the bus ${unique()}`;
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("radio", { name: "1", exact: true }).tap();
    await submitOf(page).tap();
    await expect(page).toHaveURL("/dashboard");
    await expect(cardOf(page, title)).toBeVisible();
  });
});

test.describe("Offline", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Without JavaScript the browser keeps the form.");

  test("A form that can't be sent stays open with its values, and can be sent later", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    await visit(page, "/dashboard/lfg/new");
    const dialog = dialogOf(page);
    const title = `From the tunnel ${unique()}`;
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("radio", { name: "2", exact: true }).check();
    await page.route("**/lfg/new.data*", (route) => route.abort());
    await submitOf(page).click();
    await expect(dialog.locator("form").getByRole("alert")).toContainText("Lineup can't be reached from here.");
    await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(title);
    await expectToast(page, "error", "Error creating post");
    // The form's summary shows the error, so the toast is only for screen readers, and the Tab key skips it.
    const toast = page.locator(".toast-card");
    await expectForScreenReaders(toast);
    await expect(toast.getByRole("button")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(toast, "it leaves with the dialog").toHaveCount(0);
    await page.unroute("**/lfg/new.data*");
    await page.getByRole("link", { name: "Create Post" }).click();
    await expect(dialog).toBeVisible();
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("radio", { name: "2", exact: true }).check();
    await submitOf(page).click();
    await expect(page).toHaveURL("/dashboard");
    await expect(cardOf(page, title)).toBeVisible();
  });
});
