import { readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { SETTINGS } from "../../app/features/settings/subjects";
import { users } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { emailTo, expect, hasJavaScript, signInAs, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import {
  createPost,
  expectNoOverflow,
  expectToast,
  fillCredentials,
  holdRequests,
  newPlayer,
  signInQuietly,
  tabTo,
} from "./steps";

const password = "password123";

test("A player reaches the settings from the footer, and each settings page from the others", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await page.getByRole("contentinfo").getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  for (const { name, slug } of SETTINGS) {
    const link = page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name });
    await link.click();
    await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
    await expect(page).toHaveURL(`/dashboard/settings/${slug}`);
    await expect(page).toHaveTitle(/ · Lineup$/);
    await expect(link).toHaveAttribute("aria-current", "page");
    for (const width of [390, 768, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(page);
    }
    await page.setViewportSize({ width: 1280, height: 844 });
  }
});

test("On a phone the settings are a list, and each settings page leads back to it", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/settings");
  const list = page.getByRole("navigation", { name: "Settings" });
  await expect(list.getByRole("link")).toHaveCount(SETTINGS.length);
  await list.getByRole("link", { name: "Sessions" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Sessions" })).toBeVisible();
  await expect(list).toBeHidden();
  await page.getByRole("link", { name: "All settings" }).click();
  await expect(list).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your account's security" })).toBeVisible();
});

test("Alternative addresses redirect to the right settings pages, and unknown ones are not found", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  for (const [other, slug] of [
    ["data", "export"],
    ["delete", "delete-account"],
    ["blocked-players", "blocked"],
  ]) {
    await page.goto(`/dashboard/settings/${other}`);
    await expect(page).toHaveURL(`/dashboard/settings/${slug}`);
  }
  await page.goto("/dashboard/settings/nonsense");
  await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
});

test("The first settings page shows the account's security and its recent changes", async ({
  page,
  anotherPage,
  app,
}) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await signInQuietly(await anotherPage(), email);
  await visit(page, "/dashboard/settings");
  const security = page.getByRole("region", { name: "Your account's security" });
  await expect(security).toContainText(email);
  await expect(security).toContainText("Confirmed");
  await expect(security).toContainText("2 open sessions");
  const changes = page.getByRole("region", { name: "Recent changes" });
  await expect(changes).toContainText("No changes yet to how you sign in.");
  await security.getByRole("link", { name: "Sessions" }).click();
  await page.getByRole("button", { name: "Sign Out Other Devices" }).click();
  await expectToast(page, "success", "Other devices signed out", "1 other session ended.");
  await visit(page, "/dashboard/settings");
  await expect(changes.getByRole("listitem")).toHaveText(/^Signed out on all other devices/);
  await expect(security).toContainText("Signed in on this device only");
  await expectAccessibleEverywhere(page);
});

test("A player signs out another device from the list, and that device shows the sign-in form", async ({
  page,
  anotherPage,
  app,
}) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  const phone = await anotherPage();
  await signInQuietly(phone, email);
  await visit(phone, "/dashboard/profile");
  await visit(page, "/dashboard/settings/sessions");
  const sessions = page.getByRole("region", { name: "Sessions" }).getByRole("listitem");
  await expect(sessions).toHaveCount(2);
  await expect(sessions.first()).toContainText("This device");
  await expect(sessions.first()).toContainText("Chrome on Linux");
  const end = sessions.last().getByRole("button", { name: "Sign Out" });
  await tabTo(page, end);
  await page.keyboard.press("Enter");
  await expectToast(page, "success", "Device signed out");
  await expect(sessions).toHaveCount(1);
  // With JavaScript, the device's room tells it. Without, it finds out with the next page.
  if (!hasJavaScript()) await phone.reload();
  await expect(phone.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await page.getByRole("button", { name: "Sign Out Everywhere" }).click();
  await expectToast(page, "success", "Signed out everywhere");
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
});

test("While the calendar link is being removed, its button says so, and the button for a new link isn't busy", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the browser shows that the form is being sent.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/settings/calendar");
  await page.getByRole("button", { name: "Create Calendar Link" }).click();
  await expectToast(page, "success", "Calendar link created");
  const release = await holdRequests(page, /\/dashboard\/settings\/calendar\.data/);
  await page.getByRole("button", { name: "Remove Link" }).click({ noWaitAfter: true });
  await expect(page.getByRole("button", { name: "Removing" })).toHaveAttribute("aria-busy", "true");
  await expect(page.getByRole("button", { name: "Create New Link" })).not.toHaveAttribute("aria-busy");
  release();
  await expectToast(page, "success", "Calendar link removed");
  await expect(page.getByRole("button", { name: "Remove Link" })).toHaveCount(0);
});

test("A player exports their data", async ({ page, app }) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await createPost(page, app, { title: "To be exported" });
  await visit(page, "/dashboard/settings/export");
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download My Data" }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/^lineup-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(readFileSync(await download.path(), "utf8"));
  expect(data.account.email).toBe(email);
  expect(data.posts).toMatchObject([{ title: "To be exported" }]);
  await expect(page.getByRole("heading", { level: 2, name: "Your Data" })).toBeVisible();
});

test("A player asks to delete their account, changes their mind, and deletes it after all", async ({ page, app }) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  const post = await createPost(page, app, { title: `About to go ${email}` });
  await visit(page, "/dashboard/settings/delete-account");

  await test.step("a wrong address doesn't delete the account", async () => {
    await page.getByRole("textbox", { name: "Email" }).fill("someone-else@example.com");
    await page.getByRole("button", { name: "Delete Account" }).click();
    const sentence = "That's not your account's email address.";
    await expectToast(page, "error", "Error deleting account", sentence);
    await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
    await expectAccessibleEverywhere(page);
  });

  await test.step("the player is signed out, and told the deletion's date", async () => {
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
    await expect(page.getByText(/^Your account will be deleted on \d+ \w+ \d{4}$/)).toBeVisible();
    await page.goto(post);
    await expect(page.getByText("This post is closed.")).toBeVisible();
  });

  await test.step("the player returns with the emailed link and keeps the account", async () => {
    await visit(page, (await emailTo(app, email)).link as string);
    await fillCredentials(page, email, password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByRole("heading", { level: 2, name: "Delete Account" })).toBeVisible();
    await visit(page, "/dashboard");
    await expect(page.getByText(/^Your account will be deleted on/)).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole("button", { name: "Keep My Account" }).click();
    await expectToast(page, "success", "Your account stays", "Closed posts and cancelled tournaments stay that way.");
    await expect(page.getByRole("button", { name: "Keep My Account" })).toHaveCount(0);
  });

  await test.step("the account is gone after seven days", async () => {
    await visit(page, "/dashboard/settings/delete-account");
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Delete Account" }).click();
    await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
    const db = openTestDatabase(app);
    await db
      .update(users)
      .set({ deletionDueAt: new Date(Date.now() - 1) })
      .where(eq(users.email, email));
    await app.runScheduled();
    await fillCredentials(page, email, password);
    await page.getByRole("button", { name: "Sign In" }).click();
    await expectToast(page, "error", "Error signing in", "Wrong email or password.");
    await page.goto(post);
    await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
  });
});

test("A sign-out with an unknown scope is refused with an explanation", async ({ page, app }) => {
  await signInAs(page, await newPlayer(app));
  await visit(page, "/dashboard/settings/sessions");
  const everywhere = page.getByRole("button", { name: "Sign Out Everywhere" });
  await everywhere.evaluate((button: HTMLButtonElement) => {
    button.value = "elsewhere";
    // A copy of the form has no event handlers, so the browser submits it itself.
    button.form?.replaceWith(button.form.cloneNode(true));
  });
  await everywhere.click();
  await expect(page.getByRole("heading", { name: "Nobody was signed out" })).toBeVisible();
  await expect(page.getByText("Sign-out scope must be global, local or others.")).toBeVisible();
  await expectAccessibleEverywhere(page);
});
