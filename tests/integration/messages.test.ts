import { and, eq, like, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { greeting, type ThreadMessage } from "../../app/features/messages/rules";
import { uuidv7 } from "../../db/ids";
import {
  blocks,
  conversationMembers,
  conversations,
  lfgPosts,
  messages,
  notifications,
  profiles,
  rateLimits,
  users,
} from "../../db/schema";
import { PASSWORD } from "../../db/seed";
import { type TestApp, useApp } from "../support/app";
import { type Answer, type Client, findForm, signIn, textOf } from "../support/client";
import { eventually } from "../support/eventually";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import { announcements, field, links } from "./html";
import {
  addConversation,
  addPost,
  DAY,
  MINUTE,
  newPair,
  newVisitor,
  openSession,
  type Player,
  PREFETCHES,
  sendTo,
  unique,
} from "./players";
import { contact, talk, textsOf, write } from "./talk";

// A hop between Worker and database that can stand in the way.
const { proxy, appOptions } = await startWatchedDatabase();
afterEach(() => {
  proxy.mode = "through";
});

const app = useApp(appOptions);

const LIST = "/dashboard/messages";
const thread = (conversationId: string) => `${LIST}/${conversationId}`;
const json = (conversationId: string) => `/conversations/${conversationId}/messages`;

/** What the messages of a conversation are in the database, in their order. */
const stored = (conversationId: string) =>
  app.db.select().from(messages).where(eq(messages.conversationId, conversationId)).orderBy(messages.seq);

const member = async (conversationId: string, { id }: Player) =>
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

/** Puts messages into a conversation, read by both, a minute apart unless told otherwise; the first wrote every second one. */
async function say(
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
      .set({ listedAt: last.createdAt, lastReadSeq: count })
      .where(eq(conversationMembers.conversationId, conversationId)),
  ]);
}

interface ShownConversation {
  name: string;
  href: string;
  preview: string;
  unread: string | null;
}

/** The conversations of a page of the list, in its order. */
function shownConversations(html: string): ShownConversation[] {
  const nav = html.match(/<nav aria-label="Conversations".*?<\/nav>/s)?.[0] ?? "";
  return [...nav.matchAll(/<li\b.*?<\/li>/gs)].map(([row]) => {
    const [{ text: name, href }] = links(row) as [{ text: string; href: string }];
    return {
      name,
      href,
      preview: textOf(row.match(/<span class="min-w-0 flex-1 truncate[^>]*>(.*?)<\/span>/s)?.[1] ?? ""),
      unread: row.match(/hidden="">(.*?)<\/span>/s)?.[1]?.replaceAll("<!-- -->", "") ?? null,
    };
  });
}
const shownNames = (html: string) => shownConversations(html).map(({ name }) => name);
const hrefOf = (html: string, label: string) => links(html).find(({ text }) => text === label)?.href;

/** What the thread of a page says, day separators between lines as `# Today`. */
function shownThread(html: string): string[] {
  const log = html.match(/role="log".*?<\/ol>/s)?.[0] ?? "";
  return [...log.matchAll(/<li data-edge[^>]*>(.*?)<\/li>|<p data-message[^>]*>(.*?)<\/p>/gs)].map(
    ([, day, message]) => (day === undefined ? textOf(message ?? "") : `# ${textOf(day)}`),
  );
}
const shownMessages = (html: string) => shownThread(html).filter((line) => !line.startsWith("# "));

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
const messagesIn = (answer: Answer) => JSON.parse(answer.text) as { messages: ThreadMessage[]; hasOlder: boolean };

/** A page as the edge asks for it from a time zone. */
async function getIn(client: Client, path: string, timezone: string): Promise<string> {
  const headers = { Cookie: client.cookieHeader };
  const answer = await app.miniflare.dispatchFetch(app.url + path, { headers, cf: { timezone } as never });
  return answer.text();
}

/** Makes the database refuse every new message, for a reason that the app can't know. */
async function whileNothingCanBeStored<T>(work: () => Promise<T>): Promise<T> {
  await app.db.run(sql`CREATE TRIGGER broken BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'broken'); END`);
  try {
    return await work();
  } finally {
    await app.db.run(sql`DROP TRIGGER broken`);
  }
}

describe("contacting a post's author", () => {
  test("begins the one conversation of the two, whoever begins it and from whichever post", async () => {
    const ann = await newVisitor(app, { riotGameName: "Ann" });
    const ben = await newVisitor(app, { riotGameName: "Ben" });
    const [first, second] = [await addPost(app, ann.player.id), await addPost(app, ann.player.id)];
    const bens = await addPost(app, ben.player.id);
    for (const [{ client }, post, text] of [
      [ben, first, "To the first"],
      [ben, second, "To the second"],
      [ann, bens, "To yours"],
    ] as const) {
      const answer = await contact(client, post, text);
      expect([answer.status, answer.location]).toEqual([303, `/lfg/${post}`]);
      expect(roundTrips(answer)).toBeLessThanOrEqual(2);
      expect(announcements((await client.follow(answer)).text)).toEqual([
        "Message sent! Check the Messages tab to continue the conversation.",
      ]);
    }
    const [conversation, ...more] = await conversationsOf(ann.player);
    expect(more).toEqual([]);
    const fromBen = { senderId: ben.player.id, receiverId: ann.player.id };
    expect(await stored(conversation?.id as string)).toMatchObject([
      { ...fromBen, seq: 1, content: "To the first", postId: first },
      { ...fromBen, seq: 2, content: "To the second", postId: second },
      { senderId: ann.player.id, receiverId: ben.player.id, seq: 3, content: "To yours", postId: bens },
    ]);
    expect(
      await app.db.$count(conversationMembers, eq(conversationMembers.conversationId, conversation?.id as string)),
    ).toBe(2);
  });

  test("by both at the same moment is one conversation, in which both messages stand", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, other] = [await newVisitor(app), await newVisitor(app)];
      const [ones, others] = [await addPost(app, one.player.id), await addPost(app, other.player.id)];
      const answers = await Promise.all([
        contact(one.client, others, "Me first"),
        contact(other.client, ones, "Me first"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      const [conversation, ...more] = await conversationsOf(one.player);
      expect(more).toEqual([]);
      expect((await stored(conversation?.id as string)).map(({ seq }) => seq)).toEqual([1, 2]);
    }
  });

  test("opens with a greeting that quotes the title, as it was typed", async () => {
    const author = await newVisitor(app, { riotGameName: "Żaneta" });
    const { client } = await newVisitor(app);
    const titles = ["Trio for ranked", `“Quotes” & <b>markup</b> "too"`, "x".repeat(100), "\n{{title}} 🎯"];
    for (const title of titles) {
      const post = await addPost(app, author.player.id, { title });
      const page = await client.get(`/lfg/${post}/contact`);
      expect(page.status).toBe(200);
      expect(roundTrips(page)).toBe(1);
      const dialog = page.text.match(/<dialog\b.*<\/dialog>/s)?.[0] ?? "";
      expect(textOf(dialog)).toContain("Contact Żaneta");
      expect(field(page.text, "message").value).toBe(greeting(title));
    }
    // It can be sent as it stands.
    const post = await addPost(app, author.player.id, { title: "As it stands" });
    expect((await client.submit(`/lfg/${post}/contact`, "Send Message")).status).toBe(303);
    const [conversation] = await conversationsOf(author.player);
    expect(await textsOf(app, conversation?.id as string)).toEqual([greeting("As it stands")]);
  });

  test("asks for a sign-in, which leads back to the greeting", async () => {
    const author = await newVisitor(app, { riotGameName: "Ann" });
    const { player } = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const client = app.client();
    const answer = await client.get(`/lfg/${post}/contact`);
    const signInPage = `/auth?redirectTo=${encodeURIComponent(`/lfg/${post}/contact`)}`;
    expect([answer.status, answer.location]).toEqual([303, signInPage]);
    const page = await client.follow(answer);
    expect(announcements(page.text)).toEqual(["Authentication required Please sign in to contact other players."]);
    const signedIn = await client.submit(signInPage, "Sign In", { email: player.email, password: PASSWORD });
    expect([signedIn.status, signedIn.location]).toEqual([303, `/lfg/${post}/contact`]);
    expect(field((await client.follow(signedIn)).text, "message").value).toBe(greeting("Two for Haven"));
  });

  test("keeps what was typed when the session has ended meanwhile, and stores nothing", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const ended = app.client();
    ended.cookies.set(
      "lineup_session",
      (await openSession(app, reader.player.id, { expiresAt: new Date(Date.now() - 1_000) })).cookie,
    );
    for (const client of [ended, app.client()]) {
      const answer = await contact(client, post, "Typed at length");
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("Typed at length");
    }
    expect(await conversationsOf(author.player)).toEqual([]);
  });

  test("is not possible on one's own post, nor on one that is closed, and says so", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const own = await addPost(app, author.player.id);
    const closed = await addPost(app, author.player.id, { isActive: false });
    const expired = await addPost(app, author.player.id, { createdAt: new Date(Date.now() - DAY - MINUTE) });
    for (const [{ client }, post, sentence] of [
      [author, own, "This is your own post."],
      [reader, closed, "This post is closed, so its author can't be contacted."],
      [reader, expired, "This post is closed, so its author can't be contacted."],
    ] as const) {
      const page = await client.get(`/lfg/${post}`);
      expect(hrefOf(page.text, "Contact")).toBeUndefined();
      const answer = await client.get(`/lfg/${post}/contact`);
      expect([answer.status, answer.location]).toEqual([303, `/lfg/${post}`]);
      expect(announcements((await client.follow(answer)).text)).toEqual([`Error ${sentence}`]);
    }
    for (const [{ client }, post, sentence] of [
      [author, own, "This is your own post: there is nobody to write to."],
      [reader, closed, "This post was closed meanwhile, so your message was not sent."],
      [reader, expired, "This post was closed meanwhile, so your message was not sent."],
    ] as const) {
      const answer = await contact(client, post, "From a stale page");
      expect(answer.status).toBe(409);
      expect(announcements(answer.text).join()).toContain(sentence);
      expect(field(answer.text, "message").value).toBe("From a stale page");
    }
    expect(await conversationsOf(author.player)).toEqual([]);
    for (const nowhere of [uuidv7(), "no-id"]) {
      expect((await reader.client.get(`/lfg/${nowhere}/contact`)).status).toBe(404);
      expect((await contact(reader.client, nowhere, "Hello")).text).toContain("Oops! Page not found");
    }
    // The page of a post that was deleted meanwhile: where script sends the form, the dialog stays and says so.
    const answer = await reader.client.post(`/lfg/${uuidv7()}/contact.data`, {
      id: uuidv7(),
      message: "From a stale page",
    });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain("This post was closed meanwhile, so your message was not sent.");
  });

  test("goes on in the conversation that the two have already", async () => {
    const { author, reader, conversationId } = await talk(app);
    await write(author.client, conversationId, "An answer");
    const post = await addPost(app, author.player.id, { title: "Another day" });
    expect((await contact(reader.client, post, "Again")).status).toBe(303);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "An answer", "Again"]);
  });

  test("with the same form five times at once sends one message, counted and told once", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const id = uuidv7();
    const answers = await Promise.all(Array.from({ length: 5 }, () => contact(reader.client, post, "Once", id)));
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(5).fill([303, `/lfg/${post}`]));
    const [conversation, ...more] = await conversationsOf(author.player);
    expect(more).toEqual([]);
    expect(await textsOf(app, conversation?.id as string)).toEqual(["Once"]);
    expect(await member(conversation?.id as string, author.player)).toMatchObject({ unreadCount: 1, lastReadSeq: 0 });
    expect(await member(conversation?.id as string, reader.player)).toMatchObject({ unreadCount: 0, lastReadSeq: 1 });
    expect(await app.db.$count(notifications, eq(notifications.userId, author.player.id))).toBe(1);
    // Sent once more after the post has closed: it was sent, so that is what the answer says.
    await app.db.update(lfgPosts).set({ isActive: false }).where(eq(lfgPosts.id, post));
    expect((await contact(reader.client, post, "Once", id)).status).toBe(303);
    expect(await textsOf(app, conversation?.id as string)).toEqual(["Once"]);
  });

  test("that fails for a reason nobody knows says the specification's words, keeps what was typed, and works afterwards", async () => {
    const author = await newVisitor(app);
    const { client } = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const id = uuidv7();
    const failed = await whileNothingCanBeStored(() => contact(client, post, "What I have to say", id));
    expect(failed.status).toBe(500);
    expect(announcements(failed.text)).toContain("Error Failed to start conversation. Please try again.");
    expect(field(failed.text, "message").value).toBe("What I have to say");
    expect(field(failed.text, "id").value).toBe(id);
    expect(failed.text).not.toMatch(/broken|SQLITE|trigger|\bat \w+ \(/i);
    expect(await conversationsOf(author.player)).toEqual([]);
    expect((await contact(client, post, "What I have to say", id)).status).toBe(303);
  });
});

describe("the conversation list", () => {
  test("of a player without any says so, in the specification's words", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get(LIST);
    expect(textOf(page.text)).toContain("No conversations yet.");
    expect(hrefOf(page.text, "Browse posts")).toBe("/dashboard");
    expect(() => findForm(page.text, "Search")).toThrow();
  });

  test("stands newest first, each with name, last message, who wrote it, when, and how much of it is unread", async () => {
    const me = await newVisitor(app, { riotGameName: "Me" });
    const one = await newVisitor(app, { riotGameName: "Żaneta" });
    const other = await newVisitor(app, { riotGameName: null, riotId: "Łukasz#EUW" });
    const nameless = await newVisitor(app);
    const named: [string, typeof one][] = [
      ["Żaneta", one],
      ["Łukasz#EUW", other],
      [`Player ${nameless.player.id.slice(0, 8)}`, nameless],
    ];
    const ids = new Map<string, string>();
    for (const [name, { player }] of named) ids.set(name, await addConversation(app, me.player, player));
    for (const [name, { client }] of named) await sendTo(client, ids.get(name) as string, `From ${name}`);
    const expected = named.map(([name]) => ({
      name,
      href: thread(ids.get(name) as string),
      preview: `From ${name}`,
      unread: "1 unread",
    }));
    const page = await me.client.get(LIST);
    expect(roundTrips(page)).toBe(1);
    expect(shownConversations(page.text)).toEqual([...expected].reverse());
    expect(page.text).toMatch(/<time[^>]*title="[^"]*\d{4}[^"]*"[^>]*>less than a minute ago<\/time>/);

    // What I write puts a conversation on top, as mine, and takes it for read.
    await sendTo(one.client, ids.get("Żaneta") as string, "One more");
    await sendTo(me.client, ids.get("Żaneta") as string, "Two\n\nlines");
    const after = await me.client.get(LIST);
    expect(shownConversations(after.text)[0]).toEqual({ ...expected[0], preview: "You: Two lines", unread: null });
    expect(shownNames(after.text)).toHaveLength(3);
    expect(shownConversations((await one.client.get(LIST)).text)).toMatchObject([
      { name: "Me", preview: "Two lines", unread: "1 unread" },
    ]);
  });

  test("shows whose account is gone as Unknown User, and lets what they said be read but not answered", async () => {
    const { author, reader, conversationId } = await talk(app);
    await write(author.client, conversationId, "Goodbye");
    await app.db.delete(users).where(eq(users.id, author.player.id));
    const list = await reader.client.get(LIST);
    expect(shownConversations(list.text)).toMatchObject([{ name: "Unknown User", preview: "Goodbye" }]);
    expect(list.text).toMatch(/aria-hidden="true"[^>]*>\s*<[^>]*>U</);
    const page = await reader.client.get(thread(conversationId));
    expect(shownMessages(page.text)).toEqual(["Hi there", "Goodbye"]);
    expect(textOf(page.text)).toContain("This player's account is gone. You can still read what was said.");
    const answer = await write(reader.client, conversationId, "Still there?");
    expect(answer.status).toBe(410);
    const sent = await sendTo(reader.client, conversationId, "Still there?");
    expect([sent.status, JSON.parse(sent.text)]).toEqual([
      410,
      { error: "This player's account is gone, so nobody would read this." },
    ]);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "Goodbye"]);
  });

  test("is searched by name in any capitals and accents", async () => {
    const me = await newVisitor(app);
    const names = ["Żaneta Gąsior", "Дмитрий Ковалёв", "Łukasz", "100% real_name", "Sørina"];
    for (const riotGameName of names) {
      const { player } = await newVisitor(app, { riotGameName });
      await addConversation(app, me.player, player);
    }
    const search = async (q: string) => me.client.submit(LIST, "Search", { q });
    for (const [words, found] of [
      ["ZANETA gasior", ["Żaneta Gąsior"]],
      ["  zaneta   ga ", ["Żaneta Gąsior"]],
      ["ковалев", ["Дмитрий Ковалёв"]],
      ["LUKASZ", ["Łukasz"]],
      ["sorina", ["Sørina"]],
      ["a", [...names].reverse().filter((name) => /[aAąŻŁS]/.test(name) && name !== "Дмитрий Ковалёв")],
      ["%", ["100% real_name"]],
      ["l_n", ["100% real_name"]],
      ["_", ["100% real_name"]],
    ] as [string, string[]][]) {
      const page = await search(words);
      expect(roundTrips(page)).toBe(1);
      expect(shownNames(page.text), words).toEqual(found);
      expect(field(page.text, "q").value).toBe(words.replace(/\s+/g, " ").trim());
    }
    const nobody = await search("nobody at all");
    expect(textOf(nobody.text)).toContain("Nobody of that name here.");
    expect(hrefOf(nobody.text, "Show all")).toBe(LIST);
    // An empty search is none, and what no form sends does no harm.
    expect(shownNames((await search("   ")).text)).toHaveLength(names.length);
    const long = await me.client.get(`${LIST}?q=${"x".repeat(5_000)}`);
    expect([long.status, field(long.text, "q").value]).toEqual([200, "x".repeat(40)]);
    for (const after of ["x", "1_x", `-1_${uuidv7()}`, `9999999999999999_${uuidv7()}`, "' OR 1=1 --"]) {
      const page = await me.client.get(`${LIST}?after=${encodeURIComponent(after)}`);
      expect(shownNames(page.text), after).toHaveLength(names.length);
    }
  });

  test("is searched 300 at a time, and a search that was cut short can go further", async () => {
    const me = await newVisitor(app);
    await addAcquaintances(app, me.player, 330, (index) =>
      index === 5 || index === 320 ? `Rare ${index}` : `Common ${index}`,
    );
    const first = await me.client.get(`${LIST}?q=rare`);
    expect(shownNames(first.text)).toEqual(["Rare 5"]);
    const further = hrefOf(first.text, "Search further");
    const second = await me.client.get(further as string);
    expect(shownNames(second.text)).toEqual(["Rare 320"]);
    expect(hrefOf(second.text, "Search further")).toBeUndefined();
    const deep = await me.client.get(`${LIST}?q=RARE%20320`);
    expect(textOf(deep.text)).toContain("Nobody of that name among the latest.");
    expect(shownNames((await me.client.get(hrefOf(deep.text, "Search further") as string)).text)).toEqual(["Rare 320"]);
    // Found often: pages of 20, each once.
    const found: string[] = [];
    let next: string | undefined = `${LIST}?q=common`;
    while (next) {
      const page = await me.client.get(next);
      expect(shownNames(page.text).length).toBeLessThanOrEqual(20);
      found.push(...shownNames(page.text));
      next = hrefOf(page.text, "Earlier conversations") ?? hrefOf(page.text, "Search further");
    }
    expect(found).toHaveLength(328);
    expect(new Set(found).size).toBe(328);
  });

  test("is one's own alone", async () => {
    const { author, reader } = await talk(app);
    const stranger = await newVisitor(app);
    expect(shownNames((await author.client.get(LIST)).text)).toEqual(["Reader"]);
    expect(shownNames((await reader.client.get(LIST)).text)).toEqual(["Author"]);
    expect(shownNames((await stranger.client.get(LIST)).text)).toEqual([]);
    const signedOut = await app.client().get(LIST);
    expect([signedOut.status, signedOut.location]).toEqual([302, `/auth?redirectTo=${encodeURIComponent(LIST)}`]);
    expect((await app.client().get("/conversations")).status).toBe(401);
    const data = await author.client.get("/conversations");
    expect(roundTrips(data)).toBe(1);
    expect(JSON.parse(data.text).conversations).toMatchObject([{ name: "Reader", preview: "Hi there", unread: 1 }]);
  });

  test("doesn't tell whoever is blocked whether the other is there", async () => {
    const { author, reader, conversationId } = await talk(app);
    await app.db.run(sql`INSERT INTO presence VALUES (${author.player.id}, 'online', ${Date.now()})`);
    const online = async (path: string) =>
      /\bOnline<\/span>/.test((await reader.client.get(path)).text.match(/<main.*<\/main>/s)?.[0] ?? "");
    expect([await online(LIST), await online(thread(conversationId))]).toEqual([true, true]);
    await app.db
      .insert(blocks)
      .values({ blockerId: author.player.id, blockedId: reader.player.id, createdAt: new Date() });
    expect([await online(LIST), await online(thread(conversationId))]).toEqual([false, false]);
  });
});

describe("the list of a busy player", () => {
  const busy = useApp({ world: "busy" });

  test("is read in pages of 20, in which everything is there once while new messages come in", async () => {
    const client = await signIn(busy.client(), "player1@example.com");
    const all: ShownConversation[][] = [];
    let next: string | undefined = LIST;
    while (next) {
      const page = await client.get(next);
      expect(roundTrips(page)).toBe(1);
      all.push(shownConversations(page.text));
      next = hrefOf(page.text, "Earlier conversations");
    }
    expect(all.length).toBeGreaterThanOrEqual(3);
    for (const page of all.slice(0, -1)) expect(page).toHaveLength(20);
    const before = all.flat().map(({ href }) => href);
    expect(new Set(before).size).toBe(before.length);

    // Now someone writes between any two pages: in a conversation that was read past already, and in one still to come.
    const seen: string[] = [];
    const moved: string[] = [];
    next = LIST;
    for (let index = 0; next; index += 1) {
      const page = await client.get(next);
      seen.push(...shownConversations(page.text).map(({ href }) => href));
      next = hrefOf(page.text, "Earlier conversations");
      for (const href of [before[index * 20 + 3], before[(index + 1) * 20 + 3]]) {
        if (!href) continue;
        await sendTo(client, href.slice(LIST.length + 1), "Something new");
        moved.push(href);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((href) => !seen.includes(href) && !moved.includes(href))).toEqual([]);
    // What has moved stands on top, the latest first, and once.
    const top = (await client.get(LIST)).text;
    const latest = [...new Set([...moved].reverse())];
    expect(
      shownConversations(top)
        .slice(0, latest.length)
        .map(({ href }) => href),
    ).toEqual(latest);
  });
});

/** Gives a player conversations with many others, the first by index the newest. */
async function addAcquaintances(on: TestApp, { id: me }: Player, count: number, nameOf: (index: number) => string) {
  const now = Date.now();
  const made = Array.from({ length: count }, (_, index) => ({
    index,
    userId: uuidv7(),
    conversationId: uuidv7(),
    at: new Date(now - index * MINUTE),
  }));
  const word = unique("acquaintance-");
  await on.db.insert(users).values(
    made.map(({ userId: id, index }) => ({
      id,
      email: `${word}-${index}@lineup.test`,
      passwordHash: "x",
      createdAt: new Date(now),
    })),
  );
  await on.db
    .insert(profiles)
    .values(made.map(({ userId, index }) => ({ userId, riotGameName: nameOf(index), updatedAt: new Date(now) })));
  await on.db
    .insert(conversations)
    .values(
      made.map(({ conversationId: id, userId, at }) => ({ id, pairKey: [me, userId].sort().join(":"), createdAt: at })),
    );
  await on.db
    .insert(conversationMembers)
    .values(
      made.flatMap(({ conversationId, userId, at }) =>
        [me, userId].map((one) => ({ conversationId, userId: one, listedAt: at, joinedAt: at })),
      ),
    );
}

describe("a thread", () => {
  test("stands oldest first, 50 messages at a time, with a way to the older and back to the newest", async () => {
    const { one, other, conversationId } = await newPair(app);
    await say(conversationId, [one.player, other.player], 120);
    const pages: [string, string[], string | undefined, string | undefined][] = [];
    let next: string | undefined = thread(conversationId);
    while (next) {
      const page: Answer = await one.client.get(next);
      expect(roundTrips(page)).toBe(1);
      const [older, newest] = [hrefOf(page.text, "Older messages"), hrefOf(page.text, "Newest messages")];
      pages.push([next, shownMessages(page.text), older, newest]);
      next = older;
    }
    const here = thread(conversationId);
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
    await say(conversationId, [one.player, other.player], 5, (seq) => moments[seq - 1] ?? Date.now());
    const here = thread(conversationId);
    expect(shownThread(await getIn(one.client, here, "Pacific/Kiritimati"))).toEqual([
      "# 28 February 2020",
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
      "# 28 February 2020",
      "1",
      "2",
      "# 29 February 2020",
      "3",
      "4",
      "# Today",
      "5",
    ]);
    // No zone of this world, or none told: UTC.
    expect(shownThread((await one.client.get(here)).text)).toHaveLength(8);
  });

  test("shows the messages of others to nobody", async () => {
    const { conversationId, author } = await talk(app);
    const stranger = await newVisitor(app);
    for (const id of [conversationId, uuidv7()]) {
      const { status, text } = await stranger.client.get(thread(id));
      expect([status, text.includes("Hi there"), text.includes("Author")]).toEqual([404, false, false]);
      expect((await stranger.client.get(`${thread(id)}?before=9`)).status).toBe(404);
      expect((await write(stranger.client, id, "Let me in")).status).toBe(404);
    }
    expect((await author.client.get(thread("no-id"))).status).toBe(404);
    const signedOut = await app.client().get(thread(conversationId));
    expect([signedOut.status, signedOut.location]).toEqual([
      302,
      `/auth?redirectTo=${encodeURIComponent(thread(conversationId))}`,
    ]);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
  });

  test("without JavaScript sends in at most two round trips, leads back to itself, and has a link to look for more", async () => {
    const { author, reader, conversationId } = await talk(app);
    const here = thread(conversationId);
    const sent = await author.client.submit(here, "Send", { message: "Yes, at 20:30." });
    expect([sent.status, sent.location]).toEqual([303, here]);
    expect(roundTrips(sent)).toBeLessThanOrEqual(2);
    const page = await author.client.follow(sent);
    expect(shownMessages(page.text)).toEqual(["Hi there", "Yes, at 20:30."]);
    expect(field(page.text, "message")).toEqual({ value: "", invalid: false, description: "" });
    expect(hrefOf((await reader.client.get(here)).text, "Check for new messages")).toBe(here);
    // Looking with a message half written brings what is new, and keeps it.
    await write(reader.client, conversationId, "Good.");
    const looked = await author.client.submit(here, "Check and keep what I wrote", { message: "  Half a\nthought" });
    expect(looked.status).toBe(200);
    expect(shownMessages(looked.text).at(-1)).toBe("Good.");
    expect(field(looked.text, "message").value).toBe("  Half a\nthought");
    expect(await textsOf(app, conversationId)).toHaveLength(3);
  });

  test("that can't take a message for a reason nobody knows says so, keeps the words, and takes them afterwards once", async () => {
    const { author, conversationId } = await talk(app);
    const [id, other] = [uuidv7(), uuidv7()];
    const [page, script] = await whileNothingCanBeStored(() =>
      Promise.all([
        write(author.client, conversationId, "What I have to say", id),
        sendTo(author.client, conversationId, "By script", other),
      ]),
    );
    expect(page.status).toBe(500);
    expect(announcements(page.text)).toContain("Error Failed to send message. Please try again.");
    expect(field(page.text, "message").value).toBe("What I have to say");
    // The script says the same, and tries again by itself.
    expect(script.status).toBeGreaterThanOrEqual(500);
    for (const { text } of [page, script]) expect(text).not.toMatch(/broken|SQLITE|trigger|\bat \w+ \(/i);
    for (let times = 0; times < 2; times += 1) {
      const again = await author.client.post(thread(conversationId), { ...findForm(page.text, "Send").values });
      expect(again.status).toBe(303);
      expect((await sendTo(author.client, conversationId, "By script", other)).status).toBe(200);
    }
    expect((await textsOf(app, conversationId)).sort()).toEqual(["By script", "Hi there", "What I have to say"]);
  });

  test("gone back to sends what is written there now, too, and loses neither", async () => {
    const { author, reader, conversationId, postId } = await talk(app);
    const form = findForm((await author.client.get(thread(conversationId))).text, "Send").values;
    expect((await author.client.post(thread(conversationId), { ...form, message: "First" })).status).toBe(303);
    const refused = await author.client.post(thread(conversationId), { ...form, message: "Second" });
    expect(refused.status).toBe(409);
    expect(field(refused.text, "message")).toEqual({
      value: "Second",
      invalid: true,
      description: "This form has sent something already. Send again to send this, too.",
    });
    const again = await author.client.post(thread(conversationId), findForm(refused.text, "Send").values);
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

  test("that was closed by a block while one wrote shows what was written", async () => {
    const { author, reader, conversationId } = await talk(app);
    await app.db
      .insert(blocks)
      .values({ blockerId: author.player.id, blockedId: reader.player.id, createdAt: new Date() });
    for (const { client } of [author, reader]) {
      const refused = await write(client, conversationId, "Typed\nat length");
      expect(refused.status).toBe(403);
      expect(refused.text).toContain("Typed\nat length</textarea>");
      expect(() => findForm(refused.text, "Send")).toThrow();
    }
  });

  test("keeps the words of who writes while the database is away", async () => {
    const { author, reader, conversationId, postId } = await talk(app);
    proxy.mode = "away";
    const answers = [
      await write(author.client, conversationId, "Typed at length"),
      await contact(reader.client, postId, "Typed at length"),
    ];
    proxy.mode = "through";
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
      const form = findForm(answer.text, "Try Again");
      expect(form.values.message).toEqual(["Typed at length"]);
    }
    const [first] = answers as [Answer];
    expect((await author.client.post(thread(conversationId), findForm(first.text, "Try Again").values)).status).toBe(
      303,
    );
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "Typed at length"]);
  });
});

describe("the thread's own requests", () => {
  test("catch up from any message on, 200 at a time, and go back 50 at a time", async () => {
    const { one, other, conversationId } = await newPair(app);
    await say(conversationId, [one.player, other.player], 250);
    const read = async (search: string) => {
      const answer = await one.client.get(json(conversationId) + search);
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
    const [first] = messagesIn(await one.client.get(`${json(conversationId)}?after=0`)).messages;
    const row = (await stored(conversationId))[0];
    expect(first).toEqual({
      id: row?.id,
      seq: 1,
      senderId: one.player.id,
      content: "1",
      createdAt: row?.createdAt.getTime(),
    });
  });

  test("store a message in one round trip, and answer the same to whoever sends it again", async () => {
    const { one, other, conversationId } = await newPair(app);
    const id = uuidv7();
    const answers = [];
    for (let times = 0; times < 3; times += 1) answers.push(await sendTo(one.client, conversationId, "  Once \n", id));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(roundTrips(answer)).toBe(1);
      expect(answer.text).toBe(answers[0]?.text);
    }
    expect(await stored(conversationId)).toMatchObject([
      { id, seq: 1, senderId: one.player.id, receiverId: other.player.id, content: "Once", postId: null },
    ]);
    expect(await member(conversationId, other.player)).toMatchObject({ unreadCount: 1 });
    // Nobody sends in another's name by knowing the id of their message.
    const stolen = await sendTo(other.client, conversationId, "Mine now", id);
    expect(stolen.status).not.toBe(200);
    expect(await textsOf(app, conversationId)).toEqual(["Once"]);
  });

  test("are refused without a session, to strangers, over a form that reads badly, in a hurry, and while the database is away", async () => {
    const { one, conversationId } = await newPair(app);
    await sendTo(one.client, conversationId, "Between us");
    const ended = app.client();
    const expiresAt = new Date(Date.now() - 1_000);
    ended.cookies.set("lineup_session", (await openSession(app, one.player.id, { expiresAt })).cookie);
    const stranger = await newVisitor(app);
    const statusOf = async (client: Client, id: string) => {
      const asked = ["", "?after=0", "?before=9", "?after=0&seen"].map((search) => client.get(json(id) + search));
      const all = [...(await Promise.all(asked)), await sendTo(client, id, "Let me in")];
      for (const { text } of all) expect(text).not.toContain("Between us");
      return [...new Set(all.map(({ status }) => status))];
    };
    expect(await statusOf(app.client(), conversationId)).toEqual([401]);
    expect(await statusOf(ended, conversationId)).toEqual([401]);
    for (const id of [conversationId, uuidv7(), "no-id"])
      expect(await statusOf(stranger.client, id), id).toEqual([404]);

    for (const fields of [{}, { id: uuidv7() }, { message: "No id" }, { id: "no-id", message: "x" }]) {
      const answer = await one.client.post(json(conversationId), fields);
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
    expect(JSON.parse(hurried.text).error).toMatch(/^That was a bit much in a short time\./);
    await app.db.delete(rateLimits).where(eq(rateLimits.key, key));

    proxy.mode = "away";
    const away = [
      await one.client.get(`${json(conversationId)}?after=0`),
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
  /** A pair of which the other has written three messages that the first has not read. */
  async function unread() {
    const pair = await newPair(app);
    for (const word of ["one", "two", "three"]) await sendTo(pair.other.client, pair.conversationId, word);
    return pair;
  }
  type Pair = Awaited<ReturnType<typeof unread>>;

  const markOf = async ({ conversationId, one }: Pair) => {
    const { lastReadSeq, unreadCount } = await member(conversationId, one.player);
    return [lastReadSeq, unreadCount];
  };
  const becomes = (pair: Pair, mark: [number, number]) =>
    eventually(async () => {
      expect(await markOf(pair)).toEqual(mark);
      return true;
    });

  test("by visiting it, and by nobody else's visit", async () => {
    const pair = await unread();
    await pair.other.client.get(thread(pair.conversationId));
    const stranger = await newVisitor(app);
    await stranger.client.get(thread(pair.conversationId));
    await stranger.client.get(`${json(pair.conversationId)}?after=0&seen`);
    expect(await markOf(pair)).toEqual([0, 3]);
    const page = await pair.one.client.get(thread(pair.conversationId));
    expect(roundTrips(page)).toBe(1);
    // The page that opens it counts it as read already.
    expect(shownConversations(page.text)).toMatchObject([{ unread: null }]);
    await becomes(pair, [3, 0]);
    // The other sees how far.
    const seen = await pair.other.client.get(thread(pair.conversationId));
    expect(textOf(seen.text)).toContain("Seen");
  });

  test("not by a fetch ahead, nor by the list, nor by older messages, nor by a look without eyes", async () => {
    const pairs = [await unread(), await unread(), await unread(), await unread()] as const;
    const [ahead, listed, older, looked] = pairs;
    for (const headers of PREFETCHES) {
      expect((await ahead.one.client.get(thread(ahead.conversationId), headers)).status).toBe(200);
      await ahead.one.client.get(`${json(ahead.conversationId)}?after=0&seen`, headers);
    }
    await listed.one.client.get(LIST);
    await listed.one.client.get("/conversations");
    await older.one.client.get(`${thread(older.conversationId)}?before=3`);
    await older.one.client.get(`${json(older.conversationId)}?before=3&seen`);
    await looked.one.client.get(`${json(looked.conversationId)}?after=0`);
    await looked.one.client.get(json(looked.conversationId));
    // A mark that was set later is there: whatever the requests before it had to do is done.
    const marked = await unread();
    await marked.one.client.get(thread(marked.conversationId));
    await becomes(marked, [3, 0]);
    for (const pair of pairs) expect(await markOf(pair)).toEqual([0, 3]);
  });

  test("by catching up in view, as far as was answered", async () => {
    const pair = await unread();
    await pair.one.client.get(`${json(pair.conversationId)}?after=1&seen`);
    await becomes(pair, [3, 0]);
    await sendTo(pair.other.client, pair.conversationId, "four");
    await becomes(pair, [3, 1]);
    // Nothing new was answered: nothing is marked.
    await pair.one.client.get(`${json(pair.conversationId)}?after=4&seen`);
    await pair.one.client.get(`${json(pair.conversationId)}?after=3&seen`);
    await becomes(pair, [4, 0]);
  });

  test("by answering in it", async () => {
    const pair = await unread();
    await write(pair.one.client, pair.conversationId, "An answer");
    expect(await markOf(pair)).toEqual([4, 0]);
  });
});
