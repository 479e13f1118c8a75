import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test, visit } from "../support/e2e";
import { composer, messagesOf, signInTwoPlayers, startConversation, thread, waitForLive, write } from "./conversations";
import { createPost, expectToast, newPlayer, signInQuietly, unique } from "./steps";

test.skip(
  ({ javaScriptEnabled }) => javaScriptEnabled === false,
  "Without JavaScript, the browser keeps no unsent messages.",
);

test.use({ expectedErrors: [/net::ERR_(FAILED|INTERNET_DISCONNECTED)|status of 503/] });

/** Opens a conversation in a new tab, takes the network away from all tabs, and writes messages, which then wait. */
async function writeOffline(context: BrowserContext, address: string, ...lines: string[]): Promise<Page> {
  const tab = await context.newPage();
  await visit(tab, address);
  await waitForLive(tab);
  await context.setOffline(true);
  for (const line of lines) await write(tab, line);
  await expect(thread(tab).getByText("Sends when you're back online")).toHaveCount(lines.length);
  return tab;
}

/** Opens a conversation in a new tab, and writes a message there. The tab tries to send it, but no try succeeds. */
async function writeInVain(context: BrowserContext, address: string, line: string): Promise<Page> {
  const tab = await context.newPage();
  await visit(tab, address);
  await tab.route("**/conversations/*/messages", (route) => route.fulfill({ status: 503 }));
  const failure = tab.waitForResponse((response) => response.status() === 503);
  await write(tab, line);
  await failure;
  await expect(thread(tab)).toContainText("Sending");
  return tab;
}

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
  await expect(thread(page)).not.toContainText("Sending");
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
  await expect(thread(page).getByText("Sending")).toHaveCount(0);
  await page.reload();
  await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "First"]);
  await visit(other, address);
  expect(await messagesOf(other)).toEqual(["Hello there!", "First"]);
});

test("The question whether the chat of a message that couldn't be sent is gone loads no messages", async ({
  page,
  app,
  anotherPage,
}) => {
  const { address } = await startConversation(await anotherPage(), page, app);
  await visit(page, address);
  await page.route("**/conversations/*/messages", (route) => route.abort());
  await write(page, "Into the void");
  await expect(thread(page)).toContainText("Not sent", { timeout: 30_000 });
  const answer = page.waitForResponse((response) => response.url().includes("/messages?after="));
  await page.goto("/dashboard/profile");
  expect(await (await answer).json()).toEqual({ messages: [], hasOlder: false });
});

test("A message that couldn't be sent leaves the browser once its chat is gone", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(":unsent:")));
  await page.evaluate((conversationId) => {
    const message = { id: crypto.randomUUID(), content: "Anyone?", createdAt: Date.now(), isFailed: true };
    const key = `lineup:unsent:${localStorage.getItem("lineup:viewer")}:${conversationId}:${message.id}`;
    localStorage.setItem(key, JSON.stringify(message));
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
  const { players, address } = await startConversation(other, page, app);
  const [next, author] = players;
  await visit(page, address);
  await waitForLive(page);
  await page.context().setOffline(true);
  await write(page, "My own words");
  await expect(thread(page)).toContainText("Sends when you're back online");
  await signInQuietly(page, next.email);
  await page.context().setOffline(false);
  const words = "Your session has ended. Sign in in another tab, then try again.";
  await expectToast(page, "error", "Error sending message", words);
  await signInQuietly(page, author.email);
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

test("A message whose tab was closed without a network is sent by another open tab once the network is back", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(other, address);
  await visit(page, address);
  await waitForLive(page);
  const closed = await writeOffline(context, address, "On my way");
  await closed.close();
  await expect(page.getByText("Offline", { exact: true }).first()).toBeVisible();
  await context.setOffline(false);
  await expect(thread(other)).toContainText("On my way", { timeout: 30_000 });
  await expect(thread(page)).toContainText("On my way");
  expect(await messagesOf(page)).toEqual(["Hello there!", "On my way"]);
  await expect(thread(page).getByText("Sending")).toHaveCount(0);
});

test("A message whose tab is closed while it is being sent is sent by another open tab", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(other, address);
  await visit(page, "/dashboard");
  const closed = await writeOffline(context, address, "On my way");
  await expect(page.getByText("Offline", { exact: true }).first()).toBeVisible();
  await closed.route("**/conversations/*/messages", () => {});
  const sending = closed.waitForRequest((request) => request.method() === "POST");
  await context.setOffline(false);
  await sending;
  // The other tab has found the message, and waits for its lock.
  const locks = async () => (await navigator.locks.query()).pending?.map(({ name }) => name?.slice(0, 14));
  await expect.poll(() => page.evaluate(locks), { timeout: 30_000 }).toEqual(["lineup:unsent:"]);
  await closed.close();
  await expect(thread(other)).toContainText("On my way", { timeout: 30_000 });
  expect(await messagesOf(other)).toEqual(["Hello there!", "On my way"]);
});

test("A message whose tab is closed while the site doesn't answer is sent by a tab that was online all along", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(other, address);
  await visit(page, "/dashboard");
  await (await writeInVain(context, address, "On my way")).close();
  await expect(thread(other)).toContainText("On my way", { timeout: 30_000 });
  expect(await messagesOf(other)).toEqual(["Hello there!", "On my way"]);
});

test("A thread that is opened again sends a message of a closed tab of which its own tab hasn't heard", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const other = await anotherPage();
  const { players, address } = await startConversation(other, page, app);
  await visit(other, address);
  // As in a tab that was asleep.
  await page.addInitScript(() => addEventListener("storage", (event) => event.stopImmediatePropagation()));
  await visit(page, address);
  await waitForLive(page);
  await page.getByRole("link", { name: "Profile", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  await (await writeInVain(context, address, "On my way")).close();
  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: players[0].name }).click();
  await expect(thread(other)).toContainText("On my way", { timeout: 30_000 });
  await expect(thread(page)).toContainText("On my way");
});

test("Messages of a tab that was closed without a network are sent once, however many other tabs are open", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(other, address);
  await visit(page, address);
  await waitForLive(page);
  for (const path of ["/dashboard", "/dashboard/profile"]) await visit(await context.newPage(), path);
  const closed = await writeOffline(context, address, "On my way", "Wait for me");
  await closed.close();
  for (const tab of context.pages()) {
    await expect(tab.getByText("Offline", { exact: true }).first()).toBeVisible();
  }
  const sent: string[] = [];
  context.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/messages")) sent.push(request.postData() ?? "");
  });
  await context.setOffline(false);
  await expect(thread(other)).toContainText("Wait for me", { timeout: 30_000 });
  await write(page, "Here I am");
  await expect(thread(other)).toContainText("Here I am");
  expect(await messagesOf(other)).toEqual(["Hello there!", "On my way", "Wait for me", "Here I am"]);
  expect(sent.map((form) => new URLSearchParams(form).get("message"))).toEqual([
    "On my way",
    "Wait for me",
    "Here I am",
  ]);
});

test("A first message that can't be sent stays in its dialog, and can be sent later", async ({
  page,
  app,
  anotherPage,
}) => {
  const author = await anotherPage();
  await signInTwoPlayers(author, page, app);
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
