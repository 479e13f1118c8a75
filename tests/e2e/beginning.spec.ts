import type { Locator, Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { HOUR } from "../../app/platform/dates/durations";
import { profiles, users } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForArrival, waitForHydration } from "../support/e2e";
import { addTournament } from "../support/tournaments";
import { expectAccessibleEverywhere } from "./axe";
import {
  createPost,
  expectNoOverflow,
  hasFocus,
  holdRequests,
  newAccount,
  newPlayer,
  signInQuietly,
  uncheck,
  unique,
  verifiedProfile,
} from "./steps";

/** A player's finger. Counts its taps, whether on a control or on a field before typing into it. */
class Finger {
  taps = 0;

  async tap(control: Locator): Promise<void> {
    this.taps += 1;
    await control.click();
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.tap(field);
    await field.fill(text);
  }

  /** Chooses an option: one tap opens the list, another selects the option. */
  async choose(select: Locator, option: string): Promise<void> {
    this.taps += 2;
    await select.selectOption(option);
  }
}

/** The `Get ready` strip. */
const stripOf = (page: Page) => page.getByRole("region", { name: "Get ready" });

/** Taps through the sign-up, from the landing page to the dashboard. */
async function signUp(page: Page, finger: Finger, word: string): Promise<void> {
  await visit(page, "/");
  await finger.tap(page.getByRole("link", { name: "Get Started" }));
  await waitForHydration(page);
  await finger.type(page.getByRole("textbox", { name: "Email" }), `taps-${word}@example.com`);
  await finger.type(page.getByRole("textbox", { name: "Password" }), "four smokes and a wall");
  await finger.tap(page.getByRole("button", { name: "Next: Verify Riot Account" }));
  await finger.type(page.getByRole("textbox", { name: "Game Name" }), `Taps ${word}#ONE`);
  await finger.tap(page.getByRole("button", { name: "Verify" }));
  await finger.tap(page.getByRole("button", { name: "Complete Signup" }));
  await waitForArrival(page, stripOf(page));
}

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a tournament is at most 15 taps from the landing page", async ({ page, app }) => {
    const word = unique();
    const title = `Tap Cup ${word}`;
    await addTournament(openTestDatabase(app), {
      teams: 0,
      state: "open",
      title,
      teamSize: 5,
      minRank: "Gold 1",
      registrationDeadline: new Date(Date.now() + 24 * HOUR),
      tournamentDate: new Date(Date.now() + 48 * HOUR),
    });
    const finger = new Finger();
    await signUp(page, finger, word);
    await finger.tap(page.getByRole("link", { name: "Tournaments", exact: true }));
    await finger.tap(page.getByRole("link", { name: title }));
    await finger.tap(page.getByRole("link", { name: "Register", exact: true }));
    const dialog = page.getByRole("dialog", { name: "Register" });
    await waitForArrival(page, dialog);
    // A name of the maximum length, 40 characters, mostly the widest letter.
    const team = `${"W".repeat(39 - word.length)} ${word}`;
    await finger.type(dialog.getByRole("textbox", { name: "Team Name" }), team);
    await finger.choose(dialog.getByRole("combobox", { name: "Your Rank" }), "Gold 2");
    await finger.tap(dialog.getByRole("button", { name: "Register" }));
    await expect(page.getByRole("heading", { level: 1, name: team })).toBeVisible();
    test.info().annotations.push({ type: "taps", description: String(finger.taps) });
    expect(finger.taps).toBeLessThanOrEqual(15);
    await expectNoOverflow(page);
    await visit(page, new URL(page.url()).pathname.replace(/\/teams\/.*/, ""));
    await expect(page.getByTitle(team).first()).toBeVisible();
    await expectNoOverflow(page);
  });

  test("a request to join is at most 12 taps from the landing page, with rank and role", async ({
    page,
    anotherPage,
    app,
  }) => {
    const word = unique();
    const author = await anotherPage();
    await signInQuietly(author, await newPlayer(app, verifiedProfile(`Host ${word}`)));
    await createPost(author, app, { title: `Tap along ${word}`, neededPlayers: "2" });
    const finger = new Finger();
    await signUp(page, finger, word);
    await finger.tap(page.getByRole("button", { name: "Gold 2", exact: true }));
    await expect(page.getByRole("heading", { name: "What do you play?" })).toBeVisible();
    await waitForHydration(page);
    await finger.tap(stripOf(page).getByText("Duelist", { exact: true }));
    await finger.tap(page.getByRole("button", { name: "Save" }));
    await expect(page.getByRole("heading", { name: "When do you play?" })).toBeVisible();
    await waitForHydration(page);
    const card = page.getByRole("article").filter({ hasText: `Tap along ${word}` });
    await finger.tap(card.getByRole("link", { name: "Request to Join" }));
    const dialog = page.getByRole("dialog", { name: "Request to Join" });
    await waitForArrival(page, dialog);
    await finger.tap(dialog.getByRole("button", { name: "Send Request" }));
    await expect(card.getByText("Requested")).toBeVisible();
    test.info().annotations.push({ type: "taps", description: String(finger.taps) });
    expect(finger.taps).toBeLessThanOrEqual(12);
  });
});

test("A new player answers the strip's steps in place, and the best matches follow", async ({ page, app }) => {
  const email = await newPlayer(app, { riotGameName: `Ready ${unique()}` });
  await signInQuietly(page, email);
  await visit(page, "/dashboard");
  const best = page.getByRole("region", { name: "Best matches" });
  const seen: string[] = [];
  /** Waits until the cards differ from all that were shown after earlier answers. */
  const expectNewMatches = async () => {
    const cards = async () => (await best.getByRole("article").allTextContents()).join("\n");
    await expect.poll(async () => seen.includes(await cards())).toBe(false);
    seen.push(await cards());
  };

  await expect(best).toHaveCount(0);
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: "Platinum 2", exact: true }).click();
  await expect(page.getByRole("heading", { name: "What do you play?" })).toBeVisible();
  await expectNewMatches();
  await expectAccessibleEverywhere(page);

  await waitForHydration(page);
  await stripOf(page).getByText("Controller", { exact: true }).click();
  await stripOf(page).getByText("Omen", { exact: true }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "When do you play?" })).toBeVisible();
  await expectNewMatches();
  await expectAccessibleEverywhere(page);

  await waitForHydration(page);
  await stripOf(page).getByRole("combobox", { name: "Region" }).selectOption("Europe");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(stripOf(page)).toHaveCount(0);
  await expectNewMatches();

  const [saved] = await openTestDatabase(app)
    .select()
    .from(profiles)
    .innerJoin(users, and(eq(users.id, profiles.userId), eq(users.email, email)));
  expect(saved?.profiles).toMatchObject({
    currentRank: "Platinum 2",
    preferredRole: "Controller",
    mainAgents: ["Omen"],
    region: "Europe",
    availability: [8, 8, 8, 8, 8, 8, 8],
  });
});

test.describe("With JavaScript", () => {
  test.skip(() => !hasJavaScript(), "Without JavaScript each answer loads the page again.");

  test("the page stays where it is, and keyboard focus moves to the next step", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app));
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, "/dashboard");
    await page.evaluate(() => {
      Object.assign(window, { isSamePage: true });
      scrollTo(0, 120);
    });
    const top = (await stripOf(page).boundingBox())?.y;
    await page.getByRole("button", { name: "Gold 2", exact: true }).press("Enter");
    const question = page.getByRole("heading", { name: "What do you play?" });
    await expect.poll(() => hasFocus(question)).toBe(true);
    expect((await stripOf(page).boundingBox())?.y).toBe(top);
    await page.getByRole("button", { name: "Skip" }).click();
    await expect(page.getByRole("heading", { name: "When do you play?" })).toBeVisible();
    await page.getByRole("button", { name: "Skip" }).click();
    await expect(stripOf(page)).toHaveCount(0);
    expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  });

  test("a fourth agent can't be chosen until another is removed", async ({ page, app }) => {
    await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2" }));
    await page.setViewportSize({ width: 1280, height: 844 });
    await visit(page, "/dashboard");
    for (const agent of ["Sage", "Omen", "Jett"]) await stripOf(page).getByText(agent, { exact: true }).click();
    await expect(stripOf(page).getByRole("checkbox", { name: "Sova" })).toBeDisabled();
    await stripOf(page).getByText("Omen", { exact: true }).click();
    await expect(stripOf(page).getByRole("checkbox", { name: "Sova" })).toBeEnabled();
  });

  test("a step doesn't overwrite a value saved elsewhere, even if the page has reloaded its data since", async ({
    page,
    app,
  }) => {
    const profile = { currentRank: "Gold 2", preferredRole: "Duelist", region: "Europe" } as const;
    const { id: userId, email } = await newAccount(app, profile);
    await signInQuietly(page, email);
    await visit(page, "/dashboard");
    const region = stripOf(page).getByRole("combobox", { name: "Region" });
    await expect(region).toHaveValue("Europe");
    const db = openTestDatabase(app);
    await db.update(profiles).set({ region: "Korea", updatedAt: new Date() }).where(eq(profiles.userId, userId));
    const reload = page.waitForResponse((response) => response.url().includes(".data"));
    await page.evaluate(() => window.__remixRouter.revalidate());
    await (await reload).finished();
    await page.waitForFunction(() => window.__remixRouter.state.revalidation === "idle");

    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator(".toast-card")).toContainText("Your profile has changed elsewhere.");
    const stored = () => db.select().from(profiles).where(eq(profiles.userId, userId)).get();
    expect((await stored())?.region).toBe("Korea");
    await region.selectOption("Brazil");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(stripOf(page)).toHaveCount(0);
    expect((await stored())?.region).toBe("Brazil");
  });

  test("after a refused or unanswered step, going back opens the previous page at its scroll position", async ({
    page,
    app,
  }) => {
    await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2", preferredRole: "Duelist" }));
    await page.setViewportSize({ width: 390, height: 844 });
    const place = () => page.evaluate(() => scrollY);
    const leaveAndReturn = async (answer: () => Promise<void>) => {
      await visit(page, "/dashboard/players");
      await page.evaluate(() => scrollTo(0, 500));
      await page.getByRole("navigation").getByRole("link", { name: "LFG", exact: true }).click();
      await expect(stripOf(page)).toBeVisible();
      await answer();
      await page.goBack();
      await expect(page.getByRole("heading", { level: 1, name: "Players" })).toBeVisible();
      await expect(stripOf(page)).toHaveCount(0);
      await page.locator("html[data-settled]").waitFor({ state: "attached" });
      expect(await place()).toBe(500);
    };
    const save = () => page.getByRole("button", { name: "Save" }).click();
    await leaveAndReturn(async () => {
      await stripOf(page).getByRole("combobox", { name: "Region" }).selectOption("Europe");
      for (const box of await stripOf(page).getByRole("checkbox").all()) {
        if (await box.isChecked()) await uncheck(box);
      }
      await save();
      await expect(stripOf(page)).toContainText("Choose when you play, or skip.");
    });
    await leaveAndReturn(async () => {
      // Never released, so the step stays unanswered.
      await holdRequests(page, /\/dashboard\/ready/);
      const sent = page.waitForRequest(/\/dashboard\/ready/);
      await save();
      await sent;
    });
  });

  test.describe("without a network", () => {
    test.use({ expectedErrors: [/net::ERR_FAILED/] });

    test("if an answer can't be sent, a toast says so and the choices stay", async ({ page, app }) => {
      await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2" }));
      await visit(page, "/dashboard");
      await page.route("**/dashboard/ready.data*", (route) => route.abort());
      await stripOf(page).getByText("Duelist", { exact: true }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.locator(".toast-card")).toContainText("Lineup can't be reached from here.");
      await expect(stripOf(page).getByRole("radio", { name: "Duelist" })).toBeChecked();
    });
  });
});

test("Only players with steps left load the strip's script", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page loads a script.");
  const strips: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/get-ready-")) strips.push(request.url());
  });
  const availability = [8, 0, 0, 0, 0, 0, 0];
  await signInQuietly(page, await newPlayer(app, { currentRank: "Gold 2", preferredRole: "Duelist", availability }));
  await visit(page, "/dashboard");
  await expect(stripOf(page)).toHaveCount(0);
  expect(strips).toEqual([]);
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await expect(stripOf(page)).toBeVisible();
  await expect.poll(() => strips.length).toBeGreaterThan(0);
});

test("The strip stays in view while its script is still on its way", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript there is no script to wait for.");
  await signInQuietly(page, await newPlayer(app));
  const release = await holdRequests(page, /get-ready-/);
  await page.goto("/dashboard", { waitUntil: "commit" });
  const rank = page.getByRole("button", { name: "Gold 2", exact: true });
  await expect(rank).toBeVisible();
  await rank.evaluate((button) => Object.assign(button, { isFromServer: true }));
  release();
  await waitForHydration(page);
  expect(await rank.evaluate((button) => "isFromServer" in button)).toBe(true);
});
