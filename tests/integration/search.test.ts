import { createClient } from "@libsql/client/http";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { tournaments, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client, HttpResponse } from "../support/client";
import { planFaults } from "../support/cost";
import { field, findForm, links, main, select, selectEach, textOf, texts } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { startWatchedDatabase } from "../support/watched-database";
import { hrefOf, threadPath } from "./conversations";
import { addConversation, addListedPlayer, addPost, DAY, HOUR, sendTo, unique, visitAs } from "./players";
import { registrationsIn } from "./registrations";

const { proxy, sqld, appOptions } = await startWatchedDatabase();
const app = useApp(appOptions);
const { newTournament } = registrationsIn(app);

const PAGE = "/dashboard/search";

async function newPlayer(riotGameName: string) {
  const player = await addListedPlayer(app, { riotGameName });
  return { player, name: riotGameName, client: await visitAs(app, player) };
}

const search = (client: Client, q: string) => client.get(`${PAGE}?q=${encodeURIComponent(q)}`);

/** The names of the results under each heading. */
const groupsOf = ({ text }: HttpResponse) =>
  Object.fromEntries(
    selectEach(text, "main section").map((section) => [
      textOf(select(section, "h2")),
      selectEach(section, "li").map((row) => textOf(select(row, "a"))),
    ]),
  );

/** The table of the list that a statement reads. The first match counts, as some also read one of the later tables. */
const listOf = (sql: string) =>
  ["conversations", "lfg_posts", "tournaments", "player_names"].find((table) => sql.includes(`"${table}"`)) ??
  "no list";

test("Without a search term, the page has a field, says what it finds, and reads no list", async () => {
  const { client } = await newPlayer(unique("Idle"));
  for (const address of [PAGE, `${PAGE}?q=`, `${PAGE}?q=+%20+`, `${PAGE}?q=%CC%81`]) {
    proxy.clear();
    const page = await client.get(address);
    expect([page.status, roundTrips(page)], address).toEqual([200, 1]);
    expect(groupsOf(page), address).toEqual({});
    const reads = proxy.statements.filter(({ sql }) => /^\s*select/i.test(sql));
    expect(reads.filter(({ sql }) => /lfg_posts|player_names|tournaments/.test(sql))).toEqual([]);
  }
  const page = await client.get(PAGE);
  expect(main(page.text)).toContain("Find players by name");
  expect(findForm(page.text, "Search")).toMatchObject({ method: "get", action: PAGE, values: { q: [""] } });
});

test("The header of every dashboard page links to it", async () => {
  const { client } = await newPlayer(unique("Header"));
  for (const address of ["/dashboard", "/dashboard/profile", PAGE]) {
    expect(hrefOf((await client.get(address)).text, "Search"), address).toBe(PAGE);
  }
  expect((await app.client().get(PAGE)).location).toBe(`/auth?redirectTo=${encodeURIComponent(PAGE)}`);
});

test("One word finds players, posts, tournaments and conversations, in one round trip", async () => {
  const me = await newPlayer(unique("Seeker"));
  const word = unique("éclair");
  const friend = await newPlayer(`${word} friend`);
  const post = await addPost(app, friend.player.id, { title: "Two for Haven", message: `Calm ${word}` });
  const { id: cup } = await newTournament({ title: `The ${word.toUpperCase()} Cup` });
  const chat = await addConversation(app, me.player, friend.player);
  await sendTo(friend.client, chat, "Good evening");
  const page = await search(me.client, word.replace("é", "E"));
  expect(roundTrips(page)).toBe(1);
  expect(groupsOf(page)).toEqual({
    Players: [friend.name],
    Posts: ["Two for Haven"],
    Tournaments: [`The ${word.toUpperCase()} Cup`],
    Conversations: [friend.name],
  });
  const found = links(select(page.text, "main section")).map(({ href }) => href);
  expect(found).toEqual([`/players/${friend.player.id}`, `/lfg/${post}`, `/tournaments/${cup}`, threadPath(chat)]);
  expect(main(page.text)).toContain("4 results for");
  expect(main(page.text)).toContain("Good evening");
  expect(field(page.text, "q").value).toBe(word.replace("é", "E"));
});

test("The dialog gets the same results as JSON, in one round trip, and visitors get none", async () => {
  const me = await newPlayer(unique("Seeker"));
  const word = unique("json");
  await newPlayer(`${word} friend`);
  const address = `/dashboard/search/results?q=${word}`;
  const answer = await me.client.get(address);
  expect([answer.status, roundTrips(answer)]).toEqual([200, 1]);
  expect(JSON.parse(answer.text)).toMatchObject({
    q: word,
    groups: [{ title: "Players", results: [{ name: `${word} friend` }], more: null, limit: null }],
  });
  expect((await app.client().get(address)).status).toBe(401);
});

test("A search that finds nothing says so, and any text is safe to search for", async () => {
  const { client } = await newPlayer(unique("Lost"));
  for (const words of ["nothing like this", "%", "' OR 1=1 --", "<b>", "a".repeat(500), "\u0000", "#", "🎮"]) {
    const page = await search(client, words);
    expect(page.status, words).toBe(200);
    expect(Object.keys(groupsOf(page)), words).toEqual([]);
  }
  expect(main((await search(client, "nothing like this")).text)).toContain("No results for “nothing like this”");
  expect(main((await search(client, "nothing like this")).text)).toContain("Try the start of a name");
  expect(field((await search(client, "a".repeat(500))).text, "q").value).toHaveLength(80);
});

test("A group shows six results and a link to the list's own search", async () => {
  const me = await newPlayer(unique("Seeker"));
  const word = unique("many");
  for (let index = 0; index < 8; index += 1) {
    const other = await newPlayer(`${word} ${index}`);
    await addPost(app, other.player.id, { title: `${word} post ${index}` });
    await addConversation(app, me.player, other.player);
    await newTournament({ title: `${word} cup ${index}` });
  }
  const page = await search(me.client, word);
  const groups = groupsOf(page);
  expect(Object.values(groups).map((names) => names.length)).toEqual([6, 6, 6, 6]);
  expect(groups.Tournaments?.[0]).toBe(`${word} cup 7`);
  const more: Record<string, string> = {
    [`All players matching “${word}”`]: `/dashboard/players?name=${word}&sort=best`,
    [`All posts matching “${word}”`]: `/dashboard?q=${word}`,
    "All tournaments": "/dashboard/tournaments",
    [`All conversations matching “${word}”`]: `/dashboard/messages?q=${word}`,
  };
  for (const [label, href] of Object.entries(more)) {
    expect(hrefOf(page.text, label), label).toBe(href);
    expect((await me.client.get(href)).status, label).toBe(200);
  }
});

test("Names that begin with the words come first", async () => {
  const me = await newPlayer(unique("Seeker"));
  const word = unique("lead");
  await newPlayer(`${word} singer`);
  await newPlayer(`The ${word}`);
  expect(groupsOf(await search(me.client, word)).Players).toEqual([`${word} singer`, `The ${word}`]);
});

test("The searcher, unlisted players, suspended accounts, closed posts and others' chats are not found", async () => {
  const word = unique("quiet");
  const me = await newPlayer(`${word} me`);
  await addListedPlayer(app, { riotGameName: `${word} unlisted`, isListed: false });
  const suspended = await newPlayer(`${word} suspended`);
  await app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, suspended.player.id));
  const stranger = await newPlayer(unique("Stranger"));
  await addConversation(app, stranger.player, suspended.player);
  await addPost(app, stranger.player.id, { title: `${word} closed`, isActive: false });
  await addPost(app, stranger.player.id, { title: `${word} old`, createdAt: new Date(Date.now() - DAY - HOUR) });
  expect(groupsOf(await search(me.client, word))).toEqual({});
});

test("An unlisted tournament is found by its host alone, and finished tournaments come last", async () => {
  const word = unique("cup");
  const [host, other] = [await newPlayer(unique("Host")), await newPlayer(unique("Guest"))];
  await newTournament({ title: `${word} by link`, userId: host.player.id, isListed: false });
  await newTournament({ title: `${word} open` });
  const { id: over } = await newTournament({ title: `${word} over` });
  await app.db.update(tournaments).set({ state: "finished" }).where(eq(tournaments.id, over));
  expect(groupsOf(await search(other.client, word)).Tournaments).toEqual([`${word} open`, `${word} over`]);
  expect(groupsOf(await search(host.client, word)).Tournaments).toEqual([
    `${word} by link`,
    `${word} open`,
    `${word} over`,
  ]);
});

// Comes last, because it fills the database.
test("Each list has a bounded cost and says how far it was searched, and nothing is sorted", {
  timeout: 120_000,
}, async () => {
  const me = await newPlayer(unique("Bounded"));
  const client = createClient({ url: sqld.url });
  const now = Date.now();
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const uuid = (part: string) => `printf('${part}0000-0000-7000-8000-%012d', i)`;
  const args = [now, me.player.id];
  await client.batch([
    {
      sql: `${numbers(5_000)} INSERT INTO users (id, email, password_hash, created_at)
        SELECT ${uuid("aaaa")}, 'crowd' || i || '@lineup.test', 'x', ? FROM n`,
      args: [now],
    },
    {
      sql: `${numbers(5_000)} INSERT INTO profiles (user_id, riot_game_name, joined_at, updated_at)
        SELECT ${uuid("aaaa")}, 'Crowd ' || i, ?1, ?1 FROM n`,
      args: [now],
    },
    `${numbers(5_000)} INSERT INTO player_names (word, user_id) SELECT 'crowd', ${uuid("aaaa")} FROM n`,
    {
      sql: `${numbers(5_000)} INSERT INTO lfg_posts (id, user_id, title, search_text, needed_players, is_active, created_at, listed_at, expires_at, updated_at)
        SELECT ${uuid("bbbb")}, ${uuid("aaaa")}, 'Post ' || i, iif(i % 500 = 0, 'crowd', 'post'), 1, 1,
          ?1 - i * 1000, ?1 - i * 1000, ?1 - i * 1000 + 86400000, ?1 FROM n`,
      args: [now],
    },
    {
      sql: `${numbers(2_000)} INSERT INTO tournaments (id, user_id, title, description, entry_fee, prize_pool, max_participants,
          format, team_size, best_of, final_best_of, group_size, check_in_minutes, seeding, tournament_date,
          registration_deadline, time_zone, is_listed, created_at, updated_at)
        SELECT ${uuid("cccc")}, ${uuid("aaaa")}, 'Cup ' || i, 'One', 0, 0, 16, 'single_elimination', 5, 1, 1, 4, 0, 'random',
          ?1 + 172800000, ?1 + 86400000, 'UTC', 1, ?1, ?1 FROM n`,
      args: [now],
    },
    {
      sql: `${numbers(600)} INSERT INTO conversations (id, pair_key, created_at) SELECT ${uuid("dddd")}, ?2 || ':' || ${uuid("aaaa")}, ?1 FROM n`,
      args,
    },
    {
      sql: `${numbers(600)} INSERT INTO conversation_members (conversation_id, user_id, listed_at, joined_at)
        SELECT ${uuid("dddd")}, ?2, ?1 - i, ?1 FROM n UNION ALL SELECT ${uuid("dddd")}, ${uuid("aaaa")}, ?1 - i, ?1 FROM n`,
      args,
    },
  ]);
  client.close();
  const reads: Record<string, number> = {};
  for (const words of ["crowd", "crowd 77", "zzz", "cup"]) {
    proxy.clear();
    const page = await search(me.client, words);
    expect([page.status, roundTrips(page)], words).toEqual([200, 1]);
    for (const { sql, rowsRead } of proxy.statements) {
      for (const part of ["in all", listOf(sql)])
        reads[`${words}, ${part}`] = (reads[`${words}, ${part}`] ?? 0) + rowsRead;
    }
    expect(await planFaults(sqld.url, proxy.statements)).toEqual([]);
    for (const names of Object.values(groupsOf(page))) expect(names.length).toBeLessThanOrEqual(6);
  }
  console.log(reads);
  const isTooMuch = ([part, rows]: [string, number]) => rows > (part.endsWith("in all") ? 5_000 : 2_000);
  expect(Object.fromEntries(Object.entries(reads).filter(isTooMuch))).toEqual({});
  const page = await search(me.client, "zzz");
  expect(texts(page.text, "main section p")).toEqual([
    "Only the newest posts were searched. All posts matching “zzz”",
    "Only the newest 200 tournaments were searched. All tournaments",
    "Only your latest conversations were searched. All conversations matching “zzz”",
  ]);
});
