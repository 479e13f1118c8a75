import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import {
  composer,
  conversations,
  messagesOf,
  signInTwoPlayers,
  startConversation,
  thread,
  waitForLive,
  write,
} from "./conversations";
import { createPost, expectToast, holdRequests, newPlayer, signInNewPlayer, signInQuietly, unique } from "./steps";

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
  const [author, ben] = await signInTwoPlayers(page, visitor, app, ["Żaneta", "Ngọc"]);
  const title = `Evening “climb” ${unique()}`;
  const post = await createPost(page, app, { title });

  await test.step("the visitor contacts the author from the post", async () => {
    await visitor.goto(post);
    await visitor.getByRole("main").getByRole("link", { name: "Contact" }).click();
    const dialog = visitor.getByRole("dialog", { name: `Contact ${author.name}` });
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
    const entry = conversations(page).getByRole("link", { name: ben.name });
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
    await conversations(visitor).getByRole("link", { name: author.name }).click();
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
  const [author] = await signInTwoPlayers(page, visitor, app);
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
  await expect(conversations(visitor).getByRole("link", { name: author.name })).toHaveCount(1);
  await conversations(visitor).getByRole("link", { name: author.name }).click();
  await expect(thread(visitor).locator("[data-message]")).toHaveCount(2);
});

test("A player can't contact themselves, or the author of a post that was closed in the meantime", async ({
  page,
  app,
  anotherPage,
}) => {
  const visitor = await anotherPage();
  await signInTwoPlayers(page, visitor, app);
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
  const { name } = await signInNewPlayer(author, app, `Ann ${unique()}`);
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

test("A name typed while a conversation search loads stays in the field, and other links empty the field", async ({
  page,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, each search loads a new page.");
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  const field = page.getByRole("searchbox", { name: "Search by name" });
  const release = await holdRequests(page, /\/dashboard\/messages\.data/);
  await field.fill("nobody");
  await field.press("Enter");
  await field.press("End");
  await field.pressSequentially(" at all");
  release();
  await expect(page.getByText("Nobody with that name here.")).toBeVisible();
  await expect(field).toHaveValue("nobody at all");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page).toHaveURL("/dashboard/messages");
  await expect(field).toHaveValue("");
  await page.goBack();
  await expect(page).toHaveURL("/dashboard/messages?q=nobody");
  await expect(field).toHaveValue("nobody");
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
  await signInNewPlayer(author, app, `Ann ${unique()}`);
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
    const { players, address } = await startConversation(page, other, app);
    await visit(page, address);
    await visit(other, address);
    await waitForLive(page);
    await waitForLive(other);
    await expect(page.getByRole("heading", { name: players[1].name }).locator("..")).toContainText("Online");

    await write(page, "Hello yourself!");
    await expect(thread(other)).toContainText("Hello yourself!");
    await composer(other).pressSequentially("Are you");
    await expect(page.getByText(`${players[1].name} is typing`)).toBeVisible();
    await composer(other).fill("Are you there?");
    await composer(other).press("Enter");
    await expect(thread(page)).toContainText("Are you there?");
    await expect(page.getByText(`${players[1].name} is typing`)).toHaveCount(0);
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
    await expect(page.getByRole("heading", { name: players[1].name }).locator("..")).toContainText("Last seen", {
      timeout: 20_000,
    });
  });

  test("The header and the list count new messages on every page", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const { players, address } = await startConversation(page, other, app);
    await visit(page, "/dashboard/profile");
    const chat = page.getByRole("link", { name: "Chat" });
    await expect(chat).toHaveAccessibleDescription("1 unread");
    await visit(other, address);
    await write(other, "Second");
    await expect(chat).toHaveAccessibleDescription("2 unread");
    await chat.click();
    await write(other, "Third");
    const entry = conversations(page).getByRole("link", { name: players[1].name });
    await expect(entry).toHaveAccessibleDescription("3 unread");
    await expect(conversations(page)).toContainText("Third");
    await entry.click();
    await expect(thread(page)).toContainText("Third");
    await expect(chat).toHaveAccessibleDescription("");
    await expect(thread(other)).not.toContainText("Seen");
    await write(page, "Read it all");
    await expect(conversations(page)).toContainText("You: Read it all");
    // Until the player answered, the stranger saw neither that the player is online nor that they have read anything.
    await expect(thread(other)).toContainText("Seen");
  });

  test("A message that arrives while the list is loading is counted, too", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const { players, address } = await startConversation(page, other, app);
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
    const entry = conversations(page).getByRole("link", { name: players[1].name });
    await expect(entry).toHaveAccessibleDescription("2 unread");
    await expect(conversations(page)).toContainText("Second");
    await expect(chat).toHaveAccessibleDescription("2 unread");
  });

  test("A session that ends elsewhere leads to the sign-in, and a half-written message is kept", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const { players, address } = await startConversation(other, page, app);
    await visit(page, address);
    await waitForLive(page);
    await composer(page).fill("Not lost");
    const second = await page.context().newPage();
    await second.goto("/dashboard");
    await second.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL(/\/auth\?redirectTo=/);
    await signInQuietly(page, players[1].email);
    await visit(page, address);
    await expect(composer(page)).toHaveValue("Not lost");
    // The other player, signed in on the same browser, doesn't see it.
    await signInQuietly(page, players[0].email);
    await visit(page, address);
    await expect(thread(page)).toContainText("Hello there!");
    await expect(composer(page)).toHaveValue("");
  });
});
