import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { DAY } from "../../app/platform/dates/durations";
import { tournaments } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { addTournament } from "../support/tournaments";
import { expectAccessibleEverywhere } from "./axe";
import { expectNoOverflow, expectToast, newAccount, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

const local = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16);

async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(value);
}

test("A player hosts a tournament, changes it, adds a helper, and cancels it", async ({ page, app }) => {
  // axe checks many screens.
  test.slow();
  const word = unique();
  const title = `Night Cup ${word}`;
  await newPlayer(app, verifiedProfile(`Helper ${word}`));
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Host ${word}`, riotId: `Host ${word}#EUW` }));

  await test.step("the list leads to the form, which names the mistakes", async () => {
    await visit(page, "/dashboard/tournaments");
    await expectAccessibleEverywhere(page);
    await page.getByRole("link", { name: "Host Tournament" }).click();
    const dialog = page.getByRole("dialog", { name: "Host Tournament" });
    await expect(dialog).toBeVisible();
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    await fillIn(page, {
      Title: title,
      Description: "One evening.",
      "Entry Fee": "5",
      "Prize Pool": "100",
      "Max Participants": "8",
      "Tournament Date": local(10),
      "Registration Deadline": local(9),
    });
    await dialog.getByLabel("Minimum Rank", { exact: true }).selectOption("Silver 1");
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expect(page.getByLabel("Prize Pool", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await expect(dialog.getByText("$140.00 or more").first()).toBeVisible();
    await expect(page.getByLabel("Title", { exact: true })).toHaveValue(title);
    await expectAccessibleEverywhere(page);
    await fillIn(page, { "Prize Pool": "160" });
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expectToast(page, "success", "Tournament created!", "Your tournament has been posted successfully.");
  });

  await test.step("its card leads to its page, which everyone can read", async () => {
    const card = page.getByRole("article").filter({ hasText: title });
    await expect(card).toContainText("Coming Soon");
    await expect(card).toContainText("$5.00 entry");
    await expect(card).toContainText("0/8 teams");
    await expect(card.getByRole("button")).toHaveCount(0);
    // This host's Riot account isn't verified.
    await expect(page.getByRole("region", { name: "Yours, by link" })).toContainText(title);
    await expect(page.getByText("Works by link only")).toBeVisible();
    await expect(page.getByRole("link", { name: "verify your Riot account" })).toBeVisible();
    await expectAccessibleEverywhere(page);
    await card.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await waitForHydration(page);
    await expectNoOverflow(page);
    await expect(page.getByText("80% of the fees")).toBeVisible();
    await page.getByRole("link", { name: "Rules" }).click();
    await expect(page.getByRole("heading", { name: "How it is played" })).toBeVisible();
    await expectAccessibleEverywhere(page);
  });

  await test.step("the host changes it and adds a helper on the Organise tab", async () => {
    await page.getByRole("navigation", { name: "Tournament" }).getByRole("link", { name: "Organise" }).click();
    await expect(page.getByRole("heading", { name: "History" })).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.getByRole("textbox", { name: "Riot ID" }).fill(`helper ${word}#one`);
    await page.getByRole("button", { name: "Add Organiser" }).click();
    await expectToast(page, "success", "Organiser added");
    await expect(page.getByRole("region", { name: "Organisers" }).getByRole("listitem")).toContainText(
      `Helper ${word}`,
    );
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Edit Tournament" });
    await expect(dialog).toBeVisible();
    await waitForHydration(page);
    await fillIn(page, { "Max Participants": "16", "Prize Pool": "300" });
    await dialog.getByRole("button", { name: "Save Tournament" }).click();
    await expectToast(page, "success", "Tournament saved");
    await expect(page.getByText("0 of 16")).toBeVisible();
  });

  await test.step("the host cancels it, with a reason that everyone can read", async () => {
    await page.getByRole("navigation", { name: "Tournament" }).getByRole("link", { name: "Organise" }).click();
    await page.getByRole("link", { name: "Cancel Tournament" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel Tournament" });
    await expect(dialog).toBeVisible();
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Too few teams.");
    await dialog.getByRole("button", { name: "Cancel Tournament" }).click();
    await expectToast(page, "success", "Tournament cancelled");
    await expect(page.getByRole("main").getByText("Too few teams.")).toBeVisible();
    await expectAccessibleEverywhere(page);
  });
});

/** Opens the form that edits a new tournament without teams, as its host. @param changes columns of the tournament */
async function openEditForm(page: Page, app: App, changes: { currentParticipants?: number } = {}) {
  const db = openTestDatabase(app);
  const host = await newAccount(app, verifiedProfile(`Host ${unique()}`));
  const { id } = await addTournament(db, {
    teams: 0,
    userId: host.id,
    // Whole minutes, as the form has them.
    tournamentDate: new Date(`${local(10)}Z`),
    registrationDeadline: new Date(`${local(9)}Z`),
    ...changes,
  });
  await signInQuietly(page, host.email);
  await visit(page, `/tournaments/${id}/edit`);
  return { db, id };
}

test("A host whose form is out of date, because a team registered, sees what can still change, and saves that", async ({
  page,
  app,
}) => {
  const { db, id } = await openEditForm(page, app);
  await fillIn(page, { Title: "Renamed Cup", Description: "Now with a caster." });
  await db.update(tournaments).set({ currentParticipants: 1 }).where(eq(tournaments.id, id));
  const dialog = page.getByRole("dialog", { name: "Edit Tournament" });
  const save = dialog.getByRole("button", { name: "Save Tournament" });
  await save.click();
  await expect(dialog.locator(".error-summary")).toContainText("Something has changed: a team registered or withdrew");
  await expect(dialog.getByText("Teams have registered, so what they signed up for stays.")).toBeVisible();
  await expect(dialog.getByLabel("Title", { exact: true })).toHaveCount(0);
  await expect(page.getByLabel("Description", { exact: true })).toHaveValue("Now with a caster.");
  await save.click();
  await expectToast(page, "success", "Tournament saved");
  await expect(page.getByText("Now with a caster.")).toBeVisible();
});

test("An edit that comes after the tournament was cancelled is refused in its dialog, which keeps the entries", async ({
  page,
  app,
}) => {
  const { db, id } = await openEditForm(page, app);
  await fillIn(page, { Description: "Now with a caster." });
  await db.update(tournaments).set({ state: "cancelled" }).where(eq(tournaments.id, id));
  const reloads: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("/edit.data")) reloads.push(request.url());
  });
  const dialog = page.getByRole("dialog", { name: "Edit Tournament" });
  await dialog.getByRole("button", { name: "Save Tournament" }).click();
  await expect(dialog.locator(".error-summary")).toContainText("This tournament is over, so it can't be changed.");
  await expect(page.getByLabel("Description", { exact: true })).toHaveValue("Now with a caster.");
  // Loading the dialog again would lead away from it.
  expect(reloads).toEqual([]);
});

test("A host whose form is out of date, because a helper has edited, keeps their entries or sees what is saved", async ({
  page,
  app,
}) => {
  const { db, id } = await openEditForm(page, app);
  const editElsewhere = (rules: string) => db.update(tournaments).set({ rules }).where(eq(tournaments.id, id));
  const dialog = page.getByRole("dialog", { name: "Edit Tournament" });
  const save = dialog.getByRole("button", { name: "Save Tournament" });
  const [description, rules] = [dialog.locator("[name=description]"), dialog.locator("[name=rules]")];

  await editElsewhere("Theirs.");
  await description.fill("Dropped.");
  await save.click();
  await expect(dialog.locator(".error-summary")).toContainText("This tournament has been edited since");
  await expect(description).toHaveValue("Dropped.");
  await expectAccessibleEverywhere(page);
  await dialog.getByRole("link", { name: "Discard my entries and see what's saved" }).click();
  await expect(description).toHaveValue("An evening of it.");
  await expect(rules).toHaveValue("Theirs.");
  await expect(dialog.locator(".error-summary")).toHaveCount(0);
  await waitForHydration(page);

  await editElsewhere("Theirs again.");
  await description.fill("Now with a caster.");
  await save.click();
  await expect(dialog.locator(".error-summary")).toContainText("This tournament has been edited since");
  await save.click();
  await expectToast(page, "success", "Tournament saved");
  const stored = await db.select().from(tournaments).where(eq(tournaments.id, id)).get();
  expect([stored?.description, stored?.rules]).toEqual(["Now with a caster.", "Theirs."]);
});

test("A host whose last team withdrew while the form was open gets the current values of the other fields", async ({
  page,
  app,
}) => {
  const { db, id } = await openEditForm(page, app, { currentParticipants: 1 });
  const dialog = page.getByRole("dialog", { name: "Edit Tournament" });
  await dialog.getByLabel("Description", { exact: true }).fill("Now with a caster.");
  const renamed = `Renamed ${unique()}`;
  await db.update(tournaments).set({ currentParticipants: 0, title: renamed }).where(eq(tournaments.id, id));
  await dialog.getByRole("button", { name: "Save Tournament" }).click();
  await expect(dialog.getByLabel("Title", { exact: true })).toHaveValue(renamed);
  await dialog.getByRole("button", { name: "Save Tournament" }).click();
  await expectToast(page, "success", "Tournament saved");
  const stored = await db.select().from(tournaments).where(eq(tournaments.id, id)).get();
  expect([stored?.title, stored?.description]).toEqual([renamed, "Now with a caster."]);
});

test("A player filters the list of tournaments, and the address holds the filters", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/tournaments");
  const form = page.getByRole("form", { name: "Filter tournaments" });
  // The form is collapsed on phones, and in browsers that can't style it open.
  if (!(await form.isVisible())) await page.getByText("Filters").click();
  await form.getByRole("checkbox", { name: "Open for registration" }).check();
  await form.getByRole("checkbox", { name: "Open to my rank" }).check();
  await form.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("heading", { name: "Registration closes soonest" })).toBeVisible();
  await expect(page).toHaveURL(/open=on&fits=on/);
  await expect(page.getByRole("article").filter({ hasText: "Northern Five Cup" })).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: "Monday Scrims" })).toHaveCount(0);
  await expectAccessibleEverywhere(page);
  await visit(page, "/dashboard/tournaments?from=2050-01-01");
  await expect(page.getByText("No tournament fits these filters right now.")).toBeVisible();
});

test("A player makes, replaces and removes a calendar address in the settings", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/settings/calendar");
  await page.getByRole("button", { name: "Create Calendar Link" }).click();
  const address = page.getByRole("textbox", { name: "Calendar Link" });
  await expect(address).toHaveValue(/\/calendar\/[\w-]{27}\.ics$/);
  await expectAccessibleEverywhere(page);
  const before = await address.inputValue();
  await page.getByRole("button", { name: "Create New Link" }).click();
  await expect(address).not.toHaveValue(before);
  await page.getByRole("button", { name: "Remove Link" }).click();
  await expect(address).toHaveCount(0);
});

test("The host form asks for the settings of the chosen format, and names a mistake at its field", async ({
  page,
  app,
}) => {
  const word = unique();
  const title = `Long Cup ${word}`;
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Host ${word}` }));
  await visit(page, "/dashboard/tournaments/new");
  const dialog = page.getByRole("dialog", { name: "Host Tournament" });
  const select = (name: string) => dialog.getByLabel(name, { exact: true });
  const unfit = ["Third-place Match", "Group Size", "Tie-breaks", "Last Tie-break"];

  await test.step("with JavaScript it shows only those, and without JavaScript each setting names its format", async () => {
    await dialog.getByText("Format, check-in and rules").click();
    await expect(select("Third-place Match")).toBeVisible();
    await select("Format").selectOption("Double elimination");
    const shown = ["Early Rounds", "Quarter-finals", "Semi-finals", "Losers' Final", "Final", "Grand Final"];
    for (const name of shown) await expect(select(name)).toBeVisible();
    for (const name of unfit) await expect(select(name)).toBeVisible({ visible: !hasJavaScript() });
    if (!hasJavaScript()) {
      await expect(select("Group Size")).toHaveAccessibleDescription(/^Round robin\. /);
      await expect(select("Losers' Final")).toHaveAccessibleDescription("Double elimination.");
      await expect(select("Third-place Match")).toHaveAccessibleDescription(/^Single elimination\. /);
    }
    await expectAccessibleEverywhere(page);
    await expectNoOverflow(page);
  });

  await test.step("an advantage is refused for a grand final of one map", async () => {
    await fillIn(page, {
      Title: title,
      Description: "One evening.",
      "Entry Fee": "0",
      "Prize Pool": "0",
      "Max Participants": "8",
      "Tournament Date": local(10),
      "Registration Deadline": local(9),
    });
    await select("Semi-finals").selectOption("Best of 3");
    await select("Losers' Final").selectOption("Best of 5");
    await select("Final").selectOption("Best of 1");
    await select("Grand Final").selectOption("With advantage");
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expect(select("Final")).toHaveAttribute("aria-invalid", "true");
    await expect(select("Final")).toHaveAccessibleDescription(/the grand final needs 3 or 5 maps/);
    await expect(select("Semi-finals")).toHaveValue("3");
    await expect(select("Group Size")).toBeVisible({ visible: !hasJavaScript() });
    await select("Final").selectOption("Best of 5");
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expectToast(page, "success", "Tournament created!", "Your tournament has been posted successfully.");
  });

  await test.step("the rules show the chosen settings", async () => {
    await page.getByRole("link", { name: title }).click();
    await page.getByRole("link", { name: "Rules" }).click();
    await expect(
      page.getByText("Best of 1; semi-finals best of 3; losers' final and grand final best of 5"),
    ).toBeVisible();
    await expect(page.getByText("One match. The winners' side starts one map up")).toBeVisible();
  });
});
