import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations, profiles, users } from "../../db/schema";
import { type TestApp, useApp } from "../support/app";
import { signIn } from "../support/client";
import { field, findForm, selectEach, textOf, texts } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import {
  hrefOf,
  LIST,
  type ShownConversation,
  shownConversations,
  shownMessages,
  shownNames,
  threadPath,
} from "./conversations";
import { addBlock, addConversation, MINUTE, newVisitor, type Player, sendTo, unique } from "./players";
import { startConversation, textsOf, write } from "./talk";

// A proxy between the Worker and the database that can simulate an outage.
const { proxy, appOptions } = await startWatchedDatabase();
afterEach(() => {
  proxy.mode = "through";
});

const app = useApp(appOptions);

describe("the conversation list", () => {
  test("of a player without conversations says so, in the specification's words", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get(LIST);
    expect(textOf(page.text)).toContain("No conversations yet.");
    expect(hrefOf(page.text, "Browse posts")).toBe("/dashboard");
    expect(() => findForm(page.text, "Search")).toThrow();
  });

  test("is ordered newest first, each with name, last message, sender, time, and unread count", async () => {
    const me = await newVisitor(app, { riotGameName: "Me" });
    const one = await newVisitor(app, { riotGameName: "Żaneta" });
    const other = await newVisitor(app, { riotGameName: null, riotId: "Łukasz#EUW" });
    const nameless = await newVisitor(app);
    const named: [string, typeof one][] = [
      ["Żaneta", one],
      ["Łukasz#EUW", other],
      ["Unknown User", nameless],
    ];
    const ids = new Map<string, string>();
    for (const [name, { player }] of named) ids.set(name, await addConversation(app, me.player, player));
    for (const [name, { client }] of named) await sendTo(client, ids.get(name) as string, `From ${name}`);
    const expected = named.map(([name]) => ({
      name,
      href: threadPath(ids.get(name) as string),
      preview: `From ${name}`,
      unread: "1 unread",
    }));
    const page = await me.client.get(LIST);
    expect(roundTrips(page)).toBe(1);
    expect(shownConversations(page.text)).toEqual([...expected].reverse());
    const times = selectEach(page.text, "time").filter((time) => textOf(time) === "less than a minute ago");
    expect(times[0]?.attr("title")).toMatch(/\d{4}/);

    // Writing a message moves the conversation to the top, with the message as its preview.
    await sendTo(one.client, ids.get("Żaneta") as string, "One more");
    await sendTo(me.client, ids.get("Żaneta") as string, "Two\n\nlines");
    const after = await me.client.get(LIST);
    expect(shownConversations(after.text)[0]).toEqual({
      ...expected[0],
      preview: "You: Two lines",
      unread: "2 unread",
    });
    expect(shownNames(after.text)).toHaveLength(3);
    expect(shownConversations((await one.client.get(LIST)).text)).toMatchObject([
      { name: "Me", preview: "Two lines", unread: "1 unread" },
    ]);
  });

  test("shows a player without a name as Unknown User with the letter U, and so does the thread", async () => {
    const { reader, conversationId } = await startConversation(app, { author: await newVisitor(app) });
    const list = await reader.client.get(LIST);
    expect(shownConversations(list.text)).toMatchObject([{ name: "Unknown User" }]);
    const { text } = await reader.client.get(threadPath(conversationId));
    expect(texts(text, ".thread-head h2")).toEqual(["Unknown User"]);
    // The banners in the list and in the thread's head.
    expect(texts(text, ".chat .u")).toEqual(["U", "U"]);
  });

  test("shows a deleted account as Unknown User, with its messages readable but no way to answer", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await write(author.client, conversationId, "Goodbye");
    await app.db.delete(users).where(eq(users.id, author.player.id));
    const list = await reader.client.get(LIST);
    expect(shownConversations(list.text)).toMatchObject([{ name: "Unknown User", preview: "Goodbye" }]);
    expect(texts(list.text, "[aria-hidden=true] > *")).toContain("U");
    const page = await reader.client.get(threadPath(conversationId));
    expect(shownMessages(page.text)).toEqual(["Hi there", "Goodbye"]);
    expect(textOf(page.text)).toContain("This player's account is gone. You can still read what was said.");
    const answer = await write(reader.client, conversationId, "Still there?");
    expect(answer.status).toBe(410);
    const sent = await sendTo(reader.client, conversationId, "Still there?");
    expect([sent.status, JSON.parse(sent.text)]).toEqual([
      410,
      { error: "This player's account is gone, so nobody would read your message." },
    ]);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "Goodbye"]);
  });

  test("is searched by name, ignoring case and accents", async () => {
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
    expect(textOf(nobody.text)).toContain("Nobody with that name here.");
    expect(hrefOf(nobody.text, "Show all")).toBe(LIST);
    // An empty search shows everything, and parameters that no form sends do no harm.
    expect(shownNames((await search("   ")).text)).toHaveLength(names.length);
    const long = await me.client.get(`${LIST}?q=${"x".repeat(5_000)}`);
    expect([long.status, field(long.text, "q").value]).toEqual([200, "x".repeat(40)]);
    for (const after of ["x", "1_x", `-1_${uuidv7()}`, `9999999999999999_${uuidv7()}`, "' OR 1=1 --"]) {
      const page = await me.client.get(`${LIST}?after=${encodeURIComponent(after)}`);
      expect(shownNames(page.text), after).toHaveLength(names.length);
    }
  });

  test("is searched 300 conversations at a time, and a search that was cut short can be continued", async () => {
    const me = await newVisitor(app);
    await addAcquaintances(app, me.player, 330, (index) =>
      index === 5 || index === 320 ? `Rare ${index}` : `Common ${index}`,
    );
    const first = await me.client.get(`${LIST}?q=rare`);
    expect(shownNames(first.text)).toEqual(["Rare 5"]);
    const further = hrefOf(first.text, "Keep searching");
    const second = await me.client.get(further as string);
    expect(shownNames(second.text)).toEqual(["Rare 320"]);
    expect(hrefOf(second.text, "Keep searching")).toBeUndefined();
    expect((await me.client.get(hrefOf(second.text, "Newer") as string)).location).toBe(`${LIST}?q=rare`);
    const deep = await me.client.get(`${LIST}?q=RARE%20320`);
    expect(textOf(deep.text)).toContain("Nobody with that name among your latest chats.");
    expect(shownNames((await me.client.get(hrefOf(deep.text, "Keep searching") as string)).text)).toEqual(["Rare 320"]);
    // A search with many results has pages of 20, without duplicates.
    const found: string[] = [];
    let next: string | undefined = `${LIST}?q=common`;
    while (next) {
      const page = await me.client.get(next);
      expect(shownNames(page.text).length).toBeLessThanOrEqual(20);
      found.push(...shownNames(page.text));
      next = hrefOf(page.text, "Older") ?? hrefOf(page.text, "Keep searching");
    }
    expect(found).toHaveLength(328);
    expect(new Set(found).size).toBe(328);
  });

  test("says that a page has no older conversations once the last of them has moved to the top", async () => {
    const { player, client } = await newVisitor(app);
    await addAcquaintances(app, player, 21, (index) => `Friend ${index}`);
    const older = hrefOf((await client.get(LIST)).text, "Older") as string;
    expect(shownConversations((await client.get(older)).text)).toHaveLength(1);
    await app.db
      .update(conversationMembers)
      .set({ listedAt: new Date(Date.now() + MINUTE) })
      .where(
        sql`${conversationMembers.userId} = ${player.id} AND ${conversationMembers.listedAt} = (
          SELECT min(listed_at) FROM conversation_members WHERE user_id = ${player.id})`,
      );
    const page = await client.get(older);
    expect(shownConversations(page.text)).toEqual([]);
    expect(textOf(page.text)).toContain("No older conversations.");
    expect(textOf(page.text)).not.toContain("Nobody with that name");
    expect(hrefOf(page.text, "Show all")).toBe(LIST);
    const searched = await client.get(older.replace("?", "?q=Friend&"));
    expect(textOf(searched.text)).toContain("Nobody else with that name so far.");
  });

  test("shows only the player's own conversations", async () => {
    const { author, reader } = await startConversation(app);
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

  test("doesn't tell blocked players whether the other is online", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await sendTo(author.client, conversationId, "Hi yourself");
    await app.db.run(sql`INSERT INTO presence VALUES (${author.player.id}, 'online', ${Date.now()})
      ON CONFLICT DO UPDATE SET state = 'online'`);
    const online = async (path: string) =>
      texts((await reader.client.get(path)).text, "main span").some((text) => /\bOnline$/.test(text));
    expect([await online(LIST), await online(threadPath(conversationId))]).toEqual([true, true]);
    await addBlock(app, author.player, reader.player);
    expect([await online(LIST), await online(threadPath(conversationId))]).toEqual([false, false]);
  });
});

describe("the list of a busy player", () => {
  const busy = useApp({ world: "busy" });

  test("is read in pages of 20 that show each conversation once while new messages come in", async () => {
    const client = await signIn(busy.client(), "player1@example.com");
    const all: ShownConversation[][] = [];
    let next: string | undefined = LIST;
    let last = LIST;
    while (next) {
      const page = await client.get(next);
      last = next;
      expect(roundTrips(page)).toBe(1);
      all.push(shownConversations(page.text));
      next = hrefOf(page.text, "Older");
    }
    expect(all.length).toBeGreaterThanOrEqual(3);
    for (const page of all.slice(0, -1)) expect(page).toHaveLength(20);
    // Going back shows the same pages.
    let answer = await client.get(last);
    for (const page of all.slice(1, -1).reverse()) {
      answer = await client.get(hrefOf(answer.text, "Newer") as string);
      expect(roundTrips(answer)).toBe(1);
      expect(shownConversations(answer.text)).toEqual(page);
    }
    expect((await client.get(hrefOf(answer.text, "Newer") as string)).location).toBe(LIST);
    const before = all.flat().map(({ href }) => href);
    expect(new Set(before).size).toBe(before.length);

    // Between any two pages two messages arrive: one in a conversation already shown, one in a conversation not yet
    // shown.
    const seen: string[] = [];
    const moved: string[] = [];
    next = LIST;
    for (let index = 0; next; index += 1) {
      const page = await client.get(next);
      seen.push(...shownConversations(page.text).map(({ href }) => href));
      next = hrefOf(page.text, "Older");
      for (const href of [before[index * 20 + 3], before[(index + 1) * 20 + 3]]) {
        if (!href) continue;
        await sendTo(client, href.slice(LIST.length + 1), "Something new");
        moved.push(href);
      }
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(before.filter((href) => !seen.includes(href) && !moved.includes(href))).toEqual([]);
    // The moved conversations are at the top, the latest first, once each.
    const top = (await client.get(LIST)).text;
    const latest = [...new Set([...moved].reverse())];
    expect(
      shownConversations(top)
        .slice(0, latest.length)
        .map(({ href }) => href),
    ).toEqual(latest);
  });
});

/** Gives a player conversations with many others. The lower the index, the newer the conversation. */
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
