import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Rank } from "../../app/game/ranks";
import type { Region } from "../../app/game/regions";
import { uuidv7 } from "../../db/ids";
import { profiles, userFeedback } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForArrival, waitForHydration } from "../support/e2e";
import { exif, png } from "../support/pictures";
import { expectAccessibleEverywhere } from "./axe";
import {
  choose,
  expectNoOverflow,
  expectToast,
  holdRequests,
  newAccount,
  newPlayer,
  signInQuietly,
  tabTo,
  uncheck,
  unique,
} from "./steps";

const PROFILE = "/dashboard/profile";
const FAILED = "Error updating profile";
const TOO_MANY = "Three is the most. Take one off to choose another.";

const agent = (page: Page, name: string) =>
  page.getByRole("group", { name: "Main Agents" }).getByRole("checkbox", { name, exact: true });
const rank = (page: Page, name: string) =>
  page.getByRole("group", { name: "Current Rank" }).getByRole("radio", { name, exact: true });
const slot = (page: Page, name: string) =>
  page.getByRole("group", { name: "Weekly Availability" }).getByRole("checkbox", { name, exact: true });
const save = (page: Page) => page.getByRole("button", { name: "Save Profile" }).click();

test("A newcomer completes the profile, finds it saved, and sees it as others do", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  await expect(page.getByRole("group", { name: "Current Rank" }).getByRole("radio")).toHaveCount(25);
  await choose(rank(page, "Platinum 2"));
  await choose(agent(page, "Clove"));
  await choose(agent(page, "KAY/O"));
  const riotId = `Newcomer ${unique().slice(0, 5)}#EUW`;
  await page.getByRole("textbox", { name: "Riot ID" }).fill(riotId);
  await page.getByRole("textbox", { name: "Discord Tag" }).fill("miravel.plays");
  await page.getByRole("combobox", { name: "Preferred Role" }).selectOption("Controller");
  const basics = page.getByRole("region", { name: "Basic Information" });
  await basics.getByRole("combobox", { name: "Region" }).selectOption("Europe");
  await page.getByRole("textbox", { name: "Play Times" }).fill("Weekdays 19:00 to 23:00 CET");
  await page.getByRole("combobox", { name: "Voice Comms" }).selectOption("preferred");
  await page.getByRole("textbox", { name: "Personality Tags" }).fill("calm, early caller, no tilt");
  await page.getByRole("textbox", { name: "Description" }).fill("Smokes first, aim second.");
  await page.getByRole("combobox", { name: "Time Zone" }).selectOption("Europe/Berlin");
  await slot(page, "Monday evening").check();
  await slot(page, "Sunday night").check();
  await choose(page.getByRole("group", { name: "Languages" }).getByRole("checkbox", { name: "English" }));
  await page.getByRole("checkbox", { name: "My Discord tag" }).check();
  await save(page);
  await expectToast(page, "success", "Profile updated!", "Your profile has been saved successfully.");

  await visit(page, PROFILE);
  await expect(rank(page, "Platinum 2")).toBeChecked();
  await expect(agent(page, "Clove")).toBeChecked();
  await expect(agent(page, "KAY/O")).toBeChecked();
  await expect(page.getByRole("textbox", { name: "Riot ID" })).toHaveValue(riotId);
  await expect(page.getByRole("textbox", { name: "Personality Tags" })).toHaveValue("calm, early caller, no tilt");
  await expect(page.getByRole("combobox", { name: "Time Zone" })).toHaveValue("Europe/Berlin");
  await expect(slot(page, "Monday evening")).toBeChecked();
  await expect(slot(page, "Monday night")).not.toBeChecked();

  await page.getByRole("link", { name: "See how others see you" }).click();
  await expect(page.getByRole("heading", { level: 1, name: riotId })).toBeVisible();
  for (const words of [
    "Platinum 2",
    "KAY/O, Clove",
    "early caller",
    "Europe · English · Voice preferred",
    "miravel.plays",
  ]) {
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  }
  await expect(page.getByText("8 hours a week")).toBeVisible();
  await expect(page.getByText("This is how others see you.")).toBeVisible();
});

test("A player chooses at most three agents, and `Clear All` removes them", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  for (const name of ["Jett", "Sova", "Omen"]) await choose(agent(page, name));
  if (hasJavaScript()) {
    await expect(page.getByText(TOO_MANY)).toBeVisible();
    await expect(agent(page, "Sage")).toBeDisabled();
    await expect(agent(page, "Jett")).toBeEnabled();
    await uncheck(agent(page, "Jett"));
    await expect(agent(page, "Sage")).toBeEnabled();
  } else {
    await page.getByRole("textbox", { name: "Description" }).fill("All of this stays.");
    await choose(agent(page, "Sage"));
    await save(page);
    await expectToast(page, "error", FAILED, TOO_MANY);
    await expect(page.getByRole("group", { name: "Main Agents" })).toHaveAccessibleDescription(TOO_MANY);
    for (const name of ["Jett", "Sova", "Omen", "Sage"]) await expect(agent(page, name)).toBeChecked();
    await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("All of this stays.");
  }
  await page.getByRole("button", { name: "Clear All" }).click();
  await waitForHydration(page);
  await expect(page.getByRole("group", { name: "Main Agents" }).getByRole("checkbox", { checked: true })).toHaveCount(
    0,
  );
  if (!hasJavaScript()) {
    await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue("All of this stays.");
  }
  await choose(agent(page, "Sage"));
  await save(page);
  await expectToast(page, "success", "Profile updated!");
  await visit(page, PROFILE);
  await expect(agent(page, "Sage")).toBeChecked();
  await expect(agent(page, "Jett")).not.toBeChecked();
});

test("The profile page shows unsaved changes, asks before the player leaves, and discards or saves them", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the page can't ask before the player leaves.");
  await signInQuietly(page, await newPlayer(app, { mainAgents: ["Sova"], description: "As it was." }));
  await visit(page, PROFILE);
  const unsaved = page.getByText("Unsaved changes");
  const discard = page.getByRole("button", { name: "Discard" });
  const description = page.getByRole("textbox", { name: "Description" });
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const players = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Players" });
  await expect(unsaved).toHaveCount(0);

  // A change that is undone doesn't count as unsaved.
  await description.fill("As it was. And more.");
  await expect(unsaved).toBeVisible();
  await description.fill("As it was.");
  await expect(unsaved).toHaveCount(0);

  await page.getByRole("button", { name: "Clear All" }).click();
  await expect(unsaved).toBeVisible();
  await expect(page.getByRole("group", { name: "Main Agents" })).toHaveAccessibleDescription(
    "Save your profile to keep it that way.",
  );
  await discard.click();
  await expect(agent(page, "Sova")).toBeChecked();
  await expect(unsaved).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Save Profile" })).toBeFocused();

  // Following a link asks first, and staying keeps the changes.
  await page.getByRole("button", { name: "no tilt" }).click();
  await expect(unsaved).toBeVisible();
  await players.click();
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await expect(page).toHaveURL(PROFILE);
  await expect(page.getByRole("textbox", { name: "Personality Tags" })).toHaveValue("no tilt");
  await players.click();
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  // Opening a dialog over the form doesn't count as leaving.
  await page.getByRole("link", { name: "Add Picture" }).click();
  const picture = page.getByRole("dialog", { name: "Profile Picture" });
  await picture.getByRole("link", { name: "Close" }).click();
  await expect(picture).toHaveCount(0);
  await waitForArrival(page, unsaved);

  // A refused form is still unsaved. Once it is saved, the player can leave without being asked.
  await page.getByRole("textbox", { name: "Personality Tags" }).fill("a, b, c, d, e, f");
  await save(page);
  await expectToast(page, "error", FAILED, "Use up to 5 tags.");
  await expect(unsaved).toBeVisible();
  await page.getByRole("textbox", { name: "Personality Tags" }).fill("a, b");
  await save(page);
  await expectToast(page, "success", "Profile updated!");
  await expect(unsaved).toHaveCount(0);
  await players.click();
  await waitForArrival(page, page.getByRole("heading", { level: 1, name: "Players" }));

  await page.goBack();
  await waitForArrival(page, description);
  await description.fill("Never saved.");
  await expect(unsaved).toBeVisible();
  await players.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/dashboard\/players/);
  await visit(page, PROFILE);
  await expect(description).toHaveValue("As it was.");

  // Before a new document loads, the browser itself asks.
  await description.fill("Closed by accident.");
  const asked = page.waitForEvent("dialog");
  const leaving = page.evaluate(() => location.assign("/")).catch(() => undefined);
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await leaving;
  await expect(description).toHaveValue("Closed by accident.");
  await discard.click();
});

test("A player who follows a link during a save is asked whether to leave, and leaves once it is done", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the page can't ask before the player leaves.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  const description = page.getByRole("textbox", { name: "Description" });
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  const players = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Players" });
  const saveAndGo = async (text: string) => {
    await description.fill(text);
    const release = await holdRequests(page, /\/dashboard\/profile\.data/);
    await page.getByRole("button", { name: "Save Profile" }).click({ noWaitAfter: true });
    await players.click();
    await expect(question).toBeVisible();
    release();
  };
  // A refusal leaves the question open.
  await saveAndGo("x".repeat(1_001));
  await expectToast(page, "error", FAILED);
  await expect(question).toBeVisible();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);

  await saveAndGo("Saved.");
  await waitForArrival(page, page.getByRole("heading", { level: 1, name: "Players" }));
  await expectToast(page, "success", "Profile updated!");
  await visit(page, PROFILE);
  await expect(description).toHaveValue("Saved.");
});

test("A player saves several times on one page, and is told when the profile has changed elsewhere", async ({
  page,
  app,
}) => {
  const player = await newAccount(app);
  await signInQuietly(page, player.email);
  await visit(page, PROFILE);
  const description = page.getByRole("textbox", { name: "Description" });
  const saveAs = async (text: string) => {
    await description.fill(text);
    await save(page);
  };
  const version = page.locator("input[name=version]");
  /** Saves, and waits until the form shows the saved profile. */
  const saveAnew = async (text: string) => {
    const before = await version.inputValue();
    await saveAs(text);
    await expect(version).not.toHaveValue(before);
    await waitForHydration(page);
    await expect(page.locator(".error-summary")).toHaveCount(0);
  };
  // The last one changes nothing.
  for (const text of ["First.", "Second.", "Second."]) await saveAnew(text);

  // Uploading a picture or verifying a Riot account doesn't make the form outdated, and the form keeps its entries.
  if (hasJavaScript()) await description.fill("Third.");
  await page.getByRole("link", { name: "Add Picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Profile Picture" });
  await waitForHydration(page);
  const picture = { name: "me.png", mimeType: "image/png", buffer: Buffer.from(png(1, 1)) };
  await dialog.getByLabel("Picture", { exact: true }).setInputFiles(picture);
  await dialog.getByRole("button", { name: "Upload Picture" }).click();
  await expectToast(page, "success", "Profile updated!", "Your picture has been saved.");
  await fillGameName(page, `Often ${unique().slice(0, 6)}`, "EUW");
  await page.getByRole("button", { name: "Verify" }).click();
  await expectToast(page, "success", "Riot account verified!");
  await waitForHydration(page);
  if (hasJavaScript()) await expect(description).toHaveValue("Third.");
  await saveAnew("Third.");

  const db = openTestDatabase(app);
  const changeElsewhere = (currentRank: Rank) =>
    db.update(profiles).set({ currentRank, updatedAt: new Date() }).where(eq(profiles.userId, player.id));
  await changeElsewhere("Gold 2");
  await saveAs("Typed.");
  await expect(page.locator(".error-summary")).toContainText("Your profile has changed elsewhere");
  await expectAccessibleEverywhere(page);
  await expect(description).toHaveValue("Typed.");
  await page.getByRole("link", { name: "Discard my entries and see what's saved" }).click();
  await expect(description).toHaveValue("Third.");
  await waitForHydration(page);
  await expect(rank(page, "Gold 2")).toBeChecked();

  await changeElsewhere("Gold 3");
  await saveAs("Typed again.");
  await expect(page.locator(".error-summary")).toContainText("Your profile has changed elsewhere");
  await waitForHydration(page);
  await saveAnew("Typed again.");
  await visit(page, PROFILE);
  await expect(description).toHaveValue("Typed again.");
  await expect(rank(page, "Gold 2")).toBeChecked();
  if (!hasJavaScript()) return;

  await changeElsewhere("Silver 1");
  await saveAs("Dropped.");
  await expect(page.locator(".error-summary")).toContainText("Your profile has changed elsewhere");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(description).toHaveValue("Typed again.");
  await expect(rank(page, "Silver 1")).toBeChecked();
  await saveAnew("After it.");
});

test("A profile saved while the page shows older reviews has no unsaved changes, and can be saved again", async ({
  page,
  app,
}) => {
  const player = await newAccount(app, { description: "As it was." });
  await signInQuietly(page, player.email);
  const db = openTestDatabase(app);
  const at = new Date();
  const review = {
    reviewedId: player.id,
    rating: 4,
    createdAt: at,
    updatedAt: at,
    dueAt: at,
    revealedAt: at,
  };
  await db.insert(userFeedback).values(Array.from({ length: 12 }, () => ({ ...review, id: uuidv7() })));
  const description = page.getByRole("textbox", { name: "Description" });
  const version = page.locator("input[name=version]");
  const reviews = page.getByRole("region", { name: "Feedback" });
  await visit(page, PROFILE);
  for (const text of ["First.", "Second."]) {
    await reviews.getByRole("link", { name: "Older" }).click();
    await expect(reviews.getByRole("link", { name: "Newer" })).toBeVisible();
    await waitForHydration(page);
    const before = await version.inputValue();
    await description.fill(text);
    await save(page);
    await expectToast(page, "success", "Profile updated!");
    await expect(version).not.toHaveValue(before);
    await expect(page.getByText("Unsaved changes")).toHaveCount(0);
    await waitForHydration(page);
  }
  await visit(page, PROFILE);
  await expect(description).toHaveValue("Second.");
});

test("Unsaved profile entries survive new data after a change elsewhere, which `Save Profile` then reports", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, a page reloads only when the player asks for it.");
  const player = await newAccount(app, { region: "Europe", description: "As it was." });
  await signInQuietly(page, player.email);
  await visit(page, PROFILE);
  const description = page.getByRole("textbox", { name: "Description" });
  const region = page.getByRole("region", { name: "Basic Information" }).getByRole("combobox", { name: "Region" });
  const db = openTestDatabase(app);
  const moveElsewhere = (region: Region) =>
    db.update(profiles).set({ region, updatedAt: new Date() }).where(eq(profiles.userId, player.id));

  // Without unsaved entries, the form shows what was saved elsewhere.
  await moveElsewhere("Brazil");
  await page.evaluate(() => window.__remixRouter.revalidate());
  await expect(region).toHaveValue("Brazil");

  await description.fill("Typed.");
  await moveElsewhere("Korea");
  await page.getByRole("link", { name: "Add Picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Profile Picture" });
  const picture = { name: "me.png", mimeType: "image/png", buffer: Buffer.from(png(1, 1)) };
  await dialog.getByLabel("Picture", { exact: true }).setInputFiles(picture);
  await dialog.getByRole("button", { name: "Upload Picture" }).click();
  await expectToast(page, "success", "Profile updated!", "Your picture has been saved.");
  await expect(page.getByRole("link", { name: "Change Picture" })).toBeVisible();
  await expect(description).toHaveValue("Typed.");
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await save(page);
  await expect(page.locator(".error-summary")).toContainText("Your profile has changed elsewhere");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(description).toHaveValue("As it was.");
  await expect(region).toHaveValue("Korea");
});

test("A player can remove a rank they have chosen", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2" }));
  await visit(page, PROFILE);
  const ranks = page.getByRole("group", { name: "Current Rank" });
  await expect(ranks.getByRole("radio", { name: "Gold 2" })).toBeChecked();
  await page.getByRole("button", { name: "Clear Rank" }).click();
  await waitForHydration(page);
  await expect(ranks.getByRole("radio", { checked: true })).toHaveCount(0);
  await save(page);
  await expectToast(page, "success", "Profile updated!");
  await visit(page, PROFILE);
  await expect(ranks.getByRole("radio", { checked: true })).toHaveCount(0);
});

test("A value that can't be saved is reported at its field, and corrected there", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  const tags = page.getByRole("textbox", { name: "Personality Tags" });
  await tags.fill("a, b, c, d, e, f");
  await choose(rank(page, "Radiant"));
  await save(page);
  await expectToast(page, "error", FAILED, "Use up to 5 tags.");
  await expect(tags).toHaveAttribute("aria-invalid", "true");
  await expect(tags).toHaveValue("a, b, c, d, e, f");
  await expect(tags).toBeFocused();
  await expect(rank(page, "Radiant")).toBeChecked();
  await expectAccessibleEverywhere(page);
  await tags.fill("a, b");
  if (hasJavaScript()) {
    await page.getByRole("button", { name: "no tilt" }).click();
    await expect(tags).toHaveValue("a, b, no tilt");
    await page.getByRole("button", { name: "no tilt" }).click();
    await expect(tags).toHaveValue("a, b");
  }
  await save(page);
  await expectToast(page, "success", "Profile updated!");
});

test("An unverified player verifies the Riot account, and the verification form disappears", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  const section = page.getByRole("region", { name: "Account Verification" });
  const verify = section.getByRole("button", { name: "Verify" });
  if (hasJavaScript()) await expect(verify).toBeDisabled();
  await fillGameName(page, "Missing Link", "404");
  await verify.click();
  await expect(section.getByRole("textbox", { name: "Game Name" })).toHaveAttribute("aria-invalid", "true");
  await expectToast(
    page,
    "error",
    "Verification failed",
    "Riot has no account with this game name and tag. Check the spelling of both.",
  );
  const name = `Found ${unique().slice(0, 6)}`;
  await fillGameName(page, name, "EUW");
  await verify.click();
  await expectToast(page, "success", "Riot account verified!", "Your account has been linked and rank synced.");
  await expect(section.getByText(`${name}#EUW`)).toBeVisible();
  await expect(section.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Riot ID" })).toHaveValue(`${name}#EUW`);
  await expect(page.getByRole("textbox", { name: "Riot ID" })).not.toBeEditable();
});

/** Fills in the verification form. (The profile form has a `Region` and tags of its own.) */
async function fillGameName(page: Page, gameName: string, tag: string): Promise<void> {
  const section = page.getByRole("region", { name: "Account Verification" });
  await section.getByRole("textbox", { name: "Game Name" }).fill(gameName);
  await section.getByRole("textbox", { name: "Tag" }).fill(tag);
  await section.getByRole("combobox", { name: "Region" }).selectOption("europe");
}

test("A player who changed their Riot ID adopts the new one", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  const section = page.getByRole("region", { name: "Account Verification" });
  const word = unique().slice(0, 5);
  await section.getByRole("textbox", { name: "Game Name" }).fill(`Fickle ${word}`);
  await section.getByRole("textbox", { name: "Tag" }).fill("EUW");
  await section.getByRole("button", { name: "Verify" }).click();
  await expect(section).toContainText(`Fickle ${word}#EUW`);
  await section.getByRole("button", { name: "Update Riot ID" }).click();
  await expectToast(page, "success", "Riot ID updated!", `Players now see you as Settled ${word}#EUW.`);
  await expect(section).toContainText(`Settled ${word}#EUW`);
  await expect(page.getByRole("textbox", { name: "Riot ID" })).toHaveValue(`Settled ${word}#EUW`);
});

test("A player uploads a picture, sees it in the header and the profile, and removes it", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  await page.getByRole("link", { name: "Add Picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Profile Picture" });
  await expect(dialog).toBeVisible();
  await waitForHydration(page);
  await expectAccessibleEverywhere(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const file = dialog.getByLabel("Picture", { exact: true });
  await file.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
  await dialog.getByRole("button", { name: "Upload Picture" }).click();
  await expect(dialog.getByText("Choose a PNG, JPEG or WebP picture.").first()).toBeVisible();
  await file.setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from(png(1, 1)) });
  await dialog.getByRole("button", { name: "Upload Picture" }).click();
  await expectToast(page, "success", "Profile updated!", "Your picture has been saved.");
  await expect(page.locator("header img").first()).toHaveJSProperty("naturalWidth", 1);
  await expect(page.locator(".page-lead img")).toHaveJSProperty("naturalWidth", 1);
  await page.getByRole("link", { name: "Change Picture" }).click();
  await dialog.getByRole("button", { name: "Remove Picture" }).click();
  await expectToast(page, "success", "Profile updated!", "Your picture has been removed.");
  await expect(page.locator("img")).toHaveCount(0);
});

for (const type of ["image/png", "image/jpeg", "image/webp"]) {
  test(`A picture that the browser encodes as ${type} keeps its size and colours`, async ({ page, app }) => {
    test.skip(!hasJavaScript(), "The test draws the picture with JavaScript.");
    await signInQuietly(page, await newPlayer(app));
    await visit(page, `${PROFILE}/picture`);
    const drawn = await page.evaluate((wanted) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [30, 40];
      const brush = canvas.getContext("2d") as CanvasRenderingContext2D;
      brush.fillStyle = "rgb(200, 40, 40)";
      brush.fillRect(0, 0, 30, 40);
      return canvas.toDataURL(wanted).split(",")[1] as string;
    }, type);
    const buffer = Buffer.from(drawn, "base64");
    await page.getByLabel("Picture", { exact: true }).setInputFiles({ name: "drawn", mimeType: type, buffer });
    await page.getByRole("button", { name: "Upload Picture" }).click();
    const picture = page.locator(".page-lead img");
    await expect(picture).toHaveJSProperty("naturalHeight", 40);
    const [red = 0, green = 0] = await picture.evaluate((image: HTMLImageElement) => {
      const canvas = document.createElement("canvas");
      const brush = canvas.getContext("2d") as CanvasRenderingContext2D;
      brush.drawImage(image, 0, 0);
      return [...brush.getImageData(15, 20, 1, 1).data];
    });
    expect(Math.abs(red - 200) + Math.abs(green - 40)).toBeLessThan(20);
  });
}

test("A photo that is too large is scaled down before it is sent, and is shown upright", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the server refuses a photo that is too large.");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, `${PROFILE}/picture`);
  // The picture is reddish on the left and bluish on the right. It is noise, so that the file takes several megabytes.
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2000, 1500];
    const brush = canvas.getContext("2d") as CanvasRenderingContext2D;
    const pixels = brush.createImageData(2000, 1500);
    for (let at = 0; at < pixels.data.length; at += 4) {
      const isLeft = (at / 4) % 2000 < 1000;
      const noise = Math.random() * 120;
      pixels.data.set([isLeft ? 255 : noise, noise, isLeft ? noise : 255, 255], at);
    }
    brush.putImageData(pixels, 0, 0);
    return canvas.toDataURL("image/jpeg", 0.95).split(",")[1] as string;
  });
  const photo = Buffer.from(drawn, "base64");
  // Exif orientation 6, as written by a phone held upright: the stored picture's left side is displayed at the top.
  const turned = Buffer.concat([photo.subarray(0, 2), exif(6, "a phone"), photo.subarray(2)]);
  expect(turned.length).toBeGreaterThan(1024 * 1024);
  const upload = page.getByRole("button", { name: "Upload Picture" });
  const field = page.getByLabel("Picture", { exact: true });
  await field.setInputFiles({ name: "photo.jpg", mimeType: "image/jpeg", buffer: turned });
  await expect(upload).not.toHaveAttribute("aria-busy");
  await expect(field).not.toHaveAttribute("aria-invalid");
  expect(await field.evaluate((input: HTMLInputElement) => input.files?.[0]?.size)).toBeLessThan(1024 * 1024);
  await upload.click();
  await expectToast(page, "success", "Profile updated!", "Your picture has been saved.");
  const picture = page.locator(".page-lead img");
  await expect(picture).toHaveJSProperty("naturalHeight", 1024);
  await expect(picture).toHaveJSProperty("naturalWidth", 768);
  const [top, bottom] = await picture.evaluate((image: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [768, 1024];
    const brush = canvas.getContext("2d") as CanvasRenderingContext2D;
    brush.drawImage(image, 0, 0);
    const isRed = (y: number) => {
      const [red = 0, , blue = 0] = brush.getImageData(384, y, 1, 1).data;
      return red > blue;
    };
    return [isRed(100), isRed(900)];
  });
  expect([top, bottom]).toEqual([true, false]);
});

test("A player writes to another from that player's page, without a post", async ({ page, app, anotherPage }) => {
  const name = `Writer ${unique()}`;
  await signInQuietly(page, await newPlayer(app, { riotGameName: name }));
  await visit(page, PROFILE);
  const address = (await page.getByRole("link", { name: "See how others see you" }).getAttribute("href")) as string;
  const reader = await anotherPage();
  await signInQuietly(reader, await newPlayer(app));
  await visit(reader, address);
  await expectAccessibleEverywhere(reader);
  await reader.getByRole("link", { name: "Message", exact: true }).click();
  const dialog = reader.getByRole("dialog", { name: `Message ${name}` });
  await dialog.getByRole("textbox", { name: "Message" }).fill("Shall we play?");
  await dialog.getByRole("button", { name: "Send Message" }).click();
  await expectToast(reader, "success", "Message sent!", "Check the Messages tab to continue the conversation.");
  await expect(reader.getByRole("link", { name: "Report" })).toBeVisible();
});

test("The whole profile fits on a phone and can be filled in with the keyboard", async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInQuietly(page, await newPlayer(app));
  await visit(page, PROFILE);
  await expectNoOverflow(page);
  await slot(page, "Monday morning").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await expect(slot(page, "Monday midday")).toBeFocused();
  await page.keyboard.press("Space");
  await rank(page, "Iron 1").focus();
  await page.keyboard.press("ArrowRight");
  await expect(rank(page, "Iron 2")).toBeChecked();
  await agent(page, "Iso").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+Tab");
  await tabTo(page, page.getByRole("textbox", { name: "Discord Tag" }));
  await page.keyboard.type("by.keyboard");
  // Enter saves the form.
  await page.keyboard.press("Enter");
  await expectToast(page, "success", "Profile updated!");
  await visit(page, PROFILE);
  await expect(rank(page, "Iron 2")).toBeChecked();
  await expect(agent(page, "Iso")).toBeChecked();
  await expect(slot(page, "Monday midday")).toBeChecked();
  await expect(page.getByRole("textbox", { name: "Discord Tag" })).toHaveValue("by.keyboard");
});
