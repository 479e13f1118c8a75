import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { conversationMembers, conversations as conversationRows, messages, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { addConversation } from "../integration/players";
import { openTestDatabase } from "../support/database";
import { expect } from "../support/e2e";
import { createPost, newPlayer, signInQuietly, unique } from "./steps";

const emails = new Map<string, string>();

/** The email address of a player that `signInNewPlayer` made, by the player's name. */
export const emailOf = (name: string): string => emails.get(name) as string;

/** Makes a player and signs them in on the page. @returns their name, which no other player has */
export async function signInNewPlayer(page: Page, app: App, letter: string): Promise<string> {
  const name = `${letter} ${unique()}`;
  const email = await newPlayer(app, { riotGameName: name });
  emails.set(name, email);
  await signInQuietly(page, email);
  return name;
}

export const thread = (page: Page) => page.getByRole("log");

export const composer = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

export const conversations = (page: Page) => page.getByRole("navigation", { name: "Conversations" });

export async function write(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The thread's messages, in order. */
export const messagesOf = (page: Page) => thread(page).locator("[data-message]").allTextContents();

/**
 * Makes two players with a conversation that holds only the second player's greeting. The second player's page then
 * shows the list.
 * @returns the names of both, and the conversation's path
 */
export async function startConversation(
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

/** The ids of two players that `signInNewPlayer` made, in the order of their names. */
export async function idsOf(app: App, names: readonly string[]): Promise<[{ id: string }, { id: string }]> {
  const found = await Promise.all(
    names.map((name) =>
      openTestDatabase(app)
        .select({ id: users.id })
        .from(users)
        .where(eq(users.email, emailOf(name)))
        .get(),
    ),
  );
  return found as [{ id: string }, { id: string }];
}

/**
 * Gives two players, by their names, a conversation of 120 messages, "Number 1" to "Number 120", one every hour, which
 * both have read.
 * @returns the conversation's path
 */
export async function addLongConversation(app: App, names: readonly string[]): Promise<string> {
  const db = openTestDatabase(app);
  const [one, two] = await idsOf(app, names);
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
