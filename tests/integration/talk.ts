import { and, eq } from "drizzle-orm";
import { expect } from "vitest";
import { MET_DURATION, MET_MESSAGES } from "../../app/features/encounters/rules";
import { uuidv7 } from "../../db/ids";
import { messages } from "../../db/schema";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { addPost, MINUTE, newVisitor, type Player } from "./players";

export interface Visitor {
  player: Player;
  client: Client;
}

/** Answers a post as its contact dialog does. */
export const contactAuthor = (
  client: Client,
  postId: string,
  message: string,
  id: string = uuidv7(),
): Promise<HttpResponse> => client.post(`/lfg/${postId}/contact`, { id, message });

/** Writes in a conversation, as the thread's form does without JavaScript. */
export const write = (
  client: Client,
  conversationId: string,
  message: string,
  id: string = uuidv7(),
): Promise<HttpResponse> => client.post(`/dashboard/messages/${conversationId}`, { id, message });

/** Makes two players with a conversation: the `reader` has answered a post by the `author`. */
export async function startConversation(
  app: TestApp,
  { author, reader }: { author?: Visitor; reader?: Visitor } = {},
): Promise<{ author: Visitor; reader: Visitor; postId: string; conversationId: string }> {
  const one = author ?? (await newVisitor(app, { riotGameName: "Author" }));
  const other = reader ?? (await newVisitor(app, { riotGameName: "Reader" }));
  const postId = await addPost(app, one.player.id);
  const id = uuidv7();
  const answer = await contactAuthor(other.client, postId, "Hi there", id);
  expect([answer.status, answer.location]).toEqual([303, `/lfg/${postId}`]);
  const row = await app.db.select().from(messages).where(eq(messages.id, id)).get();
  return { author: one, reader: other, postId, conversationId: row?.conversationId as string };
}

/**
 * Lets two players write five messages each, and backdates their conversation's first message, so that the conversation
 * is long enough to count as a meeting.
 */
export async function talkForAWhile(
  app: TestApp,
  visitors: readonly [Visitor, Visitor],
  conversationId: string,
): Promise<void> {
  for (let turn = 1; turn <= MET_MESSAGES; turn += 1) {
    for (const { client } of visitors) await write(client, conversationId, `Message ${turn}`);
  }
  await app.db
    .update(messages)
    .set({ createdAt: new Date(Date.now() - MET_DURATION - MINUTE) })
    .where(and(eq(messages.conversationId, conversationId), eq(messages.seq, 1)));
}

/** The texts of a conversation's messages, oldest first. */
export async function textsOf(app: TestApp, conversationId: string): Promise<string[]> {
  const rows = await app.db
    .select()
    .from(messages)
    .where(eq(messages.conversationId, conversationId))
    .orderBy(messages.seq);
  return rows.map(({ content }) => content);
}
