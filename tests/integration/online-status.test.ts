import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { lfgPosts, presence, profiles } from "../../db/schema";
import { seenSlot } from "../../db/words/presence";
import { PRESENCE_POLICIES, type PresencePolicy } from "../../db/words/presence-policies";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { hidingIn } from "../support/hiding";
import { announcements, field, findByHeading, postTitles, textOf, texts } from "../support/html";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox } from "../support/socket";
import { addBlock, addConversation, addPost, MINUTE, newTeammates, newVisitor, sendTo, unique } from "./players";
import type { Visitor } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { accept, newTeam } = teamsIn(app);
const { hide, restore } = hidingIn(app);

const SETTINGS = "/dashboard/settings/online-status";
const choose = async (client: Client, policy: PresencePolicy) =>
  expect((await client.submit(SETTINGS, "Save", { policy })).status).toBe(303);
/** Saves a choice without telling the player's inbox, as though the call had failed. */
const chooseUnheard = async (userId: string, policy: PresencePolicy) => {
  await app.db.update(profiles).set({ presencePolicy: policy }).where(eq(profiles.userId, userId));
  if (policy === "nobody") await app.db.delete(presence).where(eq(presence.userId, userId));
};
const postOf = (id: string) => app.db.select().from(lfgPosts).where(eq(lfgPosts.id, id)).get();
const presenceOf = (userId: string) => app.db.select().from(presence).where(eq(presence.userId, userId)).get();
const found = async (client: Client) => postTitles((await client.get("/dashboard?online=on")).text);
const see = (id: string, state: "online" | "away" | "offline", age: number) =>
  app.db
    .update(lfgPosts)
    .set({
      authorState: state,
      authorSeenAt: new Date(Date.now() - age),
      authorSlot: seenSlot(state, Date.now() - age),
    })
    .where(eq(lfgPosts.id, id));

/** A player with an open post and a tab, once the post shows that they are online. */
async function newOnlineAuthor() {
  const author = await newVisitor(app);
  const title = unique("Author seen ");
  const id = await addPost(app, author.player.id, { title });
  const tab = await openInbox(author.client);
  await eventually(async () => ((await postOf(id))?.authorState === "online" ? true : undefined));
  return { ...author, title, id, tab };
}

describe("The setting of who sees when I'm online", () => {
  test("begins with everyone, keeps the choice, and asks for one of the three", async () => {
    const { client, player } = await newVisitor(app);
    const page = await client.get(SETTINGS);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(field(page.text, "policy").value).toBe("everyone");
    for (const policy of PRESENCE_POLICIES) {
      const saved = await client.submit(SETTINGS, "Save", { policy });
      expect([saved.status, saved.location, roundTrips(saved)]).toEqual([303, SETTINGS, 2]);
      const after = await client.follow(saved);
      expect(announcements(after.text)).toContain("Settings saved");
      expect(field(after.text, "policy").value).toBe(policy);
    }
    const refused = await client.post(SETTINGS, { policy: "friends" });
    expect(refused.status).toBe(400);
    expect(field(refused.text, "policy")).toMatchObject({ description: "Choose who can see when you're online." });
    const broken = app.db.run(sql`UPDATE profiles SET presence_policy = 'friends' WHERE user_id = ${player.id}`);
    await expect(broken).rejects.toThrow();
  });

  test("shows an author as online on their posts and to the filter only if everyone may see it", async () => {
    const [author, viewer] = [await newOnlineAuthor(), await newVisitor(app)];
    const card = async () =>
      textOf(findByHeading((await viewer.client.get("/dashboard")).text, ".lfg-card", author.title));
    expect(await card()).toContain("Online");
    expect(texts((await viewer.client.get(`/lfg/${author.id}`)).text, "article").join()).toContain("Online");
    expect(textOf((await app.client().get(`/lfg/${author.id}`)).text)).not.toContain("Online");
    expect(await found(viewer.client)).toContain(author.title);
    for (const policy of ["known", "nobody"] as const) {
      await choose(author.client, policy);
      expect(await postOf(author.id)).toMatchObject({ authorState: null, authorSeenAt: null });
      expect(await found(viewer.client)).not.toContain(author.title);
      expect(await card()).not.toMatch(/Online|Away|Last seen/);
      // The presence itself is deleted only if nobody may see it.
      expect(await presenceOf(author.player.id)).toEqual(policy === "known" ? expect.anything() : undefined);
    }
    const tab = await openInbox(author.client);
    await tab.next("unread");
    tab.send({ type: "presence", state: "away" });
    await choose(author.client, "everyone");
    await eventually(async () => ((await postOf(author.id))?.authorState ? true : undefined));
  });

  test("hides the presence from chats as well, if nobody may see it", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const tab = await openInbox(other.client);
    const watcher = await openConversation(one.client, conversationId);
    await watcher.next("presence", ({ state }) => state === "online");
    await choose(other.client, "nobody");
    await watcher.next("presence", ({ state }) => state === "offline");
    expect(await presenceOf(other.player.id)).toBeUndefined();
    // Activity in the tabs shows nowhere from now on.
    tab.send({ type: "presence", state: "away" });
    tab.send({ type: "presence", state: "online" });
    const later = await openConversation(one.client, conversationId);
    await later.next("hello");
    await other.client.get("/dashboard");
    await choose(other.client, "everyone");
    await watcher.next("presence", ({ state }) => state === "online");
    expect(later.frames.filter((frame) => frame.type === "presence" && frame.state === "away")).toEqual([]);
    await eventually(async () => ((await presenceOf(other.player.id))?.state === "online" ? true : undefined));
    tab.close();
  });

  test("keeps the presence from the chats of teams and matches, where a player may know nobody", async () => {
    const { author, members, conversationId } = await newTeam(1);
    const [member] = members as [Visitor];
    // In their own chat, each of the two sees whether the other is online.
    await addSession(app.db, author.player, [member.player]);
    const pairId = await addConversation(app, author.player, member.player);
    const [chat, pair] = [
      await openConversation(member.client, conversationId),
      await openConversation(member.client, pairId),
    ];
    const tab = await openInbox(author.client);
    for (const state of ["online", "away", "online"] as const) {
      tab.send({ type: "presence", state });
      await pair.next("presence", (presence) => presence.state === state);
    }
    await sendTo(author.client, conversationId, "Hi");
    await chat.next("message");
    expect(chat.frames.filter(({ type }) => type === "presence")).toEqual([]);
    for (const socket of [tab, chat, pair]) socket.close();
  });

  test("is followed in chats at the next change of presence if the inbox hasn't heard of it", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const tab = await openInbox(other.client);
    const watcher = await openConversation(one.client, conversationId);
    await watcher.next("presence", ({ state }) => state === "online");
    await chooseUnheard(other.player.id, "nobody");
    tab.send({ type: "presence", state: "away" });
    expect(await watcher.next("presence", ({ state }) => state !== "online")).toMatchObject({ state: "offline" });
    expect(await presenceOf(other.player.id)).toBeUndefined();
    await chooseUnheard(other.player.id, "everyone");
    tab.send({ type: "presence", state: "online" });
    expect(await watcher.next("presence", ({ state }) => state !== "offline")).toMatchObject({ state: "online" });
    for (const socket of [tab, watcher]) socket.close();
  });

  test("is followed in chats when a tab connects before the inbox hears of it", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const watcher = await openConversation(one.client, conversationId);
    const tabs = [await openInbox(other.client)];
    await watcher.next("presence", ({ state }) => state === "online");
    for (const [policy, expected] of [
      ["nobody", "offline"],
      ["everyone", "online"],
    ] as const) {
      await chooseUnheard(other.player.id, policy);
      tabs.push(await openInbox(other.client));
      await watcher.next("presence", ({ state }) => state === expected);
    }
    for (const socket of [...tabs, watcher]) socket.close();
  });
});

describe("The filter Online now", () => {
  test("finds authors who were seen within five minutes, and not those who are away", async () => {
    const { client } = await newVisitor(app);
    const cases = [
      ["online", 4 * MINUTE, true],
      ["online", 6 * MINUTE, false],
      ["offline", 4 * MINUTE, true],
      ["offline", 6 * MINUTE, false],
      ["away", MINUTE, false],
    ] as const;
    for (const [state, age, isFound] of cases) {
      const title = unique("Seen ");
      await see(await addPost(app, (await newVisitor(app)).player.id, { title }), state, age);
      expect((await found(client)).includes(title), `${state}, ${age}`).toBe(isFound);
      const shown = textOf(findByHeading((await client.get("/dashboard")).text, ".lfg-card", title));
      const words = { online: "Online", away: "Away", offline: `Last seen ${age / MINUTE} min ago` }[state];
      expect(shown).toContain(words);
    }
  });

  test("finds an author who visits without a socket, and posts show the visit if everyone may see it", async () => {
    const [author, viewer] = [await newVisitor(app), await newVisitor(app)];
    const title = unique("Author visits ");
    const id = await addPost(app, author.player.id, { title });
    const visit = async () => {
      // As of long ago: visits are recorded at most once a minute.
      const seenAt = new Date(Date.now() - 20 * MINUTE);
      await app.db.update(presence).set({ seenAt }).where(eq(presence.userId, author.player.id));
      await see(id, "online", 20 * MINUTE);
      expect((await author.client.get("/dashboard")).status).toBe(200);
      await eventually(async () => {
        const seen = await presenceOf(author.player.id);
        return seen && seen.seenAt > seenAt ? true : undefined;
      });
    };
    const card = async () => textOf(findByHeading((await viewer.client.get("/dashboard")).text, ".lfg-card", title));
    for (let visits = 0; visits < 2; visits += 1) {
      await visit();
      expect(await found(viewer.client)).toContain(title);
      expect(await card()).toContain("Last seen just now");
    }
    await app.db.update(profiles).set({ presencePolicy: "known" }).where(eq(profiles.userId, author.player.id));
    await visit();
    expect(await found(viewer.client)).not.toContain(title);
    expect(await card()).toContain("Last seen 20 min ago");
  });

  test("finds nobody who has blocked the viewer, and doesn't show their presence", async () => {
    const [author, viewer] = [await newOnlineAuthor(), await newVisitor(app)];
    await addBlock(app, author.player, viewer.player);
    expect(await found(viewer.client)).not.toContain(author.title);
    const page = await viewer.client.get(`/lfg/${author.id}`);
    expect(page.status).toBe(200);
    expect(texts(page.text, "article").join()).not.toMatch(/Online|Last seen/);
  });
});

describe("A post that closes", () => {
  const NONE = { isActive: false, authorState: null, authorSeenAt: null, authorSlot: null };
  const WORDS = /Online|Away|Last seen/;
  type Author = Awaited<ReturnType<typeof newOnlineAuthor>>;

  /** Fills the only spot of an author's post. */
  const fill = async (author: Author) => {
    const member = await newVisitor(app);
    await requestToJoin(member.client, author.id);
    expect((await accept(author, author.id, member)).status).toBe(303);
    return member;
  };
  const endTime = (id: string) =>
    app.db
      .update(lfgPosts)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(lfgPosts.id, id));

  const WAYS: [string, (author: Author) => Promise<unknown>][] = [
    ["its author closes it", ({ client, id }) => pressTeamButton(client, id, "close")],
    ["its team is complete", fill],
    [
      "its time is over",
      async ({ id }) => {
        await endTime(id);
        await app.runScheduled();
      },
    ],
    ["moderators hide it", ({ id }) => hide({ kind: "post", id })],
    [
      "its author's account is to be deleted",
      ({ client, player }) => client.post("/dashboard/settings/delete-account", { email: player.email }),
    ],
  ];
  test.each(WAYS)("neither shows nor keeps whether its author is online: %s", async (_, close) => {
    const [author, viewer] = [await newOnlineAuthor(), await newVisitor(app)];
    expect(texts((await viewer.client.get(`/lfg/${author.id}`)).text, "article").join()).toMatch(WORDS);
    await close(author);
    expect(await postOf(author.id)).toMatchObject(NONE);
    expect(texts((await viewer.client.get(`/lfg/${author.id}`)).text, "article").join()).not.toMatch(WORDS);
  });

  test("shows nothing of it from the moment when its time is over, before the cron has closed it", async () => {
    const [author, viewer] = [await newOnlineAuthor(), await newVisitor(app)];
    await endTime(author.id);
    expect(texts((await viewer.client.get(`/lfg/${author.id}`)).text, "article").join()).not.toMatch(WORDS);
  });

  /** The ways in which a closed post opens again without its author. */
  const OPENINGS: [string, (author: Author) => Promise<() => Promise<unknown>>][] = [
    [
      "when a member leaves",
      async (author) => {
        const member = await fill(author);
        return () => pressTeamButton(member.client, author.id, "leave");
      },
    ],
    [
      "when moderators restore it",
      async ({ id }) => {
        await hide({ kind: "post", id });
        return () => restore({ kind: "post", id });
      },
    ],
  ];
  describe.each(OPENINGS)("opens again %s", (_, close) => {
    test("with its author's presence", async () => {
      const author = await newOnlineAuthor();
      const { authorSeenAt } = (await postOf(author.id)) as typeof lfgPosts.$inferSelect;
      const open = await close(author);
      await open();
      expect(await postOf(author.id)).toMatchObject({ isActive: true, authorState: "online", authorSeenAt });
      expect((await postOf(author.id))?.authorSlot).not.toBeNull();
    });

    test("without the presence that its author has hidden in the meantime", async () => {
      const author = await newOnlineAuthor();
      const open = await close(author);
      await choose(author.client, "nobody");
      await open();
      expect(await postOf(author.id)).toMatchObject({ ...NONE, isActive: true });
    });
  });
});
