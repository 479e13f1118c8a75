import type { Page, WebSocketRoute } from "@playwright/test";
import { eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { notifications, reportCases, reports } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { contact, createPost, expectNoOverflow, expectToast, hasFocus, signInNewPlayer, tabTo, unique } from "./steps";

const BELL = "/dashboard/notifications";

const bellOf = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Notifications" });
const chatOf = (page: Page) =>
  page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Chat", exact: true });
const listOf = (page: Page) => page.getByRole("main").getByRole("listitem");

/** Expects a link in the header to announce its unread items as `words`. With JavaScript the page updates itself. */
async function expectUnread(page: Page, link: (page: Page) => ReturnType<typeof bellOf>, words: string): Promise<void> {
  if (!hasJavaScript()) await page.reload();
  await expect(link(page)).toHaveAccessibleDescription(words);
}

const openMenu = (page: Page) => page.locator("summary").filter({ hasText: "More" }).click();

test("A contact shows on the author's bell, which leads to the conversation and then counts as read", async ({
  page,
  app,
  anotherPage,
}) => {
  const word = unique();
  const title = `Bell ${word}`;
  await signInNewPlayer(page, app, `Author ${word}`);
  const post = await createPost(page, app, { title });
  await visit(page, "/dashboard/profile");
  await expect(bellOf(page)).toHaveAccessibleDescription("");

  const reader = await anotherPage();
  await signInNewPlayer(reader, app, `Reader ${word}`);
  await contact(reader, post, "Is there room for one?");

  await expectUnread(page, bellOf, "1 unread");
  await expectUnread(page, chatOf, "1 unread");
  await bellOf(page).click();
  await expect(page).toHaveURL(BELL);
  await expect(page).toHaveTitle(/Notifications · Lineup$/);
  await expect(page.getByRole("heading", { level: 2, name: "Today" })).toBeVisible();
  const news = page.getByRole("link", { name: `Reader ${word} replied to your post “${title}”` });
  await expect(news).toHaveAccessibleDescription("New");
  await expect(listOf(page)).toContainText("Is there room for one?");
  await expectAccessibleEverywhere(page);

  // On a phone, the conversation will cover the bell. The player uses only the keyboard.
  await page.setViewportSize({ width: 1280, height: 844 });
  await tabTo(page, news);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/dashboard\/messages\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("log")).toContainText("Is there room for one?");
  await expectUnread(page, bellOf, "");
  await expectUnread(page, chatOf, "");

  // The notification stays in the list, marked as read.
  await visit(page, BELL);
  await expect(news).toHaveAccessibleDescription("");
  await expect(page.getByRole("button", { name: "Mark as read" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Mark all as read" })).toHaveCount(0);
});

test("A player marks notifications as read one by one, all at once, and page by page", async ({ page, app }) => {
  const { id: userId } = await signInNewPlayer(page, app, `Popular ${unique()}`);
  const now = Date.now();
  await openTestDatabase(app)
    .insert(notifications)
    .values(
      Array.from({ length: 40 }, (_, index) => ({
        id: uuidv7(),
        userId,
        kind: index % 2 ? ("contact" as const) : ("message" as const),
        subject: `conversation:${uuidv7()}`,
        data: {
          name: index === 1 ? "W".repeat(60) : `Player ${index}`,
          preview: "a message without an end ".repeat(6).trim(),
          title: index === 3 ? "x".repeat(100) : "Two for Haven",
          count: index + 1,
        },
        createdAt: new Date(now - index * 60 * 60_000),
      })),
    );
  await visit(page, BELL);
  await expect(listOf(page)).toHaveCount(30);
  await expect(bellOf(page)).toHaveAccessibleDescription("40 unread");
  await expectAccessibleEverywhere(page);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }

  const first = listOf(page).first();
  await tabTo(page, first.getByRole("button", { name: "Mark as read" }));
  await page.keyboard.press("Enter");
  await expect(first.getByRole("button")).toHaveCount(0);
  await expect(bellOf(page)).toHaveAccessibleDescription("39 unread");
  const link = first.getByRole("link", { name: "New message from Player 0", exact: true });
  await expect(link).toHaveAccessibleDescription("");
  // The button is gone, so the focus moves to its notification.
  if (hasJavaScript()) await expect.poll(() => hasFocus(link)).toBe(true);

  await page.getByRole("link", { name: "Older" }).click();
  await expect(listOf(page)).toHaveCount(10);
  await page.getByRole("button", { name: "Mark as read" }).first().click();
  await expect(page).toHaveURL(/\/dashboard\/notifications\?after=/);
  await expect(bellOf(page)).toHaveAccessibleDescription("38 unread");
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expectToast(page, "success", "All marked as read");
  await expect(bellOf(page)).toHaveAccessibleDescription("");
  await expect(page.getByRole("button", { name: "Mark as read" })).toHaveCount(0);
});

test("A player who turns off a kind of notification gets no more of it", async ({ page, app, anotherPage }) => {
  const word = unique();
  await signInNewPlayer(page, app, `Quiet ${word}`);
  const post = await createPost(page, app, { title: `Quiet ${word}` });
  await visit(page, BELL);
  await expect(page.getByText("No notifications yet.")).toBeVisible();
  await page.getByRole("link", { name: "Notification settings" }).click();
  await expect(page).toHaveURL("/dashboard/settings/notifications");
  await page.getByText("Choose kind by kind").click();
  const kinds = page.getByRole("group", { name: "Tell me about" });
  const replies = kinds.getByRole("checkbox", { name: "Replies to your posts" });
  for (const name of ["New messages", "Replies to your posts", "Posts closing soon"]) {
    await expect(kinds.getByRole("checkbox", { name })).toBeChecked();
  }
  await tabTo(page, replies);
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "success", "Settings saved");
  await expect(replies).not.toBeChecked();
  await expect(kinds.getByRole("checkbox", { name: "New messages" })).toBeChecked();

  const reader = await anotherPage();
  await signInNewPlayer(reader, app, `Reader ${word}`);
  await contact(reader, post, "Psst");
  await expectUnread(page, chatOf, "1 unread");
  await expect(bellOf(page)).toHaveAccessibleDescription("");

  // The choice is still there on the next visit, and can be changed back.
  await visit(page, "/dashboard/settings/notifications");
  await expect(replies).not.toBeChecked();
  await replies.check();
  await page.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "success", "Settings saved");
  await contact(reader, post, "And again");
  await expectUnread(page, bellOf, "1 unread");
});

test("A player reports a message and blocks its author, and later lets them write again", async ({
  page,
  app,
  anotherPage,
}) => {
  // Two players go through three journeys, and axe checks each screen.
  test.slow();
  const word = unique();
  const author = await signInNewPlayer(page, app, `Rude ${word}`);
  const post = await createPost(page, app, { title: `Rude ${word}` });
  const mine = await anotherPage();
  const reader = await signInNewPlayer(mine, app, `Patient ${word}`);
  await contact(mine, post, "Hello");
  await visit(page, "/dashboard/messages");
  await page.getByRole("link", { name: new RegExp(`Patient ${word}`) }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("Something rude.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log")).toContainText("Something rude.");

  await visit(mine, "/dashboard/messages");
  await mine.getByRole("link", { name: new RegExp(`Rude ${word}`) }).click();
  await expect(mine.getByRole("log")).toContainText("Something rude.");
  const thread = new URL(mine.url()).pathname;

  await test.step("reports the message", async () => {
    await openMenu(mine);
    await mine.getByRole("group").getByRole("link", { name: "Report" }).click();
    await expect(mine).toHaveURL(`${thread}/report`);
    const dialog = mine.getByRole("dialog", { name: `Report Rude ${word}` });
    await expectAccessibleEverywhere(mine);
    const about = dialog.getByRole("combobox", { name: "About" });
    await expect(about.getByRole("option").first()).toHaveText(`Rude ${word} as a player`);
    await about.selectOption({ index: 1 });
    await dialog.getByRole("textbox", { name: "Details" }).fill("This is not how we talk.");
    await dialog.locator("form").evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await dialog.getByRole("button", { name: "Send Report" }).click();
    const reason = dialog.getByRole("group", { name: "Reason" });
    await expect(reason.getByRole("radio").first()).toHaveAttribute("aria-invalid", "true");
    await expect(reason).toHaveAccessibleDescription("Choose a reason.");
    await expect(dialog.getByRole("textbox", { name: "Details" })).toHaveValue("This is not how we talk.");
    await expect(about.locator("option:checked")).toHaveText(/^“Something rude\.”/);
    await expectAccessibleEverywhere(mine);
    await reason.getByRole("radio", { name: "Insults or harassment" }).check();
    await dialog.getByRole("button", { name: "Send Report" }).click();
    await expect(mine).toHaveURL(thread);
    await expectToast(mine, "success", "Report sent", `Our moderators will read it. Rude ${word} won't be told.`);
    const kept = await openTestDatabase(app)
      .select({ reason: reports.reason, details: reports.details, case: reportCases })
      .from(reports)
      .innerJoin(reportCases, eq(reportCases.id, reports.caseId))
      .where(eq(reports.reporterId, reader.id));
    expect(kept).toMatchObject([
      {
        reason: "harassment",
        details: "This is not how we talk.",
        case: { kind: "message", playerId: author.id, snapshot: { content: "Something rude." } },
      },
    ]);
  });

  await test.step("blocks the author: neither can write, and both threads say so", async () => {
    await visit(mine, thread);
    await openMenu(mine);
    await mine.getByRole("link", { name: "Block" }).click();
    const dialog = mine.getByRole("dialog", { name: `Block Rude ${word}` });
    await expect(dialog).toBeVisible();
    await expectAccessibleEverywhere(mine);
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(mine.getByRole("textbox", { name: "Message" })).toBeVisible();
    await visit(mine, `${thread}/block`);
    await dialog.getByRole("button", { name: "Block" }).click();
    await expect(mine).toHaveURL(thread);
    await expectToast(mine, "success", `Rude ${word} is blocked`, "You can't message each other any more.");
    await expect(mine.getByText("You've blocked this player. Neither of you can write here.")).toBeVisible();
    await expect(mine.getByRole("textbox", { name: "Message" })).toHaveCount(0);
    if (!hasJavaScript()) await page.reload();
    await expect(page.getByText("You can't message this player.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Message" })).toHaveCount(0);
    await expectAccessibleEverywhere(mine);
  });

  await test.step("finds the author among the blocked players and unblocks them", async () => {
    await visit(mine, "/dashboard/settings");
    await mine.getByRole("main").getByRole("link", { name: "Blocked Players" }).click();
    await expect(mine).toHaveURL("/dashboard/settings/blocked");
    await expect(mine.getByRole("region", { name: "Blocked Players" })).toContainText(`Rude ${word}`);
    await expectAccessibleEverywhere(mine);
    await mine.getByRole("button", { name: "Unblock" }).click();
    await expectToast(mine, "success", "Player unblocked");
    await expect(mine.getByText("You haven't blocked anyone.")).toBeVisible();
    if (!hasJavaScript()) await page.reload();
    await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
    await page.getByRole("textbox", { name: "Message" }).fill("Sorry.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await visit(mine, thread);
    await expect(mine.getByRole("log")).toContainText("Sorry.");
  });
});

test.describe("With JavaScript, news that came and was read elsewhere while the inbox was out of reach", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Without JavaScript a page has no socket.");

  const tell = (socket: WebSocketRoute | undefined, notifications: number) =>
    socket?.send(JSON.stringify({ type: "unread", messages: 0, notifications }));

  /** Stands in for the page's inbox, whose counts don't change. */
  async function standInForInbox(page: Page, inbox = { isDown: false }) {
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/parties\/inbox/, (socket) => {
      sockets.push(socket);
      if (inbox.isDown) void socket.close({ code: 1011 });
      else tell(socket, 0);
    });
    return {
      sockets,
      /** Cuts the connection, and advances a stopped clock until the connection is back and news is reported. */
      async interrupt() {
        const before = sockets.length;
        await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
        await sockets.at(-1)?.close({ code: 1011 });
        await expect
          .poll(async () => {
            await page.clock.runFor(500);
            return sockets.length;
          })
          .toBeGreaterThan(before);
        await page.evaluate(() => undefined);
        await page.clock.runFor(5_000);
        await page.evaluate(() => undefined);
      },
    };
  }

  const addReadNews = (app: App, userId: string) =>
    openTestDatabase(app)
      .insert(notifications)
      .values({
        id: uuidv7(),
        userId,
        kind: "contact",
        subject: `conversation:${uuidv7()}`,
        data: { name: "Ann", preview: "Hello!", title: "Two for Haven", count: 1 },
        createdAt: new Date(),
        readAt: new Date(),
      });

  test("before the first connection appears once there is one", async ({ page, app }) => {
    const { id } = await signInNewPlayer(page, app, `Early ${unique()}`);
    const inbox = { isDown: true };
    const { sockets } = await standInForInbox(page, inbox);
    await visit(page, BELL);
    await expect.poll(() => sockets.length).toBeGreaterThan(0);
    await addReadNews(app, id);
    inbox.isDown = false;
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(listOf(page)).toHaveCount(1);
  });

  test("appears on a page that was loading meanwhile", async ({ page, app }) => {
    const { id } = await signInNewPlayer(page, app, `Leaving ${unique()}`);
    const { sockets, interrupt } = await standInForInbox(page);
    await page.clock.install();
    await visit(page, "/dashboard/profile");
    await expect.poll(() => sockets.length).toBe(1);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let read = () => {};
    const isRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    await page.route(/\/dashboard\/notifications\.data/, async (route) => {
      const response = await route.fetch();
      read();
      await released;
      await route.fulfill({ response });
    });
    await bellOf(page).press("Enter");
    await isRead;
    await addReadNews(app, id);
    await interrupt();
    release();
    await page.clock.resume();
    await expect(page).toHaveURL(BELL);
    await expect(listOf(page)).toHaveCount(1);
  });
});
