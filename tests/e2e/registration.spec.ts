import { eq } from "drizzle-orm";
import { HOUR } from "../../app/platform/dates/durations";
import { tournaments, tournamentTeams } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { addTournament } from "../support/tournaments";
import { expectAccessibleEverywhere } from "./axe";
import { expectNoOverflow, expectToast, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

test("A captain registers a team, a player joins by its link, and the captain withdraws", async ({
  page,
  anotherPage,
  app,
}) => {
  // The test uses two browsers, and axe checks several screens.
  test.slow();
  const word = unique();
  const { id } = await addTournament(openTestDatabase(app), {
    teams: 0,
    state: "open",
    title: `Night Cup ${word}`,
    teamSize: 2,
    maxParticipants: 8,
    minRank: "Gold 1",
    registrationDeadline: new Date(Date.now() + 24 * HOUR),
    tournamentDate: new Date(Date.now() + 48 * HOUR),
  });
  const team = `Quiet ${word}`;
  await signInQuietly(page, await newPlayer(app, verifiedProfile(`Ann ${word}`)));

  await test.step("the captain registers", async () => {
    await visit(page, `/tournaments/${id}`);
    await page.getByRole("link", { name: "Register", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Register" });
    await expect(dialog).toBeVisible();
    await waitForHydration(page);
    await expect(page.getByText("Bracket appears at the start")).toBeAttached();
    await expectAccessibleEverywhere(page);
    await dialog.getByRole("textbox", { name: "Team Name" }).fill(team);
    await dialog.getByRole("button", { name: "Register" }).click();
    await expect(page.getByRole("heading", { level: 1, name: team })).toBeVisible();
    await expectToast(
      page,
      "success",
      "You're registered!",
      "Now bring your players, by link, or by inviting those you know.",
    );
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(page);
    }
  });

  const other = await anotherPage();
  await test.step("a player joins by the link", async () => {
    const link = await page.getByRole("textbox", { name: "Invite link" }).inputValue();
    const copy = page.getByRole("button", { name: "Copy" });
    await expect(copy).toHaveCount(hasJavaScript() ? 1 : 0);
    if (hasJavaScript()) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await copy.click();
      await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
      await page.evaluate(() => {
        const value = async (shared: ShareData) => Object.assign(window, { shared });
        Object.defineProperty(navigator, "share", { configurable: true, value });
      });
      await page.getByRole("button", { name: "Share Invite" }).click();
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { shared?: ShareData }).shared))
        .toMatchObject({ url: link, text: expect.stringContaining(`Play with ${team} in `) });
    }
    await signInQuietly(other, await newPlayer(app, verifiedProfile(`Ben ${word}`)));
    await visit(other, new URL(link).pathname);
    await expect(other.getByRole("heading", { level: 1, name: team })).toBeVisible();
    await expectAccessibleEverywhere(other);
    await other.getByRole("button", { name: "Join Team" }).click();
    await expectToast(other, "success", `You're in ${team}`);
    await expect(other.getByRole("region", { name: "Players" }).getByRole("listitem")).toHaveCount(2);
    // The captain's open page shows the player, too.
    if (!hasJavaScript()) await page.reload();
    await expect(page.getByRole("region", { name: "Players" }).getByRole("listitem")).toHaveCount(2);
  });

  await test.step("the list of teams names both, and the captain withdraws", async () => {
    await visit(page, `/tournaments/${id}/teams`);
    const teams = page.getByRole("region", { name: "Teams" });
    await expect(teams.getByRole("listitem")).toContainText(`Ann ${word} and 1 other`);
    await teams.getByText(`Ann ${word} and 1 other`).click();
    await expect(teams.getByText(`Ann ${word}, Ben ${word}`)).toBeVisible();
    await expectAccessibleEverywhere(page);
    const teamPage = await teams.getByRole("link", { name: team }).getAttribute("href");
    await visit(other, teamPage as string);
    await page.getByRole("region", { name: "Your team" }).getByRole("link", { name: "Withdraw" }).click();
    const dialog = page.getByRole("dialog", { name: "Withdraw" });
    await expect(dialog).toContainText(`${team} gives up its spot. We'll tell its players.`);
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await expectToast(page, "success", `${team} withdrew`, "The waiting list moves up by itself.");
    await expect(page.getByRole("link", { name: "Register", exact: true })).toBeVisible();
    // Without JavaScript, the page stays until the teammate loads another.
    if (!hasJavaScript()) return;
    await expectToast(other, "error", "Error", "This team is no longer in the tournament.");
    await expect(other).toHaveURL(`/tournaments/${id}/teams`);
  });
});

test("A player with too low a rank is told the required rank and their own, and an unverified player is told where to verify", async ({
  page,
  app,
}) => {
  const { id } = await addTournament(openTestDatabase(app), {
    teams: 0,
    state: "open",
    minRank: "Immortal 1",
    registrationDeadline: new Date(Date.now() + 24 * HOUR),
    tournamentDate: new Date(Date.now() + 48 * HOUR),
  });
  await signInQuietly(page, await newPlayer(app, verifiedProfile(`Low ${unique()}`)));
  await visit(page, `/tournaments/${id}/register`);
  await expect(page.getByText("This tournament is for Immortal 1 and up. You're Gold 2.")).toBeVisible();
  await page.context().clearCookies();
  await signInQuietly(page, await newPlayer(app));
  await visit(page, `/tournaments/${id}/register`);
  await expect(page.getByRole("link", { name: "Verify your Riot account" })).toBeVisible();
});

test("A team that gets a spot keeps it even if the captain's open dialog says it leaves the waiting list", async ({
  page,
  app,
}) => {
  const db = openTestDatabase(app);
  const { id } = await addTournament(db, {
    teams: 2,
    state: "open",
    maxParticipants: 2,
    registrationDeadline: new Date(Date.now() + 24 * HOUR),
    tournamentDate: new Date(Date.now() + 48 * HOUR),
  });
  const name = `Ann ${unique()}`;
  await signInQuietly(page, await newPlayer(app, verifiedProfile(name)));
  await visit(page, `/tournaments/${id}/register`);
  await page.getByRole("dialog", { name: "Register" }).getByRole("button", { name: "Register" }).click();
  await expectToast(page, "success", "You're on the waiting list", "We'll let you know when a spot opens up.");
  await visit(page, `/tournaments/${id}/withdraw`);
  const dialog = page.getByRole("dialog", { name: "Withdraw" });
  await expect(dialog).toContainText(`${name} leaves the waiting list.`);
  await db.update(tournamentTeams).set({ state: "entered" }).where(eq(tournamentTeams.tournamentId, id));
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expectToast(page, "error", "Error", `${name} has a spot now. To give it up, withdraw again.`);
  await expect(dialog).toContainText(`${name} gives up its spot.`);
  // Check-in opens while the dialog stays open.
  await db
    .update(tournaments)
    .set({ checkInMinutes: 60, registrationDeadline: new Date(), tournamentDate: new Date(Date.now() + HOUR / 2) })
    .where(eq(tournaments.id, id));
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expectToast(page, "error", "Error", "It's too late to withdraw on your own. Ask the organisers.");
  await expect(dialog).toContainText("It's too late to withdraw on your own. Ask the organisers.");
  await expect(dialog.getByRole("button", { name: "Withdraw" })).toHaveCount(0);
});
