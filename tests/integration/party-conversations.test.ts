import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations, messages, notifications, users } from "../../db/schema";
import { useApp } from "../support/app";
import { links, select, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox, requestSocket } from "../support/socket";
import {
  conversationsIn,
  LIST,
  messagesIn,
  messagesPath,
  shownConversations,
  shownMessages,
  threadPath,
} from "./conversations";
import { newVisitor, sendTo } from "./players";
import { textsOf, type Visitor, write } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const app = useApp();
const { newTeam, newPost, accept, requestOf, postOf } = teamsIn(app);
const { storedMessages, memberRow } = conversationsIn(app);

/** A team of three: the author and two others, with known names. */
async function newTeamOfThree() {
  const { author, postId, members, conversationId } = await newTeam(2);
  const [one, two] = members as [Visitor, Visitor];
  return { author, one, two, postId, conversationId };
}
const nameOf = async ({ player }: Visitor) =>
  (await app.db.query.profiles.findFirst({ where: (profile, { eq }) => eq(profile.userId, player.id) }))
    ?.riotGameName as string;
const membersOf = async (conversationId: string) =>
  (
    await app.db
      .select({ userId: conversationMembers.userId })
      .from(conversationMembers)
      .where(eq(conversationMembers.conversationId, conversationId))
  )
    .map(({ userId }) => userId)
    .sort();
const ids = (...visitors: Visitor[]) => visitors.map(({ player }) => player.id).sort();

describe("A team's conversation", () => {
  test("begins when the first player is accepted, has the post's title, and grows with the team", async () => {
    const { author, postId, askers } = await newPost(3, 2);
    const [one, two] = askers as [Visitor, Visitor];
    expect((await postOf(postId)).conversationId).toBeNull();
    await accept(author, postId, one);
    const { conversationId } = await postOf(postId);
    const row = await app.db.query.conversations.findFirst({ where: eq(conversations.id, conversationId as string) });
    expect(row).toMatchObject({ pairKey: null, title: "Two for Haven", lastSeq: 0 });
    expect(await membersOf(conversationId as string)).toEqual(ids(author, one));
    await sendTo(author.client, conversationId as string, "Before you came");
    await accept(author, postId, two);
    expect((await postOf(postId)).conversationId).toBe(conversationId);
    expect(await membersOf(conversationId as string)).toEqual(ids(author, one, two));
    // Earlier messages can be read, and count as read.
    expect(await memberRow(conversationId as string, two.player)).toMatchObject({ unreadCount: 0, lastReadSeq: 1 });
    expect(shownMessages((await two.client.get(threadPath(conversationId as string))).text)).toEqual([
      "Before you came",
    ]);
  });

  test("delivers each message to all members over their sockets, with its sender's name, and stores no receiver", async () => {
    const { author, one, two, conversationId } = await newTeamOfThree();
    const rooms = await Promise.all([author, one, two].map(({ client }) => openConversation(client, conversationId)));
    const inbox = await openInbox(two.client);
    const id = uuidv7();
    const answer = await sendTo(one.client, conversationId, "Haven at nine?", id);
    expect([answer.status, roundTrips(answer)]).toEqual([200, 1]);
    const message = { id, seq: 1, senderId: one.player.id, senderName: await nameOf(one), content: "Haven at nine?" };
    for (const room of rooms) expect((await room.next("message")).message).toMatchObject(message);
    await inbox.next(
      "unread",
      ({ messages: unread, conversationId: about }) => unread === 1 && about === conversationId,
    );
    expect(await storedMessages(conversationId)).toMatchObject([{ id, receiverId: null, senderId: one.player.id }]);
    expect(messagesIn(await two.client.get(`${messagesPath(conversationId)}?after=0`)).messages).toMatchObject([
      message,
    ]);
    expect(await memberRow(conversationId, author.player)).toMatchObject({ unreadCount: 1 });
    expect(await memberRow(conversationId, one.player)).toMatchObject({ unreadCount: 0, lastReadSeq: 1 });
    for (const room of [...rooms, inbox]) room.close();
  });

  test("is listed under its title, with its last message under the sender's name, in one round trip", async () => {
    const { author, one, two, conversationId } = await newTeamOfThree();
    const empty = await two.client.get(LIST);
    expect(shownConversations(empty.text)).toMatchObject([
      { name: "Two for Haven", href: threadPath(conversationId), preview: "Say hi to your team.", unread: null },
    ]);
    await sendTo(one.client, conversationId, "Haven at nine?");
    await sendTo(one.client, conversationId, "Or ten?");
    const [theirs, own] = [await two.client.get(LIST), await one.client.get(LIST)];
    expect([roundTrips(theirs), roundTrips(own)]).toEqual([1, 1]);
    expect(shownConversations(theirs.text)).toMatchObject([
      { name: "Two for Haven", preview: `${await nameOf(one)}: Or ten?`, unread: "2 unread" },
    ]);
    expect(shownConversations(own.text)).toMatchObject([{ preview: "You: Or ten?", unread: null }]);
    const found = await author.client.get(`${LIST}?q=haven`);
    expect(shownConversations(found.text)).toHaveLength(1);
    const list = JSON.parse((await author.client.get("/conversations")).text);
    expect(list.conversations[0]).toMatchObject({ name: "Two for Haven", letters: ["A", "A"], presence: "offline" });
  });

  test("names its members in its head and on their messages, in one round trip, without read receipts", async () => {
    const { author, one, two, postId, conversationId } = await newTeamOfThree();
    await sendTo(one.client, conversationId, "From one");
    await sendTo(two.client, conversationId, "From two");
    await sendTo(author.client, conversationId, "From the author");
    for (const { client } of [one, two]) await client.get(threadPath(conversationId));
    await expect.poll(async () => (await memberRow(conversationId, two.player)).lastReadSeq).toBe(3);
    const page = await author.client.get(threadPath(conversationId));
    expect(roundTrips(page)).toBe(1);
    const [nameOne, nameTwo] = [await nameOf(one), await nameOf(two)];
    const text = textOf(select(page.text, 'section[aria-label="Conversation with Two for Haven"]'));
    expect(text).toMatch(new RegExp(`Two for Haven You, (${nameOne}, ${nameTwo}|${nameTwo}, ${nameOne})`));
    expect(text).toMatch(new RegExp(`${nameOne} From one .*${nameTwo} From two .*You From the author`));
    expect(text).toContain("Sent");
    expect(text).not.toContain("Seen");
    expect(links(page.text)).toContainEqual({ text: "Team", href: `/lfg/${postId}` });
    // Group chats have no menu: each message has a link to block its sender.
    expect(page.text).not.toContain(`${threadPath(conversationId)}/block`);
    for (const { player } of [one, two]) {
      const href = `/players/${player.id}/block?returnTo=${encodeURIComponent(threadPath(conversationId))}`;
      expect(links(page.text)).toContainEqual({ text: "Block", href });
    }
  });

  test("renews one notification for each member who hasn't read it, and marks that as read on a visit", async () => {
    const { author, one, two, conversationId } = await newTeamOfThree();
    const news = ({ player }: Visitor) =>
      app.db
        .select()
        .from(notifications)
        .where(and(eq(notifications.userId, player.id), eq(notifications.subject, `conversation:${conversationId}`)));
    await sendTo(one.client, conversationId, "One");
    await sendTo(two.client, conversationId, "Two");
    expect(await news(author)).toMatchObject([
      { kind: "message", readAt: null, data: { party: "Two for Haven", name: await nameOf(two), count: 2 } },
    ]);
    expect(await news(one)).toMatchObject([{ data: { count: 1 } }]);
    expect(textOf((await author.client.get("/dashboard/notifications")).text)).toContain(
      `2 new messages in “Two for Haven” ${await nameOf(two)}: Two`,
    );
    await author.client.get(threadPath(conversationId));
    await expect.poll(async () => (await news(author))[0]?.readAt).toEqual(expect.any(Date));
  });

  test("says who is typing", async () => {
    const { author, one, conversationId } = await newTeamOfThree();
    const [theirs, mine] = [
      await openConversation(author.client, conversationId),
      await openConversation(one.client, conversationId),
    ];
    mine.send({ type: "typing" });
    expect(await theirs.next("typing")).toEqual({ type: "typing", userId: one.player.id });
    theirs.close();
    mine.close();
  });

  test("stays readable for members who have blocked each other, but neither sees the other typing", async () => {
    const { author, one, two, conversationId } = await newTeamOfThree();
    // They have a conversation of their own, and one blocks the other.
    const pair = uuidv7();
    const now = new Date();
    await app.db.insert(conversations).values({ id: pair, pairKey: ids(one, two).join(":"), createdAt: now });
    await app.db
      .insert(conversationMembers)
      .values(
        [one, two].map(({ player }) => ({ conversationId: pair, userId: player.id, listedAt: now, joinedAt: now })),
      );
    expect((await one.client.post(`${threadPath(pair)}/block`, { intent: "block" })).status).toBe(303);
    expect((await sendTo(two.client, pair, "Hello?")).status).toBe(403);
    const [theirs, authors] = [
      await openConversation(one.client, conversationId),
      await openConversation(author.client, conversationId),
    ];
    const mine = await openConversation(two.client, conversationId);
    mine.send({ type: "typing" });
    await authors.next("typing");
    expect((await sendTo(two.client, conversationId, "To all of you")).status).toBe(200);
    await theirs.next("message");
    expect(theirs.frames.filter(({ type }) => type === "typing")).toEqual([]);
    for (const room of [theirs, authors, mine]) room.close();
  });
});

describe("A former member of a team", () => {
  for (const way of ["leaves", "is removed"] as const) {
    test(`who ${way} gets no more of its conversation and can't read it, while their messages stay`, async () => {
      const { author, one, two, postId, conversationId } = await newTeamOfThree();
      await sendTo(one.client, conversationId, "Mine stays");
      await sendTo(author.client, conversationId, "Unread by one");
      const [gone, stays] = [
        await openConversation(one.client, conversationId),
        await openConversation(two.client, conversationId),
      ];
      await gone.next("hello");
      await stays.next("hello");
      if (way === "leaves") await pressTeamButton(one.client, postId, "leave");
      else await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, one.player)).id);
      // Send the message immediately, before the room learns of the change.
      const answer = await sendTo(author.client, conversationId, "Only for us");
      expect(answer.status).toBe(200);
      await gone.closed();
      expect(gone.messages.map(({ content }) => content)).not.toContain("Only for us");
      expect((await requestSocket(one.client, `/parties/conversation/${conversationId}`)).status).toBe(404);
      for (const path of [
        threadPath(conversationId),
        `${messagesPath(conversationId)}?after=0`,
        `${threadPath(conversationId)}/report`,
      ]) {
        expect((await one.client.get(path)).status, path).toBe(404);
      }
      expect((await sendTo(one.client, conversationId, "Still here?")).status).toBe(404);
      expect(shownConversations((await one.client.get(LIST)).text)).toEqual([]);
      const news = await app.db
        .select()
        .from(notifications)
        .where(
          and(eq(notifications.userId, one.player.id), eq(notifications.subject, `conversation:${conversationId}`)),
        );
      expect(news).toEqual([]);
      expect(await textsOf(app, conversationId)).toEqual(["Mine stays", "Unread by one", "Only for us"]);
      const page = await two.client.get(threadPath(conversationId));
      expect(textOf(page.text)).toContain(`${await nameOf(one)} Mine stays`);
      expect(await membersOf(conversationId)).toEqual(ids(author, two));
      // The remaining members reconnect, and receive the next message.
      expect((await stays.closed()).code).toBe(1012);
      stays.close();
    });
  }

  test("gets back a message sent from an outdated page, to copy it", async () => {
    const { author, one, postId, conversationId } = await newTeamOfThree();
    await pressTeamButton(author.client, postId, "remove", (await requestOf(postId, one.player)).id);
    const words = 'One <last> "word" to you all';
    const answer = await write(one.client, conversationId, words);
    expect([answer.status, roundTrips(answer)]).toEqual([404, 2]);
    expect(textOf(select(answer.text, "main"))).toContain("Oops! Page not found");
    expect(select(answer.text, "textarea[readonly]").text()).toBe(words);
    expect(await textsOf(app, conversationId)).toEqual([]);
  });

  test("comes back to the same conversation when accepted again", async () => {
    const { author, one, postId, conversationId } = await newTeamOfThree();
    await pressTeamButton(one.client, postId, "leave");
    await sendTo(author.client, conversationId, "While you were away");
    await requestToJoin(one.client, postId);
    await accept(author, postId, one);
    expect((await postOf(postId)).conversationId).toBe(conversationId);
    expect(shownMessages((await one.client.get(threadPath(conversationId))).text)).toEqual(["While you were away"]);
    expect(await memberRow(conversationId, one.player)).toMatchObject({ unreadCount: 0 });
  });

  test("whose account is gone is shown as Unknown User there", async () => {
    const { author, one, conversationId } = await newTeamOfThree();
    await sendTo(one.client, conversationId, "Goodbye");
    await app.db.delete(users).where(eq(users.id, one.player.id));
    expect(await app.db.select().from(messages).where(eq(messages.conversationId, conversationId))).toMatchObject([
      { senderId: null },
    ]);
    const page = await author.client.get(threadPath(conversationId));
    expect(textOf(page.text)).toContain("Unknown User Goodbye");
  });
});

test("A stranger can't find a team's conversation or write to it", async () => {
  const { conversationId } = await newTeamOfThree();
  const { client } = await newVisitor(app);
  expect((await client.get(threadPath(conversationId))).status).toBe(404);
  expect((await client.get(`${messagesPath(conversationId)}?after=0`)).status).toBe(404);
  expect((await sendTo(client, conversationId, "Hi")).status).toBe(404);
  expect((await requestSocket(client, `/parties/conversation/${conversationId}`)).status).toBe(404);
});
