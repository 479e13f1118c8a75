import { eq, like } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { blocks, conversations, lfgPosts, messages, rateLimits, reports, users } from "../../db/schema";
import { REPORT_REASONS } from "../../db/words/report-reasons";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { announcements, field, findForm, links, select, selectEach, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { addBlock, addPlayer, addPost, DAY, HOUR, MINUTE, newVisitor } from "./players";
import { reportsIn } from "./reports";
import { contactAuthor, startConversation, textsOf, type Visitor, write } from "./talk";

const app = useApp();

const thread = (conversationId: string) => `/dashboard/messages/${conversationId}`;
const block = (client: Client, conversationId: string) => client.submit(`${thread(conversationId)}/block`, "Block");
const report = (client: Client, conversationId: string, fields: Record<string, string> = {}) =>
  client.post(`${thread(conversationId)}/report`, { id: uuidv7(), reason: "spam", ...fields });
const { reportsBy } = reportsIn(app);
const lastMessage = async (conversationId: string) =>
  (await app.db.select().from(messages).where(eq(messages.conversationId, conversationId)).orderBy(messages.seq)).at(
    -1,
  ) as typeof messages.$inferSelect;
/** Sends a message as the thread does with JavaScript. */
const writeJson = (client: Client, conversationId: string, message: string, id: string = uuidv7()) =>
  client.post(`/conversations/${conversationId}/messages`, { id, message });

describe("a message", () => {
  test("is trimmed, and keeps its line breaks", async () => {
    const { author, conversationId } = await startConversation(app);
    const answer = await write(
      author.client,
      conversationId,
      "\r\n \t Smokes are mine.\r\n\r\n\r\n\r\n  Two games?  \n\n",
    );
    expect([answer.status, answer.location]).toEqual([303, thread(conversationId)]);
    expect((await textsOf(app, conversationId)).at(-1)).toBe("Smokes are mine.\n\n  Two games?");
    await writeJson(author.client, conversationId, "  ok  ");
    expect((await textsOf(app, conversationId)).at(-1)).toBe("ok");
  });

  test("without text is refused in every form", async () => {
    const { author, reader, postId, conversationId } = await startConversation(app);
    for (const blank of ["", "   ", "\n\r\n\t", "\u00a0\u3000", "\u200b\u2060", "\u2800"]) {
      const answer = await write(author.client, conversationId, blank);
      expect(answer.status, JSON.stringify(blank)).toBe(400);
      expect(field(answer.text, "message")).toMatchObject({ invalid: true, description: "Write a message first." });
      expect(announcements(answer.text)).toContain("Error sending message Write a message first.");
      const json = await writeJson(author.client, conversationId, blank);
      expect([json.status, JSON.parse(json.text)]).toEqual([400, { error: "Write a message first." }]);
      const dialog = await contactAuthor(reader.client, postId, blank);
      expect(dialog.status).toBe(400);
      expect(field(dialog.text, "message")).toMatchObject({ invalid: true, description: "Write a message first." });
    }
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
  });

  test("holds at most 2 000 characters, and a longer text stays in its field", async () => {
    const { author, reader, postId, conversationId } = await startConversation(app);
    const full = `${"x".repeat(1_999)}.`;
    expect((await write(author.client, conversationId, `  ${full}  `)).status).toBe(303);
    expect((await contactAuthor(reader.client, postId, full)).status).toBe(303);
    expect((await writeJson(author.client, conversationId, full)).status).toBe(200);
    expect((await textsOf(app, conversationId)).slice(1)).toEqual([full, full, full]);

    const sentence = "This message is 1 character too long. The limit is 2,000.";
    for (const [place, answer] of [
      ["thread", await write(author.client, conversationId, `${full}!`)],
      ["contact", await contactAuthor(reader.client, postId, `${full}!`)],
    ] as const) {
      expect(answer.status, place).toBe(400);
      expect(field(answer.text, "message"), place).toEqual({ value: `${full}!`, invalid: true, description: sentence });
    }
    const json = await writeJson(author.client, conversationId, `${full}!`);
    expect([json.status, JSON.parse(json.text)]).toEqual([400, { error: sentence }]);
    expect(await textsOf(app, conversationId)).toHaveLength(4);
  });

  test("counts an emoji as one character, and keeps it whole", async () => {
    const { author, conversationId } = await startConversation(app);
    const emoji = "🎯".repeat(2_000);
    expect((await write(author.client, conversationId, emoji)).status).toBe(303);
    expect((await textsOf(app, conversationId)).at(-1)).toBe(emoji);
    expect((await write(author.client, conversationId, `${emoji}!`)).status).toBe(400);
  });

  test("is shown as it was typed, and never as markup", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const text = `<img src=x onerror="alert(1)"> & <script>alert(2)</script> "quotes" {{braces}}`;
    await write(author.client, conversationId, text);
    const page = await reader.client.get(thread(conversationId));
    expect(textOf(page.text)).toContain(text);
    expect(page.text).not.toContain("<img src=x");
    expect(page.text).not.toContain("<script>alert");
  });

  test("links web addresses, safely, and nothing else", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    // Links of accounts younger than a day lead to the leaving page.
    await app.db
      .update(users)
      .set({ createdAt: new Date(Date.now() - 2 * DAY) })
      .where(eq(users.id, author.player.id));
    const text = [
      "See https://example.com/a?b=1&c=2, and HTTP://EXAMPLE.com/x.",
      "javascript:alert(1) JaVaScRiPt://alert(1) data:text/html,<script>alert(1)</script> vbscript:x file:///etc/passwd",
      "https://javascript:alert(1)@/ https://[not an address ftp://example.com mailto:a@example.com //example.com www.example.com",
      'https://example.com/"onmouseover="alert(1)',
    ].join("\n");
    await write(author.client, conversationId, text);
    for (const client of [author.client, reader.client]) {
      const page = await client.get(thread(conversationId));
      const anchors = selectEach(page.text, "[role=log] [data-message] a");
      expect(anchors.map((anchor) => anchor.attr("href"))).toEqual([
        "https://example.com/a?b=1&c=2",
        "http://example.com/x",
        "https://example.com/",
      ]);
      for (const anchor of anchors) {
        expect(anchor.attr("target")).toBe("_blank");
        expect(anchor.attr("rel")?.split(" ")).toEqual(
          expect.arrayContaining(["noopener", "noreferrer", "nofollow", "ugc"]),
        );
        expect(Object.keys(anchor.attr() ?? {}).filter((name) => name.startsWith("on"))).toEqual([]);
      }
      const addresses = selectEach(page.text, "[role=log] :is([href], [src])").map(
        (one) => one.attr("href") ?? one.attr("src"),
      );
      expect(addresses.join(" ")).not.toMatch(/\b(javascript|data|vbscript|file|ftp|mailto):/i);
      expect(page.text).toContain("javascript:alert(1)");
    }
    // The list of conversations and the list of notifications don't link the addresses at all.
    for (const path of ["/dashboard/messages", "/dashboard/notifications"]) {
      const { text: html } = await reader.client.get(path);
      expect(
        links(html)
          .filter(({ href }) => !href.startsWith("/") && href !== "#content")
          .map(({ href }) => href),
      ).toEqual([]);
    }
  });
});

describe("blocking", () => {
  /** Two players in a conversation; the reader has blocked the author. */
  async function blockAuthor() {
    const talking = await startConversation(app);
    const answer = await block(talking.reader.client, talking.conversationId);
    expect([answer.status, answer.location]).toEqual([303, thread(talking.conversationId)]);
    expect(roundTrips(answer)).toBeLessThanOrEqual(2);
    return { ...talking, answer };
  }

  test("asks first, explains the consequences, and confirms", async () => {
    const { reader, conversationId } = await startConversation(app);
    const page = await reader.client.get(`${thread(conversationId)}/block`);
    expect(textOf(select(page.text, "dialog"))).toContain(
      "You and Author won't be able to message or invite each other",
    );
    expect(await app.db.$count(blocks, eq(blocks.blockerId, reader.player.id))).toBe(0);
    const done = await reader.client.follow(await block(reader.client, conversationId));
    expect(announcements(done.text)).toContain("Author is blocked You can't message each other any more.");
    // Blocking again changes nothing and is no error.
    await reader.client.post(`${thread(conversationId)}/block`, { intent: "block" });
    expect(await app.db.$count(blocks, eq(blocks.blockerId, reader.player.id))).toBe(1);
  });

  test("stops both players from writing in their conversation, says so there, and keeps typed messages", async () => {
    const { author, reader, conversationId } = await blockAuthor();
    for (const { client } of [author, reader]) {
      const refused = await write(client, conversationId, "Typed already");
      expect(refused.status).toBe(403);
      expect(announcements(refused.text)).toContain("Error sending message You can't message this player.");
      const json = await writeJson(client, conversationId, "Typed already");
      expect([json.status, JSON.parse(json.text)]).toEqual([403, { error: "You can't message this player." }]);
    }
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);

    const own = await reader.client.get(thread(conversationId));
    expect(textOf(own.text)).toContain("You've blocked this player. Neither of you can write here.");
    const theirs = await author.client.get(thread(conversationId));
    expect(textOf(theirs.text)).toContain("You can't message this player.");
    expect(textOf(theirs.text)).not.toContain("blocked");
    for (const page of [own, theirs]) {
      expect(() => findForm(page.text, "Send")).toThrow();
      // Earlier messages stay readable.
      expect(textOf(page.text)).toContain("Hi there");
    }
  });

  test("stops both players from answering each other's posts, and keeps the typed message", async () => {
    const { author, reader, postId, conversationId } = await blockAuthor();
    const theirs = await addPost(app, reader.player.id);
    for (const [client, post] of [
      [reader.client, postId],
      [author.client, theirs],
    ] as const) {
      const refused = await contactAuthor(client, post, "Typed already");
      expect(refused.status).toBe(403);
      expect(announcements(refused.text).join()).toContain("You can't message this player.");
      expect(field(refused.text, "message").value).toBe("Typed already");
    }
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
  });

  test("keeps a conversation from being started at all", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    await addBlock(app, author.player, reader.player);
    const refused = await contactAuthor(reader.client, post, "Hello");
    expect(refused.status).toBe(403);
    expect(field(refused.text, "message").value).toBe("Hello");
    const pair = like(conversations.pairKey, `%${reader.player.id}%`);
    expect(await app.db.$count(conversations, pair)).toBe(0);
  });

  test("can be undone in the thread or the settings, but only by the player who blocked", async () => {
    const { author, reader, conversationId } = await blockAuthor();
    const settings = "/dashboard/settings/blocked";
    const list = await reader.client.get(settings);
    expect(roundTrips(list)).toBe(1);
    expect(textOf(list.text)).toContain("Author Blocked less than a minute ago Unblock");
    expect(textOf((await author.client.get(settings)).text)).toContain("You haven't blocked anyone.");
    // The blocked player's tries change nothing.
    await author.client.post(`${thread(conversationId)}/block`, { intent: "unblock" });
    await author.client.post(settings, { playerId: reader.player.id });
    expect((await write(author.client, conversationId, "No")).status).toBe(403);

    const lifted = await reader.client.submit(`${thread(conversationId)}/block`, "Unblock");
    expect([lifted.status, lifted.location]).toEqual([303, thread(conversationId)]);
    expect(announcements((await reader.client.follow(lifted)).text)).toContain("Author is unblocked");
    expect((await write(author.client, conversationId, "Back again")).status).toBe(303);

    await block(reader.client, conversationId);
    expect((await write(reader.client, conversationId, "No")).status).toBe(403);
    const fromSettings = await reader.client.submit(settings, "Unblock");
    expect([fromSettings.status, fromSettings.location]).toEqual([303, settings]);
    expect(roundTrips(fromSettings)).toBeLessThanOrEqual(2);
    const page = await reader.client.follow(fromSettings);
    expect(announcements(page.text)).toContain("Player unblocked");
    expect(textOf(page.text)).toContain("You haven't blocked anyone.");
    expect((await write(reader.client, conversationId, "Here too")).status).toBe(303);
  });

  test("can be undone for players who have never talked, and twice without an error", async () => {
    const { client, player } = await newVisitor(app);
    const other = await newVisitor(app);
    await addBlock(app, player, other.player);
    for (let times = 0; times < 2; times += 1) {
      const answer = await client.post("/dashboard/settings/blocked", { playerId: other.player.id });
      expect(answer.status).toBe(303);
      expect(await app.db.$count(blocks, eq(blocks.blockerId, player.id))).toBe(0);
    }
  });

  test("can be undone in the settings, which list every blocked player in pages, newest block first", async () => {
    const { client, player } = await newVisitor(app);
    const settings = "/dashboard/settings/blocked";
    const now = Date.now();
    const ids: string[] = [];
    // Two of them were blocked at the same moment.
    for (let number = 0; number < 105; number += 1) {
      const { id } = await addPlayer(app, { riotGameName: `Blocked ${number}` });
      const createdAt = new Date(now - Math.max(1, number) * MINUTE);
      await app.db.insert(blocks).values({ blockerId: player.id, blockedId: id, createdAt });
      ids.push(id);
    }
    const read = async (address: string) => {
      const page = await client.get(address);
      expect([page.status, roundTrips(page)]).toEqual([200, 1]);
      return {
        names: selectEach(page.text, "main li p[id^=player-]").map(textOf),
        hrefOf: (name: string) => links(page.text).find(({ text }) => text === name)?.href,
      };
    };
    const first = await read(settings);
    const second = first.hrefOf("Older") as string;
    const middle = await read(second);
    const third = middle.hrefOf("Older") as string;
    const last = await read(third);
    expect([first.names.length, middle.names.length, last.names.length]).toEqual([50, 50, 5]);
    expect(last.hrefOf("Older")).toBeUndefined();
    const names = [...first.names, ...middle.names, ...last.names];
    expect(names.slice(0, 2).sort()).toEqual(["Blocked 0", "Blocked 1"]);
    expect(names.slice(2)).toEqual(Array.from({ length: 103 }, (_, number) => `Blocked ${number + 2}`));
    expect((await client.get(middle.hrefOf("Newer") as string)).location).toBe(settings);

    // Unblocking leads back to the same page of the list.
    const answer = await client.post(second, { playerId: ids[70] as string });
    expect([answer.status, answer.location]).toEqual([303, second]);
    expect((await read(second)).names).toEqual([
      ...middle.names.filter((name) => name !== "Blocked 70"),
      "Blocked 100",
    ]);
    // If all players on the last page are unblocked, the page says that the list ends here, and links back.
    for (const id of ids.slice(100)) await client.post(third, { playerId: id });
    const empty = await client.get(third);
    expect(textOf(empty.text)).toContain("That's everyone you've blocked.");
    expect(textOf(empty.text)).not.toContain("You haven't blocked anyone.");
    expect(links(empty.text).map(({ text }) => text)).toContain("Newer");
  });

  test("stays in effect while the other player's own block lasts", async () => {
    const { author, reader, conversationId } = await blockAuthor();
    await author.client.post(`${thread(conversationId)}/block`, { intent: "block" });
    await reader.client.post(`${thread(conversationId)}/block`, { intent: "unblock" });
    for (const { client } of [author, reader]) expect((await write(client, conversationId, "No")).status).toBe(403);
    expect(textOf((await reader.client.get(thread(conversationId))).text)).toContain("You can't message this player.");
  });

  test("is refused in other players' conversations, and for an invalid player id", async () => {
    const { conversationId } = await startConversation(app);
    const { client, player } = await newVisitor(app);
    for (const path of ["block", "report"]) {
      expect((await client.get(`${thread(conversationId)}/${path}`)).status, path).toBe(404);
    }
    expect((await client.post(`${thread(conversationId)}/block`, { intent: "block" })).status).toBe(404);
    expect(await app.db.$count(blocks, eq(blocks.blockerId, player.id))).toBe(0);
    const nonsense = await client.post("/dashboard/settings/blocked", { playerId: "' OR 1" });
    expect(nonsense.status).toBe(400);
  });

  test("needs a session and a known intent", async () => {
    const { reader, conversationId } = await startConversation(app);
    const path = `${thread(conversationId)}/block`;
    const signedOut = await app.client().post(path, { intent: "block" });
    expect([signedOut.status, signedOut.location]).toEqual([302, `/auth?redirectTo=${encodeURIComponent(path)}`]);
    expect((await reader.client.post(path, { intent: "whatever" })).status).toBe(400);
  });
});

describe("a report", () => {
  test("of a player is kept for moderators, with its reason and details", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const path = `${thread(conversationId)}/report`;
    const page = await reader.client.get(path);
    expect(roundTrips(page)).toBe(1);
    const answer = await reader.client.submit(path, "Send Report", {
      reason: "harassment",
      details: "  Again\r\nand again. ",
    });
    expect([answer.status, answer.location]).toEqual([303, thread(conversationId)]);
    expect(roundTrips(answer)).toBeLessThanOrEqual(2);
    expect(announcements((await reader.client.follow(answer)).text)).toContain(
      "Report sent Our moderators will read it. Author won't be told.",
    );
    expect(await reportsBy(reader.player.id)).toMatchObject([
      {
        kind: "player",
        subjectId: author.player.id,
        playerId: author.player.id,
        reason: "harassment",
        details: "Again\nand again.",
      },
    ]);
  });

  test("of a message quotes it as it is", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await write(author.client, conversationId, "First\nline");
    await write(author.client, conversationId, "Second");
    await write(reader.client, conversationId, "Not nice");
    const page = await reader.client.get(`${thread(conversationId)}/report`);
    const options = selectEach(page.text, "option").map((option) => [option.attr("value"), textOf(option)]);
    const offered = options.slice(0, 3).map(([, text]) => text);
    // The other player's messages, newest first, and none of the reader's own.
    expect(offered).toEqual([
      "Author as a player",
      "“Second” · less than a minute ago",
      "“First line” · less than a minute ago",
    ]);
    const message = options[2]?.[0] as string;
    const answer = await report(reader.client, conversationId, { message, reason: "threats" });
    expect(answer.status).toBe(303);
    expect(await reportsBy(reader.player.id)).toMatchObject([
      {
        kind: "message",
        subjectId: message,
        playerId: author.player.id,
        reason: "threats",
        details: null,
        snapshot: { content: "First\nline" },
      },
    ]);
    // The page's address can also name the message.
    const named = await reader.client.get(`${thread(conversationId)}/report?message=${message}`);
    expect(field(named.text, "message").value).toBe(message);
  });

  test("sent twice is stored once", async () => {
    const { reader, conversationId } = await startConversation(app);
    const id = uuidv7();
    const answers = await Promise.all([1, 2, 3].map(() => report(reader.client, conversationId, { id })));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await reportsBy(reader.player.id)).toHaveLength(1);
    // Another player can neither replace the report nor find it by its id.
    const other = await startConversation(app);
    const taken = await report(other.reader.client, other.conversationId, { id });
    expect(taken.status).toBe(409);
    expect(await reportsBy(other.reader.player.id)).toEqual([]);
  });

  test("needs a reason, and keeps the typed details", async () => {
    const { reader, conversationId } = await startConversation(app);
    const details = "What happened, in my words.";
    for (const reason of ["", "because"]) {
      const answer = await report(reader.client, conversationId, { reason, details });
      expect(answer.status).toBe(400);
      expect(field(answer.text, "reason")).toMatchObject({ invalid: true, description: "Choose a reason." });
      expect(field(answer.text, "details").value).toBe(details);
    }
    const long = await report(reader.client, conversationId, { reason: "hate", details: "x".repeat(2_001) });
    expect(long.status).toBe(400);
    expect(field(long.text, "reason").value).toBe("hate");
    expect(field(long.text, "details")).toMatchObject({ value: "x".repeat(2_001), invalid: true });
    expect(await reportsBy(reader.player.id)).toEqual([]);
    for (const reason of REPORT_REASONS) {
      expect((await report(reader.client, conversationId, { reason })).status, reason).toBe(303);
      expect(await reportsBy(reader.player.id), reason).toMatchObject([{ reason }]);
    }
  });

  test("can be sent only by members of the conversation, and only about the other player's messages", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const stranger = await newVisitor(app);
    const elsewhere = await startConversation(app, { author });
    expect((await report(stranger.client, conversationId)).status).toBe(404);
    const own = (await lastMessage(conversationId)).id;
    await write(author.client, elsewhere.conversationId, "Said to another");
    const foreign = (await lastMessage(elsewhere.conversationId)).id;
    for (const message of [own, foreign, uuidv7()]) {
      expect((await report(reader.client, conversationId, { message })).status, message).toBe(404);
      const page = await reader.client.get(`${thread(conversationId)}/report?message=${message}`);
      expect(page.status, message).toBe(404);
    }
    expect((await report(reader.client, conversationId, { message: "nonsense" })).status).toBe(400);
    expect((await reader.client.get(`${thread(conversationId)}/report?message=nonsense`)).status).toBe(404);
    for (const { player } of [reader, stranger]) expect(await reportsBy(player.id)).toEqual([]);
  });

  test("outlives the message, and is possible for a blocked player", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await write(author.client, conversationId, "Not nice");
    const { id: message } = await lastMessage(conversationId);
    await block(reader.client, conversationId);
    expect((await report(reader.client, conversationId, { message })).status).toBe(303);
    const page = await author.client.get(`${thread(conversationId)}/report`);
    expect(page.status).toBe(200);
    await app.db.delete(messages).where(eq(messages.id, message));
    expect(await reportsBy(reader.player.id)).toMatchObject([{ snapshot: { content: "Not nice" } }]);
  });

  test("keeps the typed details if the session has ended in the meantime", async () => {
    const { conversationId } = await startConversation(app);
    const answer = await report(app.client(), conversationId, { details: "In my words." });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("In my words.");
    expect(await app.db.$count(reports, eq(reports.details, "In my words."))).toBe(0);
  });
});

describe("a player at a limit", () => {
  const hurried = useApp({ limitFactor: 1 });
  const SENTENCE = /That was a lot in a short time\. Try again in \d+ (seconds?|minutes)\./;
  const endWindows = (key: string) =>
    hurried.db
      .update(rateLimits)
      .set({ windowEndsAt: new Date(Date.now() - 1) })
      .where(eq(rateLimits.key, key));
  /** Sets the counter of an action in the current window. */
  const setUses = (key: string, count: number, window: number) =>
    hurried.db
      .insert(rateLimits)
      .values({ key, count, windowEndsAt: new Date(Date.now() + window) })
      .onConflictDoUpdate({ target: rateLimits.key, set: { count, windowEndsAt: new Date(Date.now() + window) } });

  async function startTalking(): Promise<{ author: Visitor; reader: Visitor; postId: string; conversationId: string }> {
    return startConversation(hurried, {
      author: await newVisitor(hurried, { riotGameName: "Author" }),
      reader: await newVisitor(hurried, { riotGameName: "Reader" }),
    });
  }

  test("can send 30 messages a minute in all, and finds the next still in its field, with `Retry-After`", async () => {
    const { author, conversationId } = await startTalking();
    for (let index = 0; index < 15; index += 1) {
      expect((await write(author.client, conversationId, `Page ${index}`)).status).toBe(303);
      expect((await writeJson(author.client, conversationId, `Script ${index}`)).status).toBe(200);
    }
    const refused = await write(author.client, conversationId, "One too many");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
    expect(field(refused.text, "message").value).toBe("One too many");
    expect(announcements(refused.text).at(-1)).toMatch(SENTENCE);
    const json = await writeJson(author.client, conversationId, "One too many");
    expect([json.status, JSON.parse(json.text).error]).toEqual([429, expect.stringMatching(SENTENCE)]);
    expect(Number(json.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await textsOf(hurried, conversationId)).toHaveLength(31);
    // Invalid messages are not counted.
    await endWindows(`message:${author.player.id}`);
    for (let times = 0; times < 31; times += 1) await write(author.client, conversationId, "");
    expect((await write(author.client, conversationId, "A minute later")).status).toBe(303);
  });

  test("can answer 20 posts an hour, and doesn't lose the text of the next answer", async () => {
    const { client, player } = await newVisitor(hurried);
    const posts: string[] = [];
    // An author who hasn't answered gets five messages at most.
    for (let authors = 0; authors < 10; authors += 1)
      posts.push(await addPost(hurried, (await newVisitor(hurried)).player.id));
    for (let times = 0; times < 20; times += 1)
      expect((await contactAuthor(client, `${posts[times % 10]}`, `Hi ${times}`)).status).toBe(303);
    const post = `${posts[0]}`;
    const refused = await contactAuthor(client, post, "One too many");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(MINUTE / 1_000);
    expect(Number(refused.headers.get("Retry-After"))).toBeLessThanOrEqual(HOUR / 1_000);
    expect(announcements(refused.text)[0]).toMatch(SENTENCE);
    expect(field(refused.text, "message").value).toBe("One too many");
    // Writing in the conversation is still possible.
    const row = await hurried.db.select().from(messages).where(eq(messages.senderId, player.id)).get();
    expect((await write(client, row?.conversationId as string, "Still here")).status).toBe(303);
    await endWindows(`contact:${player.id}`);
    expect((await contactAuthor(client, post, "An hour later")).status).toBe(303);
  });

  test("can block 60 times an hour and report 10 times", async () => {
    const { author, reader, conversationId } = await startTalking();
    await setUses(`block:${reader.player.id}`, 60, HOUR);
    for (const [path, fields] of [
      [`${thread(conversationId)}/block`, { intent: "block" }],
      ["/dashboard/settings/blocked", { playerId: author.player.id }],
    ] as [string, Record<string, string>][]) {
      const answer = await reader.client.post(path, fields);
      expect(answer.status, path).toBe(429);
      expect(Number(answer.headers.get("Retry-After")), path).toBeGreaterThan(0);
      expect(announcements(answer.text).at(-1), path).toMatch(SENTENCE);
    }
    expect(await hurried.db.$count(blocks, eq(blocks.blockerId, reader.player.id))).toBe(0);

    for (let times = 0; times < 10; times += 1) {
      expect((await report(reader.client, conversationId)).status).toBe(303);
    }
    const refused = await report(reader.client, conversationId, { details: "In my words." });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(announcements(refused.text)[0]).toMatch(SENTENCE);
    expect(field(refused.text, "details").value).toBe("In my words.");
    expect(field(refused.text, "reason").value).toBe("spam");
    // All ten are about the same player, so they are kept as one report. The refused eleventh added nothing to it.
    const kept = await hurried.db.select().from(reports).where(eq(reports.reporterId, reader.player.id));
    expect(kept).toMatchObject([{ reason: "spam", details: null }]);
  });
});

describe("a post that was closed in the meantime", () => {
  test("accepts no message, and keeps the typed one", async () => {
    const { reader, author, conversationId, postId } = await startConversation(app);
    await app.db.update(lfgPosts).set({ isActive: false }).where(eq(lfgPosts.id, postId));
    const refused = await contactAuthor(reader.client, postId, "Typed already");
    expect(refused.status).toBe(409);
    expect(announcements(refused.text).join()).toContain("This post has closed, so your message wasn't sent.");
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
    expect(field(refused.text, "message").value).toBe("Typed already");
    const own = await contactAuthor(author.client, postId, "To myself");
    expect(own.status).toBe(409);
    expect(field(own.text, "message").value).toBe("To myself");
    // A visitor whose session has ended in the meantime can send it again.
    const signedOut = await contactAuthor(app.client(), postId, "Typed while signed in");
    expect(signedOut.status).toBe(401);
    expect(signedOut.text).toContain("Typed while signed in");
  });
});
