import type { Page } from "@playwright/test";
import { and, eq, inArray } from "drizzle-orm";
import { tournamentMatches, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { startTournament } from "../support/matches";
import { expectAccessibleEverywhere } from "./axe";
import { expectNoOverflow, expectToast, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

/** Starts a tournament, with accounts for its host and for the captain of its first team. */
async function newTournament(app: App, options: Omit<Parameters<typeof startTournament>[1], "captains" | "userId">) {
  const word = unique();
  const hostEmail = await newPlayer(app, verifiedProfile(`Host ${word}`));
  const captainEmail = await newPlayer(app, verifiedProfile(`Ann ${word}`));
  const rows = await openTestDatabase(app)
    .select()
    .from(users)
    .where(inArray(users.email, [hostEmail, captainEmail]));
  const idOf = (email: string) => rows.find((row) => row.email === email)?.id as string;
  const tournament = await startTournament(app, {
    ...options,
    userId: idOf(hostEmail),
    captains: [idOf(captainEmail)],
    tournamentDate: new Date(Date.now() - 60_000),
    title: `Night Cup ${word}`,
  });
  return { ...tournament, hostEmail, captainEmail, home: `/tournaments/${tournament.id}` };
}

/** Decides a match as its organiser, through the form on the match's page. */
async function decide(page: Page, app: App, match: string, winner: 1 | 2, rounds: readonly [number, number]) {
  const [left1, right1] = winner === 1 ? rounds : [rounds[1], rounds[0]];
  const response = await page.request.post(`${match}/decide`, {
    form: { bestOf: "1", leftSide: "1", decision: "score", left1, right1 },
    headers: { Origin: app.url },
    maxRedirects: 0,
  });
  expect(response.status(), `deciding ${match}`).toBe(303);
  await page.context().clearCookies({ name: "lineup_toast" });
}

const box = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

test("An organiser disqualifies a team, everyone sees it in the bracket, and the organiser undoes it", async ({
  page,
  anotherPage,
  app,
}) => {
  test.slow();
  const { home, teams, hostEmail, captainEmail } = await newTournament(app, { teams: 8, thirdPlace: "yes" });
  const team = `${home}/teams/${teams[0]?.id}`;
  await signInQuietly(page, hostEmail);
  // The team has reached the match for third place when it is disqualified.
  for (const [match, winner] of [
    [0, 1],
    [1, 1],
    [4, 2],
  ] as const) {
    await decide(page, app, `${home}/matches/${match}`, winner, [13, 7]);
  }

  await test.step("the reason is required", async () => {
    await visit(page, team);
    await page.getByRole("link", { name: "Disqualify" }).click();
    const dialog = page.getByRole("dialog", { name: "Disqualify" });
    const reason = dialog.getByRole("textbox", { name: "Reason" });
    await expect(dialog).toContainText("Team 1 forfeits its current match and every later one");
    await expectAccessibleEverywhere(page);
    // The browser's own check lets spaces pass.
    await reason.fill("  ");
    await dialog.getByRole("button", { name: "Disqualify" }).click();
    await expect(reason).toHaveAttribute("aria-invalid", "true");
    await expect(reason).toHaveAccessibleDescription(/Say why\. The team and the organisers will see it\./);
    await expect(reason).toBeFocused();
    await expectAccessibleEverywhere(page);
    await reason.fill("Played with six.");
    await dialog.getByRole("button", { name: "Disqualify" }).click();
    const told = "We've told them why. Their open matches are forfeited.";
    await expectToast(page, "success", "Team disqualified", told);
    await expect(page.getByText("This team is disqualified.")).toBeVisible();
    await expect(page.getByText("Played with six.")).toBeVisible();
  });

  await test.step("the bracket marks the team in each of its matches", async () => {
    const guest = await anotherPage();
    await visit(guest, home);
    for (const match of ["Quarter-final 1", "Semi-final 1", "Third-place match"]) {
      await expect(box(guest, match).getByRole("listitem").filter({ hasText: "Team 1" })).toContainText(
        "DQ, disqualified",
      );
    }
    await expect(box(guest, "Final")).not.toContainText("disqualified");
    await expectAccessibleEverywhere(guest);
    for (const width of [390, 1280]) {
      await guest.setViewportSize({ width, height: 800 });
      await expectNoOverflow(guest);
    }
  });

  await test.step("its captain is notified, and reads why", async () => {
    const captain = await anotherPage();
    await signInQuietly(captain, captainEmail);
    await visit(captain, home);
    const panel = captain.getByRole("region", { name: "Your spot" });
    await expect(panel).toContainText("You're disqualified.");
    await expect(panel.getByRole("link", { name: "Go to Your Match" })).toHaveCount(0);
    await panel.getByRole("link", { name: "Read why" }).click();
    await expect(captain.getByText("Played with six.")).toBeVisible();
    await expect(captain.getByRole("link", { name: /Disqualif/ })).toHaveCount(0);
    await expectAccessibleEverywhere(captain);
    await visit(captain, `${home}/matches/0`);
    await expect(captain.getByRole("region", { name: "Team 1", exact: true })).toContainText("Disqualified");
  });

  await test.step("the organiser undoes the disqualification", async () => {
    await visit(page, team);
    await page.getByRole("link", { name: "Undo Disqualification" }).click();
    const dialog = page.getByRole("dialog", { name: "Undo Disqualification" });
    await expect(dialog).toContainText("Played with six.");
    await expectAccessibleEverywhere(page);
    await dialog.getByRole("button", { name: "Undo" }).click();
    await expectToast(
      page,
      "success",
      "The team is back in",
      "We've told them. They'll play the matches they had forfeited.",
    );
    await visit(page, home);
    await expect(page.getByRole("region", { name: "Bracket" })).not.toContainText("disqualified");
  });
});

test("A match for third place is shown by name, and its result decides third and fourth place", async ({
  page,
  app,
}) => {
  const { home, hostEmail } = await newTournament(app, { teams: 4, thirdPlace: "yes" });
  await signInQuietly(page, hostEmail);
  for (const match of [0, 1, 2, 3]) await decide(page, app, `${home}/matches/${match}`, 1, [13, 9]);
  await page.setViewportSize({ width: 1280, height: 900 });
  await visit(page, home);
  const third = box(page, "Third-place match");
  await expect(third).toContainText("Team 4");
  await expect(third).toContainText("Team 3");
  // The match's name and its state share one line, separated by a dot.
  const words = await third.locator(".match-word").evaluate((word) => getComputedStyle(word, "::before").content);
  expect(words).toContain("·");
  await expect(page.getByRole("region", { name: "Final standings" }).getByRole("listitem")).toHaveText([
    /^1stTeam 1/,
    /^2ndTeam 2/,
    /^3rdTeam [34]/,
    /^4thTeam [34]/,
  ]);
  await expectAccessibleEverywhere(page);
});

test("A group names the step that separated level teams, and the tie-break that is still to be played", async ({
  page,
  app,
}) => {
  const { id, home, teams, hostEmail } = await newTournament(app, { teams: 4, format: "round_robin", groupSize: 4 });
  await signInQuietly(page, hostEmail);
  const db = openTestDatabase(app);
  const matches = () => db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
  /** Decides all matches that are ready: the first team wins if `beats(one, two)` is true. */
  const playAll = async (beats: (one: number, two: number) => boolean) => {
    const place = (team: string | null) => teams.findIndex((one) => one.id === team) + 1;
    const open = await db
      .select()
      .from(tournamentMatches)
      .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.state, "ready")));
    for (const { id: match, team1, team2 } of open) {
      await decide(page, app, `${home}/matches/${match}`, beats(place(team1), place(team2)) ? 1 : 2, [13, 7]);
    }
  };
  // One beats two, two beats three, three beats one, and all three beat the fourth.
  const cycle = (one: number, two: number) => two === 4 || (one !== 4 && (two - one + 3) % 3 === 1);
  await playAll(cycle);
  await visit(page, home);
  const group = page.getByRole("region", { name: "Group A" });
  await expect(group).toContainText("Team 1 ahead of Team 2 by the draw, until the tie-break is played");
  await expect(group.getByRole("group").filter({ hasText: "Tie-break, round 1" })).toContainText(
    "1 of 1 match to play",
  );
  await expectAccessibleEverywhere(page);
  await group
    .getByRole("link", { name: /against/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1, name: /^Group A, tie-break, round 1/ })).toBeVisible();

  await playAll((one, two) => one > two);
  expect((await matches()).every(({ state }) => state === "finished")).toBe(true);
  await visit(page, home);
  await expect(group).toContainText("Team 3 ahead of Team 2 by a tie-break match");
  await expect(page.getByText("Team 3 won", { exact: true })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test("A disqualified team is marked in its group's table, and comes last", async ({ page, app }) => {
  const { home, teams, execute, hostId } = await newTournament(app, { teams: 6, format: "round_robin", groupSize: 3 });
  await execute({ type: "disqualify", team: teams[0]?.id as string, reason: "No show." }, hostId);
  await visit(page, home);
  const table = page.getByRole("table", { name: "Group A" });
  await expect(table.getByRole("row").last().getByRole("rowheader")).toHaveAccessibleName(/^Team 1,? ?, disqualified$/);
  await expect(table.getByText("DQ", { exact: true })).toHaveCount(1);
  if (hasJavaScript()) await expect(table.getByTitle("Disqualified")).toBeVisible();
  await expectAccessibleEverywhere(page);
});
