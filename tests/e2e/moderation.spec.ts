import type { WebSocketRoute } from "@playwright/test";
import { eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { notifications, profiles, reportCases } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import {
  expectNoOverflow,
  expectToast,
  holdRequests,
  newAccount,
  newPlayer,
  setHidden,
  signInModerator,
  signInQuietly,
  tabTo,
  unique,
} from "./steps";

/** Adds a case about a new player, reported more often than all others. */
async function addCase(app: App, name: string): Promise<string> {
  const db = openTestDatabase(app);
  const { id: playerId } = await newAccount(app, { riotGameName: name });
  const [id, now] = [uuidv7(), new Date()];
  await db.insert(reportCases).values({
    ...{ id, kind: "player", subjectId: playerId, playerId, reportCount: 50, createdAt: now, updatedAt: now },
    snapshot: { author: name, description: "Rude words" },
  });
  return id;
}

test("A moderator goes from the queue to a decision in four clicks, and undoes it", async ({ page, app }) => {
  // A name that has to break to fit a phone.
  const name = `${"W".repeat(16)}${unique()}`;
  await signInModerator(page, app);
  await addCase(app, name);
  await visit(page, "/moderation?order=reports");
  await expect(page.getByRole("heading", { name: "Moderation" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Cases: \d+$/ })).toBeVisible();
  await expectAccessibleEverywhere(page);

  await page.getByRole("link", { name: `Player ${name}` }).click();
  await expect(page.getByRole("heading", { name: "As reported" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "As it is now" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }
  await page.getByRole("link", { name: "Warn" }).click();
  await page.getByRole("link", { name: "Insults" }).click();
  await expect(page.getByRole("combobox", { name: "Rule" })).toHaveValue("respect");
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue(/^You insulted another player/);
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: "Warn" }).click();
  await expectToast(page, "success", "Decided: Warn");
  await expect(page.getByText("warned the player")).toBeVisible();

  await page.getByRole("link", { name: "Undo" }).click();
  await expect(page.getByText(/The latest: .* warned the player/)).toBeVisible();
  await page.getByRole("textbox", { name: "Reason" }).fill("It was somebody else.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expectToast(page, "success", "Decided: Undo");
  await expect(page.getByText("Undone.")).toBeVisible();
});

test("A moderator decides by keyboard alone, and mistakes are shown at their fields", async ({ page, app }) => {
  const id = await addCase(app, `Rude ${unique()}`);
  await signInModerator(page, app);
  await visit(page, `/moderation/cases/${id}`);
  await tabTo(page, page.getByRole("link", { name: "Limit" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: "Until" })).toBeVisible();
  await page.getByRole("textbox", { name: "Reason" }).fill("Insults in three chats");
  await page.getByRole("combobox", { name: "Rule" }).selectOption("respect");
  await page.getByRole("combobox", { name: "Until" }).selectOption("7");
  await tabTo(page, page.getByRole("button", { name: "Limit" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Choose what to limit.").first()).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue("Insults in three chats");
  await page.getByRole("checkbox", { name: "Messages" }).focus();
  await page.keyboard.press("Space");
  await tabTo(page, page.getByRole("button", { name: "Limit" }));
  await page.keyboard.press("Enter");
  await expectToast(page, "success", "Decided: Limit");
  await expect(page.getByText(/Messages limited until/)).toBeVisible();
});

test("A moderator whose case is reported again while they write the reason reads that first, and keeps the reason", async ({
  page,
  app,
  anotherPage,
}) => {
  const id = await addCase(app, `Rude ${unique()}`);
  const db = openTestDatabase(app);
  const found = await db.select().from(reportCases).where(eq(reportCases.id, id)).get();
  await signInModerator(page, app);
  await visit(page, `/moderation/cases/${id}/dismiss`);
  const reason = page.getByRole("textbox", { name: "Reason" });
  await reason.fill("No rule is broken.");

  await db
    .update(profiles)
    .set({ description: "Worse words" })
    .where(eq(profiles.userId, `${found?.subjectId}`));
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Reporter ${unique()}` }));
  await visit(other, `/players/${found?.subjectId}/report`);
  await other.getByRole("radio", { name: "Threats" }).check();
  await other.getByRole("button", { name: "Send Report" }).click();
  await expectToast(other, "success", "Report sent");

  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("The case has new or changed reports, or new findings.").first()).toBeVisible();
  await expect(page.getByText("Worse words")).toBeVisible();
  await expect(reason).toHaveValue("No rule is broken.");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expectToast(page, "success", "Decided: Dismiss");
});

test("The count of waiting cases in a moderator's header follows reports and decisions on other pages", async ({
  page,
  app,
  anotherPage,
}) => {
  await signInModerator(page, app);
  await visit(page, "/dashboard/profile");
  const count = page.getByRole("banner").getByRole("link", { name: /^Cases: \d+$/ });
  const before = Number((await count.textContent())?.replace(/\D/g, ""));
  const expectCount = async (number: number) => {
    if (!hasJavaScript()) await page.reload();
    await expect(count).toHaveText(`Cases: ${number}`);
  };

  const other = await anotherPage();
  const name = `Rude ${unique()}`;
  const reported = await newAccount(app, { riotGameName: name });
  await signInQuietly(other, await newPlayer(app, { riotGameName: `Reporter ${unique()}` }));
  await visit(other, `/players/${reported.id}/report`);
  await other.getByRole("radio", { name: "Insults or harassment" }).check();
  await other.getByRole("button", { name: "Send Report" }).click();
  await expectToast(other, "success", "Report sent");
  await expectCount(before + 1);

  const deciding = await anotherPage();
  await signInModerator(deciding, app);
  await visit(deciding, "/moderation");
  await deciding.getByRole("link", { name: `Player ${name}` }).click();
  await deciding.getByRole("link", { name: "Dismiss" }).click();
  await deciding.getByRole("textbox", { name: "Reason" }).fill("No rule is broken.");
  await deciding.getByRole("button", { name: "Dismiss" }).click();
  await expectToast(deciding, "success", "Decided: Dismiss");
  await expectCount(before);
});

test("A count of cases arrives even if another count follows immediately, or a page is loading", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Counts reach an open page through JavaScript.");
  let room: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/parties\/inbox/, (socket) => {
    room = socket;
  });
  const tell = (counts: { messages: number; cases?: number }) =>
    room?.send(JSON.stringify({ type: "unread", notifications: 0, ...counts }));
  await page.clock.install();
  await signInModerator(page, app);
  await visit(page, "/dashboard/profile");
  await expect.poll(() => room).toBeTruthy();
  const count = page.getByRole("banner").getByRole("link", { name: /^Cases: \d+$/ });

  const data = /dashboard\/players\.data/;
  const release = await holdRequests(page, data);
  const loading = page.waitForRequest(data);
  await page.getByRole("link", { name: "Players", exact: true }).press("Enter");
  await loading;
  tell({ messages: 0, cases: 71 });
  tell({ messages: 1 });
  await page.evaluate(() => undefined);
  release();
  await expect(page).toHaveTitle("(1) Players · Lineup");
  await expect(count).toHaveText("Cases: 71");

  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  tell({ messages: 1, cases: 72 });
  tell({ messages: 2 });
  await page.evaluate(() => undefined);
  await page.clock.runFor(1_000);
  await expect(page).toHaveTitle("(2) Players · Lineup");
  await expect(count).toHaveText("Cases: 72");
});

test("A queue in a hidden tab leaves its news unread until the moderator returns to the tab", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Pages reload themselves through JavaScript.");
  let room: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/parties\/inbox/, (socket) => {
    room = socket;
  });
  const tell = (cases: number) => room?.send(JSON.stringify({ type: "unread", notifications: 1, messages: 0, cases }));
  const userId = await signInModerator(page, app);
  await visit(page, "/moderation");
  await expect.poll(() => room).toBeTruthy();
  const db = openTestDatabase(app);
  const id = uuidv7();
  await db.insert(notifications).values({
    ...{ id, userId, kind: "case-waiting", subject: "queue:open", data: { count: 1 }, createdAt: new Date() },
  });
  const isRead = async () =>
    (await db.select().from(notifications).where(eq(notifications.id, id)).get())?.readAt !== null;

  const loads: string[] = [];
  page.on("request", (request) => {
    if (/moderation.*\.data/.test(request.url())) loads.push(request.url());
  });
  await setHidden(page, true);
  const count = page.getByRole("banner").getByRole("link", { name: /^Cases: \d+$/ });
  for (const cases of [71, 72]) {
    tell(cases);
    await expect(count).toHaveText(`Cases: ${cases}`);
  }
  expect([loads, await isRead()]).toEqual([[], false]);
  await setHidden(page, false);
  await expect.poll(isRead).toBe(true);
});

test("A note that a moderator is writing stays when another adds one and the case is assigned", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, each button loads a new page.");
  const id = await addCase(app, `Rude ${unique()}`);
  await signInModerator(page, app);
  await visit(page, `/moderation/cases/${id}`);
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("A long note");

  const other = await anotherPage();
  await signInModerator(other, app);
  await visit(other, `/moderation/cases/${id}`);
  await other.getByRole("textbox", { name: "Note" }).fill("A colleague's note");
  await other.getByRole("button", { name: "Add Note" }).click();
  await expectToast(other, "success", "Note added");

  await page.getByRole("button", { name: "Assign to me" }).click();
  await expect(page.getByRole("button", { name: "Give it back" })).toBeVisible();
  await expect(page.getByText("A colleague's note")).toBeVisible();
  await expect(note).toHaveValue("A long note");
  await page.getByRole("button", { name: "Add Note" }).click();
  await expectToast(page, "success", "Note added");
  await expect(note).toHaveValue("");
});

test("A moderator who takes a case too late reads why it is refused, and can take it over", async ({
  page,
  app,
  anotherPage,
}) => {
  const path = `/moderation/cases/${await addCase(app, `Rude ${unique()}`)}`;
  await signInModerator(page, app);
  await visit(page, path);
  const other = await anotherPage();
  await signInModerator(other, app);
  await visit(other, path);
  await other.getByRole("button", { name: "Assign to me" }).click();
  await expect(other.getByRole("button", { name: "Give it back" })).toBeVisible();

  await page.getByRole("button", { name: "Assign to me" }).click();
  await expectToast(page, "error", "Error", "Another moderator is on this case. Ask them first.");
  await page.getByRole("button", { name: "Take over" }).click();
  await expect(page.getByRole("button", { name: "Give it back" })).toBeVisible();
});
