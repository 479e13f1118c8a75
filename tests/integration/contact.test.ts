import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { greeting } from "../../app/features/messages/rules";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, lfgPosts, messages, notifications } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import { announcements, field, findForm, select, textOf } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { conversationsIn, hrefOf } from "./conversations";
import { addPost, DAY, MINUTE, newVisitor, openSession } from "./players";
import { contactAuthor, startConversation, textsOf, write } from "./talk";

const app = useApp();
const { storedMessages, memberRow, conversationsOf, whileInsertsFail } = conversationsIn(app);

describe("contacting a post's author", () => {
  test("opens one conversation for the two players, whoever writes first and from whichever post", async () => {
    const ann = await newVisitor(app, { riotGameName: "Ann" });
    const ben = await newVisitor(app, { riotGameName: "Ben" });
    const [first, second] = [await addPost(app, ann.player.id), await addPost(app, ann.player.id)];
    const bens = await addPost(app, ben.player.id);
    for (const [{ client }, post, text] of [
      [ben, first, "To the first"],
      [ben, second, "To the second"],
      [ann, bens, "To yours"],
    ] as const) {
      const answer = await contactAuthor(client, post, text);
      expect([answer.status, answer.location]).toEqual([303, `/lfg/${post}`]);
      expect(roundTrips(answer)).toBeLessThanOrEqual(2);
      expect(announcements((await client.follow(answer)).text)).toEqual([
        "Message sent! Check the Messages tab to continue the conversation.",
      ]);
    }
    const [conversation, ...more] = await conversationsOf(ann.player);
    expect(more).toEqual([]);
    const fromBen = { senderId: ben.player.id, receiverId: ann.player.id };
    expect(await storedMessages(conversation?.id as string)).toMatchObject([
      { ...fromBen, seq: 1, content: "To the first", postId: first },
      { ...fromBen, seq: 2, content: "To the second", postId: second },
      { senderId: ann.player.id, receiverId: ben.player.id, seq: 3, content: "To yours", postId: bens },
    ]);
    expect(
      await app.db.$count(conversationMembers, eq(conversationMembers.conversationId, conversation?.id as string)),
    ).toBe(2);
  });

  test("opens one conversation with both messages when both players write at the same moment", async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, other] = [await newVisitor(app), await newVisitor(app)];
      const [ones, others] = [await addPost(app, one.player.id), await addPost(app, other.player.id)];
      const answers = await Promise.all([
        contactAuthor(one.client, others, "Me first"),
        contactAuthor(other.client, ones, "Me first"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303]);
      const [conversation, ...more] = await conversationsOf(one.player);
      expect(more).toEqual([]);
      expect((await storedMessages(conversation?.id as string)).map(({ seq }) => seq)).toEqual([1, 2]);
    }
  });

  test("suggests a greeting that quotes the title as it was typed", async () => {
    const author = await newVisitor(app, { riotGameName: "Żaneta" });
    const { client } = await newVisitor(app);
    const titles = ["Trio for ranked", `“Quotes” & <b>markup</b> "too"`, "x".repeat(100), "\n{{title}} 🎯"];
    for (const title of titles) {
      const post = await addPost(app, author.player.id, { title });
      const page = await client.get(`/lfg/${post}/contact`);
      expect(page.status).toBe(200);
      expect(roundTrips(page)).toBe(1);
      expect(textOf(select(page.text, "dialog"))).toContain("Contact Żaneta");
      expect(field(page.text, "message").value).toBe(greeting(title));
    }
    // The suggested greeting can be sent unchanged.
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

  test("keeps the typed message if the session has ended in the meantime, and stores nothing", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const ended = app.client();
    ended.cookies.set(
      "lineup_session",
      (await openSession(app, reader.player.id, { expiresAt: new Date(Date.now() - 1_000) })).cookie,
    );
    for (const client of [ended, app.client()]) {
      const answer = await contactAuthor(client, post, "Typed at length");
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("Typed at length");
      // When JavaScript sends the form, the dialog stays open and a toast says why.
      const refused = await client.post(`/lfg/${post}/contact.data`, { id: uuidv7(), message: "Typed at length" });
      expect(refused.status).toBe(401);
      expect(refused.text).toContain('"Authentication required"');
      expect(refused.text).toContain('"Please sign in to contact other players."');
      expect(refused.text).not.toContain("Not authenticated");
    }
    expect(await conversationsOf(author.player)).toEqual([]);
  });

  test("is refused on the player's own post and on a closed one, with the reason", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const own = await addPost(app, author.player.id);
    const closed = await addPost(app, author.player.id, { isActive: false });
    const expired = await addPost(app, author.player.id, { createdAt: new Date(Date.now() - DAY - MINUTE) });
    for (const [{ client }, post, sentence] of [
      [author, own, "This is your own post."],
      [reader, closed, "This post is closed, so you can't contact its author."],
      [reader, expired, "This post is closed, so you can't contact its author."],
    ] as const) {
      const page = await client.get(`/lfg/${post}`);
      expect(hrefOf(page.text, "Contact")).toBeUndefined();
      const answer = await client.get(`/lfg/${post}/contact`);
      expect([answer.status, answer.location]).toEqual([303, `/lfg/${post}`]);
      expect(announcements((await client.follow(answer)).text)).toEqual([`Error ${sentence}`]);
    }
    for (const [{ client }, post, sentence] of [
      [author, own, "This is your own post, so there's nobody to message."],
      [reader, closed, "This post has closed, so your message wasn't sent."],
      [reader, expired, "This post has closed, so your message wasn't sent."],
    ] as const) {
      const answer = await contactAuthor(client, post, "From a stale page");
      expect(answer.status).toBe(409);
      expect(announcements(answer.text).join()).toContain(sentence);
      expect(field(answer.text, "message").value).toBe("From a stale page");
    }
    expect(await conversationsOf(author.player)).toEqual([]);
    for (const nowhere of [uuidv7(), "no-id"]) {
      expect((await reader.client.get(`/lfg/${nowhere}/contact`)).status).toBe(404);
      expect((await contactAuthor(reader.client, nowhere, "Hello")).text).toContain("Oops! Page not found");
    }
    // A deleted post counts as closed if JavaScript sends the form: the dialog stays open and says that it has closed.
    const answer = await reader.client.post(`/lfg/${uuidv7()}/contact.data`, {
      id: uuidv7(),
      message: "From a stale page",
    });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain("This post has closed, so your message wasn't sent.");
  });

  test("continues in the conversation that the two already have", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    await write(author.client, conversationId, "An answer");
    const post = await addPost(app, author.player.id, { title: "Another day" });
    expect((await contactAuthor(reader.client, post, "Again")).status).toBe(303);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there", "An answer", "Again"]);
  });

  test("sends one message, counted and announced once, for five simultaneous copies of the same form", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const id = uuidv7();
    const answers = await Promise.all(Array.from({ length: 5 }, () => contactAuthor(reader.client, post, "Once", id)));
    expect(answers.map(({ status, location }) => [status, location])).toEqual(Array(5).fill([303, `/lfg/${post}`]));
    const [conversation, ...more] = await conversationsOf(author.player);
    expect(more).toEqual([]);
    expect(await textsOf(app, conversation?.id as string)).toEqual(["Once"]);
    expect(await memberRow(conversation?.id as string, author.player)).toMatchObject({
      unreadCount: 1,
      lastReadSeq: 0,
    });
    expect(await memberRow(conversation?.id as string, reader.player)).toMatchObject({
      unreadCount: 0,
      lastReadSeq: 1,
    });
    expect(await app.db.$count(notifications, eq(notifications.userId, author.player.id))).toBe(1);
    // The post has since closed, but the message was sent: a retry succeeds.
    await app.db.update(lfgPosts).set({ isActive: false }).where(eq(lfgPosts.id, post));
    expect((await contactAuthor(reader.client, post, "Once", id)).status).toBe(303);
    expect(await textsOf(app, conversation?.id as string)).toEqual(["Once"]);
  });

  test("with the id of a message to someone else is refused, and begins no conversation", async () => {
    const { author, reader, conversationId } = await startConversation(app);
    const [message] = await storedMessages(conversationId);
    const other = await newVisitor(app);
    const path = `/players/${other.player.id}/message`;
    const answer = await reader.client.post(path, { id: message?.id, message: "Under a used id" });
    expect(answer.status).toBe(409);
    expect(announcements(answer.text).join()).toContain("This form has already sent a message.");
    expect(await conversationsOf(other.player)).toEqual([]);
    expect((await other.client.get("/dashboard/messages")).text).toContain("No conversations yet.");
    // The form has a new id.
    const form = findForm(answer.text, "Send Message");
    expect((await reader.client.post(path, form.values)).status).toBe(303);
    const [conversation] = await conversationsOf(other.player);
    expect(await textsOf(app, conversation?.id as string)).toEqual(["Under a used id"]);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
    // The same holds between players who have a conversation already.
    const again = { id: (await storedMessages(conversation?.id as string))[0]?.id, message: "To the first" };
    expect((await reader.client.post(`/players/${author.player.id}/message`, again)).status).toBe(409);
    expect(await textsOf(app, conversationId)).toEqual(["Hi there"]);
  });

  test("sends the same text after going back only if another message or a day lies between", async () => {
    const author = await newVisitor(app);
    const reader = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    // Going back reloads the page: the browser restores the text, but the form has a new id.
    for (let round = 0; round < 2; round += 1) {
      const answer = await reader.client.submit(`/lfg/${post}/contact`, "Send Message", { message: "Room for me?" });
      expect([answer.status, answer.location]).toEqual([303, `/lfg/${post}`]);
      expect(announcements((await reader.client.follow(answer)).text)).toEqual([
        "Message sent! Check the Messages tab to continue the conversation.",
      ]);
    }
    const [conversation] = await conversationsOf(author.player);
    const id = conversation?.id as string;
    expect(await textsOf(app, id)).toEqual(["Room for me?"]);
    expect(await memberRow(id, author.player)).toMatchObject({ unreadCount: 1 });
    await contactAuthor(reader.client, post, "I play Omen.");
    await contactAuthor(reader.client, post, "Room for me?");
    expect(await textsOf(app, id)).toEqual(["Room for me?", "I play Omen.", "Room for me?"]);
    // The same text on the next day is a new message.
    await app.db.update(messages).set({ createdAt: new Date(Date.now() - DAY) });
    await contactAuthor(reader.client, post, "Room for me?");
    expect(await textsOf(app, id)).toHaveLength(4);
  });

  test("shows the specification's words on an unexpected failure, and keeps the message for a retry", async () => {
    const author = await newVisitor(app);
    const { client } = await newVisitor(app);
    const post = await addPost(app, author.player.id);
    const id = uuidv7();
    const failed = await whileInsertsFail(() => contactAuthor(client, post, "What I have to say", id));
    expect(failed.status).toBe(500);
    expect(announcements(failed.text)).toContain("Error Failed to start conversation. Please try again.");
    expect(field(failed.text, "message").value).toBe("What I have to say");
    expect(field(failed.text, "id").value).toBe(id);
    expect(failed.text).not.toMatch(/broken|SQLITE|trigger|\bat \w+ \(/i);
    expect(await conversationsOf(author.player)).toEqual([]);
    expect((await contactAuthor(client, post, "What I have to say", id)).status).toBe(303);
  });
});
