import { randomUUID } from "node:crypto";
import type { Page, WebSocketRoute } from "@playwright/test";
import { and, eq, inArray } from "drizzle-orm";
import {
  blocks,
  conversationMembers,
  conversations as conversationRows,
  messages,
  profiles,
  users,
} from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { addConversation } from "../integration/players";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { hidingIn } from "../support/hiding";
import { expectAccessibleEverywhere } from "./axe";
import { createPost, expectToast, holdRequests, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

/** Each player's email address, by the player's name. */
const emailOf: Record<string, string> = {};

/** Makes a player and signs them in on the page. @returns their name, which no other player has */
async function signInNewPlayer(page: Page, app: App, letter: string): Promise<string> {
  const name = `${letter} ${unique()}`;
  emailOf[name] = await newPlayer(app, { riotGameName: name });
  await signInQuietly(page, emailOf[name]);
  return name;
}

const thread = (page: Page) => page.getByRole("log");
const composer = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const conversations = (page: Page) => page.getByRole("navigation", { name: "Conversations" });

async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The thread's messages, in order. */
const messagesOf = (page: Page) => thread(page).locator("[data-message]").allTextContents();

/**
 * Makes two players with a conversation that holds only the second player's greeting. The second player's page then
 * shows the list.
 * @returns the names of both, and the conversation's address
 */
async function startConversation(
  page: Page,
  other: Page,
  app: App,
  name = "Ann",
): Promise<{ names: [string, string]; address: string }> {
  const author = await signInNewPlayer(page, app, name);
  const visitor = await signInNewPlayer(other, app, "Ben");
  const post = await createPost(page, app, { title: `Talk ${unique()}` });
  await other.request.post(`${post}/contact`, {
    form: { id: crypto.randomUUID(), message: "Hello there!" },
    headers: { Origin: app.url },
    maxRedirects: 0,
  });
  await other.context().clearCookies({ name: "lineup_toast" });
  await other.goto("/dashboard/messages");
  const address = await conversations(other).getByRole("link", { name: author }).getAttribute("href");
  return { names: [author, visitor], address: address as string };
}

/** Keeps back the frames of the conversation's room that contain `pattern`, as if they were lost. */
const loseFrames = (page: Page, pattern: RegExp) =>
  page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
    const room = socket.connectToServer();
    room.onMessage((frame) => {
      if (!pattern.test(String(frame))) socket.send(frame);
    });
  });

/**
 * Holds back the messages that the page's room sends. Call it before the page opens its socket.
 * @returns a function that waits for a number of messages and delivers all at once, as to a tab that was busy
 */
async function holdRoomMessages(page: Page): Promise<(count: number) => Promise<void>> {
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    class HoldingSocket extends WebSocket {
      constructor(url: string, protocols?: string[]) {
        super(url, protocols);
        this.addEventListener("message", (event) => {
          if (!event.isTrusted || !/"type":"message"/.test(event.data)) return;
          event.stopImmediatePropagation();
          held.push(() => this.dispatchEvent(new MessageEvent("message", { data: event.data })));
        });
      }
    }
    Object.assign(window, { held, WebSocket: HoldingSocket });
  });
  return async (count) => {
    type Tab = { held: (() => void)[] };
    await page.waitForFunction((expected) => (window as unknown as Tab).held.length >= expected, count);
    await page.evaluate(() => {
      for (const deliver of (window as unknown as Tab).held) deliver();
    });
  };
}

/** Lets a test cut a page's sockets whose addresses match. Call it before the page opens them. */
async function cutConnections(page: Page, pattern: RegExp) {
  let isCut = false;
  let latest: WebSocketRoute | undefined;
  let report = () => {};
  const opened = new Promise<void>((resolve) => {
    report = resolve;
  });
  await page.routeWebSocket(pattern, (socket) => {
    if (isCut) return socket.close({ code: 1011 });
    latest = socket;
    const room = socket.connectToServer();
    room.onMessage((frame) => {
      socket.send(frame);
      report();
    });
  });
  return {
    /** Resolves once the first room has said something. */
    opened,
    cut() {
      isCut = true;
      void latest?.close({ code: 1011 });
    },
    restore() {
      isCut = false;
    },
  };
}

/**
 * Gives two players, by their names, a conversation of 120 messages, "Number 1" to "Number 120", one every hour, which
 * both have read.
 * @returns its address
 */
async function addLongConversation(app: App, names: readonly string[]): Promise<string> {
  const db = openTestDatabase(app);
  const emails = names.map((name) => emailOf[name] as string);
  const players = await db.select({ id: users.id }).from(users).where(inArray(users.email, emails));
  const [one, two] = players as [{ id: string }, { id: string }];
  const conversationId = await addConversation({ db }, one, two);
  const rows = Array.from({ length: 120 }, (_, index) => ({
    id: crypto.randomUUID(),
    conversationId,
    seq: index + 1,
    senderId: index % 2 ? one.id : two.id,
    content: `Number ${index + 1}`,
    createdAt: new Date(Date.now() - (120 - index) * 3_600_000),
  }));
  await db.batch([
    db.insert(messages).values(rows),
    db.update(conversationRows).set({ lastSeq: 120 }).where(eq(conversationRows.id, conversationId)),
    db
      .update(conversationMembers)
      .set({ lastReadSeq: 120, hasWritten: true })
      .where(eq(conversationMembers.conversationId, conversationId)),
  ]);
  return `/dashboard/messages/${conversationId}`;
}

/** Waits until a thread is connected to its room. */
const waitForLive = (page: Page) => expect(page.getByText("Live", { exact: true })).toBeAttached();

test("A message over the limit is kept in full, counted, and refused at its field until it fits", async ({
  page,
  app,
  anotherPage,
}) => {
  const { address } = await startConversation(await anotherPage(), page, app);
  await visit(page, address);
  if (hasJavaScript()) await waitForLive(page);
  const long = `${"Smokes are mine. ".repeat(118)}${"x".repeat(6)}`;
  await write(page, long);
  const error = "This message is 12 characters too long. The limit is 2,000.";
  await expect(composer(page)).toHaveValue(long);
  await expect(composer(page)).toHaveAccessibleDescription(error);
  await expect(composer(page)).toHaveAttribute("aria-invalid", "true");
  await expect(composer(page)).toBeFocused();
  await expectToast(page, "error", "Error sending message", error);
  await composer(page).fill(long.slice(0, 1_995));
  if (hasJavaScript()) await expect(composer(page)).toHaveAccessibleDescription("5 characters left");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(composer(page)).toHaveValue("");
  await expect(thread(page).locator("[data-message]").last()).toContainText(long.slice(0, 1_995));
});

test("Two players, one of them without JavaScript, have a conversation that starts at a post", async ({
  page,
  app,
  anotherPage,
}) => {
  // The author has JavaScript if the scenario has it; the visitor has it otherwise.
  const scripted = hasJavaScript();
  const visitor = await anotherPage({ javaScriptEnabled: !scripted });
  const author = await signInNewPlayer(page, app, "Żaneta");
  const ben = await signInNewPlayer(visitor, app, "Ngọc");
  const title = `Evening “climb” ${unique()}`;
  const post = await createPost(page, app, { title });

  await test.step("the visitor contacts the author from the post", async () => {
    await visitor.goto(post);
    await visitor.getByRole("main").getByRole("link", { name: "Contact" }).click();
    const dialog = visitor.getByRole("dialog", { name: `Contact ${author}` });
    await expect(dialog.getByRole("textbox", { name: "Message" })).toHaveValue(
      `Hi! I saw your LFG post “${title}” and would like to play.`,
    );
    await dialog.getByRole("button", { name: "Send Message" }).click();
    await expectToast(visitor, "success", "Message sent!", "Check the Messages tab to continue the conversation.");
    await expect(visitor).toHaveURL(post);
  });

  await test.step("the author finds it under Chat and answers", async () => {
    await visit(page, "/dashboard");
    await expect(page.getByRole("link", { name: "Chat" })).toHaveAccessibleDescription("1 unread");
    await page.getByRole("link", { name: "Chat" }).click();
    const entry = conversations(page).getByRole("link", { name: ben });
    await expect(entry).toHaveAccessibleDescription("1 unread");
    await entry.click();
    await expect(thread(page)).toContainText(title);
    await expect(thread(page)).toContainText("Today");
    await write(page, "Yes, still open. 20:30?");
    await expect(thread(page)).toContainText("Yes, still open. 20:30?");
    await expect(composer(page)).toHaveValue("");
    await expect(page.getByRole("link", { name: "Chat" })).toHaveAccessibleDescription("");
  });

  await test.step("the visitor continues the conversation under Chat", async () => {
    await visitor.goto("/dashboard/messages");
    await conversations(visitor).getByRole("link", { name: author }).click();
    await expect(thread(visitor)).toContainText("20:30?");
    await write(visitor, "I'm in.");
    await expect(thread(visitor)).toContainText("I'm in.");
    await expect(thread(visitor).getByText("Sending")).toHaveCount(0);
  });

  await test.step("Team Up leads the visitor to the join request and the author to the post", async () => {
    const teamUp = (reader: Page) => reader.getByRole("main").getByRole("link", { name: "Team Up" });
    await expect(teamUp(visitor)).toHaveAttribute("href", `${post}/join`);
    await expect(teamUp(page)).toHaveAttribute("href", post);
  });

  await test.step("each sees the other's messages: immediately, or without JavaScript after a check", async () => {
    const look = (reader: Page) => reader.getByRole("link", { name: "Check for new messages" }).click();
    if (!scripted) await look(page);
    await expect(thread(page)).toContainText("I'm in.");
    await write(page, "See you then.");
    await expect(thread(page)).toContainText("See you then.");
    await expect(thread(page).getByText("Sending")).toHaveCount(0);
    if (scripted) await look(visitor);
    await expect(thread(visitor)).toContainText("See you then.");
    const inOrder = [expect.stringContaining(title), "Yes, still open. 20:30?", "I'm in.", "See you then."];
    expect(await messagesOf(page)).toEqual(inOrder);
    expect(await messagesOf(visitor)).toEqual(inOrder);
    if (!scripted) await look(page);
    await expect(thread(page)).toContainText("Seen");
  });
});

test("Two players have one conversation, even when they continue it from another post", async ({
  page,
  app,
  anotherPage,
}) => {
  const visitor = await anotherPage();
  const author = await signInNewPlayer(page, app, "Ann");
  await signInNewPlayer(visitor, app, "Ben");
  for (const title of [`First ${unique()}`, `Second ${unique()}`]) {
    const post = await createPost(page, app, { title });
    await visit(visitor, `${post}/contact`);
    await visitor.getByRole("button", { name: "Send Message" }).click();
    await expectToast(visitor, "success", "Message sent!");
    await visit(page, post);
    await page.getByRole("link", { name: "Close Post" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Close Post" }).click();
    await expectToast(page, "success", "Post closed");
  }
  await visit(visitor, "/dashboard/messages");
  await expect(conversations(visitor).getByRole("link", { name: author })).toHaveCount(1);
  await conversations(visitor).getByRole("link", { name: author }).click();
  await expect(thread(visitor).locator("[data-message]")).toHaveCount(2);
});

test("A player can't contact themselves, or the author of a post that was closed in the meantime", async ({
  page,
  app,
  anotherPage,
}) => {
  const visitor = await anotherPage();
  await signInNewPlayer(page, app, "Ann");
  await signInNewPlayer(visitor, app, "Ben");
  const post = await createPost(page, app, { title: `Closing ${unique()}` });

  await visit(page, post);
  await expect(page.getByRole("link", { name: "Contact" })).toHaveCount(0);
  await visit(page, `${post}/contact`);
  await expectToast(page, "error", "Error", "This is your own post.");

  await visit(visitor, `${post}/contact`);
  const dialog = visitor.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Message" }).fill("What I have to say, at some length.");
  await page.goto(post);
  await page.getByRole("link", { name: "Close Post" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close Post" }).click();
  await expect(page.getByText("This post is closed.")).toBeVisible();
  await dialog.getByRole("button", { name: "Send Message" }).click();
  await expect(visitor.getByText("This post has closed, so your message wasn't sent.").first()).toBeVisible();
  await expect(visitor.getByRole("textbox", { name: "Message" })).toHaveValue("What I have to say, at some length.");
  await visit(visitor, post);
  await expect(visitor.getByRole("link", { name: "Contact" })).toHaveCount(0);
});

test("A visitor who presses Contact signs in first and comes back to the greeting", async ({
  page,
  app,
  anotherPage,
}) => {
  const author = await anotherPage();
  const name = await signInNewPlayer(author, app, "Ann");
  const post = await createPost(author, app, { title: `For members ${unique()}` });
  const email = await newPlayer(app);
  await visit(page, post);
  await page.getByRole("main").getByRole("link", { name: "Contact" }).click();
  await expectToast(page, "error", "Authentication required", "Please sign in to contact other players.");
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill("password123");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("dialog", { name: `Contact ${name}` })).toBeVisible();
});

test("A long thread loads older messages in pages of 50 and keeps its scroll position", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await conversations(page).getByRole("link", { name: "ren.aska" }).click();
  const messages = thread(page).locator("[data-message]");
  await expect(messages).toHaveCount(50);
  await expect(messages.last()).toBeInViewport();
  // The thread holds a greeting and 130 messages.
  for (const count of hasJavaScript() ? [100, 131] : [50, 31]) {
    const first = messages.first();
    const text = await first.textContent();
    const link = page.getByRole("link", { name: "Older messages" });
    await link.scrollIntoViewIfNeeded();
    const before = await first.boundingBox();
    await link.click();
    await expect(messages).toHaveCount(count);
    if (!hasJavaScript()) continue;
    const same = messages.nth(count === 100 ? 50 : 31);
    await expect(same).toHaveText(text as string);
    expect((await same.boundingBox())?.y).toBeCloseTo(before?.y as number, 0);
  }
  await expect(page.getByRole("link", { name: "Older messages" })).toHaveCount(0);
  await expect(messages.first()).toContainText("Hi! I saw your LFG post");
  if (hasJavaScript()) return;
  await page.getByRole("link", { name: "Newest messages" }).click();
  await expect(messages).toHaveCount(50);
});

test("A player finds conversations by name, whatever the script or accents, and an empty list says so", async ({
  page,
  app,
}) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  const links = conversations(page).getByRole("listitem").getByRole("link");
  await expect(links.first()).toHaveText("Thunder Kitten 9");
  const search = async (words: string) => {
    await page.getByRole("searchbox", { name: "Search by name" }).fill(words);
    await page.getByRole("button", { name: "Search" }).click();
  };
  await search("дмитрий");
  await expect(links).toHaveText(["Дмитрий Ковалёв"]);
  await search("zaneta");
  await expect(links).toHaveText(["Żaneta Gąsior"]);
  await search("unknown");
  await expect(links).toHaveText(["Unknown User"]);
  await links.click();
  await expect(page.getByText("This player's account is gone.")).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
  await search("nobody at all");
  await expect(page.getByText("Nobody with that name here.")).toBeVisible();
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/messages");
  await expect(page.getByText("No conversations yet.")).toBeVisible();
});

test("The messages pane is 600 pixels high in every window that has room for it", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  const pane = page.locator(".chat");
  const paneHeight = async () => (await pane.boundingBox())?.height;
  for (const height of [616, 650, 720, 900]) {
    await page.setViewportSize({ width: 1280, height });
    expect(await paneHeight(), `in a window ${height} pixels high`).toBe(600);
  }
  for (const height of [616, 720]) {
    await page.setViewportSize({ width: 1280, height });
    await visit(page, "/dashboard/messages");
    await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
    await expect(composer(page)).toBeVisible();
    expect(await paneHeight()).toBe(600);
    // Without JavaScript, the page opens at its top.
    if (!hasJavaScript()) continue;
    const send = pane.getByRole("button", { name: "Send", exact: true });
    await expect(send).toBeInViewport({ ratio: 1 });
    await visit(page, page.url());
    await expect(send).toBeInViewport({ ratio: 1 });
  }
});

test("In a low window, a conversation stays where its reader has scrolled it, and under a dialog", async ({ page }) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the page opens at its top.");
  await page.setViewportSize({ width: 1280, height: 616 });
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
  await expect(composer(page)).toBeFocused();
  const address = page.url();
  const placeOf = () => page.evaluate(() => scrollY);

  await visit(page, "/dashboard/messages");
  const release = await holdRequests(page, /framework-\w+\.js/);
  await page.goto(address, { waitUntil: "commit" });
  await expect(composer(page)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 30));
  release();
  await expect(composer(page)).toBeFocused();
  expect(await placeOf()).toBe(30);
  await visit(page, address);
  expect(await placeOf()).toBe(30);

  await visit(page, "/dashboard/messages");
  await visit(page, `${address}/block`);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await placeOf()).toBe(0);
});

test("On a phone the thread is a screen of its own, with a link back", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInQuietly(page, "player2@example.com");
  await visit(page, "/dashboard/messages");
  await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
  await expect(composer(page)).toBeInViewport();
  await expect(conversations(page)).toBeHidden();
  await page.getByRole("link", { name: "Back to all conversations" }).click();
  await expect(conversations(page)).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
});

test.describe("On phones", () => {
  for (const width of [320, 390]) {
    test(`A thread's header names the other player, at ${width} pixels`, async ({ page, app, anotherPage }) => {
      const other = await anotherPage();
      const { address, names } = await startConversation(other, page, app, "Дмитрий");
      await openTestDatabase(app)
        .update(profiles)
        .set({ ...verifiedProfile(names[0]), currentRank: "Diamond 1", preferredRole: "Initiator" })
        .where(eq(profiles.riotGameName, names[0]));
      await page.setViewportSize({ width, height: 700 });
      // The other player's presence shows once they have answered.
      await other.request.post(address, {
        form: { id: crypto.randomUUID(), message: "Hello yourself!" },
        headers: { Origin: app.url },
        maxRedirects: 0,
      });
      await visit(page, address);
      const head = page.getByRole("region", { name: /^Conversation with/ }).locator("header");
      const name = head.getByRole("link", { name: names[0] });
      await expect(name).toBeInViewport({ ratio: 1 });
      // At least "Дмитрий" can be read, with the Verified mark beside it.
      expect((await name.boundingBox())?.width).toBeGreaterThan(80);
      await expect(head.getByText("Verified")).toBeAttached();
      await expect(head.getByText(/^(Online|just now|\d+ min ago)$/)).toBeInViewport({ ratio: 1 });
      await expect(head.getByText("Diamond 1")).toBeInViewport({ ratio: 1 });
      expect(await head.evaluate((header) => header.scrollWidth <= header.clientWidth)).toBe(true);
      // Team Up is behind the menu.
      await expect(head.getByRole("link", { name: "Team Up" })).toHaveCount(0);
      await head.locator("summary").click();
      await expect(head.getByRole("link", { name: "Team Up" })).toBeVisible();
    });
  }
});

test("A half-written message survives a reload and a check for new messages", async ({ page, app, anotherPage }) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(page, address);
  await composer(page).fill("Half a thought,\nand");
  if (hasJavaScript()) {
    await page.reload();
    await expect(composer(page)).toHaveValue("Half a thought,\nand");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(thread(page)).toContainText("Half a thought,");
    await page.reload();
    await expect(thread(page)).toContainText("Half a thought,");
    await expect(composer(page)).toHaveValue("");
  } else {
    await page.getByRole("button", { name: "Check and keep what I wrote" }).click();
    await expect(composer(page)).toHaveValue("Half a thought,\nand");
    await composer(page).fill("x".repeat(2_000));
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(thread(page)).toContainText("x".repeat(2_000));
  }
});

test("axe finds no violations on the list, a thread and the contact dialog", async ({ page, app, anotherPage }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await expectAccessibleEverywhere(page);
  await page.setViewportSize({ width: 1280, height: 844 });
  await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
  await expect(composer(page)).toBeVisible();
  await expectAccessibleEverywhere(page);
  const author = await anotherPage();
  await signInNewPlayer(author, app, "Ann");
  const post = await createPost(author, app, { title: `To be looked at ${unique()}` });
  await visit(page, `${post}/contact`);
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test.describe("With JavaScript", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "It is about what goes on in an open page.");

  test("Messages, typing, read receipts and presence reach the other player immediately", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { names, address } = await startConversation(page, other, app);
    await visit(page, address);
    await visit(other, address);
    await waitForLive(page);
    await waitForLive(other);
    await expect(page.getByRole("heading", { name: names[1] }).locator("..")).toContainText("Online");

    await write(page, "Hello yourself!");
    await expect(thread(other)).toContainText("Hello yourself!");
    await composer(other).pressSequentially("Are you");
    await expect(page.getByText(`${names[1]} is typing`)).toBeVisible();
    await composer(other).fill("Are you there?");
    await composer(other).press("Enter");
    await expect(thread(page)).toContainText("Are you there?");
    await expect(page.getByText(`${names[1]} is typing`)).toHaveCount(0);
    await expect(thread(other)).toContainText("Seen");

    // Both write at the same time: each line appears once, and in the same order for both.
    const lines = Array.from({ length: 8 }, (_, index) => index);
    await Promise.all([
      (async () => {
        for (const line of lines) await write(page, `left ${line}`);
      })(),
      (async () => {
        for (const line of lines) await write(other, `right ${line}`);
      })(),
    ]);
    await expect(thread(page).locator("[data-message]")).toHaveCount(19);
    await expect(thread(other).locator("[data-message]")).toHaveCount(19);
    await expect(thread(page).getByText("Sending")).toHaveCount(0);
    await expect(thread(other).getByText("Sending")).toHaveCount(0);
    expect(await messagesOf(page)).toEqual(await messagesOf(other));
    expect((await messagesOf(page)).filter((text) => text.startsWith("left"))).toEqual(
      lines.map((line) => `left ${line}`),
    );

    await other.close();
    await expect(page.getByRole("heading", { name: names[1] }).locator("..")).toContainText("Last seen", {
      timeout: 20_000,
    });
  });

  test("The header and the list count new messages on every page", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const { names, address } = await startConversation(page, other, app);
    await visit(page, "/dashboard/profile");
    const chat = page.getByRole("link", { name: "Chat" });
    await expect(chat).toHaveAccessibleDescription("1 unread");
    await visit(other, address);
    await write(other, "Second");
    await expect(chat).toHaveAccessibleDescription("2 unread");
    await chat.click();
    await write(other, "Third");
    const entry = conversations(page).getByRole("link", { name: names[1] });
    await expect(entry).toHaveAccessibleDescription("3 unread");
    await expect(conversations(page)).toContainText("Third");
    await entry.click();
    await expect(thread(page)).toContainText("Third");
    await expect(chat).toHaveAccessibleDescription("");
    await expect(thread(other)).not.toContainText("Seen");
    await write(page, "Read it all");
    await expect(conversations(page)).toContainText("You: Read it all");
    // Until the answer, the stranger learned neither that the player is online nor that they have read anything.
    await expect(thread(other)).toContainText("Seen");
  });

  test("A message that arrives while the list is loading is counted, too", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const { names, address } = await startConversation(page, other, app);
    await visit(other, address);
    const told: string[] = [];
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => told.push(String(payload))));
    await visit(page, "/dashboard/profile");
    // The response is made before the second message, and arrives after it.
    let release = () => {};
    const second = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/dashboard/messages.data*", async (route) => {
      const response = await route.fetch({ maxRetries: 3 });
      await write(other, "Second");
      await second;
      await route.fulfill({ response });
    });
    const chat = page.getByRole("link", { name: "Chat" });
    await chat.click();
    await expect.poll(() => told.filter((frame) => frame.includes('"messages":2')).length).toBeGreaterThan(0);
    release();
    const entry = conversations(page).getByRole("link", { name: names[1] });
    await expect(entry).toHaveAccessibleDescription("2 unread");
    await expect(conversations(page)).toContainText("Second");
    await expect(chat).toHaveAccessibleDescription("2 unread");
  });

  test.describe("Offline", () => {
    test.use({ expectedErrors: [/net::ERR_(FAILED|INTERNET_DISCONNECTED)/] });

    test("A lost message that can't be loaded at first appears as soon as it can", async ({
      page,
      app,
      anotherPage,
    }) => {
      const other = await anotherPage();
      const { address } = await startConversation(other, page, app);
      await loseFrames(page, /"seq":2\b/);
      await visit(page, address);
      await waitForLive(page);
      const asked = page.waitForRequest(/\?after=/);
      await page.route(/\?after=/, (route) => route.abort());
      await visit(other, address);
      for (const line of ["one", "two"]) await write(other, line);
      await asked;
      await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "two"]);
      await page.unroute(/\?after=/);
      await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "one", "two"]);
    });

    test("A message that can't be sent says so, and Retry sends it once", async ({ page, app, anotherPage }) => {
      const other = await anotherPage();
      const { address } = await startConversation(other, page, app);
      await visit(page, address);
      await page.route("**/conversations/*/messages", (route) => route.abort());
      await write(page, "Into the void");
      await expect(thread(page)).toContainText("Sending");
      await expectToast(page, "error", "Error", "Failed to send message. Please try again.");
      await expect(thread(page)).toContainText("Not sent");
      // The unsent message survives a reload.
      await page.reload();
      await waitForLive(page);
      await expect(thread(page)).toContainText("Into the void");
      await expect(thread(page)).toContainText("Not sent");
      await page.unroute("**/conversations/*/messages");
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(thread(page)).not.toContainText("Not sent");
      await expect(thread(page)).toContainText("Sent");
      await visit(other, address);
      expect(await messagesOf(other)).toEqual(["Hello there!", "Into the void"]);
    });

    test("An unsent message is still there after visiting another page, until it is sent or discarded", async ({
      page,
      app,
      anotherPage,
    }) => {
      const other = await anotherPage();
      const { address } = await startConversation(other, page, app);
      await visit(page, address);
      await page.route("**/conversations/*/messages", (route) => route.abort());
      await write(page, "First");
      await write(page, "Second");
      await expect(thread(page).getByText("Not sent")).toHaveCount(2, { timeout: 30_000 });
      await page.getByRole("link", { name: "Profile" }).click();
      await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
      await visit(page, address);
      await expect(thread(page).getByText("Not sent")).toHaveCount(2);
      await page.unroute("**/conversations/*/messages");
      await page.getByRole("button", { name: "Retry" }).first().click();
      await expect(thread(page).getByText("Not sent")).toHaveCount(1);
      await page.getByRole("button", { name: "Discard" }).click();
      await expect(thread(page).getByText("Not sent")).toHaveCount(0);
      await page.reload();
      await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "First"]);
      await visit(other, address);
      expect(await messagesOf(other)).toEqual(["Hello there!", "First"]);
    });

    test("A message that couldn't be sent leaves the browser once its chat is gone", async ({ page, app }) => {
      await signInQuietly(page, await newPlayer(app));
      await visit(page, "/dashboard");
      const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(":unsent:")));
      await page.evaluate((conversationId) => {
        const key = `lineup:unsent:${localStorage.getItem("lineup:viewer")}:${conversationId}`;
        const message = { id: crypto.randomUUID(), content: "Anyone?", createdAt: Date.now(), isFailed: true };
        localStorage.setItem(key, JSON.stringify([message]));
      }, randomUUID());
      expect(await kept()).toHaveLength(1);
      await page.reload();
      await expect.poll(kept).toEqual([]);
    });

    test("An unsent message waits for its author, even if another player has signed in in the same browser", async ({
      page,
      app,
      anotherPage,
    }) => {
      const other = await anotherPage();
      const { names, address } = await startConversation(other, page, app);
      const [next, author] = names.map((name) => emailOf[name] as string) as [string, string];
      await visit(page, address);
      await waitForLive(page);
      await page.context().setOffline(true);
      await write(page, "My own words");
      await expect(thread(page)).toContainText("Sends when you're back online");
      await signInQuietly(page, next);
      await page.context().setOffline(false);
      const words = "Your session has ended. Sign in in another tab, then try again.";
      await expectToast(page, "error", "Error sending message", words);
      await signInQuietly(page, author);
      await visit(page, address);
      await expect(thread(page)).toContainText("Not sent");
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(thread(page).getByText("Not sent")).toHaveCount(0);
      await visit(other, address);
      await expect(thread(other).locator(".bubble:not(.own-bubble)")).toHaveText(["Hello there!", "My own words"]);
    });

    test("After Retry and Discard, the focus is in the message's field", async ({ page, app, anotherPage }) => {
      const { address } = await startConversation(await anotherPage(), page, app);
      await visit(page, address);
      await page.route("**/conversations/*/messages", (route) => route.abort());
      for (const line of ["First", "Second"]) await write(page, line);
      await expect(thread(page).getByText("Not sent")).toHaveCount(2, { timeout: 30_000 });
      await page.getByRole("button", { name: "Discard" }).first().press("Enter");
      await expect(thread(page).getByText("Not sent")).toHaveCount(1);
      await expect(composer(page)).toBeFocused();
      await page.getByRole("button", { name: "Retry" }).press("Enter");
      await expect(thread(page).getByText("Not sent")).toHaveCount(0);
      await expect(composer(page)).toBeFocused();
    });

    test("Messages written offline are sent automatically, in order and once, even after leaving the page", async ({
      page,
      app,
      anotherPage,
    }) => {
      const other = await anotherPage();
      const { address } = await startConversation(other, page, app);
      await visit(page, address);
      await waitForLive(page);
      await page.context().setOffline(true);
      for (const line of ["First", "Second", "Third"]) await write(page, line);
      await expect(thread(page).getByText("Sends when you're back online")).toHaveCount(3);
      await expect(thread(page).getByText("Not sent")).toHaveCount(0);
      await page.context().setOffline(false);
      await expect(thread(page).getByText("Sends when")).toHaveCount(0);
      await expect(thread(page).getByText("Sending")).toHaveCount(0);
      await expect(page.locator(".toast-card")).toHaveCount(0);
      await visit(other, address);
      expect(await messagesOf(other)).toEqual(["Hello there!", "First", "Second", "Third"]);
      // A message still unsent when the page closes is sent when the thread is opened again.
      await page.context().setOffline(true);
      await write(page, "Fourth");
      await expect(thread(page)).toContainText("Sends when");
      await page.goto("about:blank");
      await page.context().setOffline(false);
      await visit(page, address);
      await expect(thread(other)).toContainText("Fourth");
      await expect(thread(page).getByText("Sends when")).toHaveCount(0);
      expect(await messagesOf(page)).toEqual(["Hello there!", "First", "Second", "Third", "Fourth"]);
    });

    test("A first message that can't be sent stays in its dialog, and can be sent later", async ({
      page,
      app,
      anotherPage,
    }) => {
      const author = await anotherPage();
      await signInNewPlayer(author, app, "Ann");
      await signInNewPlayer(page, app, "Ben");
      const post = await createPost(author, app, { title: `Far away ${unique()}` });
      await visit(page, `${post}/contact`);
      const field = page.getByRole("dialog").getByRole("textbox", { name: "Message" });
      const send = page.getByRole("button", { name: "Send Message" });
      await expect(send).toBeEnabled();
      await field.fill(" \n ");
      await expect(send).toBeDisabled();
      await field.fill("A long letter");
      await expect(send).toBeEnabled();
      await page.route("**/contact.data*", (route) => route.abort());
      await page.getByRole("button", { name: "Send Message" }).click();
      await expectToast(page, "error", "Error", "Failed to start conversation. Please try again.");
      await expect(field).toHaveValue("A long letter");
      await page.unroute("**/contact.data*");
      await page.getByRole("button", { name: "Send Message" }).click();
      await expectToast(page, "success", "Message sent!");
    });
  });

  test("Messages missed while the connection was lost appear when it is back, once and in order", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { address } = await startConversation(other, page, app);
    let cut: (() => void) | undefined;
    let isCut = false;
    await page.routeWebSocket(/\/parties\/conversation\//, async (socket) => {
      if (isCut) {
        // Connecting takes a while, as on a bad network.
        await new Promise((resolve) => setTimeout(resolve, 700));
        return socket.close({ code: 1011 });
      }
      socket.connectToServer();
      cut = () => void socket.close({ code: 1011 });
    });
    await visit(page, address);
    await waitForLive(page);
    isCut = true;
    cut?.();
    for (const words of ["Not connected", "Connecting…", "Not connected"]) {
      await expect(page.getByText(words)).toBeVisible();
    }
    await visit(other, address);
    for (const line of ["one", "two", "three"]) await write(other, line);
    await expect(thread(other).getByText("Sending")).toHaveCount(0);
    isCut = false;
    await waitForLive(page);
    await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "one", "two", "three"]);
  });

  test("A block made while the connection is lost shows after reconnecting", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const { names, address } = await startConversation(other, page, app);
    let cut: (() => void) | undefined;
    let isCut = false;
    await page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
      if (isCut) return socket.close({ code: 1011 });
      socket.connectToServer();
      cut = () => void socket.close({ code: 1011 });
    });
    await visit(page, address);
    await waitForLive(page);
    isCut = true;
    cut?.();
    await expect(page.getByText("Not connected")).toBeVisible();
    const db = openTestDatabase(app);
    const idOf = async (name: string | undefined) =>
      (
        await db
          .select({ id: users.id })
          .from(users)
          .where(eq(users.email, emailOf[name as string] as string))
      )[0]?.id;
    const [blockerId, blockedId] = (await Promise.all(names.map(idOf))) as [string, string];
    await db.insert(blocks).values({ blockerId, blockedId, createdAt: new Date() });
    await expect(composer(page)).toBeVisible();
    isCut = false;
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(composer(page)).toHaveCount(0);
  });

  test("A conversation whose connection is back reloads at a moment of its own, not with all others", async ({
    page,
    app,
    anotherPage,
  }) => {
    const { address } = await startConversation(await anotherPage(), page, app);
    const connection = await cutConnections(page, /\/parties\/conversation\//);
    let reloads = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === `${address}.data`) reloads += 1;
    });
    await page.clock.install();
    await visit(page, address);
    await waitForLive(page);
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    await page.evaluate(() => {
      Math.random = () => 0.5;
    });
    connection.cut();
    await expect(page.getByText("Not connected")).toBeVisible();
    connection.restore();
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await page.clock.runFor(100);
    await waitForLive(page);
    await page.clock.runFor(1_000);
    await page.evaluate(() => undefined);
    expect(reloads).toBe(0);
    await page.clock.runFor(2_000);
    await expect.poll(() => reloads).toBe(1);
  });

  test("A message hidden while the connection is lost is gone after reconnecting, however old it is", async ({
    page,
    app,
    anotherPage,
  }) => {
    const names = [
      await signInNewPlayer(page, app, "Ann"),
      await signInNewPlayer(await anotherPage(), app, "Ben"),
    ] as const;
    const address = await addLongConversation(app, names);
    const connection = await cutConnections(page, /\/parties\/conversation\//);
    await visit(page, address);
    await page.getByRole("link", { name: "Older messages" }).click();
    const old = thread(page).getByText("Number 30", { exact: true });
    await expect(old).toBeAttached();
    const shown = thread(page).locator("[data-message]");
    await expect(shown).toHaveCount(100);
    await waitForLive(page);
    connection.cut();
    await expect(page.getByText("Not connected")).toBeVisible();
    const isOld = and(
      eq(messages.conversationId, address.split("/").at(-1) as string),
      eq(messages.content, "Number 30"),
    );
    const [row] = await openTestDatabase(app).select({ id: messages.id }).from(messages).where(isOld);
    await hidingIn(app).hide({ kind: "message", id: row?.id as string });
    await expect(old).toBeAttached();
    connection.restore();
    // The next attempt may be ten seconds away, but the page makes one when the browser says that it is online.
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(old).toHaveCount(0);
    // The other messages that the reader had loaded stay.
    await expect(thread(page).getByText("Message removed by moderators")).toBeAttached();
    await expect(shown).toHaveCount(100);
  });

  test("A message hidden in the moment in which it arrives doesn't stay readable", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { address } = await startConversation(other, page, app);
    const deliverAtOnce = await holdRoomMessages(page);
    await visit(page, address);
    await waitForLive(page);
    await visit(other, address);
    await write(other, "Rude words");
    await expect(thread(other).getByText("Sending")).toHaveCount(0);
    const [row] = await openTestDatabase(app)
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.conversationId, address.split("/").at(-1) as string), eq(messages.content, "Rude words")));
    await hidingIn(app).hide({ kind: "message", id: row?.id as string });
    await deliverAtOnce(2);
    await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "Message removed by moderators"]);
  });

  test("The list shows what the player wrote elsewhere while the connection was lost", async ({
    page,
    app,
    anotherPage,
  }) => {
    const { address } = await startConversation(await anotherPage(), page, app);
    const connection = await cutConnections(page, /\/parties\/inbox/);
    await visit(page, "/dashboard/messages");
    await expect(conversations(page)).toContainText("Hello there!");
    await connection.opened;
    connection.cut();
    const form = { id: crypto.randomUUID(), message: "From my phone" };
    const sent = await page.request.post(address, { form, headers: { Origin: app.url }, maxRedirects: 0 });
    expect(sent.status()).toBe(303);
    connection.restore();
    await expect(conversations(page)).toContainText("From my phone");
  });

  test("The list asks again for a new message if it couldn't be loaded at first", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { address } = await startConversation(other, page, app);
    await visit(page, "/dashboard/messages");
    let asked = 0;
    await page.route(/\/conversations(\?|$)/, (route) => {
      asked += 1;
      return asked === 1 ? route.fulfill({ status: 503, contentType: "text/plain", body: "" }) : route.continue();
    });
    await visit(other, address);
    await write(other, "Did this arrive?");
    await expect(conversations(page)).toContainText("Did this arrive?");
    expect(asked).toBeGreaterThan(1);
  });

  test("A first message that the room didn't deliver appears with the next one", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const names = [await signInNewPlayer(page, app, "Ann"), await signInNewPlayer(other, app, "Ben")];
    const db = openTestDatabase(app);
    const emails = names.map((name) => emailOf[name] as string);
    const players = await db.select({ id: users.id }).from(users).where(inArray(users.email, emails));
    const [one, two] = players as [{ id: string }, { id: string }];
    // Nobody has written yet, as in a new team's chat.
    const address = `/dashboard/messages/${await addConversation({ db }, one, two)}`;
    await loseFrames(page, /"seq":1\b/);
    await visit(page, address);
    await waitForLive(page);
    await visit(other, address);
    for (const line of ["one", "two"]) await write(other, line);
    await expect(thread(page).locator("[data-message]")).toHaveText(["one", "two"]);
  });

  test("Screen readers announce each new message from others once, but not the player's own or older messages", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const names = [await signInNewPlayer(page, app, "Ann"), await signInNewPlayer(other, app, "Ben")];
    const address = await addLongConversation(app, names);
    await visit(page, address);
    await waitForLive(page);
    // Collects the texts that appear in live regions of the thread.
    await thread(page).evaluate((log) => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const collect = (node: Node) => {
        for (const child of node.childNodes) collect(child);
        if (!(node instanceof Text) || !node.data) return;
        const region = node.parentElement?.closest("[aria-live], [role=alert], [role=status], [role=log]");
        if (region?.getAttribute("aria-live") !== "off") heard.push(node.data);
      };
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
          for (const node of type === "characterData" ? [target] : addedNodes) collect(node);
        }
      }).observe(log, { childList: true, characterData: true, subtree: true });
    });
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);

    await visit(other, address);
    await write(other, "Anybody?");
    await expect(thread(page)).toContainText("Anybody?");
    await write(page, "Here I am.");
    await expect(thread(other)).toContainText("Here I am.");
    await expect(thread(page).getByText("Sending")).toHaveCount(0);
    await write(other, "Good.");
    await expect(thread(page)).toContainText("Good.");
    await page.getByRole("link", { name: "Older messages" }).click();
    await expect(thread(page).locator("[data-message]")).toHaveCount(103);
    const read = await heard();
    expect(read.filter((text) => /Anybody|Good/.test(text))).toEqual(["Anybody?", "Good."]);
    expect(read.filter((text) => /^(Number|Here I am|You$|Sending|Sent|Seen)/.test(text))).toEqual([]);
    const days = await thread(page).locator("[data-edge]").allTextContents();
    expect(read.filter((text) => days.includes(text))).toEqual([]);
  });

  test("Once all older messages are loaded, the focus stays in the thread", async ({ page, app, anotherPage }) => {
    const names = [await signInNewPlayer(page, app, "Ann"), await signInNewPlayer(await anotherPage(), app, "Ben")];
    await visit(page, await addLongConversation(app, names));
    const older = page.getByRole("link", { name: "Older messages" });
    for (const count of [100, 120]) {
      await older.press("Enter");
      await expect(thread(page).locator("[data-message]")).toHaveCount(count);
    }
    await expect(older).toHaveCount(0);
    await expect(thread(page)).toBeFocused();
  });

  test("A page of older messages stays as it is until the reader opens the newest or writes", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const names = [await signInNewPlayer(page, app, "Ann"), await signInNewPlayer(other, app, "Ben")];
    const address = await addLongConversation(app, names);
    const shown = thread(page).locator("[data-message]");
    const chat = page.getByRole("link", { name: "Chat" });
    const placesAsked: number[] = [];
    page.on("request", (request) => {
      const after = new URL(request.url()).searchParams.get("after");
      if (after !== null) placesAsked.push(Number(after));
    });

    await visit(page, `${address}?before=51`);
    await waitForLive(page);
    await visit(other, address);
    await write(other, "Number 121");
    await expect(chat).toHaveAccessibleDescription("1 unread");
    await expect(shown).toHaveCount(50);
    await expect(shown.last()).toHaveText("Number 50");

    await page.getByRole("link", { name: "Newest messages" }).click();
    await expect(shown.last()).toHaveText("Number 121");
    await expect(shown).toHaveCount(50);
    await expect(chat).toHaveAccessibleDescription("");
    await write(other, "Number 122");
    await expect(shown.last()).toHaveText("Number 122");
    await expect(shown).toHaveCount(51);

    await page.goBack();
    await expect(shown.last()).toHaveText("Number 50");
    await expect(shown).toHaveCount(50);
    await write(page, "Number 123");
    await expect(page).toHaveURL(address);
    await expect(shown.last()).toHaveText("Number 123");
    await expect(thread(other)).toContainText("Number 123");
    // The thread hasn't loaded the messages between.
    expect(placesAsked.filter((after) => after < 120)).toEqual([]);
  });

  test("A read mark that was lost with its connection is sent again over the next one", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { address } = await startConversation(other, page, app);
    let connections = 0;
    let lost = 0;
    let cut: (() => void) | undefined;
    await page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
      connections += 1;
      const isFirst = connections === 1;
      const room = socket.connectToServer();
      socket.onMessage((frame) => {
        if (isFirst && /"type":"read"/.test(String(frame))) lost += 1;
        else room.send(frame);
      });
      cut ??= () => void socket.close({ code: 1011 });
    });
    await visit(page, address);
    await waitForLive(page);
    await visit(other, address);
    await waitForLive(other);
    await write(other, "Yes, I am.");
    await expect(thread(page).locator("[data-message]").last()).toContainText("Yes, I am.");
    await expect.poll(() => lost).toBeGreaterThan(0);
    await expect(thread(other).getByText("Seen")).toHaveCount(0);
    cut?.();
    await expect(thread(other).getByText("Seen")).toBeVisible();
  });

  test("A connection that has fallen silent is replaced ten seconds after a heartbeat", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { address } = await startConversation(other, page, app);
    let [connections, answered] = [0, 0];
    let isSilent = false;
    await page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
      connections += 1;
      const own = connections;
      socket.connectToServer().onMessage((frame) => {
        if (own === 1 && isSilent) return;
        if (frame === "pong") answered += 1;
        socket.send(frame);
      });
    });
    await page.clock.install();
    await visit(page, address);
    await waitForLive(page);
    await expect.poll(() => answered).toBe(1);
    await page.clock.fastForward(25_000);
    await expect.poll(() => answered).toBe(2);
    await page.clock.fastForward(10_000);
    isSilent = true;
    await page.clock.fastForward(15_000);
    await page.clock.fastForward(9_000);
    expect(connections).toBe(1);
    await page.clock.fastForward(1_000);
    await expect.poll(() => connections).toBe(2);
    await waitForLive(page);
  });

  test("A session that ends elsewhere leads to the sign-in, and a half-written message is kept", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { names, address } = await startConversation(other, page, app);
    await visit(page, address);
    await waitForLive(page);
    await composer(page).fill("Not lost");
    const second = await page.context().newPage();
    await second.goto("/dashboard");
    await second.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL(/\/auth\?redirectTo=/);
    await signInQuietly(page, emailOf[names[1]] as string);
    await visit(page, address);
    await expect(composer(page)).toHaveValue("Not lost");
    // The other player, signed in on the same browser, doesn't see it.
    await signInQuietly(page, emailOf[names[0]] as string);
    await visit(page, address);
    await expect(thread(page)).toContainText("Hello there!");
    await expect(composer(page)).toHaveValue("");
  });
});
