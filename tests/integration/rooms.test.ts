import { request as httpRequest } from "node:http";
import { and, eq, isNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sign } from "../../app/platform/crypto/crypto.server";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, notifications, presence, rateLimits, sessions } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { eventually } from "../support/eventually";
import { roundTrips } from "../support/server-timing";
import { openConversation, openInbox, openRoom, type RoomSocket, requestSocket } from "../support/socket";
import { startWatchedDatabase } from "../support/watched-database";
import { addConversation, addPlayer, newPair, newTeammates, newVisitor, openSession, sendTo, visitAs } from "./players";

// A proxy between the Worker and the database. It counts requests, records statements and simulates outages.
const { proxy, appOptions } = await startWatchedDatabase();

const app = useApp(appOptions);

const SECRET = "only between the two of us";
const SESSION_ENDED = { code: 4401, reason: "The session has ended" };

const roomOf = (conversationId: string) => `/parties/conversation/${conversationId}`;
const online = (userId: string) => (frame: { userId: string; state: string }) =>
  frame.userId === userId && frame.state === "online";

/** Sends a request with any method and with headers that `fetch` doesn't allow. */
function sendPlain(client: Client, method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const url = new URL(path, client.base);
    const all = { Origin: client.base, Cookie: client.cookieHeader, ...headers };
    const request = httpRequest(url, { method, headers: all }, async (response) => {
      let text = "";
      for await (const piece of response) text += piece;
      resolve({ status: response.statusCode ?? 0, text });
    });
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, text: "" });
    });
    request.on("error", reject);
    request.end();
  });
}

/** Sends a message and waits until each socket has it, so that all earlier frames have arrived, too. */
async function expectDelivery(sender: Client, conversationId: string, ...sockets: RoomSocket[]) {
  const id = uuidv7();
  expect((await sendTo(sender, conversationId, "Still there?", id)).status).toBe(200);
  for (const socket of sockets) await socket.next("message", ({ message }) => message.id === id);
}

describe("access to a room", () => {
  test("is open to the two members of the conversation, and takes one round trip", async () => {
    const { one, other, conversationId } = await newPair(app);
    await sendTo(one.client, conversationId, SECRET);
    for (const { client } of [one, other]) {
      proxy.clear();
      const answer = await requestSocket(client, roomOf(conversationId));
      expect(answer.status).toBe(101);
      expect(roundTrips(answer as unknown as { headers: Headers })).toBe(1);
      expect(proxy.posts).toBe(1);
      expect(await answer.socket?.next("hello")).toEqual({ type: "hello", lastSeq: 1 });
      answer.socket?.close();
    }
    proxy.clear();
    const inbox = await requestSocket(other.client, "/parties/inbox");
    expect(inbox.status).toBe(101);
    expect(roundTrips(inbox as unknown as { headers: Headers })).toBe(1);
    expect(await inbox.socket?.next("unread")).toEqual({ type: "unread", messages: 1, notifications: 1 });
    inbox.socket?.close();
  });

  test("is refused without a valid session of the visitor's own, whatever the cookie", async () => {
    const { one, other, conversationId } = await newPair(app);
    const expired = await openSession(app, one.player.id, { expiresAt: new Date(Date.now() - 1_000) });
    const stolen = (await openSession(app, other.player.id)).cookie.split(".")[1];
    const gone = await openSession(app, one.player.id);
    await app.db.delete(sessions).where(eq(sessions.id, gone.id));
    const token = one.client.cookies.get("lineup_session")?.split(".")[1];
    const cookies = {
      none: "",
      garbage: "lineup_session=%E0%A4%A",
      unsigned: `lineup_session=${one.player.id}.${token}`,
      "signed by another": `lineup_session=${sign(`${one.player.id}.${token}`, ["x".repeat(32)])}`,
      expired: `lineup_session=${expired.cookie}`,
      "signed out": `lineup_session=${gone.cookie}`,
      "of another's token": `lineup_session=${one.player.id}.${stolen}`,
    };
    for (const [name, Cookie] of Object.entries(cookies)) {
      for (const path of [roomOf(conversationId), "/parties/inbox"]) {
        const answer = await requestSocket(app.client(), path, { Cookie });
        expect(answer.status, `${name} at ${path}`).toBe(401);
        expect(answer.text, name).toBe("Sign in first.");
      }
    }
  });

  test("answers the same for someone else's conversation as for a missing one", async () => {
    const { one, conversationId } = await newPair(app);
    await sendTo(one.client, conversationId, SECRET);
    const stranger = await newVisitor(app);
    const answers = [];
    for (const id of [conversationId, uuidv7(), "no-id", "x".repeat(64)]) {
      const { status, text } = await requestSocket(stranger.client, roomOf(id));
      answers.push({ status, text });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 404, text: "There's nothing here." })]),
    );
  });

  test("needs the exact path", async () => {
    const { one, conversationId } = await newPair(app);
    const paths = [
      "/parties/",
      "/parties/conversation",
      "/parties/conversation/",
      `/parties/conversation/${conversationId}/`,
      `/parties/conversation/${conversationId}/x`,
      `/parties/conversation/x%2F..%2F${conversationId}`,
      `/parties/conversation/${"x".repeat(65)}`,
      `/parties/inbox/${one.player.id}`,
      `/parties/Inbox`,
      `/parties/conversation-rooms/${conversationId}`,
      `/parties/CONVERSATION_ROOMS/${conversationId}`,
    ];
    for (const path of paths) expect((await requestSocket(one.client, path)).status, path).toBe(404);
  });

  test("is closed to the pages of other sites", async () => {
    const { one, conversationId } = await newPair(app);
    const { host, port } = new URL(app.url);
    const origins = [
      "",
      "null",
      "https://evil.example",
      `https://${host}`,
      `http://127.0.0.1:${port}`,
      "http://localhost",
    ];
    for (const Origin of origins) {
      for (const path of [roomOf(conversationId), "/parties/inbox"]) {
        expect((await requestSocket(one.client, path, { Origin })).status, Origin).toBe(403);
      }
    }
  });

  test("is for sockets only: plain HTTP can't read or change anything", async () => {
    const { one, other, conversationId } = await newPair(app);
    await sendTo(one.client, conversationId, SECRET);
    const { client } = other;
    const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
    const wanted: [string, Record<string, string>, number][] = [
      ["GET", {}, 426],
      ["GET", { Connection: "Upgrade", Upgrade: "h2c" }, 426],
      ["HEAD", {}, 405],
      ["HEAD", { ...upgrade, "Sec-WebSocket-Key": "x".repeat(24) }, 405],
      ["POST", {}, 415],
      ["POST", { "Content-Type": "application/x-www-form-urlencoded" }, 405],
      ["POST", { "Content-Type": "application/x-www-form-urlencoded", Origin: "https://evil.example" }, 403],
      ["PUT", {}, 405],
      ["DELETE", {}, 405],
      ["OPTIONS", {}, 405],
    ];
    for (const path of [roomOf(conversationId), "/parties/inbox"]) {
      for (const [method, headers, status] of wanted) {
        const answer = await sendPlain(client, method, path, headers);
        // workerd itself fails on an upgrade with another method, before the request reaches a Worker.
        if (method === "HEAD" && headers.Upgrade && answer.status === 500) continue;
        expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(status);
        expect(answer.text).not.toContain(SECRET);
      }
    }
  });

  test("ignores what a request claims about the visitor's identity", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const stranger = await newVisitor(app);
    const forged = JSON.stringify({
      userId: one.player.id,
      sessionId: "x",
      expiresAt: Date.now() + 1e9,
      others: [other.player.id],
      lastSeq: 99,
      unread: { messages: 99, notifications: 99 },
    });
    const headers = {
      "X-Lineup-Visitor": forged,
      "x-partykit-room": conversationId,
      "x-partykit-namespace": "conversation-rooms",
      "x-partykit-props": btoa(forged),
      "CF-Connecting-IP": "127.0.0.1",
    };
    for (const method of ["GET", "POST"]) {
      const type = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await sendPlain(stranger.client, method, roomOf(conversationId), { ...headers, ...type });
      expect(answer.status, method).toBe(method === "GET" ? 426 : 405);
    }
    expect((await requestSocket(app.client(), roomOf(conversationId), headers)).status).toBe(401);
    expect((await requestSocket(stranger.client, roomOf(conversationId), headers)).status).toBe(404);
    expect((await requestSocket(stranger.client, `/parties/inbox?room=${one.player.id}`, headers)).status).toBe(101);

    // A member's forged headers have no effect either: the identity stays.
    const answer = await requestSocket(other.client, `${roomOf(conversationId)}?_pk=${one.player.id}`, headers);
    expect(await answer.socket?.next("hello")).toEqual({ type: "hello", lastSeq: 0 });
    const witness = await openConversation(one.client, conversationId);
    answer.socket?.send({ type: "typing", userId: one.player.id });
    expect(await witness.next("typing")).toEqual({ type: "typing", userId: other.player.id });
  });

  test("keeps sockets that claim the same connection id separate", async () => {
    const { one, other, conversationId } = await newPair(app);
    const path = `${roomOf(conversationId)}?_pk=the-same`;
    const sockets = [
      await openRoom(one.client, path),
      await openRoom(one.client, path),
      await openRoom(other.client, path),
    ];
    await expectDelivery(one.client, conversationId, ...sockets);
  });

  test("answers 503 while the database is away, and lets players in again afterwards", async () => {
    const { one, conversationId } = await newPair(app);
    proxy.mode = "away";
    try {
      for (const path of [roomOf(conversationId), "/parties/inbox"]) {
        const answer = await requestSocket(one.client, path);
        expect(answer.status).toBe(503);
        expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
      }
    } finally {
      proxy.mode = "through";
    }
    await openConversation(one.client, conversationId);
  });
});

describe("a conversation", () => {
  test("sends a stored message, as the sender got it, to every socket of both players and to no other", async () => {
    const { one, other, conversationId } = await newPair(app);
    const third = await newVisitor(app);
    const elsewhere = await addConversation(app, other.player, third.player);
    const sockets = [
      await openConversation(one.client, conversationId),
      await openConversation(other.client, conversationId),
      await openConversation(other.client, conversationId),
    ];
    const outside = [await openConversation(other.client, elsewhere), await openConversation(third.client, elsewhere)];
    const answer = await sendTo(one.client, conversationId, SECRET);
    const { message } = JSON.parse(answer.text);
    expect(message).toMatchObject({ seq: 1, senderId: one.player.id, content: SECRET });
    for (const socket of sockets) expect(await socket.next("message")).toEqual({ type: "message", message });
    await expectDelivery(third.client, elsewhere, ...outside);
    for (const socket of outside) expect(JSON.stringify(socket.frames)).not.toContain(SECRET);
  });

  test("stores a message in one round trip, and none without a session or over the limit", async () => {
    const { one, other, conversationId } = await newPair(app);
    const page = `/dashboard/messages/${conversationId}`;
    const form = () => ({ id: uuidv7(), message: SECRET });
    for (const [path, status] of [
      [`/conversations/${conversationId}/messages`, 200],
      [page, 303],
    ] as const) {
      proxy.clear();
      const answer = await one.client.post(path, form());
      expect(answer.status).toBe(status);
      expect(roundTrips(answer)).toBe(1);
    }
    const ended = app.client();
    const { cookie } = await openSession(app, one.player.id, { expiresAt: new Date(Date.now() - 1_000) });
    ended.cookies.set("lineup_session", cookie);
    expect((await sendTo(ended, conversationId, SECRET)).status).toBe(401);
    expect((await ended.post(page, form())).status).toBe(401);
    const limit = { key: `message:${one.player.id}`, count: 1_000_000, windowEndsAt: new Date(Date.now() + 60_000) };
    await app.db.insert(rateLimits).values(limit).onConflictDoUpdate({ target: rateLimits.key, set: limit });
    const over = await sendTo(one.client, conversationId, SECRET);
    expect(over.status).toBe(429);
    expect(Number(over.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await one.client.post(page, form())).status).toBe(429);
    const stranger = await newVisitor(app);
    expect((await sendTo(stranger.client, conversationId, SECRET)).status).toBe(404);
    const { text } = await other.client.get(`/conversations/${conversationId}/messages`);
    expect(JSON.parse(text).messages).toHaveLength(2);
  });

  test("greets with the last message's number, so that a returning client requests the rest", async () => {
    const { one, other, conversationId } = await newPair(app);
    const before = await openConversation(other.client, conversationId);
    expect(await before.next("hello")).toEqual({ type: "hello", lastSeq: 0 });
    before.close();
    for (const word of ["one", "two", "three"]) await sendTo(one.client, conversationId, word);
    const after = await openConversation(other.client, conversationId);
    expect(await after.next("hello")).toEqual({ type: "hello", lastSeq: 3 });
    const missed = JSON.parse((await other.client.get(`/conversations/${conversationId}/messages?after=0`)).text);
    expect(missed.messages.map(({ seq, content }: { seq: number; content: string }) => [seq, content])).toEqual([
      [1, "one"],
      [2, "two"],
      [3, "three"],
    ]);
  });

  test("tells the other player of typing, once a second at most, and not the typing player", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const [writer, writersTab] = [
      await openConversation(one.client, conversationId),
      await openConversation(one.client, conversationId),
    ];
    const reader = await openConversation(other.client, conversationId);
    for (let press = 0; press < 10; press += 1) writer.send({ type: "typing" });
    expect(await reader.next("typing")).toEqual({ type: "typing", userId: one.player.id });
    await expectDelivery(one.client, conversationId, writer, writersTab, reader);
    const typings = ({ frames }: RoomSocket) => frames.filter(({ type }) => type === "typing").length;
    expect([writer, writersTab, reader].map(typings)).toEqual([0, 0, 1]);
  });

  test("stores a read mark, sends it to the other player, and updates the reader's inbox", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const [sender, reader] = [
      await openConversation(one.client, conversationId),
      await openConversation(other.client, conversationId),
    ];
    const inbox = await openInbox(other.client);
    expect(await inbox.next("unread")).toMatchObject({ messages: 0 });
    for (const word of ["one", "two", "three"]) await sendTo(one.client, conversationId, word);
    expect(await inbox.next("unread", ({ messages }) => messages === 3)).toEqual({
      type: "unread",
      messages: 3,
      notifications: 1,
      conversationId,
    });
    reader.send({ type: "read", seq: 2 });
    expect(await sender.next("read")).toEqual({ type: "read", userId: other.player.id, seq: 2 });
    expect(await inbox.next("unread", ({ messages }) => messages === 1)).toMatchObject({ conversationId });
    // A mark ahead of everything ends at the last message. Going back changes nothing.
    reader.send({ type: "read", seq: 999 });
    expect(await sender.next("read")).toEqual({ type: "read", userId: other.player.id, seq: 3 });
    reader.send({ type: "read", seq: 1 });
    expect(await sender.next("read")).toEqual({ type: "read", userId: other.player.id, seq: 3 });
    const row = await app.db
      .select()
      .from(conversationMembers)
      .where(
        and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, other.player.id)),
      )
      .get();
    expect(row).toMatchObject({ lastReadSeq: 3, unreadCount: 0 });
  });

  test("keeps the news of a message that came after the one that was read", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    for (const text of ["Here?", "Now?"]) await sendTo(one.client, conversationId, text);
    const unread = () =>
      app.db
        .select({ kind: notifications.kind })
        .from(notifications)
        .where(and(eq(notifications.userId, other.player.id), isNull(notifications.readAt)));
    const before = await eventually(async () => (await unread())[0]);
    const sender = await openConversation(one.client, conversationId);
    const reader = await openConversation(other.client, conversationId);
    await reader.next("hello");
    reader.send({ type: "read", seq: 1 });
    expect(await sender.next("read")).toMatchObject({ seq: 1 });
    expect(await unread()).toContainEqual(before);
    reader.send({ type: "read", seq: 2 });
    expect(await sender.next("read")).toMatchObject({ seq: 2 });
    expect(await unread()).not.toContainEqual(before);
  });

  test("counts many read marks as one", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    for (let word = 0; word < 5; word += 1) await sendTo(one.client, conversationId, `${word}`);
    const [sender, reader] = [
      await openConversation(one.client, conversationId),
      await openConversation(other.client, conversationId),
    ];
    await sender.next("hello");
    await reader.next("hello");
    proxy.clear();
    for (let seq = 1; seq <= 5; seq += 1) reader.send({ type: "read", seq });
    expect(await sender.next("read")).toMatchObject({ seq: 5 });
    expect(proxy.statements.filter(({ sql }) => /UPDATE "conversation_members"/.test(sql))).toHaveLength(1);
  });

  test("stores a read mark as soon as the database is back", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    await sendTo(one.client, conversationId, SECRET);
    const [sender, reader] = [
      await openConversation(one.client, conversationId),
      await openConversation(other.client, conversationId),
    ];
    await reader.next("hello");
    proxy.mode = "away";
    proxy.clear();
    reader.send({ type: "read", seq: 1 });
    await eventually(() => proxy.posts > 0 || undefined);
    proxy.mode = "through";
    expect(await sender.next("read")).toEqual({ type: "read", userId: other.player.id, seq: 1 });
  });
});

describe("presence", () => {
  test("goes from a player's tabs to players with an open conversation: online, away, online, last seen", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const watcher = await openConversation(one.client, conversationId);
    const [tab, hidden] = [await openInbox(other.client), await openInbox(other.client)];
    await watcher.next("presence", online(other.player.id));
    hidden.send({ type: "presence", state: "away" });
    tab.send({ type: "presence", state: "away" });
    expect(await watcher.next("presence")).toMatchObject({ userId: other.player.id, state: "away" });
    tab.send({ type: "presence", state: "online" });
    const seen = await watcher.next("presence", online(other.player.id));
    const leftAt = Date.now();
    tab.close();
    hidden.close();
    const gone = await watcher.next("presence", ({ state }) => state === "offline");
    // The time when the last tab was closed, not the later time when the room concluded that the player had left.
    expect(gone.seenAt).toBeGreaterThanOrEqual(seen.seenAt);
    expect(Math.abs(gone.seenAt - leftAt)).toBeLessThan(3_000);
    expect(watcher.frames.filter((frame) => frame.type === "presence" && frame.userId === one.player.id)).toEqual([]);
    const row = () => app.db.select().from(presence).where(eq(presence.userId, other.player.id)).get();
    await eventually(async () => ((await row())?.state === "offline" ? true : undefined));
    expect((await row())?.seenAt.getTime()).toBe(gone.seenAt);
  });

  test("is sent to a player who opens the conversation later, and doesn't change on a reload", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const tab = await openInbox(other.client);
    await eventually(async () => {
      const row = await app.db.select().from(presence).where(eq(presence.userId, other.player.id)).get();
      return row?.state === "online" ? true : undefined;
    });
    const first = await openConversation(one.client, conversationId);
    await first.next("presence", online(other.player.id));
    const second = await openConversation(one.client, conversationId);
    await second.next("presence", online(other.player.id));
    tab.close();
    const reloaded = await openInbox(other.client);
    // Wait longer than the grace time for a reload: if the reload counted as leaving, the others would learn of it.
    const after = Date.now() + 7_000;
    await eventually(() => Date.now() > after || undefined, 8_000);
    await expectDelivery(one.client, conversationId, first, second);
    expect(
      first.frames.filter((frame) => frame.type === "presence").map((frame) => "state" in frame && frame.state),
    ).toEqual(["online"]);
    reloaded.close();
  });
});

describe("a session that ends", () => {
  test("closes its sockets in the inbox and in every conversation, and no other session's", async () => {
    const { one, other, conversationId } = await newPair(app);
    const third = await newVisitor(app);
    const second = await addConversation(app, one.player, third.player);
    const phone = await visitAs(app, one.player);
    const ending = [
      await openInbox(one.client),
      await openInbox(one.client),
      await openConversation(one.client, conversationId),
      await openConversation(one.client, second),
    ];
    const staying = [
      await openConversation(phone, conversationId),
      await openConversation(other.client, conversationId),
    ];
    const inbox = await openInbox(phone);
    await expectDelivery(other.client, conversationId, ...staying);
    await one.client.post("/auth/sign-out");
    for (const socket of ending) expect(await socket.closed()).toEqual(SESSION_ENDED);
    await expectDelivery(other.client, conversationId, ...staying);
    expect(inbox.end).toBeUndefined();
  });

  test("closes a socket that is being opened at the same moment", async () => {
    const { one, conversationId } = await newPair(app);
    const cookie = one.client.cookieHeader;
    // All at the same time: workerd keeps a socket for ten seconds if the room closes it before its first frame.
    const signOutWhileOpening = async () => {
      const client = await visitAs(app, one.player);
      const headers = { Cookie: client.cookieHeader };
      const [answers] = await Promise.all([
        Promise.all([
          requestSocket(client, roomOf(conversationId), headers),
          requestSocket(client, "/parties/inbox", headers),
        ]),
        client.post("/auth/sign-out"),
      ]);
      for (const { status, socket } of answers) {
        if (socket) expect((await socket.closed()).code).toBe(4401);
        else expect(status).toBe(401);
      }
    };
    await Promise.all(Array.from({ length: 5 }, signOutWhileOpening));
    expect((await requestSocket(one.client, roomOf(conversationId), { Cookie: cookie })).status).toBe(101);
  });

  test("closes its sockets when another player signs in in the same browser", async () => {
    const { one, conversationId } = await newPair(app);
    const sockets = [await openInbox(one.client), await openConversation(one.client, conversationId)];
    const someone = await addPlayer(app);
    const answer = await one.client.post("/auth", { email: someone.email, password: PASSWORD });
    expect(answer.status).toBe(303);
    for (const socket of sockets) expect(await socket.closed()).toEqual(SESSION_ENDED);
  });

  test("closes its sockets before the next message once it has expired; only the inbox says that it has ended", async () => {
    const { one, other, conversationId } = await newPair(app);
    const short = app.client();
    const { cookie } = await openSession(app, one.player.id, { expiresAt: new Date(Date.now() + 2_000) });
    short.cookies.set("lineup_session", cookie);
    const [late, inbox, alive] = [
      await openConversation(short, conversationId),
      await openInbox(short),
      await openConversation(other.client, conversationId),
    ];
    await inbox.next("unread");
    const over = Date.now() + 2_000;
    await eventually(() => Date.now() > over || undefined);
    await sendTo(other.client, conversationId, SECRET);
    // The session may have been renewed since the socket opened: the page reconnects, and the Worker checks again.
    expect((await late.closed()).code).toBe(1012);
    expect(late.messages).toEqual([]);
    // The inbox is told when a session is renewed.
    expect(await inbox.closed()).toEqual(SESSION_ENDED);
    expect(inbox.frames).toHaveLength(1);
    await alive.next("message");
  });
});

describe("a room", () => {
  test("answers a ping", async () => {
    const { one, conversationId } = await newPair(app);
    for (const socket of [await openConversation(one.client, conversationId), await openInbox(one.client)]) {
      socket.send("ping");
      socket.send("ping");
      await socket.until(() => (socket.pongs >= 3 ? true : undefined), "pongs");
    }
  });

  test.each([
    ["malformed JSON", "{", 1008],
    ["an empty frame", "", 1008],
    ["an array", "[1]", 1008],
    ["a missing type", '{"seq":1}', 1008],
    ["a type that isn't a string", '{"type":{"toString":1}}', 1008],
    ["binary data", new ArrayBuffer(8), 1008],
    ["more than a frame holds", JSON.stringify({ type: "typing", more: "x".repeat(1_024) }), 1009],
    ["a megabyte", "x".repeat(1_000_000), 1009],
    ["a megabyte of binary", new ArrayBuffer(1_000_000), 1008],
  ])("closes the socket over %s, and is unharmed", async (_, frame, code) => {
    const { one, other, conversationId } = await newPair(app);
    for (const open of [() => openConversation(one.client, conversationId), () => openInbox(one.client)]) {
      const socket = await open();
      socket.send(frame);
      expect((await socket.closed()).code).toBe(code);
      const [again, witness] = [
        await openConversation(one.client, conversationId),
        await openConversation(other.client, conversationId),
      ];
      await expectDelivery(other.client, conversationId, again, witness);
    }
  });

  test("ignores unknown messages of another version, and stays open", async () => {
    const { one, conversationId } = await newPair(app);
    const socket = await openConversation(one.client, conversationId);
    const frames = [
      { type: "dance" },
      { type: "read", seq: -1 },
      { type: "read", seq: 1.5 },
      { type: "read", seq: "1" },
      { type: "read" },
      { type: "message", message: { id: "x", seq: 7, senderId: one.player.id, content: SECRET, createdAt: 0 } },
      { type: "__proto__" },
    ];
    for (const frame of frames) socket.send(frame);
    await expectDelivery(one.client, conversationId, socket);
    expect(JSON.stringify(socket.frames)).not.toContain(SECRET);
  });

  test("closes a socket that floods it, and the other sockets still get each other's frames", async () => {
    const { one, other, conversationId } = await newPair(app);
    const [flooding, inbox] = [await openConversation(one.client, conversationId), await openInbox(one.client)];
    const [alive, witness] = [
      await openConversation(one.client, conversationId),
      await openConversation(other.client, conversationId),
    ];
    for (let sent = 0; sent < 1_000; sent += 1) {
      flooding.send({ type: "typing" });
      inbox.send({ type: "presence", state: sent % 2 ? "away" : "online" });
    }
    expect(await flooding.closed()).toEqual({ code: 1008, reason: "Too many frames" });
    expect(await inbox.closed()).toEqual({ code: 1008, reason: "Too many frames" });
    await expectDelivery(other.client, conversationId, alive, witness);
  });

  test("holds twenty sockets of a player: the oldest makes room for one more", async () => {
    const { one, other, conversationId } = await newPair(app);
    const witness = await openConversation(other.client, conversationId);
    const sockets: RoomSocket[] = [];
    for (let tab = 0; tab < 21; tab += 1) sockets.push(await openConversation(one.client, conversationId));
    const [oldest, ...rest] = sockets as [RoomSocket, ...RoomSocket[]];
    expect(await oldest.closed()).toEqual({ code: 1008, reason: "Too many tabs" });
    await expectDelivery(other.client, conversationId, witness, ...rest);
  });

  test("continues after hibernation: identities and permissions are kept with the sockets", async () => {
    const { one, other, conversationId } = await newTeammates(app);
    const sockets = [
      await openConversation(one.client, conversationId),
      await openConversation(other.client, conversationId),
    ] as const;
    const inbox = await openInbox(one.client);
    const id = uuidv7();
    await sendTo(one.client, conversationId, "Good night", id);
    for (const socket of sockets) await socket.next("message");
    // workerd hibernates a room after ten seconds without work. Pings don't count as work.
    const morning = Date.now() + 13_000;
    await eventually(() => Date.now() > morning || undefined, 14_000);
    for (const socket of sockets) socket.send("ping");
    for (const socket of sockets) await socket.until(() => (socket.pongs >= 2 ? true : undefined), "a pong");
    // While awake, a room passes each message on only once, so getting it again shows that the room had hibernated.
    await sendTo(one.client, conversationId, "Good night", id);
    for (const socket of sockets) expect(await socket.next("message")).toMatchObject({ message: { id } });
    await expectDelivery(one.client, conversationId, ...sockets);
    sockets[1].send({ type: "typing" });
    expect(await sockets[0].next("typing")).toEqual({ type: "typing", userId: other.player.id });
    await one.client.post("/auth/sign-out");
    expect(await sockets[0].closed()).toEqual(SESSION_ENDED);
    expect(await inbox.closed()).toEqual(SESSION_ENDED);
    await expectDelivery(other.client, conversationId, sockets[1]);
  });

  test("logs no error that the tests above don't explain", () => {
    const errors = app.logs.filter(
      ({ level, message }) =>
        level === "error" &&
        // The tests above simulate outages, in which storing a presence may also fail.
        !/The database is unavailable|could not be stored".*DatabaseUnavailableError|A read mark could not be stored|WebSocket must be initiated with a GET|jsg.Error: internal error/.test(
          message,
        ),
    );
    expect(errors).toEqual([]);
  });
});
