import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { messages, profiles } from "../../db/schema";
import { CONTACT_POLICIES, type ContactPolicy } from "../../db/words/contact-policies";
import { useApp } from "../support/app";
import { announcements, field, links, textOf } from "../support/html";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { addPost, newVisitor, sendTo } from "./players";
import { contactAuthor, startConversation, talkForAWhile, textsOf, type Visitor, write } from "./talk";

const app = useApp();

const SETTINGS = "/dashboard/settings/who-can-message";
const REFUSAL = "This player doesn't take messages from players they don't know.";

const choose = async ({ client }: Visitor, policy: ContactPolicy) =>
  expect((await client.submit(SETTINGS, "Save", { policy })).status).toBe(303);
const messagePlayer = ({ client }: Visitor, to: Visitor) =>
  client.post(`/players/${to.player.id}/message`, { id: uuidv7(), message: "Hello" });
const countMessages = async (from: Visitor) =>
  (await app.db.select().from(messages).where(eq(messages.senderId, from.player.id))).length;
const hasLink = (html: string, text: string) => links(html).some((link) => link.text === text);

/** Expects that a player can't begin a conversation with another in any way, and is told why. */
async function expectRefusal(from: Visitor, to: Visitor): Promise<void> {
  const before = await countMessages(from);
  const page = await from.client.get(`/players/${to.player.id}`);
  expect(hasLink(page.text, "Message")).toBe(false);
  const postId = await addPost(app, to.player.id);
  for (const address of [`/players/${to.player.id}/message`, `/lfg/${postId}/contact`]) {
    const dialog = await from.client.get(address);
    expect([dialog.status, roundTrips(dialog)]).toEqual([303, 1]);
    expect(announcements((await from.client.follow(dialog)).text).join()).toContain(REFUSAL);
    const answer = await from.client.post(address, { id: uuidv7(), message: "Hello all the same" });
    expect(answer.status).toBe(403);
    expect(announcements(answer.text).join()).toContain(REFUSAL);
    expect(field(answer.text, "message").value).toBe("Hello all the same");
  }
  expect(await countMessages(from)).toBe(before);
}

/** Expects that a player can begin a conversation with another, from their page and from their post. */
async function expectAcceptance(from: Visitor, to: Visitor): Promise<void> {
  expect(hasLink((await from.client.get(`/players/${to.player.id}`)).text, "Message")).toBe(true);
  expect((await messagePlayer(from, to)).status).toBe(303);
  expect((await contactAuthor(from.client, await addPost(app, to.player.id), "About your post")).status).toBe(303);
}

describe("The setting of who can message me", () => {
  test("begins with everyone, keeps the choice, and asks for one of the three", async () => {
    const visitor = await newVisitor(app);
    const page = await visitor.client.get(SETTINGS);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(field(page.text, "policy").value).toBe("everyone");
    for (const policy of CONTACT_POLICIES) {
      const saved = await visitor.client.submit(SETTINGS, "Save", { policy });
      expect([saved.status, saved.location, roundTrips(saved)]).toEqual([303, SETTINGS, 2]);
      const after = await visitor.client.follow(saved);
      expect(announcements(after.text)).toContain("Settings saved");
      expect(field(after.text, "policy").value).toBe(policy);
    }
    for (const policy of [null, "friends", ""]) {
      const refused = await visitor.client.post(SETTINGS, policy === null ? {} : { policy });
      expect(refused.status).toBe(400);
      expect(field(refused.text, "policy")).toMatchObject({ description: "Choose who can message you." });
    }
    expect((await app.client().get(SETTINGS)).location).toMatch(/^\/auth/);
  });

  test("can hold nothing else in the database", async () => {
    const { player } = await newVisitor(app);
    const broken = app.db.run(sql`UPDATE profiles SET contact_policy = 'friends' WHERE user_id = ${player.id}`);
    await expect(broken).rejects.toThrow();
  });
});

describe("A player who takes messages from everyone", () => {
  test("can be written to by a stranger, and their page says nothing of it", async () => {
    const [one, stranger] = [await newVisitor(app), await newVisitor(app)];
    expect(textOf((await stranger.client.get(`/players/${one.player.id}`)).text)).not.toContain("takes messages");
    await expectAcceptance(stranger, one);
  });
});

describe("A player who takes messages from players they have met", () => {
  const NOTICE = "This player only takes messages from players they've met.";

  test("says so on their page, even to guests, and refuses strangers", async () => {
    const [one, stranger] = [await newVisitor(app), await newVisitor(app)];
    await choose(one, "met");
    const guest = await app.client().get(`/players/${one.player.id}`);
    expect(textOf(guest.text)).toContain(NOTICE);
    expect(hasLink(guest.text, "Message")).toBe(false);
    expect(textOf((await stranger.client.get(`/players/${one.player.id}`)).text)).toContain(NOTICE);
    await expectRefusal(stranger, one);
  });

  test("can be written to by a player of a team that has played", async () => {
    const [one, mate] = [await newVisitor(app), await newVisitor(app)];
    await choose(one, "met");
    await addSession(app.db, one.player, [mate.player]);
    await expectAcceptance(mate, one);
  });

  test("can be written to by a player with whom they have talked for a while", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await talkForAWhile(app, [author, reader], conversationId);
    await choose(author, "met");
    await expectAcceptance(reader, author);
  });
});

describe("A player who takes messages from nobody new", () => {
  test("also refuses players they have met, unless they have written to them", async () => {
    const [one, mate] = [await newVisitor(app), await newVisitor(app)];
    await choose(one, "nobody");
    await addSession(app.db, one.player, [mate.player]);
    await expectRefusal(mate, one);
    expect(textOf((await mate.client.get(`/players/${one.player.id}`)).text)).toContain(
      "This player doesn't take messages from new players.",
    );
    expect((await messagePlayer(one, mate)).status).toBe(303);
    await expectAcceptance(mate, one);
  });

  test("gets nothing more in a conversation that they have never answered, until they write there", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await choose(author, "nobody");
    for (const answer of [
      await sendTo(reader.client, conversationId, "Are you there?"),
      await write(reader.client, conversationId, "Are you there?"),
    ]) {
      expect(answer.status).toBe(403);
    }
    const closed = await reader.client.get(`/dashboard/messages/${conversationId}`);
    expect(roundTrips(closed)).toBe(1);
    expect(textOf(closed.text)).toContain("You can write here once this player messages you.");
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
    expect((await write(author.client, conversationId, "I am")).status).toBe(303);
    expect((await write(reader.client, conversationId, "Good")).status).toBe(303);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "I am", "Good"]);
  });

  test("still writes and reads in the chats of their teams", async () => {
    const [author, member] = [await newVisitor(app), await newVisitor(app)];
    for (const one of [author, member]) await choose(one, "nobody");
    const postId = await addPost(app, author.player.id);
    expect((await member.client.post(`/lfg/${postId}/join`, { id: uuidv7() })).status).toBe(303);
    const request = await app.db.get<{ id: string }>(sql`SELECT id FROM join_requests WHERE post_id = ${postId}`);
    expect((await author.client.post(`/lfg/${postId}`, { intent: "accept", request: request.id })).status).toBe(303);
    const { id } = await app.db.get<{ id: string }>(
      sql`SELECT conversation_id AS id FROM lfg_posts WHERE id = ${postId}`,
    );
    for (const { client } of [author, member]) expect((await write(client, id, "At eight")).status).toBe(303);
  });
});

test("A player's export holds their choice", async () => {
  const one = await newVisitor(app);
  await choose(one, "met");
  const { text } = await one.client.post("/dashboard/settings/export/download");
  expect(JSON.parse(text).profile.contactPolicy).toBe("met");
  const row = await app.db.select().from(profiles).where(eq(profiles.userId, one.player.id)).get();
  expect(row?.contactPolicy).toBe("met");
});
