import type { Locator, Page } from "@playwright/test";
import { and, eq, ne } from "drizzle-orm";
import {
  tournamentMatches,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { addPlayedTournament } from "../support/brackets";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { startTournament } from "../support/matches";
import { type AddedTeam, addTournament } from "../support/tournaments";
import { expectAccessibleEverywhere } from "./axe";
import {
  expectNoOverflow,
  expectToast,
  holdRequests,
  newAccount,
  newPlayer,
  signInQuietly,
  verifiedProfile,
} from "./steps";

/** Makes a player and signs them in. @returns their id */
async function newViewer(page: Page, app: App): Promise<string> {
  const { id, email } = await newAccount(app);
  await signInQuietly(page, email);
  return id;
}

const matchesOf = (page: Page) => page.getByRole("region", { name: "Bracket" }).getByRole("article");

test("A bracket is drawn on wide screens and a list from the final down on phones, and anyone can switch", async ({
  page,
  app,
}) => {
  const player = await newViewer(page, app);
  const db = openTestDatabase(app);
  const { id, teams } = await addPlayedTournament(db, { teams: 8, play: 6, captains: [player] });
  // The viewer's opponent has the longest possible name, which must not widen the page.
  const [, second] = teams as [AddedTeam, AddedTeam];
  await db
    .update(tournamentTeams)
    .set({ name: "W".repeat(40) })
    .where(eq(tournamentTeams.id, second.id));
  await visit(page, `/tournaments/${id}`);
  await expect(page.getByRole("heading", { level: 3 }).filter({ hasText: /final/i })).toHaveText([
    "Quarter-finals",
    "Semi-finals",
    "Final",
  ]);
  await expect(matchesOf(page)).toHaveCount(7);
  await expect(page.getByRole("article", { name: "Quarter-final 1" })).toContainText("Team 1, your team");
  // Without JavaScript, the arrow keys only scroll.
  await expect(page.getByRole("region", { name: "Bracket" })).toHaveAccessibleDescription(
    hasJavaScript() ? "Use the arrow keys to move between matches." : "",
  );
  await expectAccessibleEverywhere(page);

  await page.setViewportSize({ width: 1280, height: 900 });
  const across = async () => {
    const [first, last] = await Promise.all(
      ["Quarter-final 1", "Final"].map((name) => page.getByRole("article", { name, exact: true }).boundingBox()),
    );
    return { right: (last?.x ?? 0) - (first?.x ?? 0), down: (last?.y ?? 0) - (first?.y ?? 0) };
  };
  expect((await across()).right).toBeGreaterThan(600);
  await expectNoOverflow(page);
  await page.getByRole("link", { name: "Show as a list" }).click();
  await expect(page.getByRole("link", { name: "Show as a bracket" })).toBeVisible();
  expect((await across()).right).toBe(0);
  expect((await across()).down).toBeLessThan(0);
  await expectAccessibleEverywhere(page);

  // The choice is kept for the next visit.
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, `/tournaments/${id}`);
  await page.getByRole("link", { name: "Show as a bracket" }).click();
  await expect(page.getByRole("link", { name: "Show as a list" })).toBeVisible();
  await page.context().clearCookies({ name: "lineup_bracket" });

  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, `/tournaments/${id}`);
  expect(await across()).toMatchObject({ right: 0 });
  expect((await across()).down).toBeLessThan(0);
  await expectNoOverflow(page);
  await page.getByRole("link", { name: "Show as a bracket" }).click();
  await expect(page.getByRole("link", { name: "Show as a list" })).toBeVisible();
  expect((await across()).right).toBeGreaterThan(600);
  await expectNoOverflow(page);
});

test("Visitors can read all parts of a double elimination and a round robin, and the list of matches", async ({
  page,
  app,
}) => {
  const db = openTestDatabase(app);
  const double = await addPlayedTournament(db, { teams: 6, play: 99, format: "double_elimination" });
  await visit(page, `/tournaments/${double.id}`);
  await expect(page.getByRole("heading", { name: "Winners' bracket" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Losers' bracket" })).toBeVisible();
  await expect(page.getByText("Team 1 won", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Final standings" }).getByRole("listitem")).toHaveCount(6);
  await expectAccessibleEverywhere(page);
  await visit(page, `/tournaments/${double.id}/matches`);
  await expect(page.getByRole("region", { name: "Finished" })).toBeVisible();
  await expectAccessibleEverywhere(page);

  const groups = await addPlayedTournament(db, { teams: 6, play: 99, groupSize: 3, format: "round_robin" });
  await visit(page, `/tournaments/${groups.id}`);
  const table = page.getByRole("table", { name: "Group A" });
  await expect(table.getByRole("row").nth(1)).toContainText("Team 1");
  await expect(page.getByRole("heading", { name: "Play-offs" })).toBeVisible();
  const round = page.getByRole("group").filter({ hasText: "Round 1" }).first();
  await round.locator("summary").click();
  await expect(round.getByRole("link").first()).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
});

test("A player zooms a bracket, drags it, walks it with the arrow keys, and sees a team's path highlighted", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "It all needs JavaScript: without it, the page scrolls and each match is a link.");
  const { id } = await addPlayedTournament(openTestDatabase(app), {
    teams: 32,
    play: 10,
    format: "double_elimination",
  });
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, `/tournaments/${id}`);
  const window = page.getByRole("region", { name: "Bracket" });
  const link = (name: string) => page.getByRole("link", { name, exact: true });

  await test.step("buttons and the wheel zoom the bracket", async () => {
    const width = async () =>
      (await page.getByRole("article", { name: "Winners' round 1, match 1", exact: true }).boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(width).toBeCloseTo(before / 1.25, 0);
    await page.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(width).toBeCloseTo(before, 0);
    await window.hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -100);
    await page.keyboard.up("Control");
    await expect.poll(width).toBeGreaterThan(before * 1.2);
    await page.getByRole("button", { name: "Fit" }).click();
    await expect
      .poll(() => window.evaluate((element) => element.scrollWidth - element.clientWidth))
      .toBeLessThanOrEqual(2);
    await page.reload();
    await waitForHydration(page);
  });

  await test.step("dragging moves the bracket", async () => {
    const box = await window.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 500, (box?.y ?? 0) + 150];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 150, y - 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => window.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100);
    // Releasing the mouse over a match does not open it.
    await expect(page).toHaveURL(new RegExp(`/tournaments/${id}$`));
    await page.reload();
    await waitForHydration(page);
  });

  await test.step("the arrow keys lead from match to match", async () => {
    await window.focus();
    await page.keyboard.press("Tab");
    await expect(link("Winners' round 1, match 1")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(link("Winners' round 1, match 2")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await expect(link("Winners' round 2, match 1")).toBeFocused();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(link("Winners' round 4, match 1")).toBeFocused();
    await expect(link("Winners' round 4, match 1")).toBeInViewport();
    await page.keyboard.press("ArrowLeft");
    await expect(link("Winners' round 3, match 1")).toBeFocused();
    // The whole bracket is one tab stop, so the next stop is outside it.
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest(".bracket-window") === null)).toBe(true);
    await page.keyboard.press("Shift+Tab");
    await expect(link("Winners' round 3, match 1")).toBeFocused();
    // The arrow keys also move from one part of the bracket to the next.
    await link("Losers' final").focus();
    await page.keyboard.press("ArrowRight");
    await expect(link("Grand final")).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await expect(link("Winners' final")).toBeFocused();
  });

  await test.step("hovering a team highlights its path", async () => {
    await page.mouse.move(0, 0);
    await window.evaluate((element) => element.scrollTo(0, 0));
    const line = (name: string) =>
      page
        .locator(".bracket-place", { has: page.getByRole("article", { name, exact: true }) })
        .evaluate((element) => getComputedStyle(element, "::after").borderTopWidth);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    expect(await line("Winners' round 1, match 1")).toBe("2px");
    await page
      .getByRole("article", { name: "Winners' round 1, match 1", exact: true })
      .getByText("Team 1", { exact: true })
      .hover({ force: true });
    await expect.poll(() => line("Winners' round 1, match 1")).toBe("4px");
    expect(await line("Winners' round 1, match 2")).not.toBe("4px");
    await expectAccessibleEverywhere(page);
  });
});

test("An organiser orders the teams and starts, and everyone who has the page open sees the bracket", async ({
  page,
  anotherPage,
  app,
}) => {
  const player = await newViewer(page, app);
  const { id } = await addTournament(openTestDatabase(app), { teams: 4, userId: player, seeding: "random" });
  const guest = await anotherPage();
  await visit(guest, `/tournaments/${id}`);
  await expect(guest.getByText("Bracket appears at the start")).toBeVisible();

  await visit(page, `/tournaments/${id}`);
  await page.getByRole("link", { name: "Seeding and Start" }).click();
  await expect(page.getByRole("heading", { name: "Seeding and start" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("radio", { name: "By hand" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "success", "Seeding saved");

  const rows = page.getByRole("region", { name: "Players" }).getByRole("listitem");
  await rows.filter({ hasText: "Team 4" }).getByRole("button", { name: "Up" }).click();
  await expect(rows.nth(2)).toContainText("Team 4");
  if (hasJavaScript()) {
    await expect(rows.nth(2).getByRole("button", { name: "Up" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(rows.nth(1)).toContainText("Team 4");
    // The mouse can only reach visible rows. Hovering scrolls a row into view, with the first row just above.
    const handle = { position: { x: 20, y: 20 } };
    await rows.nth(0).hover(handle);
    await rows.nth(3).hover(handle);
    const to = await rows.nth(0).boundingBox();
    await page.mouse.down();
    await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 20, { steps: 8 });
    await page.mouse.up();
    await expect(rows.nth(0)).toContainText("Team 3");
    await expect(page.getByText("Not saved yet.")).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.getByRole("button", { name: "Save Order" }).click();
  }
  await expectToast(page, "success", "Order saved");
  const order = await rows.allTextContents();

  await visit(page, `/tournaments/${id}/seeding`);
  await expect(rows).toHaveText(order);
  await page.getByRole("link", { name: "Start Tournament" }).click();
  const dialog = page.getByRole("dialog", { name: "Start Tournament" });
  await expect(dialog).toContainText("starts with 4 players");
  await expectAccessibleEverywhere(page);
  await dialog.getByRole("button", { name: "Start Tournament" }).click();
  await expectToast(
    page,
    "success",
    "The tournament has started",
    "The bracket is drawn, and we've told the first teams.",
  );
  await expect(matchesOf(page)).toHaveCount(3);

  // With JavaScript an open page updates itself.
  if (!hasJavaScript()) await guest.reload();
  await expect(matchesOf(guest)).toHaveCount(3);
});

test("A start that is refused because the seeding has changed shows the change, and can then be pressed again", async ({
  page,
  app,
}) => {
  const db = openTestDatabase(app);
  const { id } = await addTournament(db, { teams: 4, userId: await newViewer(page, app), seeding: "random" });
  await visit(page, `/tournaments/${id}/start`);
  const dialog = page.getByRole("dialog", { name: "Start Tournament" });
  await expect(dialog).toContainText("drawn at random");
  await db.update(tournaments).set({ seeding: "rank" }).where(eq(tournaments.id, id));
  await dialog.getByRole("button", { name: "Start Tournament" }).click();
  const description =
    "The tournament has changed since you opened this. Check who plays and how they're seeded, then start it.";
  await expectToast(page, "error", "Error", description);
  await expect(dialog).toContainText("seeded by average rank");
  await dialog.getByRole("button", { name: "Start Tournament" }).click();
  await expect(matchesOf(page)).toHaveCount(3);
});

test("A team dragged past others faster than the page renders still ends up where it is dropped", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Teams are dragged with script.");
  const player = await newViewer(page, app);
  const { id } = await addTournament(openTestDatabase(app), { teams: 5, userId: player });
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, `/tournaments/${id}/seeding`);
  const rows = page.getByRole("region", { name: "Players" }).getByRole("listitem");
  const grip = rows.nth(4).locator("[aria-hidden=true]").first();
  await grip.hover();
  await page.mouse.down();
  // Dispatch all moves in one task, as happens after the page was busy.
  await grip.evaluate((element) => {
    for (const row of [...(element.closest("ol") as HTMLElement).children].reverse().slice(1)) {
      const { top, height } = row.getBoundingClientRect();
      const clientY = top + height / 2;
      element.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerId: 1, clientY }));
    }
  });
  await expect(rows).toContainText([/Team 5/, /Team 1/, /Team 2/, /Team 3/, /Team 4/]);
  // Releasing the mouse outside the list ends the drag, too.
  await page.mouse.move(5, 5);
  await page.mouse.up();
  await rows.nth(3).hover({ position: { x: 15, y: 15 } });
  await expect(rows).toContainText([/Team 5/, /Team 1/, /Team 2/, /Team 3/, /Team 4/]);
});

test("An unsaved order stays while teams register and other organisers save, and leaving it asks first", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without script, each move is saved.");
  const db = openTestDatabase(app);
  const player = await newViewer(page, app);
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  const dates = { registrationDeadline: hours(1), tournamentDate: hours(2) };
  const { id } = await addTournament(db, { teams: 3, userId: player, ...dates });
  const seeding = `/tournaments/${id}/seeding`;
  const rowsOf = (shown: Page) => shown.getByRole("region", { name: "Players" }).getByRole("listitem");
  await visit(page, seeding);
  const rows = rowsOf(page);
  await rows.filter({ hasText: "Team 3" }).getByRole("button", { name: "Up" }).click();
  await expect(rows).toContainText([/Team 1/, /Team 3/, /Team 2/]);

  const entrant = await anotherPage();
  await signInQuietly(entrant, await newPlayer(app, verifiedProfile("Latecomer")));
  await visit(entrant, `/tournaments/${id}/register`);
  await entrant.getByRole("dialog").getByRole("button", { name: "Register" }).click();
  await expect(rows).toContainText([/Team 1/, /Team 3/, /Team 2/, /Latecomer/]);
  await expect(page.getByText("Not saved yet.")).toBeVisible();

  const helper = await anotherPage();
  const helperId = await newViewer(helper, app);
  await db.insert(tournamentOrganisers).values({ tournamentId: id, userId: helperId, addedAt: new Date() });
  await visit(helper, seeding);
  await rowsOf(helper).filter({ hasText: "Team 2" }).getByRole("button", { name: "Up" }).click();
  await helper.getByRole("button", { name: "Save Order" }).click();
  await expectToast(helper, "success", "Order saved");
  await expect(page.getByText("Another organiser has saved an order")).toBeVisible();
  await expect(rows).toContainText([/Team 1/, /Team 3/, /Team 2/, /Latecomer/]);

  await page.getByRole("link", { name: "Rules" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question).toContainText("The order isn't saved yet.");
  await expectAccessibleEverywhere(page);
  await question.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(rows).toContainText([/Team 2/, /Team 1/, /Team 3/, /Latecomer/]);
  await expect(page.getByRole("button", { name: "Save Order" })).toBeFocused();
  await expect(page.getByText("Not saved yet.")).toBeHidden();
});

/** Opens the seeding page of a new tournament with two teams, and swaps them without saving. */
async function newUnsavedOrder(page: Page, app: App, anotherPage: () => Promise<Page>) {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
  const dates = { registrationDeadline: hours(1), tournamentDate: hours(2) };
  const userId = await newViewer(page, app);
  const { id } = await addTournament(openTestDatabase(app), { teams: 2, userId, ...dates });
  await visit(page, `/tournaments/${id}/seeding`);
  const rows = page.getByRole("region", { name: "Players" }).getByRole("listitem");
  await rows.filter({ hasText: "Team 2" }).getByRole("button", { name: "Up" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  /** Lets a team register, and waits until another open page shows it. */
  const register = async () => {
    const onlooker = await anotherPage();
    await visit(onlooker, `/tournaments/${id}/teams`);
    const entrant = await anotherPage();
    await signInQuietly(entrant, await newPlayer(app, verifiedProfile("Latecomer")));
    await visit(entrant, `/tournaments/${id}/register`);
    await entrant.getByRole("dialog").getByRole("button", { name: "Register" }).click();
    await expect(onlooker.getByRole("main")).toContainText("Latecomer");
  };
  return { rows, question, register };
}

test("The question about leaving an unsaved order stays open while a team registers", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without script, each move is saved.");
  const { rows, question, register } = await newUnsavedOrder(page, app, anotherPage);
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(question).toBeVisible();
  await register();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await expect(rows).toContainText([/Team 2/, /Team 1/, /Latecomer/]);
});

test("The question about leaving an unsaved order stays open if the page was already reloading when it opened", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without script, each move is saved.");
  const { rows, question, register } = await newUnsavedOrder(page, app, anotherPage);
  const release = await holdRequests(page, /\/seeding\.data/);
  const reload = page.waitForRequest(/\/seeding\.data/);
  await register();
  await reload;
  await page.getByRole("link", { name: "Rules" }).click();
  await expect(question).toBeVisible();
  release();
  await expect(rows).toContainText([/Team 2/, /Team 1/, /Latecomer/]);
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(/\/rules$/);
});

test("Leaving a page despite unsaved changes loads the next page only once, and opens it at its top", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without script, each move is saved.");
  const { question, register } = await newUnsavedOrder(page, app, anotherPage);
  await page.setViewportSize({ width: 390, height: 400 });
  await page.getByRole("button", { name: "Save Order" }).scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
  await page.getByRole("banner").getByRole("link", { name: "Notifications" }).dispatchEvent("click");
  await expect(question).toBeVisible();
  await register();
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "fetch" && request.url().includes(".data")) loads.push(request.url());
  });
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
  await page.waitForFunction(() => {
    const { navigation, revalidation } = window.__remixRouter.state;
    return navigation.state === "idle" && revalidation === "idle";
  });
  expect(loads).toHaveLength(1);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test("A finished tournament begins with the winner's banners and path, and wide screens give the bracket room", async ({
  page,
  app,
}) => {
  const db = openTestDatabase(app);
  const { id } = await addPlayedTournament(db, { teams: 8, play: 99 });
  await visit(page, `/tournaments/${id}`);
  const moment = page.getByRole("region", { name: "Team 1 won" });
  await expect(moment.locator(".u-banner, .u-you")).toHaveCount(1);
  await expect(moment.getByRole("listitem")).toHaveCount(3);
  await expect(moment.getByRole("listitem").last()).toContainText(/^Final.*\d–\d$/);
  await expectAccessibleEverywhere(page);
  await moment.getByRole("link").last().click();
  await expect(page).toHaveURL(/\/matches\/\d+$/);

  const { id: large } = await addPlayedTournament(db, { teams: 32, play: 4 });
  await page.setViewportSize({ width: 1920, height: 1000 });
  await visit(page, `/tournaments/${large}`);
  await expect(page.getByRole("region", { name: /won$/ })).toHaveCount(0);
  const box = await page.getByRole("region", { name: "Bracket" }).boundingBox();
  expect(box?.width).toBeGreaterThan(1_700);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(1_900);
  await expectNoOverflow(page);
});

test("A page that shows a finished tournament follows it when it is played again", async ({
  page,
  anotherPage,
  app,
}) => {
  const { id } = await startTournament(app, { teams: 2, userId: await newViewer(page, app) });
  const guest = await anotherPage();
  // With JavaScript an open page updates itself.
  const catchUp = async () => {
    if (!hasJavaScript()) await guest.reload();
  };
  await visit(guest, `/tournaments/${id}`);
  await visit(page, `/tournaments/${id}/matches/0`);
  await page.getByRole("link", { name: "Decide" }).click();
  const decision = page.getByRole("dialog", { name: /Decide/ });
  await decision.getByRole("radio", { name: "Team 2 forfeits" }).check();
  await decision.getByRole("button", { name: "Decide" }).click();
  await expectToast(page, "success", "Match decided", "We've told both teams.");
  await catchUp();
  const champion = guest.getByRole("region", { name: "Team 1 won" });
  await expect(champion).toBeVisible();

  await page.getByRole("link", { name: "Reopen Match" }).click();
  await page.getByRole("dialog", { name: "Reopen Match" }).getByRole("button", { name: "Reopen Match" }).click();
  await expectToast(page, "success", "Match reopened", "Its teams will play it again.");
  await catchUp();
  await expect(champion).toHaveCount(0);
  await expect(guest.getByText("Finished", { exact: true })).toHaveCount(0);
});

test("The winners of a team cup have five filled banners, and each of them finds their own in sky blue", async ({
  page,
  app,
}) => {
  const db = openTestDatabase(app);
  const captain = await newViewer(page, app);
  const { id, teams } = await addPlayedTournament(db, { teams: 4, teamSize: 5, captains: [captain], play: 99 });
  const [winner] = teams as [AddedTeam];
  for (const [index, riotGameName] of ["Bea", "Cem", "Dao", "Eli"].entries()) {
    const { id: userId } = await newAccount(app, { riotGameName });
    const joinedAt = new Date(Date.now() + index);
    await db.insert(tournamentPlayers).values({ tournamentId: id, teamId: winner.id, userId, joinedAt });
  }
  await visit(page, `/tournaments/${id}`);
  const moment = page.getByRole("region", { name: `${winner.name} won` });
  await expect(moment.locator(".u-banner")).toHaveText(["B", "C", "D", "E"]);
  await expect(moment.locator(".u-you")).toHaveCount(1);
  await expect(moment.locator(".u-spot, .u-misfit, .u-empty")).toHaveCount(0);
  const filled = moment.locator(".u");
  await expect(filled).toHaveCount(5);
  for (const banner of await filled.all()) {
    await expect(banner).not.toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  }
  await expect(moment.getByRole("listitem")).toHaveCount(2);
});

test("A printed bracket is complete, light, and free of the page's navigation and footer", async ({ page, app }) => {
  const { id } = await addPlayedTournament(openTestDatabase(app), {
    teams: 32,
    format: "double_elimination",
    play: 12,
  });
  await visit(page, `/tournaments/${id}`);
  // The printable area of a landscape Letter sheet.
  await page.setViewportSize({ width: 980, height: 740 });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const region = page.getByRole("region", { name: "Bracket" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("contentinfo")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Show as a list" })).toHaveCount(0);
  const right = await region.getByRole("article").evaluateAll((all) => {
    return Math.max(...all.map((one) => one.getBoundingClientRect().right));
  });
  expect(right).toBeLessThanOrEqual(980);
  const { cut, floor } = await region.evaluate((element) => ({
    cut: element.scrollHeight - element.clientHeight,
    floor: getComputedStyle(document.documentElement).getPropertyValue("--floor"),
  }));
  expect(cut).toBeLessThanOrEqual(1);
  expect(Number(floor.match(/[\d.]+/)?.[0])).toBeGreaterThan(0.9);

  // A4 is printed in landscape, and a bracket of eight fits on the first sheet.
  const { id: small } = await addPlayedTournament(openTestDatabase(app), { teams: 8, play: 4 });
  await visit(page, `/tournaments/${small}`);
  const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/MediaBox \[0 0 [\d.]+ [\d.]+\]/g) ?? [];
  expect(sheets).toHaveLength(1);
  const [width = 0, height = 0] = (sheets[0]?.match(/[\d.]+/g) ?? []).slice(2).map(Number);
  expect(width).toBeGreaterThan(height);
});

test("A group's round stays open for its reader when its last match ends, and the next round opens below it", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const db = openTestDatabase(app);
  const organiser = await anotherPage();
  const userId = await newViewer(organiser, app);
  const { id } = await addPlayedTournament(db, { teams: 4, groupSize: 4, format: "round_robin", play: 1, userId });
  const last = await db
    .select({ id: tournamentMatches.id })
    .from(tournamentMatches)
    .where(
      and(
        eq(tournamentMatches.tournamentId, id),
        eq(tournamentMatches.round, 1),
        ne(tournamentMatches.state, "finished"),
      ),
    )
    .get();
  await visit(page, `/tournaments/${id}`);
  const [first, second] = ["Round 1", "Round 2"].map((name) => page.getByRole("group").filter({ hasText: name }));
  const link = first?.getByRole("link").last() as Locator;
  await link.focus();
  await expect(second?.getByRole("link").first() as Locator).toBeHidden();
  await visit(organiser, `/tournaments/${id}/matches/${last?.id}/decide`);
  await organiser
    .getByRole("radio", { name: /forfeits/ })
    .first()
    .check();
  await organiser.getByRole("dialog").getByRole("button", { name: "Decide" }).click();
  await expect(first?.locator("summary") as Locator).toContainText("Finished");
  await expect(second?.getByRole("link").first() as Locator).toBeVisible();
  await expect(link).toBeFocused();
});
