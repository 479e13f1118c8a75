import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { conversationMembers, conversations as conversationRows, messages } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { addConversation } from "../integration/players";
import { openTestDatabase } from "../support/database";
import { expect } from "../support/e2e";
import { createPost, type NamedAccount, signInNewPlayer, unique } from "./steps";

export const thread = (page: Page) => page.getByRole("log");

export const composer = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

export const conversations = (page: Page) => page.getByRole("navigation", { name: "Conversations" });

export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The thread's messages, in order. */
export const messagesOf = (page: Page) => thread(page).locator("[data-message]").allTextContents();

/** Makes two players, whose names no others have, and signs each in on a page. */
export async function signInTwoPlayers(
  page: Page,
  other: Page,
  app: App,
  [one, two] = ["Ann", "Ben"],
): Promise<[NamedAccount, NamedAccount]> {
  const word = unique();
  return [await signInNewPlayer(page, app, `${one} ${word}`), await signInNewPlayer(other, app, `${two} ${word}`)];
}

/**
 * Makes two players with a conversation that holds only the second player's greeting. The second player's page then
 * shows the list.
 * @returns both players, and the conversation's path
 */
export async function startConversation(
  page: Page,
  other: Page,
  app: App,
  name = "Ann",
): Promise<{ players: [NamedAccount, NamedAccount]; address: string }> {
  const players = await signInTwoPlayers(page, other, app, [name, "Ben"]);
  const post = await createPost(page, app, { title: `Talk ${unique()}` });
  await other.request.post(`${post}/contact`, {
    form: { id: crypto.randomUUID(), message: "Hello there!" },
    headers: { Origin: app.url },
    maxRedirects: 0,
  });
  await other.context().clearCookies({ name: "lineup_toast" });
  await other.goto("/dashboard/messages");
  const address = await conversations(other).getByRole("link", { name: players[0].name }).getAttribute("href");
  return { players, address: address as string };
}

/**
 * Makes two players with a conversation of 120 messages, "Number 1" to "Number 120", one every hour, which both have
 * read.
 * @returns the conversation's path
 */
export async function startLongConversation(page: Page, other: Page, app: App): Promise<string> {
  const db = openTestDatabase(app);
  const [one, two] = await signInTwoPlayers(page, other, app);
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
export const waitForLive = (page: Page) => expect(page.getByText("Live", { exact: true })).toBeAttached();
