import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { joinRequests, messages, notifications, rateLimits } from "../../db/schema";
import { useApp } from "../support/app";
import type { HttpResponse } from "../support/client";
import { hidingIn } from "../support/hiding";
import { announcements, field, textOf, texts } from "../support/html";
import { addSession } from "../support/played";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox } from "../support/socket";
import { conversationsIn, LIST, threadPath } from "./conversations";
import { addConversation, addPost, DAY, newPair, newVisitor, sendTo, unique } from "./players";
import { register, registrationsIn } from "./registrations";
import { contactAuthor, startConversation, textsOf, write } from "./talk";
import { pressTeamButton, requestToJoin } from "./teams";

const app = useApp();
const { memberRow } = conversationsIn(app);

describe("A player who has written to a stranger", () => {
  const newStrangers = async () => {
    const { author: recipient, reader: sender, conversationId } = await startConversation(app);
    return { recipient, sender, conversationId };
  };

  test("doesn't see whether they are online or how far they have read, until they answer", async () => {
    const { recipient, sender, conversationId } = await newStrangers();
    await app.db.run(sql`INSERT INTO presence VALUES (${recipient.player.id}, 'online', ${Date.now()})`);
    await recipient.client.get(threadPath(conversationId));
    await expect.poll(async () => (await memberRow(conversationId, recipient.player)).lastReadSeq).toBe(1);
    const shown = async () => {
      const [list, thread] = [await sender.client.get(LIST), await sender.client.get(threadPath(conversationId))];
      expect([roundTrips(list), roundTrips(thread)]).toEqual([1, 1]);
      const isOnline = ({ text }: { text: string }) => texts(text, "main span").some((span) => /\bOnline$/.test(span));
      return [isOnline(list), isOnline(thread), /\bSeen\b/.test(textOf(thread.text))];
    };
    expect(await shown()).toEqual([false, false, false]);
    // The recipient does see whether the sender is online, because the sender wrote first.
    await app.db.run(sql`INSERT INTO presence VALUES (${sender.player.id}, 'online', ${Date.now()})
      ON CONFLICT DO UPDATE SET state = 'online'`);
    const theirs = (await recipient.client.get(threadPath(conversationId))).text;
    expect(texts(theirs, "main span").some((span) => /\bOnline$/.test(span))).toBe(true);
    await sendTo(recipient.client, conversationId, "Yes?");
    await sendTo(sender.client, conversationId, "Do you play?");
    await recipient.client.get(threadPath(conversationId));
    await expect.poll(async () => (await memberRow(conversationId, recipient.player)).lastReadSeq).toBe(3);
    expect(await shown()).toEqual([true, true, true]);
  });

  test("gets only messages from the room until the first answer, and then everything in the open tabs", async () => {
    const { recipient, sender, conversationId } = await newStrangers();
    const [tab, second] = [
      await openConversation(sender.client, conversationId),
      await openConversation(sender.client, conversationId),
    ];
    const [inbox, theirs] = [
      await openInbox(recipient.client),
      await openConversation(recipient.client, conversationId),
    ];
    await theirs.next("hello");
    theirs.send({ type: "typing" });
    theirs.send({ type: "read", seq: 1 });
    // Opening the page without a socket also marks messages as read.
    await recipient.client.get(threadPath(conversationId));
    await theirs.next("read");
    await sendTo(sender.client, conversationId, "Are you there?");
    await tab.next("message");
    theirs.send({ type: "read", seq: 2 });
    await theirs.next("read", ({ seq }) => seq === 2);
    expect(tab.frames.map(({ type }) => type)).toEqual(["hello", "message"]);
    expect((await sendTo(recipient.client, conversationId, "Now I am")).status).toBe(200);
    for (const socket of [tab, second]) await socket.next("presence", ({ state }) => state === "online");
    // The answer shows how far its writer has read.
    expect(tab.frames).toContainEqual({ type: "read", userId: recipient.player.id, seq: 3 });
    await sendTo(sender.client, conversationId, "Good");
    await theirs.next("message", ({ message }) => message.seq === 4);
    theirs.send({ type: "read", seq: 4 });
    await tab.next("read", ({ seq }) => seq === 4);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    theirs.send({ type: "typing" });
    await second.next("typing");
    for (const socket of [tab, second, inbox, theirs]) socket.close();
  });

  test("sees them after a game together, without an answer", async () => {
    const { recipient, sender, conversationId } = await newStrangers();
    await addSession(app.db, recipient.player, [sender.player]);
    const tab = await openConversation(sender.client, conversationId);
    const inbox = await openInbox(recipient.client);
    await tab.next("presence", ({ state }) => state === "online");
    for (const socket of [tab, inbox]) socket.close();
  });
});

const strict = useApp({ limitFactor: 1 });

describe("Messages before the first answer", () => {
  const SUBMISSION_FAILED = "This player hasn't answered you yet. You can write more once they do.";

  const newStrangers = async () => {
    const { one: sender, other: recipient, conversationId } = await newPair(strict);
    return { sender, recipient, conversationId };
  };

  test("are five at most until an answer, as the composer and the dialogs say without losing the text", async () => {
    const { sender, recipient, conversationId } = await newStrangers();
    for (let turn = 1; turn <= 5; turn += 1) {
      expect((await sendTo(sender.client, conversationId, `Number ${turn}`)).status).toBe(200);
    }
    const scripted = await sendTo(sender.client, conversationId, "Number 6");
    expect([scripted.status, JSON.parse(scripted.text).error, roundTrips(scripted)]).toEqual([
      403,
      SUBMISSION_FAILED,
      1,
    ]);
    const plain = await write(sender.client, conversationId, "Number 6");
    expect([plain.status, roundTrips(plain)]).toEqual([403, 2]);
    expect(field(plain.text, "message").value).toBe("Number 6");
    expect(announcements(plain.text).join()).toContain(SUBMISSION_FAILED);
    const postId = await addPost(strict, recipient.player.id);
    for (const address of [`/lfg/${postId}/contact`, `/players/${recipient.player.id}/message`]) {
      const answer = await sender.client.post(address, { id: uuidv7(), message: "Another way" });
      expect(answer.status).toBe(403);
      expect(announcements(answer.text).join()).toContain(SUBMISSION_FAILED);
      expect(field(answer.text, "message").value).toBe("Another way");
    }
    expect(await textsOf(strict, conversationId)).toHaveLength(5);
    // Messages that the recipient got don't count towards their own limit.
    expect((await sendTo(recipient.client, conversationId, "Yes?")).status).toBe(200);
    for (let turn = 6; turn <= 12; turn += 1) {
      expect((await sendTo(sender.client, conversationId, `Number ${turn}`)).status).toBe(200);
    }
  });

  test("may be repeated by a retry, and are not limited among players who have met", async () => {
    const { sender, recipient, conversationId } = await newStrangers();
    const ids = Array.from({ length: 5 }, () => uuidv7());
    for (const id of ids) await sendTo(sender.client, conversationId, "Hello", id);
    for (const id of ids) expect((await sendTo(sender.client, conversationId, "Hello", id)).status).toBe(200);
    expect((await sendTo(sender.client, conversationId, "Hello")).status).toBe(403);
    await addSession(strict.db, recipient.player, [sender.player]);
    expect((await sendTo(sender.client, conversationId, "Hello")).status).toBe(200);
  });

  test("are five at most when many are sent at the same time, from two places", async () => {
    const { sender, recipient, conversationId } = await newStrangers();
    const postId = await addPost(strict, recipient.player.id);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 3
          ? sendTo(sender.client, conversationId, `Number ${index}`)
          : contactAuthor(sender.client, postId, `Number ${index}`),
      ),
    );
    const stored = await strict.db.select().from(messages).where(eq(messages.conversationId, conversationId));
    expect(stored).toHaveLength(5);
  });
});

describe("News of the same request", () => {
  const { newEntrant, newTournament } = registrationsIn(strict);
  const newsOf = (player: { id: string }) =>
    strict.db.select().from(notifications).where(eq(notifications.userId, player.id));
  /** Lets a day pass for the limits. */
  const passDay = () => strict.db.update(rateLimits).set({ windowEndsAt: sql`${rateLimits.windowEndsAt} - ${DAY}` });

  test("to join a post comes once a day, goes with the request, and names who still waits", async () => {
    const [author, asker, other] = [
      await newVisitor(strict),
      await newVisitor(strict, { riotGameName: unique("Asker") }),
      await newVisitor(strict, { riotGameName: unique("Other") }),
    ];
    const postId = await addPost(strict, author.player.id, { neededPlayers: 3 });
    for (let turn = 1; turn <= 3; turn += 1) {
      expect((await requestToJoin(asker.client, postId)).status).toBe(303);
      expect(await newsOf(author.player)).toHaveLength(turn === 1 ? 1 : 0);
      expect((await pressTeamButton(asker.client, postId, "withdraw")).status).toBe(303);
      expect(await newsOf(author.player)).toEqual([]);
    }
    expect((await requestToJoin(other.client, postId)).status).toBe(303);
    await passDay();
    expect((await requestToJoin(asker.client, postId)).status).toBe(303);
    expect(await newsOf(author.player)).toMatchObject([{ data: { count: 2, causedBy: asker.player.id } }]);
    expect((await pressTeamButton(asker.client, postId, "withdraw")).status).toBe(303);
    expect(await newsOf(author.player)).toMatchObject([{ data: { count: 1, causedBy: other.player.id } }]);
  });

  test("to join a post comes again if the last one lapsed, because then the player is invited to ask again", async () => {
    const { hide, restore } = hidingIn(strict);
    const [author, asker, other] = [await newVisitor(strict), await newVisitor(strict), await newVisitor(strict)];
    const postId = await addPost(strict, author.player.id, { neededPlayers: 1 });
    const press = async (button: Promise<HttpResponse>) => expect((await button).status).toBe(303);
    const isTold = async () => (await newsOf(author.player)).some(({ readAt }) => readAt === null);
    await press(requestToJoin(asker.client, postId));

    // The last spot goes to another player, who then leaves.
    await press(requestToJoin(other.client, postId));
    const theirs = await strict.db.select().from(joinRequests).where(eq(joinRequests.userId, other.player.id)).get();
    await press(pressTeamButton(author.client, postId, "accept", theirs?.id));
    expect(await isTold()).toBe(false);
    await press(pressTeamButton(other.client, postId, "leave"));
    await author.client.get(`/lfg/${postId}`);
    await expect.poll(isTold).toBe(false);
    await press(requestToJoin(asker.client, postId));
    expect(await isTold()).toBe(true);

    for (const intent of ["close", "reopen"]) await press(author.client.post(`/lfg/${postId}`, { intent }));
    expect(await isTold()).toBe(false);
    await press(requestToJoin(asker.client, postId));
    expect(await isTold()).toBe(true);

    await hide({ kind: "post", id: postId });
    await restore({ kind: "post", id: postId });
    expect(await isTold()).toBe(false);
    await press(requestToJoin(asker.client, postId));
    expect(await isTold()).toBe(true);

    await press(pressTeamButton(asker.client, postId, "withdraw"));
    await press(requestToJoin(asker.client, postId));
    expect(await isTold()).toBe(false);
  });

  test("to play in a tournament tells its host once a day, however often the team withdraws", async () => {
    const [host, captain, other] = [await newVisitor(strict), await newEntrant(), await newEntrant()];
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
    const countOf = async () => (await newsOf(host.player)).map(({ data }) => (data as { count: number }).count);
    const enter = async ({ client }: typeof captain) =>
      expect((await register(client, id, unique("Team "), uuidv7())).status).toBe(303);
    for (let turn = 1; turn <= 3; turn += 1) {
      await enter(captain);
      expect(await countOf()).toEqual([1]);
      expect((await captain.client.post(`/tournaments/${id}/withdraw`, {})).status).toBe(303);
    }
    await enter(other);
    expect(await countOf()).toEqual([2]);
    await passDay();
    await enter(captain);
    expect(await countOf()).toEqual([3]);
  });

  test("to join a tournament's team comes once a day, and goes with the invitation", async () => {
    const [captain, guest] = [await newEntrant(), await newEntrant()];
    const { id } = await newTournament();
    const teamId = uuidv7();
    expect((await register(captain.client, id, unique("Team "), teamId)).status).toBe(303);
    await addConversation(strict, captain.player, guest.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const invite = async () =>
      expect((await captain.client.post(page, { intent: "invite", players: [guest.player.id] })).status).toBe(303);
    for (let turn = 1; turn <= 3; turn += 1) {
      await invite();
      expect(await newsOf(guest.player)).toHaveLength(turn === 1 ? 1 : 0);
      expect((await captain.client.post(page, { intent: "take-back", player: guest.player.id })).status).toBe(303);
      expect(await newsOf(guest.player)).toEqual([]);
    }
    await passDay();
    await invite();
    expect(await newsOf(guest.player)).toHaveLength(1);
  });
});
