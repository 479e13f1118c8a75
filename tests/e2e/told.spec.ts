import type { Page } from "@playwright/test";
import { and, eq } from "drizzle-orm";
import { unsubscribePath } from "../../app/features/notifications/email/token.server";
import { tournamentMatches } from "../../db/schema";
import { type App, LOCAL_SECRET } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { startTournament } from "../support/matches";
import { expectAccessibleEverywhere } from "./axe";
import { holdRoom } from "./sockets";
import { contact, createPost, expectNoOverflow, expectToast, setHidden, signInNewPlayer, unique } from "./steps";

const SETTINGS = "/dashboard/settings/notifications";

/** Counts the tones that the page's documents play. @returns a function that reads the current document's count */
async function countTones(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const played = { tones: 0 };
    Object.assign(window, { played });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...times) {
      played.tones += 1;
      start.apply(this, times);
    };
  });
  return () => page.evaluate(() => (window as unknown as { played: { tones: number } }).played.tones);
}

/**
 * Starts a match between two new players, and turns on the sound for the first.
 * @returns the addresses of the match and of its chat, and a function that sends a chat message as the second player
 */
async function startChat(page: Page, other: Page, app: App) {
  const word = unique();
  const captains = [
    await signInNewPlayer(page, app, `Ann ${word}`),
    await signInNewPlayer(other, app, `Ben ${word}`),
  ] as const;
  const { id } = await startTournament(app, {
    teams: 2,
    captains: captains.map((captain) => captain.id),
    tournamentDate: new Date(Date.now() - 60_000),
    title: `Duel ${word}`,
  });
  const match = await openTestDatabase(app)
    .select({ chat: tournamentMatches.conversationId })
    .from(tournamentMatches)
    .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, 0)))
    .get();
  const chat = `/dashboard/messages/${match?.chat}`;
  const say = async (message: string) => {
    const form = { id: crypto.randomUUID(), message };
    const answer = await other.request.post(chat, { form, headers: { Origin: app.url }, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
  };
  await page.addInitScript(() => localStorage.setItem("lineup:sound", "on"));
  return { match: `/tournaments/${id}/matches/0`, chat, say };
}

/** The counts of unread messages in the inbox's frames, in order. */
const unreadIn = (frames: readonly string[]) =>
  frames.flatMap((frame) => /"messages":(\d+)/.exec(frame)?.[1] ?? []).map(Number);

const switchOf = (page: Page, group: string, channel: string) =>
  page.getByRole("table").getByRole("checkbox", { name: `${group} ${channel}` });

test("A player chooses what we tell them in the bell, by push and by email, and unsubscribes by email link", async ({
  page,
  app,
  anotherPage,
}) => {
  const { id } = await signInNewPlayer(page, app, `Choosy ${unique()}`);
  await visit(page, SETTINGS);
  for (const group of ["Messages", "Team", "Tournaments"]) {
    for (const channel of ["Bell", "Push", "Email"]) await expect(switchOf(page, group, channel)).toBeChecked();
  }
  await expect(switchOf(page, "Account", "Email")).not.toBeChecked();
  await expect(page.getByRole("row", { name: /Security and decisions/ })).toContainText("Always on");
  await expectAccessibleEverywhere(page);
  await expectNoOverflow(page);

  await switchOf(page, "Tournaments", "Push").uncheck();
  await switchOf(page, "Account", "Email").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "success", "Settings saved");
  await visit(page, SETTINGS);
  await expect(switchOf(page, "Tournaments", "Push")).not.toBeChecked();
  await expect(switchOf(page, "Tournaments", "Bell")).toBeChecked();
  await expect(switchOf(page, "Account", "Email")).toBeChecked();

  // The link in an email works in any browser, signed out.
  const reader = await anotherPage();
  await reader.goto(
    unsubscribePath({ SESSION_SECRET: [LOCAL_SECRET] }, { userId: id, groups: ["messages", "tournaments"] }),
  );
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Stop these emails?");
  await expect(reader.getByRole("main")).toContainText("messages and tournaments");
  await expectAccessibleEverywhere(reader);
  await expectNoOverflow(reader);
  await reader.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("You're unsubscribed");

  await visit(page, SETTINGS);
  await expect(switchOf(page, "Messages", "Email")).not.toBeChecked();
  await expect(switchOf(page, "Messages", "Bell")).toBeChecked();
  await expect(switchOf(page, "Team", "Email")).toBeChecked();
});

test("An open tab counts news in its title, and plays sounds only after the player has turned them on", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "News reaches an open tab through JavaScript.");
  const word = unique();
  const tones = await countTones(page);
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  const sounds = () => loaded.filter((url) => /play\.client/.test(url)).length;

  await signInNewPlayer(page, app, `Listener ${word}`);
  const post = await createPost(page, app, { title: `Listening ${word}` });
  const answerer = await anotherPage();
  await signInNewPlayer(answerer, app, `Caller ${word}`);
  await visit(page, SETTINGS);
  await expect(page).toHaveTitle("Notification Settings · Lineup");
  await contact(answerer, post, "Anybody there?");
  await expect(page).toHaveTitle("(1) Notification Settings · Lineup");
  expect([await tones(), sounds()]).toEqual([0, 0]);

  await page.getByRole("button", { name: "Turn on sound" }).click();
  await expect(page.getByRole("button", { name: "Turn off sound" })).toBeVisible();
  await expect.poll(tones).toBe(2);
  // The choice outlives the page, and the title keeps its count from page to page.
  await page.getByRole("link", { name: "Appearance" }).click();
  await expect(page).toHaveTitle("(1) Appearance · Lineup");
  const another = await anotherPage();
  await signInNewPlayer(another, app, `Second ${word}`);
  // For three seconds after a sound, no tab plays another.
  await expect.poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.length)).toBe(0);
  await contact(another, post, "Me too");
  await expect(page).toHaveTitle("(2) Appearance · Lineup");
  await expect.poll(tones).toBe(4);
});

test("A hidden tab still counts news in its title right after a failed reload", async ({ page, app, anotherPage }) => {
  test.skip(!hasJavaScript(), "News reaches an open tab through JavaScript.");
  const word = unique();
  await signInNewPlayer(page, app, `Playing ${word}`);
  const post = await createPost(page, app, { title: `Elsewhere ${word}` });
  const answerer = await anotherPage();
  await signInNewPlayer(answerer, app, `Caller ${word}`);
  await visit(page, "/dashboard/profile");
  await page.route("**/profile.data*", (route) => route.fulfill({ status: 503, contentType: "text/plain", body: "" }));
  const failure = page.waitForResponse(/profile\.data/);
  await page.evaluate(() => window.__remixRouter.revalidate());
  await (await failure).finished();
  await setHidden(page, true);
  await contact(answerer, post, "Anybody there?");
  await expect(page).toHaveTitle("(1) Profile · Lineup");
});

test("A message plays no sound if its thread is in view, even in a match, unless older messages are shown", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "News reaches an open tab through JavaScript.");
  const { match, chat, say } = await startChat(page, await anotherPage(), app);
  const tones = await countTones(page);
  let frames: string[] = [];
  page.on("websocket", (socket) => {
    if (!socket.url().includes("/parties/inbox")) return;
    socket.on("framereceived", ({ payload }) => frames.push(String(payload)));
  });

  for (const [address, line] of [
    [match, "Lobby is up."],
    [chat, "You host?"],
  ] as const) {
    await visit(page, address);
    await expect(page.getByText("Live", { exact: true })).toBeAttached();
    frames = [];
    await say(line);
    await expect(page.getByRole("log")).toContainText(line);
    // The inbox counts the message until the page has reported it as seen.
    await expect.poll(() => unreadIn(frames).includes(1) && unreadIn(frames).at(-1) === 0).toBe(true);
    expect(await tones(), address).toBe(0);
  }
  await visit(page, `${chat}?before=2`);
  await expect(page.getByText("Live", { exact: true })).toBeAttached();
  await say("Ready?");
  await expect.poll(tones).toBe(2);
});

test("A message plays no sound either if it arrives before its thread's page has connected", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "News reaches an open tab through JavaScript.");
  const { chat, say } = await startChat(page, await anotherPage(), app);
  const tones = await countTones(page);
  const inbox = await holdRoom(page, /\/parties\/inbox/);
  const conversation = await holdRoom(page, /\/parties\/conversation\//);
  await page.clock.install();
  await visit(page, chat);
  await say("Lobby is up.");
  // From here on, the page can take as long as it likes.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
  inbox.open();
  await expect.poll(() => unreadIn(inbox.frames).at(-1)).toBe(1);
  conversation.open();
  await expect(page.getByRole("log")).toContainText("Lobby is up.");
  await expect.poll(() => unreadIn(inbox.frames).at(-1)).toBe(0);
  await page.clock.fastForward(5_000);
  expect(await tones()).toBe(0);
});
