import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { presence, rateLimits, sessions } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, field, findForm, select, selectEach, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import {
  conversationsIn,
  hrefOf,
  LIST,
  messagesIn,
  messagesPath,
  numbers,
  shownConversations,
  shownMessages,
  shownThread,
  threadPath,
} from "./conversations";
import { addBlock, HOUR, MINUTE, newPair, newTeammates, newVisitor, openSession, PREFETCHES, sendTo } from "./players";
import { contactAuthor, startConversation, textsOf, write } from "./talk";
import { teamsIn } from "./teams";

// A proxy between the Worker and the database that can simulate outages.
const { proxy, appOptions } = await startWatchedDatabase();
afterEach(() => {
  proxy.mode = "through";
});

const app = useApp(appOptions);
const { storedMessages, memberRow, addMessages, getIn, whileInsertsFail } = conversationsIn(app);
const { newsOf } = teamsIn(app);

describe("a thread", () => {
  test("shows when the other player last loaded a page, and stores that once a minute", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const seenBy = async () => textOf((await one.client.get(threadPath(conversationId))).text);
    const rowOf = () => app.db.select().from(presence).where(eq(presence.userId, other.player.id)).get();
    await app.db.insert(presence).values({
      userId: other.player.id,
      state: "offline",
      seenAt: new Date(Date.now() - 4 * HOUR),
    });
    expect(await seenBy()).toContain("Last seen about 4 hours ago");
    await other.client.get("/dashboard", { "Sec-Purpose": "prefetch" });
    expect(await seenBy()).toContain("Last seen about 4 hours ago");
    await write(other.client, conversationId, "Without a line of script");
    await eventually(async () => (await seenBy()).includes("Last seen less than a minute ago") || undefined);
    expect(await rowOf()).toMatchObject({ state: "offline" });

    // Again within a minute: nothing is written.
    const written = async () => (await rowOf())?.seenAt.getTime();
    const noted = await written();
    await other.client.get("/dashboard");
    await other.client.get("/dashboard/profile");
    expect(await written()).toBe(noted);
    // The state sent by their open pages takes precedence.
    await app.db.update(presence).set({ state: "away", seenAt: new Date(Date.now() - 2 * MINUTE) });
    await other.client.get("/dashboard");
    await other.client.get("/dashboard/profile");
    expect(await rowOf()).toMatchObject({ state: "away" });
    expect(Date.now() - ((await written()) ?? 0)).toBeGreaterThanOrEqual(2 * MINUTE);
  });

  test("is ordered oldest first, 50 messages at a time, with links to older ones and back to the newest", async () => {
    const { one, other, conversationId } = await newPair(app);
    await addMessages(conversationId, [one.player, other.player], 120);
    const pages: [string, string[], string | undefined, string | undefined][] = [];
    let next: string | undefined = threadPath(conversationId);
    while (next) {
      const page: HttpResponse = await one.client.get(next);
      expect(roundTrips(page)).toBe(1);
      const [older, newest] = [hrefOf(page.text, "Older messages"), hrefOf(page.text, "Newest messages")];
      pages.push([next, shownMessages(page.text), older, newest]);
      next = older;
    }
    const here = threadPath(conversationId);
    expect(pages).toEqual([
      [here, numbers(71, 120), `${here}?before=71`, undefined],
      [`${here}?before=71`, numbers(21, 70), `${here}?before=21`, here],
      [`${here}?before=21`, numbers(1, 20), undefined, here],
    ]);
    for (const nonsense of ["0x10", "-5", "1e3", "", "9".repeat(40), "121", "1000"]) {
      const page = await one.client.get(`${here}?before=${nonsense}`);
      expect(shownMessages(page.text), nonsense).toEqual(numbers(71, 120));
      expect(hrefOf(page.text, "Newest messages"), nonsense).toBeUndefined();
    }
    expect(shownMessages((await one.client.get(`${here}?before=1`)).text)).toEqual([]);
  });

  test("is divided into the days of the viewer's time zone", async () => {
    const { one, other, conversationId } = await newPair(app);
    const moments = [
      // Either side of midnight in Kiritimati (UTC+14), and long after.
      "2020-02-28T09:59:00Z",
      "2020-02-28T10:01:00Z",
      "2020-02-29T09:59:00Z",
      "2020-02-29T10:01:00Z",
    ].map(Date.parse);
    await addMessages(conversationId, [one.player, other.player], 5, (seq) => moments[seq - 1] ?? Date.now());
    const here = threadPath(conversationId);
    expect(shownThread(await getIn(one.client, here, "Pacific/Kiritimati"))).toEqual([
      "# 28 February 2020, Pacific/Kiritimati time",
      "1",
      "# 29 February 2020",
      "2",
      "3",
      "# 1 March 2020",
      "4",
      "# Today",
      "5",
    ]);
    expect(shownThread(await getIn(one.client, here, "UTC"))).toEqual([
      "# 28 February 2020, UTC",
      "1",
      "2",
      "# 29 February 2020",
      "3",
      "4",
      "# Today",
      "5",
    ]);
    // An invalid or missing zone means UTC.
    expect(shownThread((await one.client.get(here)).text)).toHaveLength(8);
  });

  test("hides the messages of others", async () => {
    const { conversationId, author } = await startConversation(app);
    const stranger = await newVisitor(app);
    for (const id of [conversationId, uuidv7()]) {
      const { status, text } = await stranger.client.get(threadPath(id));
      expect([status, text.includes("Hi there"), text.includes("Author")]).toEqual([404, false, false]);
      expect((await stranger.client.get(`${threadPath(id)}?before=9`)).status).toBe(404);
      expect((await write(stranger.client, id, "Let me in")).status).toBe(404);
    }
    expect((await author.client.get(threadPath("no-id"))).status).toBe(404);
    const signedOut = await app.client().get(threadPath(conversationId));
    expect([signedOut.status, signedOut.location]).toEqual([
      302,
      `/auth?redirectTo=${encodeURIComponent(threadPath(conversationId))}`,
    ]);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
  });

  test("without JavaScript takes two round trips, returns to itself, and offers a check for new ones", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const here = threadPath(conversationId);
    const sent = await author.client.submit(here, "Send", { message: "Yes, at 20:30." });
    expect([sent.status, sent.location]).toEqual([303, here]);
    expect(roundTrips(sent)).toBeLessThanOrEqual(2);
    const page = await author.client.follow(sent);
    expect(shownMessages(page.text)).toEqual(["Hi there", "Yes, at 20:30."]);
    expect(field(page.text, "message")).toEqual({ value: "", invalid: false, description: "" });
    expect(hrefOf((await reader.client.get(here)).text, "Check for new messages")).toBe(here);
    // Checking with a half-written message shows the new ones and keeps the text.
    await write(reader.client, conversationId, "Good.");
    const checked = await author.client.submit(here, "Check and keep what I wrote", { message: "  Half a\nthought" });
    expect(checked.status).toBe(200);
    expect(shownMessages(checked.text).at(-1)).toBe("Good.");
    expect(field(checked.text, "message").value).toBe("  Half a\nthought");
    expect(await textsOf(app, conversationId)).toHaveLength(3);
  });

  test("reports an unexpected failure, keeps the typed message, and stores it once when it is sent again", async () => {
    const { author, conversationId } = await startConversation(app);
    const [id, other] = [uuidv7(), uuidv7()];
    const [page, script] = await whileInsertsFail(() =>
      Promise.all([
        write(author.client, conversationId, "What I have to say", id),
        sendTo(author.client, conversationId, "By script", other),
      ]),
    );
    expect(page.status).toBe(500);
    expect(announcements(page.text)).toContain("Error Failed to send message. Please try again.");
    expect(field(page.text, "message").value).toBe("What I have to say");
    // The script's request fails the same way, and the script retries by itself.
    expect(script.status).toBeGreaterThanOrEqual(500);
    for (const { text } of [page, script]) expect(text).not.toMatch(/broken|SQLITE|trigger|\bat \w+ \(/i);
    for (let times = 0; times < 2; times += 1) {
      const again = await author.client.post(threadPath(conversationId), { ...findForm(page.text, "Send").values });
      expect(again.status).toBe(303);
      expect((await sendTo(author.client, conversationId, "By script", other)).status).toBe(200);
    }
    expect((await textsOf(app, conversationId)).sort()).toEqual(["By script", "Hi there", "What I have to say"]);
  });

  test("also sends a new text after going back, and keeps both", async () => {
    const { author, reader, conversationId, postId } = await startConversation(app);
    const form = findForm((await author.client.get(threadPath(conversationId))).text, "Send").values;
    expect((await author.client.post(threadPath(conversationId), { ...form, message: "First" })).status).toBe(303);
    const refused = await author.client.post(threadPath(conversationId), { ...form, message: "Second" });
    expect(refused.status).toBe(409);
    expect(field(refused.text, "message")).toEqual({
      value: "Second",
      invalid: true,
      description: "This form has already sent a message. Send again to send this one, too.",
    });
    const again = await author.client.post(threadPath(conversationId), findForm(refused.text, "Send").values);
    expect(again.status).toBe(303);

    const dialog = findForm((await reader.client.get(`/lfg/${postId}/contact`)).text, "Send Message").values;
    expect((await reader.client.post(`/lfg/${postId}/contact`, { ...dialog, message: "Third" })).status).toBe(303);
    const refusedThere = await reader.client.post(`/lfg/${postId}/contact`, { ...dialog, message: "Fourth" });
    expect(refusedThere.status).toBe(409);
    const values = findForm(refusedThere.text, "Send Message").values;
    expect(values.message).toEqual(["Fourth"]);
    expect((await reader.client.post(`/lfg/${postId}/contact`, values)).status).toBe(303);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "First", "Second", "Third", "Fourth"]);
  });

  test("closed by a block in the meantime keeps the typed message", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await addBlock(app, author.player, reader.player);
    for (const { client } of [author, reader]) {
      const refused = await write(client, conversationId, "Typed\nat length");
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("Typed\nat length</textarea>");
      expect(() => findForm(refused.text, "Send")).toThrow();
    }
  });

  test("keeps the typed message while the database is away", async () => {
    const { author, reader, conversationId, postId } = await startConversation(app);
    proxy.mode = "away";
    const answers = [
      await write(author.client, conversationId, "Typed at length"),
      await contactAuthor(reader.client, postId, "Typed at length"),
    ];
    proxy.mode = "through";
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
      const form = findForm(answer.text, "Try Again");
      expect(form.values.message).toEqual(["Typed at length"]);
    }
    const [first] = answers as [HttpResponse];
    expect(
      (await author.client.post(threadPath(conversationId), findForm(first.text, "Try Again").values)).status,
    ).toBe(303);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "Typed at length"]);
  });
});

describe("the thread's own requests", () => {
  test("catch up from any message on, 200 at a time, and go back 50 at a time", async () => {
    const { one, other, conversationId } = await newPair(app);
    await addMessages(conversationId, [one.player, other.player], 250);
    const read = async (search: string) => {
      const answer = await one.client.get(messagesPath(conversationId) + search);
      expect(answer.status).toBe(200);
      expect(roundTrips(answer)).toBe(1);
      const { messages: found, hasOlder } = messagesIn(answer);
      return [found.map(({ seq }) => String(seq)), hasOlder];
    };
    expect(await read("?after=0")).toEqual([numbers(1, 200), false]);
    expect(await read("?after=200")).toEqual([numbers(201, 250), false]);
    expect(await read("?after=250")).toEqual([[], false]);
    expect(await read("?after=999999999999")).toEqual([[], false]);
    expect(await read("")).toEqual([numbers(201, 250), true]);
    expect(await read("?before=201")).toEqual([numbers(151, 200), true]);
    expect(await read("?before=51")).toEqual([numbers(1, 50), false]);
    expect(await read("?before=1")).toEqual([[], false]);
    for (const nonsense of ["?before=x", "?after=-1", "?before=", "?after=1.5"]) {
      expect(await read(nonsense), nonsense).toEqual([numbers(201, 250), true]);
    }
    const [first] = messagesIn(await one.client.get(`${messagesPath(conversationId)}?after=0`)).messages;
    const row = (await storedMessages(conversationId))[0];
    expect(first).toEqual({
      id: row?.id,
      seq: 1,
      senderId: one.player.id,
      content: "1",
      createdAt: row?.createdAt.getTime(),
    });
  });

  test("store a message in one round trip, and give the same response to a retry", async () => {
    const { one, other, conversationId } = await newPair(app);
    const id = uuidv7();
    const answers = [];
    for (let times = 0; times < 3; times += 1) answers.push(await sendTo(one.client, conversationId, "  Once \n", id));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(roundTrips(answer)).toBe(1);
      expect(answer.text).toBe(answers[0]?.text);
    }
    expect(await storedMessages(conversationId)).toMatchObject([
      { id, seq: 1, senderId: one.player.id, receiverId: other.player.id, content: "Once", postId: null },
    ]);
    expect(await memberRow(conversationId, other.player)).toMatchObject({ unreadCount: 1 });
    // The id of another player's message can't be used to send in their name.
    const stolen = await sendTo(other.client, conversationId, "Mine now", id);
    expect(stolen.status).not.toBe(200);
    expect(await textsOf(app, conversationId)).toEqual(["Once"]);
  });

  test("of a player who has signed out are refused to the next one in the same browser", async () => {
    const { one, other, conversationId } = await newPair(app);
    const fields = { id: uuidv7(), message: "Not for others to say", senderId: one.player.id };
    const refused = await other.client.post(messagesPath(conversationId), fields);
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text).error).toBe("Your session has ended. Sign in in another tab, then try again.");
    expect(await storedMessages(conversationId)).toEqual([]);
    expect((await one.client.post(messagesPath(conversationId), fields)).status).toBe(200);
    expect(await storedMessages(conversationId)).toMatchObject([{ senderId: one.player.id }]);
  });

  test("fail without a session, for strangers, with an invalid form, over the limit, and in an outage", async () => {
    const { one, conversationId } = await newPair(app);
    await sendTo(one.client, conversationId, "Between us");
    const ended = app.client();
    const expiresAt = new Date(Date.now() - 1_000);
    ended.cookies.set("lineup_session", (await openSession(app, one.player.id, { expiresAt })).cookie);
    const stranger = await newVisitor(app);
    const statusOf = async (client: Client, id: string) => {
      const asked = ["", "?after=0", "?before=9", "?after=0&seen"].map((search) =>
        client.get(messagesPath(id) + search),
      );
      const all = [...(await Promise.all(asked)), await sendTo(client, id, "Let me in")];
      for (const { text } of all) expect(text).not.toContain("Between us");
      return [...new Set(all.map(({ status }) => status))];
    };
    expect(await statusOf(app.client(), conversationId)).toEqual([401]);
    expect(await statusOf(ended, conversationId)).toEqual([401]);
    for (const id of [conversationId, uuidv7(), "no-id"])
      expect(await statusOf(stranger.client, id), id).toEqual([404]);

    for (const fields of [{}, { id: uuidv7() }, { message: "No id" }, { id: "no-id", message: "x" }]) {
      const answer = await one.client.post(messagesPath(conversationId), fields);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text).error).toMatch(
        /^(Write a message first\.|This form is out of date\. Open it again\.)$/,
      );
    }

    const key = `message:${one.player.id}`;
    await app.db.update(rateLimits).set({ count: 1_000_000 }).where(eq(rateLimits.key, key));
    const hurried = await sendTo(one.client, conversationId, "One too many");
    expect(hurried.status).toBe(429);
    expect(Number(hurried.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(JSON.parse(hurried.text).error).toMatch(/^That was a lot in a short time\./);
    await app.db.delete(rateLimits).where(eq(rateLimits.key, key));

    proxy.mode = "away";
    const away = [
      await one.client.get(`${messagesPath(conversationId)}?after=0`),
      await sendTo(one.client, conversationId, "x"),
    ];
    proxy.mode = "through";
    for (const answer of away) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect(await textsOf(app, conversationId)).toEqual(["Between us"]);
  });
});

describe("a conversation is read", () => {
  /** Two players; the second has written three messages that the first has not read. */
  async function unread() {
    const pair = await newTeammates(app);
    for (const word of ["one", "two", "three"]) await sendTo(pair.other.client, pair.conversationId, word);
    return pair;
  }
  type Pair = Awaited<ReturnType<typeof unread>>;

  const markOf = async ({ conversationId, one }: Pair) => {
    const { lastReadSeq, unreadCount } = await memberRow(conversationId, one.player);
    return [lastReadSeq, unreadCount];
  };
  const becomes = (pair: Pair, mark: [number, number]) =>
    eventually(async () => {
      expect(await markOf(pair)).toEqual(mark);
      return true;
    });

  test("after the player's own visit, and not after another's", async () => {
    const pair = await unread();
    await pair.other.client.get(threadPath(pair.conversationId));
    const stranger = await newVisitor(app);
    await stranger.client.get(threadPath(pair.conversationId));
    await stranger.client.get(`${messagesPath(pair.conversationId)}?after=0&seen`);
    expect(await markOf(pair)).toEqual([0, 3]);
    const page = await pair.one.client.get(threadPath(pair.conversationId));
    expect(roundTrips(page)).toBe(1);
    // The page that opens the conversation already counts it as read.
    expect(shownConversations(page.text)).toMatchObject([{ unread: null }]);
    await becomes(pair, [3, 0]);
    // The other player sees the read mark.
    const seen = await pair.other.client.get(threadPath(pair.conversationId));
    expect(textOf(seen.text)).toContain("Seen");
  });

  test("not after a visit from a device whose session has ended", async () => {
    const pair = await unread();
    await app.db.delete(sessions).where(eq(sessions.userId, pair.one.player.id));
    expect((await pair.one.client.get(threadPath(pair.conversationId))).status).toBe(302);
    // This mark is set later. Once it is stored, the earlier request has done all its work, too.
    const marked = await unread();
    await marked.one.client.get(threadPath(marked.conversationId));
    await becomes(marked, [3, 0]);
    expect(await markOf(pair)).toEqual([0, 3]);
  });

  test("not after a prefetch, the list, older messages, or a request out of view", async () => {
    const pairs = [await unread(), await unread(), await unread(), await unread()] as const;
    const [ahead, listed, older, looked] = pairs;
    for (const headers of PREFETCHES) {
      expect((await ahead.one.client.get(threadPath(ahead.conversationId), headers)).status).toBe(200);
      await ahead.one.client.get(`${messagesPath(ahead.conversationId)}?after=0&seen`, headers);
    }
    await listed.one.client.get(LIST);
    await listed.one.client.get("/conversations");
    await older.one.client.get(`${threadPath(older.conversationId)}?before=3`);
    await older.one.client.get(`${messagesPath(older.conversationId)}?before=3&seen`);
    await looked.one.client.get(`${messagesPath(looked.conversationId)}?after=0`);
    await looked.one.client.get(messagesPath(looked.conversationId));
    // This mark is set later. Once it is stored, the earlier requests have done all their work, too.
    const marked = await unread();
    await marked.one.client.get(threadPath(marked.conversationId));
    await becomes(marked, [3, 0]);
    for (const pair of pairs) expect(await markOf(pair)).toEqual([0, 3]);
  });

  test("not after a visit to older messages, whose page still counts the new ones", async () => {
    const pair = await unread();
    const { text } = await pair.one.client.get(`${threadPath(pair.conversationId)}?before=3`);
    expect(shownConversations(text)).toMatchObject([{ unread: "3 unread" }]);
    const chat = selectEach(text, "a").find((link) => textOf(link).includes("Chat"));
    expect(textOf(select(text, `[id="${chat?.attr("aria-describedby")}"]`))).toBe("3 unread");
  });

  test("after a click that a prefetch came before, because the browser doesn't keep an unread conversation", async () => {
    const pair = await unread();
    const page = `${threadPath(pair.conversationId)}.data`;
    const prefetched = async () => (await pair.one.client.get(page, PREFETCHES[0])).headers.get("Cache-Control");
    expect(await prefetched()).toBe("private, no-store");
    await pair.one.client.get(page);
    await becomes(pair, [3, 0]);
    expect(await prefetched()).toBe("private, max-age=10");
  });

  test("after catching up in view, as far as the response goes", async () => {
    const pair = await unread();
    await pair.one.client.get(`${messagesPath(pair.conversationId)}?after=1&seen`);
    await becomes(pair, [3, 0]);
    await sendTo(pair.other.client, pair.conversationId, "four");
    await becomes(pair, [3, 1]);
    // The response holds nothing new, so nothing is marked.
    await pair.one.client.get(`${messagesPath(pair.conversationId)}?after=4&seen`);
    await pair.one.client.get(`${messagesPath(pair.conversationId)}?after=3&seen`);
    await becomes(pair, [4, 0]);
  });

  test("after answering in it, once the page shows what came before the answer", async () => {
    const pair = await unread();
    const news = () => newsOf(pair.one.player, `conversation:${pair.conversationId}`);
    const answer = await write(pair.one.client, pair.conversationId, "An answer");
    expect(await markOf(pair)).toEqual([0, 3]);
    expect(await news()).toMatchObject([{ kind: "message", count: 3 }]);
    await pair.one.client.follow(answer);
    await becomes(pair, [4, 0]);
    expect(await news()).toEqual([]);
    // If no message is unread, the player's own is marked as read immediately.
    await write(pair.one.client, pair.conversationId, "Another");
    expect(await markOf(pair)).toEqual([5, 0]);
  });

  test("not after writing to the player from another page, or sending what waited in the browser", async () => {
    for (const send of [
      ({ one, other }: Pair) =>
        one.client.post(`/players/${other.player.id}/message`, { id: uuidv7(), message: "From your page" }),
      ({ one, conversationId }: Pair) => sendTo(one.client, conversationId, "Written offline"),
    ]) {
      const pair = await unread();
      await send(pair);
      expect((await storedMessages(pair.conversationId)).length).toBe(4);
      expect(await markOf(pair)).toEqual([0, 3]);
      expect(shownConversations((await pair.one.client.get(LIST)).text)).toMatchObject([{ unread: "3 unread" }]);
      expect(textOf((await pair.other.client.get(threadPath(pair.conversationId))).text)).not.toContain("Seen");
      await pair.one.client.get(threadPath(pair.conversationId));
      await becomes(pair, [4, 0]);
      expect(await newsOf(pair.one.player, `conversation:${pair.conversationId}`)).toEqual([]);
    }
  });
});
