import type { Locator, Page } from "@playwright/test";
import { and, eq, inArray } from "drizzle-orm";
import { tournamentMatches, tournamentOrganisers, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { reopening, startTournament } from "../support/matches";
import { expectAccessibleEverywhere } from "./axe";
import { composer } from "./conversations";
import { holdRoom } from "./sockets";
import {
  expectNoOverflow,
  expectToast,
  holdRequests,
  newPlayer,
  signInNewPlayer,
  signInQuietly,
  unique,
} from "./steps";

/** Starts a tournament of four teams. Semi-final 1 is the first team against the last. */
async function newMatch(app: App) {
  const word = unique();
  const emails: string[] = [];
  for (const name of ["Host", "Ann", "Bea", "Cid", "Dan"]) {
    emails.push(
      await newPlayer(app, { riotGameName: `${name} ${word}`, currentRank: "Gold 2", preferredRole: "Sentinel" }),
    );
  }
  const rows = await openTestDatabase(app).select().from(users).where(inArray(users.email, emails));
  const [host, ...captains] = emails.map((email) => rows.find((row) => row.email === email)?.id as string);
  const tournament = await startTournament(app, {
    teams: 4,
    teamSize: 5,
    bestOf: 3,
    finalBestOf: 5,
    captains,
    userId: host,
    tournamentDate: new Date(Date.now() - 60_000),
    title: `Night Cup ${word}`,
  });
  const [hostEmail, ann, , , dan] = emails as [string, string, string, string, string];
  return { here: `/tournaments/${tournament.id}/matches/0`, tournament, hostEmail, ann, dan, word };
}

test("Two captains check in, play, and agree on the score", async ({ page, anotherPage, app }) => {
  test.slow();
  const { here, ann, dan, word } = await newMatch(app);
  const other = await anotherPage();
  await signInQuietly(page, ann);
  await signInQuietly(other, dan);

  await test.step("both check in", async () => {
    await visit(page, here);
    await expect(page.getByRole("heading", { level: 1, name: "Semi-final 1" })).toBeVisible();
    await expectAccessibleEverywhere(page);
    await expectNoOverflow(page);
    // The teams and the score are in one row.
    await page.setViewportSize({ width: 1280, height: 900 });
    const [left, score, right] = await Promise.all(
      ["Team 1", "Score", "Team 4"].map((name) => page.getByRole("region", { name, exact: true }).boundingBox()),
    );
    expect([left?.y, score?.y]).toEqual([right?.y, right?.y]);
    await page.getByRole("button", { name: "Check In" }).click();
    await expectToast(page, "success", "Your team has checked in");
    await expect(page.getByText("Team 1 has checked in")).toBeVisible();
    await visit(other, here);
    await other.getByRole("button", { name: "Check In" }).click();
    await expect(other.getByText("Both teams are here. Play!")).toBeVisible();
    await expectAccessibleEverywhere(other);
  });

  await test.step("they write to each other", async () => {
    const chat = page.getByRole("region", { name: "Match chat" });
    await chat.getByRole("textbox", { name: "Message" }).fill("Lobby is up.");
    await chat.getByRole("button", { name: "Send", exact: true }).click();
    await expect(chat.getByText("Lobby is up.")).toBeVisible();
    const theirs = other.getByRole("region", { name: "Match chat" });
    if (!hasJavaScript()) await theirs.getByRole("link", { name: "Check for new messages" }).click();
    await expect(theirs.getByText("Lobby is up.")).toBeVisible();
    await expect(theirs.getByText(`Ann ${word}, Team 1`)).toBeVisible();
  });

  await test.step("an impossible score is refused at its row, and the form keeps its values", async () => {
    await visit(other, here);
    const score = other.getByRole("region", { name: "Report Score" });
    await score.getByRole("combobox", { name: "Map 1" }).selectOption("Haven");
    await score.getByRole("spinbutton", { name: "You, map 1" }).fill("13");
    await score.getByRole("spinbutton", { name: "Them, map 1" }).fill("9");
    await score.getByRole("spinbutton", { name: "You, map 2" }).fill("14");
    await score.getByRole("spinbutton", { name: "Them, map 2" }).fill("11");
    await score.getByRole("button", { name: "Report Score" }).click();
    const wrong = score.getByRole("spinbutton", { name: "You, map 2" });
    await expect(wrong).toHaveAccessibleDescription(
      "The first side to 13 rounds wins a map. After 12–12, it takes a two-round lead.",
    );
    await expect(wrong).toBeFocused();
    await expect(wrong).toHaveValue("14");
    await expect(score.getByRole("combobox", { name: "Map 1" })).toHaveValue("Haven");
    await expectAccessibleEverywhere(other);
    await wrong.fill("13");
    if (hasJavaScript()) {
      await expect(score.getByText("You won")).toHaveCount(2);
      await score.getByRole("spinbutton", { name: "Them, map 2" }).fill("15");
      const lost = score.getByRole("group", { name: "Map 2" });
      await expect(lost.getByText("They won")).toBeVisible();
      await expect(lost.locator("svg")).toHaveCount(0);
      await score.getByRole("spinbutton", { name: "Them, map 2" }).fill("11");
      await expect(lost.locator("svg")).toHaveCount(1);
    }
    await score.getByRole("button", { name: "Report Score" }).click();
    await expectToast(other, "success", "Score reported", "The other captain confirms it, or it counts by itself.");
    await expect(other.getByText("Team 1 has to confirm")).toBeVisible();
    await expect(other.getByText("You reported this")).toBeVisible();
    await expect(score.getByRole("button", { name: "Update Report" })).toBeVisible();
    await expectAccessibleEverywhere(other);
    await expectNoOverflow(other);
  });

  await test.step("the other confirms, and the match is over", async () => {
    await visit(page, here);
    await expect(page.getByText("Is this how it ended?")).toBeVisible();
    await expect(page.getByText("15 min")).toBeVisible();
    await page.getByRole("button", { name: "Confirm" }).click();
    await expectToast(page, "success", "Score confirmed", "The match is decided. We've told both teams.");
    await expect(page.getByText("Team 4 won", { exact: true })).toBeVisible();
    await expect(page.getByRole("region", { name: "What happened" })).toContainText("confirmed: Team 4 won 2 to 0");
    await expectAccessibleEverywhere(page);
  });
});

test("The organiser decides a disputed match, then reopens it", async ({ page, anotherPage, app }) => {
  test.slow();
  const { here, hostEmail, ann } = await newMatch(app);
  await signInQuietly(page, ann);
  await visit(page, here);

  await test.step("the captain describes the dispute", async () => {
    await page.getByRole("link", { name: "Dispute this match" }).click();
    const dialog = page.getByRole("dialog", { name: "Dispute" });
    await expect(dialog).toBeVisible();
    await expectAccessibleEverywhere(page);
    await dialog.getByRole("textbox", { name: "Evidence" }).fill("They never came. https://example.com/shot.png");
    await dialog.getByRole("button", { name: "Send Dispute" }).click();
    await expectToast(page, "success", "Dispute sent", "The organisers will decide. We'll let you know.");
    await expect(page.getByText("Team 1 disputes this match")).toBeVisible();
    await expect(page.getByRole("link", { name: "https://example.com/shot.png" })).toBeVisible();
    await expectAccessibleEverywhere(page);
  });

  const organiser = await anotherPage();
  await signInQuietly(organiser, hostEmail);
  await test.step("the organiser could report the evidence", async () => {
    await visit(organiser, here);
    await organiser.getByRole("region", { name: "What happens now" }).getByRole("link", { name: "Report" }).click();
    await expect(organiser.getByRole("dialog", { name: "Report" })).toContainText("They never came.");
    await expectAccessibleEverywhere(organiser);
  });

  await test.step("the organiser rules against one team", async () => {
    await visit(organiser, "/dashboard/notifications");
    await organiser.getByRole("link", { name: "Semi-final 1 is disputed: you decide" }).click();
    await expect(organiser.getByRole("heading", { level: 1, name: "Semi-final 1" })).toBeVisible();
    await organiser.getByRole("button", { name: "Join Match Chat" }).click();
    await expect(organiser.getByRole("region", { name: "Match chat" })).toBeVisible();
    await organiser.getByRole("link", { name: "Decide" }).click();
    const dialog = organiser.getByRole("dialog", { name: "Decide" });
    await expect(dialog).toBeVisible();
    await expectAccessibleEverywhere(organiser);
    await dialog.getByRole("radio", { name: "Team 4 forfeits" }).check();
    await dialog.getByRole("button", { name: "Decide" }).click();
    await expectToast(organiser, "success", "Match decided", "We've told both teams.");
    await expect(organiser.getByText("Team 1 won: Team 4 forfeited")).toBeVisible();
  });

  await test.step("the organiser reopens the match", async () => {
    await organiser.getByRole("link", { name: "Reopen Match" }).click();
    const dialog = organiser.getByRole("dialog", { name: "Reopen Match" });
    await expect(dialog).toContainText("No later match depends on it.");
    await expectAccessibleEverywhere(organiser);
    await dialog.getByRole("button", { name: "Reopen Match" }).click();
    await expectToast(organiser, "success", "Match reopened", "Its teams will play it again.");
    await expect(organiser.getByText("Teams are checking in")).toBeVisible();
  });

  await test.step("a captain forfeits, after confirming it", async () => {
    await visit(page, here);
    await page.getByRole("link", { name: "Forfeit" }).click();
    const dialog = page.getByRole("dialog", { name: "Forfeit" });
    await expect(dialog).toContainText("Team 4 wins semi-final 1, whatever was played.");
    await expectAccessibleEverywhere(page);
    const entries = await page.evaluate(() => history.length);
    await dialog.getByRole("button", { name: "Forfeit" }).click();
    await expectToast(page, "success", "Match forfeited");
    await expect(page.getByText("Team 4 won: Team 1 forfeited")).toBeVisible();
    // The match took the dialog's place in the browser's history. Without JavaScript a form can't do that.
    if (hasJavaScript()) expect(await page.evaluate(() => history.length)).toBe(entries);
  });
});

test("A captain whose opponent doesn't come claims the win, and open pages of the match and its chat show it", async ({
  page,
  anotherPage,
  app,
}) => {
  const { here, ann, dan, tournament } = await newMatch(app);
  const [first] = tournament.teams;
  await tournament.execute({ type: "check-in", match: 0 }, first?.captainId ?? null);
  // The other team has missed its deadline.
  await openTestDatabase(app)
    .update(tournamentMatches)
    .set({ deadlineAt: new Date(Date.now() - 60_000) })
    .where(eq(tournamentMatches.tournamentId, tournament.id));
  await signInQuietly(page, ann);
  const guest = await anotherPage();
  await visit(guest, here);
  await expect(guest.getByText("Check-in is overdue")).toBeVisible();
  const opponent = await anotherPage();
  await signInQuietly(opponent, dan);
  const chat = await openTestDatabase(app)
    .select({ id: tournamentMatches.conversationId })
    .from(tournamentMatches)
    .where(and(eq(tournamentMatches.tournamentId, tournament.id), eq(tournamentMatches.id, 0)))
    .get();
  await visit(opponent, `/dashboard/messages/${chat?.id}`);
  await expect(opponent.getByRole("link", { name: "Match", exact: true })).toBeVisible();
  await visit(page, here);
  await expect(page.getByText("Team 4 didn't check in in time")).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: "Claim Win" }).click();
  await expectToast(page, "success", "The win is yours", "The match is decided. We've told both teams.");
  await expect(page.getByText("Team 1 won: Team 4 forfeited")).toBeVisible();
  // With JavaScript an open page updates itself.
  if (!hasJavaScript()) for (const open of [guest, opponent]) await open.reload();
  await expect(guest.getByText("Team 1 won: Team 4 forfeited")).toBeVisible();
  await expect(opponent.getByText("claimed the win because the other team wasn't there")).toBeVisible();
});

/** The fields of a report by the second team's captain, who has won both maps. */
const REPORT = {
  intent: "report",
  leftSide: "2",
  bestOf: "3",
  left1: "13",
  right1: "5",
  left2: "13",
  right2: "9",
};

/** Opens a match in which both teams have checked in, and reports its score when asked to. */
async function newReport(page: Page, other: Page, app: App) {
  const { here, hostEmail, ann, dan, tournament } = await newMatch(app);
  const [first, , , last] = tournament.teams;
  for (const team of [first, last]) await tournament.execute({ type: "check-in", match: 0 }, team?.captainId ?? null);
  await signInQuietly(page, ann);
  await signInQuietly(other, dan);
  await visit(other, here);
  /** Reports the score, and waits until an open page shows it. */
  const report = async (score = {}) => {
    const form = { ...REPORT, ...score };
    const answer = await other.request.post(here, { form, headers: { Origin: app.url }, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
    if (!hasJavaScript()) await other.reload();
    await expect(other.getByText("Team 1 has to confirm")).toBeVisible();
  };
  return { here, report, hostEmail };
}

test("A captain who confirms a report that changes at that moment can read why it was refused", async ({
  page,
  anotherPage,
  app,
}) => {
  const { here, report } = await newReport(page, await anotherPage(), app);
  await report();
  await visit(page, here);
  await expect(page.getByText("Is this how it ended?")).toBeVisible();
  const release = await holdRequests(page, /\/matches\/0/);
  await page.getByRole("button", { name: "Confirm" }).click({ noWaitAfter: true });
  await report({ right1: "6" });
  release();
  const expectReason = () =>
    expectToast(page, "error", "Error", "A captain has sent a new report. Check it, then try again.");
  await expectReason();
  if (!hasJavaScript()) return;
  // The page shows the current report and follows its changes, but leaves the reason where it is.
  const score = page.getByRole("region", { name: "Score", exact: true });
  await expect(score).toContainText("6");
  for (const right1 of ["7", "8"]) {
    await report({ right1 });
    await expect(score).toContainText(right1);
  }
  await expectReason();
});

/** Opens a match as a captain whose report without a result is refused. @returns the form's section */
async function openRefusedReport(page: Page, here: string, email: string): Promise<Locator> {
  await signInQuietly(page, email);
  await visit(page, here);
  const score = page.getByRole("region", { name: "Report Score" });
  await score.getByRole("button", { name: "Report Score" }).click();
  await expect(score.getByRole("alert")).toContainText("nobody has won yet");
  return score;
}

test("A captain's refused report keeps its errors while the other team checks in", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const { here, ann, dan } = await newMatch(app);
  const score = await openRefusedReport(page, here, ann);
  const other = await anotherPage();
  await signInQuietly(other, dan);
  await visit(other, here);
  await other.getByRole("button", { name: "Check In" }).click();
  await expect(page.getByText("Team 4 has checked in")).toBeVisible();
  await expect(score.getByRole("alert")).toContainText("nobody has won yet");
});

test("A refused report is forgotten once its match is decided, and doesn't come back if the match is reopened", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const { here, tournament, ann, hostEmail } = await newMatch(app);
  const score = await openRefusedReport(page, here, ann);
  const organiser = await anotherPage();
  await signInQuietly(organiser, hostEmail);
  const rule = async (dialog: string, form: Record<string, string>) => {
    const headers = { Origin: app.url };
    const answer = await organiser.request.post(`${here}/${dialog}`, { form, headers, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
  };
  await rule("decide", { decision: "forfeit-2", leftSide: "1", bestOf: "3" });
  await expect(page.getByText("Team 1 won: Team 4 forfeited")).toBeVisible();
  await expect(score).toHaveCount(0);
  const { expects } = await reopening(openTestDatabase(app), tournament.id, 0);
  await rule("reopen", { expects });
  await expect(score).toBeVisible();
  await expect(score.getByRole("alert")).toHaveCount(0);
  await expect(page.locator(".toast-card")).toHaveCount(0);
});

test("A score typed for a game that is undone meanwhile isn't left in the form for its replay", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const { here, tournament, ann, hostEmail } = await newMatch(app);
  await signInQuietly(page, ann);
  await visit(page, here);
  const rounds = page.getByRole("region", { name: "Report Score" }).getByRole("spinbutton", { name: "You, map 1" });
  await rounds.fill("13");
  // The page doesn't reload below an open dialog.
  await page.getByRole("link", { name: "Dispute this match" }).click();
  await expect(page.getByRole("dialog", { name: "Dispute" })).toBeVisible();
  const organiser = await anotherPage();
  await signInQuietly(organiser, hostEmail);
  const rule = async (dialog: string, form: Record<string, string>) => {
    const headers = { Origin: app.url };
    const answer = await organiser.request.post(`${here}/${dialog}`, { form, headers, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
  };
  await rule("decide", { decision: "forfeit-2", leftSide: "1", bestOf: "3" });
  const { expects } = await reopening(openTestDatabase(app), tournament.id, 0);
  await rule("reopen", { expects });
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("reopened the match").first()).toBeVisible();
  await expect(rounds).toHaveValue("");
});

test("A page that reloads by itself stays as it is while the server fails, and reloads until it succeeds", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const { here, ann, dan } = await newMatch(app);
  await signInQuietly(page, ann);
  await visit(page, here);
  const score = page.getByRole("region", { name: "Report Score" });
  const rounds = score.getByRole("spinbutton", { name: "You, map 1" });
  await rounds.fill("13");
  const failures = [
    { status: 503, contentType: "text/plain", body: "Service Unavailable" },
    // A proxy between the browser and the site answers with a page of its own.
    { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" },
  ];
  await page.route(/\/matches\/0\.data/, (route) => {
    const failure = failures.shift();
    return failure ? route.fulfill(failure) : route.continue();
  });
  const other = await anotherPage();
  await signInQuietly(other, dan);
  await visit(other, here);
  await other.getByRole("button", { name: "Check In" }).click();
  await expect(page.getByText("Team 4 has checked in")).toBeVisible({ timeout: 15_000 });
  expect(failures).toEqual([]);
  await expect(rounds).toHaveValue("13");
});

test("A dialog keeps its text while a score is reported, and the page below shows the score once it is closed", async ({
  page,
  anotherPage,
  app,
}) => {
  const { here, report } = await newReport(page, await anotherPage(), app);
  await visit(page, here);
  await expect(page.getByText("Both teams are here. Play!")).toBeVisible();
  await page.getByRole("link", { name: "Dispute this match" }).click();
  const dialog = page.getByRole("dialog", { name: "Dispute" });
  await dialog.getByRole("textbox", { name: "Evidence" }).fill("They never");
  await report();
  await expect(dialog.getByRole("textbox", { name: "Evidence" })).toHaveValue("They never");
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("Is this how it ended?")).toBeVisible();
});

test("A dispute and a decision that come too late are refused in their dialogs, which show why and can send them again", async ({
  page,
  anotherPage,
  app,
}) => {
  test.slow();
  const { here, report, hostEmail } = await newReport(page, await anotherPage(), app);
  await report();
  const organiser = await anotherPage();
  await signInQuietly(organiser, hostEmail);
  await visit(page, `${here}/dispute`);
  await visit(organiser, `${here}/decide`);
  const dispute = page.getByRole("dialog", { name: "Dispute" });
  await dispute.getByRole("textbox", { name: "Evidence" }).fill("We won a map.");
  const decision = organiser.getByRole("dialog", { name: "Decide" });
  const rounds = decision.getByRole("spinbutton", { name: "Team 1, map 1" });
  await expect(rounds).toHaveValue("5");
  await report({ right1: "6" });

  const changed = "A captain has sent a new report. Check it, then try again.";
  const reported = "Team 4 reported: Team 4 won 2 to 0 (13 to 6, 13 to 9).";
  await expect(dispute).toContainText("(13 to 5, 13 to 9).");
  await dispute.getByRole("button", { name: "Send Dispute" }).click();
  await expect(dispute).toContainText(changed);
  await expect(dispute).toContainText(reported);
  await expect(dispute.getByRole("textbox", { name: "Evidence" })).toHaveValue("We won a map.");
  await decision.getByRole("button", { name: "Decide" }).click();
  await expect(decision).toContainText(changed);
  await expect(decision).toContainText(`${reported} This score is filled in below.`);
  await expect(rounds).toHaveValue("6");
  await expectAccessibleEverywhere(organiser);

  await decision.getByRole("combobox", { name: "Map 1" }).selectOption("Haven");
  await rounds.fill("4");
  await dispute.getByRole("button", { name: "Send Dispute" }).click();
  await expectToast(page, "success", "Dispute sent", "The organisers will decide. We'll let you know.");
  await decision.getByRole("button", { name: "Decide" }).click();
  await expect(decision).toContainText("A captain has disputed this match. Read why, then decide.");
  await expect(decision.getByRole("link", { name: "See the dispute" })).toHaveAttribute("target", "_blank");
  await expect(rounds).toHaveValue("4");
  await expect(decision.getByRole("combobox", { name: "Map 1" })).toHaveValue("Haven");
  await expect(decision).not.toContainText("filled in below");
  await decision.getByRole("button", { name: "Decide" }).click();
  await expectToast(organiser, "success", "Match decided", "We've told both teams.");
  await expect(organiser.getByText("Team 4 won", { exact: true })).toBeVisible();
});

test("A dispute that comes after the match is decided is refused in its dialog, which keeps what was written", async ({
  page,
  anotherPage,
  app,
}) => {
  const { here, ann, dan } = await newMatch(app);
  await signInQuietly(page, ann);
  await visit(page, here);
  await page.getByRole("link", { name: "Dispute this match" }).click();
  const dialog = page.getByRole("dialog", { name: "Dispute" });
  await dialog.getByRole("textbox", { name: "Evidence" }).fill("They never came.");
  const other = await anotherPage();
  await signInQuietly(other, dan);
  await visit(other, `${here}/forfeit`);
  await other.getByRole("dialog").getByRole("button", { name: "Forfeit" }).click();
  await expectToast(other, "success", "Match forfeited");
  const reloads: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && request.url().includes("/dispute.data")) reloads.push(request.url());
  });
  await dialog.getByRole("button", { name: "Send Dispute" }).click();
  await expect(dialog).toContainText("This match is already decided, so nothing was changed.");
  await expect(dialog.getByRole("textbox", { name: "Evidence" })).toHaveValue("They never came.");
  // Reloading the dialog's data would navigate away from the dialog.
  expect(reloads).toEqual([]);
});

test("A score that was reported before the page's socket opened shows once it is open", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript a page has no socket.");
  const { here, report } = await newReport(page, await anotherPage(), app);
  const { open } = await holdRoom(page, /\/parties\/(tournament|conversation)\//);
  await visit(page, here);
  await expect(page.getByText("Both teams are here. Play!")).toBeVisible();
  await report();
  open();
  await expect(page.getByText("Is this how it ended?")).toBeVisible();
});

test("The time left to confirm a report follows the site's clock, not the reader's", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript the time left doesn't change.");
  const { here, report } = await newReport(page, await anotherPage(), app);
  await report();
  for (const wrong of [-10, 10]) {
    await page.clock.install({ time: Date.now() + wrong * 60_000 });
    await visit(page, here);
    await expect(page.getByText("15 min", { exact: true })).toBeVisible();
    await page.clock.fastForward(60_000);
    await expect(page.getByText("14 min", { exact: true })).toBeVisible();
  }
});

test("Text being typed in a match's chat can still be copied when the host removes the organiser", async ({
  page,
  anotherPage,
  app,
}) => {
  const { here, tournament, hostEmail } = await newMatch(app);
  const name = `Eve ${unique()}`;
  const { id } = await signInNewPlayer(page, app, name);
  const role = { tournamentId: tournament.id, userId: id, addedAt: new Date() };
  await openTestDatabase(app).insert(tournamentOrganisers).values(role);
  await visit(page, here);
  await page.getByRole("button", { name: "Join Match Chat" }).click();
  await composer(page).fill("The lobby opens at");
  const host = await anotherPage();
  await signInQuietly(host, hostEmail);
  await visit(host, `/tournaments/${tournament.id}/manage`);
  await host.getByRole("listitem").filter({ hasText: name }).getByRole("button", { name: "Remove" }).click();
  await expect(host.getByRole("button", { name: "Remove" })).toHaveCount(0);
  if (!hasJavaScript()) await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "What you wrote" })).toHaveValue("The lobby opens at");
  await expect(composer(page)).toHaveCount(0);
});
