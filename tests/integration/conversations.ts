import { and, eq, like, sql } from "drizzle-orm";
import type { ThreadMessage } from "../../app/features/messages/rules";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations, messages } from "../../db/schema";
import type { TestApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { links, select, selectEach, textOf, texts } from "../support/html";
import { MINUTE, type Player } from "./players";

export const LIST = "/dashboard/messages";
export const threadPath = (conversationId: string) => `${LIST}/${conversationId}`;
export const messagesPath = (conversationId: string) => `/conversations/${conversationId}/messages`;

/** Test helpers for the conversations of an app. */
export function conversationsIn(app: TestApp) {
  /** The messages of a conversation in the database, in order. */
  const storedMessages = (conversationId: string) =>
    app.db.select().from(messages).where(eq(messages.conversationId, conversationId)).orderBy(messages.seq);

  const memberRow = async (conversationId: string, { id }: Player) =>
    (await app.db
      .select()
      .from(conversationMembers)
      .where(and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, id)))
      .get()) as typeof conversationMembers.$inferSelect;

  const conversationsOf = ({ id }: Player) =>
    app.db
      .select()
      .from(conversations)
      .where(like(conversations.pairKey, `%${id}%`));

  /**
   * Puts messages into a conversation, read by both, a minute apart unless told otherwise. The authors alternate; the
   * first player begins.
   */
  async function addMessages(
    conversationId: string,
    [one, other]: readonly [Player, Player],
    count: number,
    momentOf: (seq: number) => number = (seq) => Date.now() - (count - seq) * MINUTE,
  ): Promise<void> {
    const rows = Array.from({ length: count }, (_, index) => {
      const [sender, receiver] = index % 2 === 0 ? [one, other] : [other, one];
      const seq = index + 1;
      const createdAt = new Date(momentOf(seq));
      return {
        id: uuidv7(),
        conversationId,
        seq,
        senderId: sender.id,
        receiverId: receiver.id,
        content: `${seq}`,
        createdAt,
      };
    });
    const last = rows.at(-1) as (typeof rows)[number];
    await app.db.insert(messages).values(rows);
    await app.db.batch([
      app.db
        .update(conversations)
        .set({ lastSeq: count, lastPreview: last.content, lastSenderId: last.senderId, lastMessageAt: last.createdAt })
        .where(eq(conversations.id, conversationId)),
      app.db
        .update(conversationMembers)
        .set({ listedAt: last.createdAt, lastReadSeq: count, hasWritten: true })
        .where(eq(conversationMembers.conversationId, conversationId)),
    ]);
  }

  /** The HTML of a page as requested from a time zone. */
  async function getIn(client: Client, path: string, timezone: string): Promise<string> {
    const headers = { Cookie: client.cookieHeader };
    const answer = await app.miniflare.dispatchFetch(app.url + path, { headers, cf: { timezone } as never });
    return answer.text();
  }

  /** Runs `work` while the database refuses every new message, with an error that the app doesn't know. */
  async function whileInsertsFail<T>(work: () => Promise<T>): Promise<T> {
    await app.db.run(sql`CREATE TRIGGER broken BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    try {
      return await work();
    } finally {
      await app.db.run(sql`DROP TRIGGER broken`);
    }
  }

  return { storedMessages, memberRow, conversationsOf, addMessages, getIn, whileInsertsFail };
}

export interface ShownConversation {
  name: string;
  href: string;
  preview: string;
  unread: string | null;
}

/** The conversations on a page of the list, in order. */
export function shownConversations(html: string): ShownConversation[] {
  return selectEach(html, 'nav[aria-label="Conversations"] li').map((row) => {
    const [{ text: name, href }] = links(row) as [{ text: string; href: string }];
    return {
      name,
      href,
      preview: textOf(select(row, "span.min-w-0.flex-1.truncate").first()),
      unread: texts(row, "span[hidden]")[0] ?? null,
    };
  });
}
export const shownNames = (html: string) => shownConversations(html).map(({ name }) => name);
export const hrefOf = (html: string, label: string) => links(html).find(({ text }) => text === label)?.href;

/** The lines of the thread on a page, with day separators as `# Today`. */
export function shownThread(html: string): string[] {
  return selectEach(html, "[role=log] :is(li[data-edge], p[data-message])").map((line) =>
    line.is("li") ? `# ${textOf(line)}` : textOf(line),
  );
}
export const shownMessages = (html: string) => shownThread(html).filter((line) => !line.startsWith("# "));

export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
export const messagesIn = (answer: HttpResponse) =>
  JSON.parse(answer.text) as { messages: ThreadMessage[]; hasOlder: boolean };
