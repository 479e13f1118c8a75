import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { REMOVED_MESSAGE } from "../../app/features/messages/rules";
import { MAX_DEVICES } from "../../app/features/notifications/push/rules";
import { uuidv7 } from "../../db/ids";
import { messages, notifications, pushSettings, pushSubscriptions, sessions, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client, Fields } from "../support/client";
import { eventually } from "../support/eventually";
import { hidingIn } from "../support/hiding";
import { textOf, ticked } from "../support/html";
import { startTournament } from "../support/matches";
import { openRoom } from "../support/socket";
import { addTournament } from "../support/tournaments";
import { startWatchedDatabase } from "../support/watched-database";
import { addConversation, addPost, MINUTE, newVisitor, openSession, unique, visitAs } from "./players";
import { pushesIn, turnOn } from "./pushes";
import { registrationsIn } from "./registrations";
import { contactAuthor, startConversation, type Visitor, write } from "./talk";
import { requestToJoin, teamsIn } from "./teams";

const database = await startWatchedDatabase();
const app = useApp(database.appOptions);
const { addDevice, talkTo, pushesAt, arrivals, settled, waiting, letTimePass, devicesOf, dueOf } = pushesIn(app);
const { newTournament, newTeam } = registrationsIn(app);
const { accept } = teamsIn(app);

const SETTINGS = "/dashboard/settings/notifications";

/** Moves the sounds of a player's pushes so far back that the next push makes another. */
const letSoundPass = ({ player }: Visitor) =>
  app.db
    .update(notifications)
    .set({ pushedAt: new Date(Date.now() - MINUTE) })
    .where(eq(notifications.userId, player.id));

describe("a push", () => {
  test("arrives immediately, signed and encrypted, if no tab is open", async () => {
    const { talker, endpoint, conversationId, listener } = await talkTo();
    await write(talker.client, conversationId, "We start at eight");
    const [push] = await arrivals(endpoint);
    expect(push).toMatchObject({ urgency: "high", ttl: 14_400, topic: push?.payload.tag });
    expect(push?.payload).toEqual({
      tag: expect.stringMatching(/^[\w-]{16}$/),
      title: "New message from Talker",
      body: "We start at eight",
      url: `/dashboard/messages/${conversationId}`,
      isRepeat: false,
      at: expect.any(Number),
      unread: 1,
      open: [push?.payload.tag],
    });
    await settled(listener.player);
    expect(app.push.refused).toEqual([]);
  });

  test("goes to all devices of a player, and to nobody else's", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const phone = await addDevice(await visitAs(app, listener.player));
    const own = await addDevice(talker.client);
    await write(talker.client, conversationId, "Hello");
    await arrivals(endpoint);
    await arrivals(phone);
    await settled(listener.player);
    expect(pushesAt(own)).toEqual([]);
  });

  test("tells an author about each reply, and doesn't replace the push about another conversation", async () => {
    const author = await newVisitor(app, { riotGameName: "Author" });
    const endpoint = await addDevice(author.client);
    const postId = await addPost(app, author.player.id, { title: "Two for Haven" });
    for (const riotGameName of ["First", "Second"]) {
      const { client } = await newVisitor(app, { riotGameName });
      await contactAuthor(client, postId, "Can I join?");
    }
    const [first, second] = await arrivals(endpoint, 2);
    expect(first?.payload).toMatchObject({ title: "First replied to your post “Two for Haven”", isRepeat: false });
    expect(second?.payload).toMatchObject({ title: "Second replied to your post “Two for Haven”", isRepeat: false });
    expect(second?.payload.tag).not.toBe(first?.payload.tag);
    expect(second?.payload.open?.toSorted()).toEqual([first?.payload.tag, second?.payload.tag].toSorted());
  });

  test("about a match arrives immediately, because its answer has a deadline", async () => {
    const [one, two] = [await newVisitor(app), await newVisitor(app)];
    const endpoint = await addDevice(two.client);
    const { id } = await startTournament(app, {
      teams: 2,
      captains: [one.player.id, two.player.id],
      tournamentDate: new Date(Date.now() - MINUTE),
    });
    await app.runScheduled();
    await settled(two.player);
    const earlier = pushesAt(endpoint).length;
    const report = { intent: "report", leftSide: "1", bestOf: "1", left1: "13", right1: "5" };
    expect((await one.client.post(`/tournaments/${id}/matches/0`, report)).status).toBe(303);
    const pushes = await arrivals(endpoint, earlier + 1);
    expect(pushes.at(-1)?.payload.url).toBe(`/tournaments/${id}/matches/0`);
  });

  test("about a start reaches every player immediately, even if there are more than a hundred", async () => {
    const host = await newVisitor(app);
    const { id, teams } = await addTournament(app.db, {
      teams: 102,
      maxParticipants: 128,
      userId: host.player.id,
      registrationDeadline: new Date(Date.now() - 2 * MINUTE),
      tournamentDate: new Date(Date.now() - MINUTE),
    });
    const devices = await Promise.all(
      teams.map(async ({ captainId }) => {
        const [session, { endpoint, keys }] = [await openSession(app, captainId), app.push.subscribe()];
        await app.db.insert(pushSubscriptions).values({
          ...{ id: uuidv7(), userId: captainId, sessionId: session.id, endpoint, createdAt: new Date() },
          ...keys,
        });
        return endpoint;
      }),
    );
    expect((await host.client.post(`/tournaments/${id}/start`, {})).status).toBe(303);
    // A busy machine takes a while to encrypt 102 pushes.
    await eventually(() => {
      expect(devices.filter((endpoint) => pushesAt(endpoint).length === 0)).toEqual([]);
      return true;
    }, 20_000);
  });

  test("follows a reply to a post silently for each further message, which adds nothing to the bell", async () => {
    const author = await newVisitor(app, { riotGameName: "Author" });
    const endpoint = await addDevice(author.client);
    const { reader, conversationId } = await startConversation(app, { author });
    const [first] = await arrivals(endpoint);
    await write(reader.client, conversationId, "I main Sova");
    const second = (await arrivalsUntil(endpoint, "I main Sova")).at(-1);
    expect(second?.payload).toMatchObject({ title: first?.payload.title, tag: first?.payload.tag, isRepeat: true });
    const news = () => app.db.select().from(notifications).where(eq(notifications.userId, author.player.id));
    expect(await news()).toMatchObject([{ kind: "contact", data: { preview: "I main Sova" } }]);
    await settled(author.player);
    await letSoundPass(author);
    await write(reader.client, conversationId, "Still there?");
    expect((await arrivalsUntil(endpoint, "Still there?")).at(-1)?.payload.isRepeat).toBe(false);
    expect(await news()).toHaveLength(1);
  });

  test("silently replaces the conversation's earlier one for 30 seconds, then makes a sound again", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    for (const word of ["One", "Two", "Three"]) await write(talker.client, conversationId, word);
    const burst = await arrivalsUntil(endpoint, "Three");
    expect(burst.map(({ payload }) => payload.isRepeat)).toEqual([false, ...burst.slice(1).map(() => true)]);
    expect(new Set(burst.map(({ topic }) => topic)).size).toBe(1);
    expect(burst.at(-1)?.payload).toMatchObject({ title: "3 new messages from Talker", unread: 3 });
    await settled(listener.player);
    await letSoundPass(listener);
    await write(talker.client, conversationId, "Four");
    const all = await arrivalsUntil(endpoint, "Four");
    expect(all.at(-1)?.payload.isRepeat).toBe(false);
  });

  test("makes one sound, even if it arrives only at the second attempt and more news follows", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 1);
    await write(talker.client, conversationId, "One");
    await waiting(listener.player);
    await letTimePass(listener.player);
    await arrivals(endpoint);
    await settled(listener.player);
    await write(talker.client, conversationId, "Two");
    const [, second] = await arrivals(endpoint, 2);
    expect(second?.payload).toMatchObject({ body: "Two", isRepeat: true });
  });

  test("makes one sound, even if its delivery can't be recorded and more news follows", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    await app.db.insert(pushSettings).values({ userId: listener.player.id, lockScreen: "nothing" });
    // The latency leaves time for the database to go away after the push, before its delivery is recorded.
    database.proxy.latency = 300;
    await write(talker.client, conversationId, "One");
    await arrivals(endpoint);
    const failures = () => app.logs.filter(({ message }) => message.includes("The pushes could not be sent")).length;
    const earlier = failures();
    database.proxy.mode = "away";
    await eventually(() => failures() > earlier || undefined);
    Object.assign(database.proxy, { mode: "through", latency: 0 });
    await write(talker.client, conversationId, "Two");
    const pushes = await arrivals(endpoint, 2);
    expect(pushes.map(({ payload }) => [payload.title, payload.isRepeat])).toEqual([
      ["You have news", false],
      ["You have news", true],
    ]);
  });

  test("reaches a player who has far more unread than it can list", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const old = Array.from({ length: 120 }, (_, index) => ({
      id: uuidv7(),
      userId: listener.player.id,
      kind: "contact" as const,
      // In the order of subjects they come before the conversation.
      subject: `conversation:0-${index}`,
      data: { name: "Old friend", preview: "Hi", title: null },
      createdAt: new Date(Date.now() - MINUTE),
    }));
    await app.db.insert(notifications).values(old);
    await write(talker.client, conversationId, "Number 121");
    const [push] = await arrivals(endpoint);
    expect(push?.payload).toMatchObject({ body: "Number 121", open: null });
    await settled(listener.player);
  });

  test("shows as much on the lock screen as the player chose", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const shown: object[] = [];
    for (const lockScreen of ["name", "nothing", "text"] as const) {
      await app.db
        .insert(pushSettings)
        .values({ userId: listener.player.id, lockScreen })
        .onConflictDoUpdate({ target: pushSettings.userId, set: { lockScreen } });
      await listener.client.get(`/dashboard/messages/${conversationId}`);
      await write(talker.client, conversationId, `For ${lockScreen}`);
      const { title, body } = (await arrivals(endpoint, shown.length + 1)).at(-1)?.payload ?? {};
      shown.push([title?.replace(/^\d+ new messages/, "New message"), body]);
      await settled(listener.player);
    }
    expect(shown).toEqual([
      ["New message from Talker", undefined],
      ["You have news", undefined],
      ["New message from Talker", "For text"],
    ]);
  });
});

/** Waits for the push with this body. @returns it and all pushes before it */
const arrivalsUntil = async (endpoint: string, body: string) => {
  const found = await eventually(() => pushesAt(endpoint).find(({ payload }) => payload.body === body));
  return pushesAt(endpoint).slice(0, pushesAt(endpoint).indexOf(found) + 1);
};

describe("a tab", () => {
  test("in view holds pushes back until it is closed, and then unread notifications are pushed", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const tab = await openRoom(listener.client, "/parties/inbox");
    tab.send({ type: "presence", state: "online", inView: true });
    await write(talker.client, conversationId, "Are you there?");
    const { pushDueAt } = await waiting(listener.player);
    expect(Number(pushDueAt) - Date.now()).toBeGreaterThan(3 * MINUTE);
    expect(pushesAt(endpoint)).toEqual([]);
    await letTimePass(listener.player);
    await waiting(listener.player);
    expect(pushesAt(endpoint)).toEqual([]);
    tab.close();
    const push = await eventually(() => pushesAt(endpoint)[0], 15_000);
    expect(push.payload).toMatchObject({ body: "Are you there?", isRepeat: false });
    await settled(listener.player);
  });

  test("that goes out of view releases held pushes immediately, but not while another tab is in view", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const tabs = await Promise.all([1, 2].map(() => openRoom(listener.client, "/parties/inbox")));
    await write(talker.client, conversationId, "Are you there?");
    await waiting(listener.player);
    const [first, second] = tabs;
    first?.send({ type: "presence", state: "online", inView: false });
    const another = await talkTo(listener);
    await write(another.talker.client, another.conversationId, "And you?");
    const held = async () =>
      (await dueOf(listener.player)).filter((one) => Number(one.pushDueAt) > Date.now() + MINUTE);
    await eventually(async () => (await held()).length === 2 || undefined);
    expect(pushesAt(endpoint)).toEqual([]);
    second?.send({ type: "presence", state: "online", inView: false });
    await eventually(() => pushesAt(endpoint)[1], 15_000);
    for (const tab of tabs) tab.close();
  });

  test.each([
    ["hidden", { state: "online", inView: false }],
    ["idle", { state: "away", inView: false }],
    ["idle, running an older release", { state: "away" }],
  ])("that is %s doesn't hold pushes back", async (_, presence) => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const tab = await openRoom(listener.client, "/parties/inbox");
    tab.send({ type: "presence", ...presence });
    // The room handles frames in order, so it reads the presence before it learns of the message.
    await write(talker.client, conversationId, "Hello");
    await arrivals(endpoint);
    tab.close();
  });
});

describe("no push is sent", () => {
  test("for a message that has been read in the meantime", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 1);
    await write(talker.client, conversationId, "Soon read");
    await waiting(listener.player);
    await listener.client.get(`/dashboard/messages/${conversationId}`);
    await eventually(async () => {
      const [row] = await app.db.select().from(notifications).where(eq(notifications.userId, listener.player.id));
      return row?.readAt ?? undefined;
    });
    await letTimePass(listener.player);
    await settled(listener.player);
    expect(pushesAt(endpoint)).toEqual([]);
  });

  test("to a browser that has signed out, or was signed out everywhere", async () => {
    for (const signOut of [{}, { scope: "global" }]) {
      const { talker, listener, endpoint, conversationId } = await talkTo();
      const other = await visitAs(app, listener.player);
      const phone = await addDevice(other);
      await listener.client.post("/auth/sign-out", signOut);
      expect(await devicesOf(listener.player)).toEqual("scope" in signOut ? [] : [phone]);
      await write(talker.client, conversationId, "Too late");
      await settled(listener.player);
      expect(pushesAt(endpoint)).toEqual([]);
    }
  });

  test("to a session that has expired", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    await app.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(sessions.userId, listener.player.id));
    await write(talker.client, conversationId, "Hello");
    await settled(listener.player);
    expect(pushesAt(endpoint)).toEqual([]);
  });

  test("to a suspended player", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const suspend = (suspendedAt: Date | null) =>
      app.db.update(users).set({ suspendedAt }).where(eq(users.id, listener.player.id));
    await suspend(new Date());
    await write(talker.client, conversationId, "Too early");
    await settled(listener.player);
    await suspend(null);
    await write(talker.client, conversationId, "Welcome back");
    await arrivals(endpoint);
    expect(pushesAt(endpoint).map(({ payload }) => payload.body)).toEqual(["Welcome back"]);
  });

  test("from a player who was blocked", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 1);
    await write(talker.client, conversationId, "Rude");
    await waiting(listener.player);
    await listener.client.post(`/dashboard/messages/${conversationId}/block`, { intent: "block" });
    await letTimePass(listener.player);
    await settled(listener.player);
    expect(pushesAt(endpoint)).toEqual([]);
  });

  test.each([
    ["a kind", { kinds: ["contact"] }, false],
    ["the bell of a group", { kinds: ["message"], channels: ["bell"], bell: ["team"] }, false],
    ["the push of a group", { kinds: ["message"], channels: ["push"], push: ["team"] }, true],
  ])("for what was waiting when %s was turned off", async (_, form, isEmailed) => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 1);
    await write(talker.client, conversationId, "Hello");
    await waiting(listener.player);
    await listener.client.post(SETTINGS, form);
    expect(await dueOf(listener.player)).toEqual([]);
    const [news] = await app.db.select().from(notifications).where(eq(notifications.userId, listener.player.id));
    expect(news?.emailDueAt !== null).toBe(isEmailed);
    expect(pushesAt(endpoint)).toEqual([]);
  });

  test("for a kind that is turned off", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    await listener.client.post(SETTINGS, { kinds: ["contact"] });
    await write(talker.client, conversationId, "Hello");
    await settled(listener.player);
    expect(pushesAt(endpoint)).toEqual([]);
  });

  test("with words that moderators have hidden", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 2);
    const id = uuidv7();
    await write(talker.client, conversationId, "Harmless");
    await write(talker.client, conversationId, "Awful", id);
    await waiting(listener.player);
    await hidingIn(app).hide({ kind: "message", id });
    expect((await app.db.select().from(messages).where(eq(messages.id, id)).get())?.hiddenAt).not.toBeNull();
    await letTimePass(listener.player);
    await settled(listener.player);
    // The other message is still unread.
    expect(pushesAt(endpoint).map(({ payload }) => payload.body)).toEqual([REMOVED_MESSAGE]);
  });

  test.each(["post", "player", "team", "tournament"] as const)("with the words of a hidden %s", async (kind) => {
    const secret = unique("Foul ");
    const reader = await newVisitor(app);
    const endpoint = await addDevice(reader.client);
    app.push.failNext(endpoint, 1);
    const id = await causes[kind](reader, secret);
    const { data } = await waiting(reader.player);
    expect(JSON.stringify(data)).toContain(secret);
    await hidingIn(app).hide({ kind, id });
    await letTimePass(reader.player);
    await settled(reader.player);
    expect(JSON.stringify(pushesAt(endpoint))).not.toContain(secret);
  });

  test("during the player's quiet hours, after which unread notifications are pushed", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    // Two quiet hours, beginning with the current one, in a zone without daylight saving time (UTC+9).
    const hour = (new Date().getUTCHours() + 9) % 24;
    await app.db.update(users).set({ timeZone: "Asia/Tokyo" }).where(eq(users.id, listener.player.id));
    await app.db
      .insert(pushSettings)
      .values({ userId: listener.player.id, lockScreen: "text", quietFrom: hour, quietUntil: (hour + 2) % 24 });
    await write(talker.client, conversationId, "Good night");
    const end = Math.floor(Date.now() / (60 * MINUTE)) * 60 * MINUTE + 120 * MINUTE;
    await eventually(async () => {
      const [waits] = await dueOf(listener.player);
      expect(Math.abs(Number(waits?.pushDueAt) - end)).toBeLessThanOrEqual(60 * MINUTE);
      return true;
    });
    expect(pushesAt(endpoint)).toEqual([]);
    await app.db.delete(pushSettings).where(eq(pushSettings.userId, listener.player.id));
    await letTimePass(listener.player);
    const [push] = await arrivals(endpoint);
    expect(push?.payload.isRepeat).toBe(false);
  });
});

describe("a device", () => {
  test("that fails is tried again by the player's inbox, without the cron", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 1);
    await write(talker.client, conversationId, "Once");
    const { id } = await waiting(listener.player);
    // As if most of the minute had passed. The inbox learns of it with the next push.
    await app.db
      .update(notifications)
      .set({ pushDueAt: new Date(Date.now() + 3_000) })
      .where(eq(notifications.id, id));
    const another = await talkTo(listener);
    await write(another.talker.client, another.conversationId, "Twice");
    const found = await eventually(() => pushesAt(endpoint).find(({ payload }) => payload.body === "Once"), 15_000);
    expect(found.payload.isRepeat).toBe(true);
  });

  test("that fails is retried by the cron, and no other device gets the push twice", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const phone = await addDevice(await visitAs(app, listener.player));
    app.push.failNext(phone, 2);
    await write(talker.client, conversationId, "Once");
    await arrivals(endpoint);
    await waiting(listener.player);
    await letTimePass(listener.player);
    await waiting(listener.player);
    expect(pushesAt(phone)).toEqual([]);
    await letTimePass(listener.player);
    await arrivals(phone);
    await settled(listener.player);
    expect(pushesAt(endpoint)).toHaveLength(1);
  });

  test.each([404, 410] as const)("whose subscription has ended (%i) is forgotten", async (status) => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const phone = await addDevice(await visitAs(app, listener.player));
    app.push.end(endpoint, status);
    await write(talker.client, conversationId, "Hello");
    await arrivals(phone);
    await settled(listener.player);
    expect(await devicesOf(listener.player)).toEqual([phone]);
  });

  test("that never accepts a push is given up on after two hours", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    app.push.failNext(endpoint, 20);
    await write(talker.client, conversationId, "Hello");
    for (let attempt = 1; attempt < 8; attempt += 1) {
      await waiting(listener.player);
      await letTimePass(listener.player);
    }
    await settled(listener.player);
    expect(pushesAt(endpoint)).toEqual([]);
  });

  test("is removed when an eleventh is added, if it is the oldest", async () => {
    const { player } = await newVisitor(app);
    const endpoints: string[] = [];
    for (let index = 0; index <= MAX_DEVICES; index += 1) endpoints.push(await addDevice(await visitAs(app, player)));
    expect((await devicesOf(player)).toSorted()).toEqual(endpoints.slice(1).toSorted());
  });
});

describe("a subscription", () => {
  test.each([
    ["https://fcm.googleapis.com/fcm/send/abc", 200],
    ["https://updates.push.services.mozilla.com/wpush/v2/abc", 200],
    ["https://web.push.apple.com/abc", 200],
    ["https://wns2-par02p.notify.windows.com/w/?token=abc", 200],
    ["http://fcm.googleapis.com/fcm/send/abc", 400],
    ["https://fcm.googleapis.com:8443/abc", 400],
    ["https://fcm.googleapis.com.evil.example/abc", 400],
    ["https://evilpush.apple.com.example/", 400],
    ["https://user@fcm.googleapis.com/abc", 400],
    ["https://169.254.169.254/", 400],
    ["http://localhost:1/", 400],
  ])("at %s is answered with %i", async (endpoint, status) => {
    const { client, player } = await newVisitor(app);
    const { keys } = app.push.subscribe();
    expect((await turnOn(client, { endpoint, keys })).status).toBe(status);
    expect(await devicesOf(player)).toEqual(status === 200 ? [endpoint] : []);
  });

  test("renewed by the browser replaces the old one", async () => {
    const { client, player } = await newVisitor(app);
    const old = await addDevice(client);
    const renewed = app.push.subscribe();
    await turnOn(client, renewed, { replaces: old });
    expect(await devicesOf(player)).toEqual([renewed.endpoint]);
    // The browser repeats the request if the response was lost.
    expect((await turnOn(client, renewed, { replaces: old })).status).toBe(200);
    expect(await devicesOf(player)).toEqual([renewed.endpoint]);
  });

  test("goes to the player who uses the browser now", async () => {
    const before = await newVisitor(app);
    const now = await newVisitor(app);
    const subscription = app.push.subscribe();
    await turnOn(before.client, subscription);
    await turnOn(now.client, subscription);
    expect(await devicesOf(before.player)).toEqual([]);
    expect(await devicesOf(now.player)).toEqual([subscription.endpoint]);
  });

  test("needs a session and a form from this site", async () => {
    expect((await turnOn(app.client(), app.push.subscribe())).status).toBe(401);
    const { client } = await newVisitor(app);
    const { endpoint, keys } = app.push.subscribe();
    const foreign = await client.post("/push", { endpoint, ...keys }, { Origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect((await client.post("/push", { endpoint, ...keys, auth: "short" })).status).toBe(400);
  });

  test("with a key that isn't on the curve is refused, because nothing could be encrypted for it", async () => {
    const { client, player } = await newVisitor(app);
    const { endpoint, keys } = app.push.subscribe();
    const answer = await turnOn(client, { endpoint, keys: { ...keys, p256dh: "B".repeat(87) } });
    expect(answer.status).toBe(400);
    expect(await devicesOf(player)).toEqual([]);
  });

  test("ends with a button that works without JavaScript", async () => {
    const { client, player } = await newVisitor(app);
    await addDevice(client);
    const answer = await client.submit(SETTINGS, "Turn off push");
    expect([answer.status, answer.location]).toEqual([303, SETTINGS]);
    expect(await devicesOf(player)).toEqual([]);
  });

  test("appears in the export without its address, and with the lock screen and the quiet hours", async () => {
    const { client } = await newVisitor(app);
    await addDevice(client);
    await client.submit(SETTINGS, "Save", { lockScreen: "name", quietFrom: "23", quietUntil: "8" });
    const { text } = await client.post("/dashboard/settings/export/download");
    const { pushDevices, pushSettings: settings } = JSON.parse(text);
    expect(settings).toEqual({ lockScreen: "name", quietFrom: 23, quietUntil: 8 });
    expect(pushDevices).toEqual([{ pushService: new URL(app.push.url).host, createdAt: expect.any(String) }]);
    expect(text).not.toContain("/push/");
  });
});

describe("Quiet hours", () => {
  /** A zone without daylight saving time (UTC-10): two quiet hours that hold in Tokyo now don't hold there. */
  const ELSEWHERE = "Pacific/Honolulu";

  const errorsOf = (text: string) =>
    textOf(text).match(/Choose (when quiet hours \w+, or set both to None|two different hours)\./g);

  test.each([
    [{ quietFrom: "23", quietUntil: "" }, "Choose when quiet hours end, or set both to None."],
    [{ quietFrom: "", quietUntil: "8" }, "Choose when quiet hours begin, or set both to None."],
    [{ quietFrom: "8", quietUntil: "8" }, "Choose two different hours."],
  ])("of which only one is chosen, or both alike, are refused at the field: %j", async (fields, error) => {
    const { client, player } = await newVisitor(app);
    const answer = await client.submit(SETTINGS, "Save", { ...fields, lockScreen: "name" });
    expect(answer.status).toBe(400);
    expect(errorsOf(answer.text)).toContain(error);
    expect(ticked(answer.text, "lockScreen")).toEqual(["name"]);
    expect(await app.db.select().from(pushSettings).where(eq(pushSettings.userId, player.id))).toEqual([]);
  });

  test.each([
    ["turned off", () => ({ quietFrom: "", quietUntil: "" })],
    ["moved to later", (hour: number) => ({ quietFrom: (hour + 3) % 24, quietUntil: (hour + 4) % 24 })],
  ])("that are %s let waiting pushes go at once, and prolonged ones keep them", async (_, changed) => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const { client, player } = listener;
    // In a zone without daylight saving time (UTC+9).
    await app.db.update(users).set({ timeZone: "Asia/Tokyo" }).where(eq(users.id, player.id));
    const hour = (new Date().getUTCHours() + 9) % 24;
    const save = (fields: Fields) => client.submit(SETTINGS, "Save", { lockScreen: "text", ...fields });
    await save({ quietFrom: hour, quietUntil: (hour + 2) % 24 });
    await write(talker.client, conversationId, "Are you up?");
    const waitsBeyond = (moment: number) =>
      eventually(async () => (await dueOf(player)).find(({ pushDueAt }) => Number(pushDueAt) > moment));
    const { pushDueAt } = await waitsBeyond(Date.now() + 30 * MINUTE);
    await save({ quietFrom: hour, quietUntil: (hour + 5) % 24 });
    await waitsBeyond(Number(pushDueAt));
    expect(pushesAt(endpoint)).toEqual([]);
    await save(changed(hour));
    const [push] = await arrivals(endpoint);
    expect(push?.payload).toMatchObject({ body: "Are you up?", isRepeat: false });
    await settled(player);
  });

  test("that are turned off let a push go that had failed before they began, but cut no pause short", async () => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const { client, player } = listener;
    await app.db.update(users).set({ timeZone: "Asia/Tokyo" }).where(eq(users.id, player.id));
    const hour = (new Date().getUTCHours() + 9) % 24;
    const save = (fields: Fields) => client.submit(SETTINGS, "Save", { lockScreen: "text", ...fields });
    app.push.failNext(endpoint, 1);
    await write(talker.client, conversationId, "Are you up?");
    const failed = await waiting(player);
    await save({ quietFrom: hour, quietUntil: (hour + 2) % 24 });
    expect(await dueOf(player)).toMatchObject([{ id: failed?.id, pushDueAt: failed?.pushDueAt }]);
    await letTimePass(player);
    await eventually(async () =>
      (await dueOf(player)).find(({ pushDueAt }) => Number(pushDueAt) > Date.now() + 30 * MINUTE),
    );
    await save({ quietFrom: "", quietUntil: "" });
    const [push] = await arrivals(endpoint);
    expect(push?.payload.body).toBe("Are you up?");
    await settled(player);
  });

  test.each<[string, (client: Client) => Promise<unknown>]>([
    ["the profile", (client) => client.post("/dashboard/profile", { timeZone: ELSEWHERE })],
    [
      "`Get ready`",
      (client) => client.post("/dashboard/ready", { step: "hours", week: "weekdays-evening", timeZone: ELSEWHERE }),
    ],
    [
      "the browser",
      (client) => {
        client.cookies.set("lineup_zone", encodeURIComponent(ELSEWHERE));
        return client.get("/dashboard");
      },
    ],
  ])("that have moved away, because %s has another time zone, let waiting pushes go at once", async (_, move) => {
    const { talker, listener, endpoint, conversationId } = await talkTo();
    const { client, player } = listener;
    await app.db.update(users).set({ timeZone: "Asia/Tokyo" }).where(eq(users.id, player.id));
    const hour = (new Date().getUTCHours() + 9) % 24;
    await client.submit(SETTINGS, "Save", { lockScreen: "text", quietFrom: hour, quietUntil: (hour + 2) % 24 });
    await write(talker.client, conversationId, "Are you up?");
    await waiting(player);
    await move(client);
    const [push] = await arrivals(endpoint);
    expect(push?.payload).toMatchObject({ body: "Are you up?", isRepeat: false });
    await settled(player);
  });

  test("name their zone", async () => {
    const { client } = await newVisitor(app, { timeZone: "Asia/Tokyo" });
    expect(textOf((await client.get(SETTINGS)).text)).toContain("No push in these hours (Asia/Tokyo time).");
  });
});

test("A browser learns which of its pushes are still unread", async () => {
  const { talker, listener, endpoint, conversationId } = await talkTo();
  await write(talker.client, conversationId, "Hello");
  const [push] = await arrivals(endpoint);
  expect(JSON.parse((await listener.client.get("/push")).text)).toEqual({
    open: [push?.payload.tag],
    at: expect.any(Number),
    publicKey: app.push.vapid.publicKey,
  });
  const stranger = await newVisitor(app);
  expect(JSON.parse((await stranger.client.get("/push")).text)).toMatchObject({ open: [] });
  expect((await app.client().get("/push")).status).toBe(401);
});

/** The ways in which a reader gets a push with somebody's words. Each returns the id of what the words belong to. */
const causes = {
  async post(reader: Visitor, title: string) {
    const author = await newVisitor(app);
    const postId = await addPost(app, author.player.id, { title });
    await requestToJoin(reader.client, postId);
    await accept(author, postId, reader);
    return postId;
  },
  async player({ player }: Visitor, riotGameName: string) {
    const writer = await newVisitor(app, { riotGameName });
    await contactAuthor(writer.client, await addPost(app, player.id), "Can I join?");
    return writer.player.id;
  },
  async team(reader: Visitor, name: string) {
    return (await inviteTo(reader, { name })).teamId;
  },
  async tournament(reader: Visitor, title: string) {
    return (await inviteTo(reader, { title })).tournamentId;
  },
};

/** Has a captain invite a player, whom they know, to their team of a tournament. */
async function inviteTo({ player }: Visitor, { title = unique("Cup "), name = unique("Team ") }) {
  const { id: tournamentId } = await newTournament({ title });
  const { captain, teamId } = await newTeam(tournamentId, name);
  await addConversation(app, captain.player, player);
  const page = `/tournaments/${tournamentId}/teams/${teamId}`;
  expect((await captain.client.post(page, { intent: "invite", players: [player.id] })).status).toBe(303);
  return { tournamentId, teamId };
}

test("With push services that often fail, nothing unread is lost and nothing is pushed twice", async () => {
  const { talker, listener, endpoint, conversationId } = await talkTo();
  const phone = await addDevice(await visitAs(app, listener.player));
  const others = await Promise.all(
    Array.from({ length: 4 }, () => talkTo(listener).then(({ talker: t, conversationId: c }) => ({ t, c }))),
  );
  const talks = [{ t: talker, c: conversationId }, ...others];
  const devices = await devicesOf(listener.player);
  for (const [index, device] of devices.entries()) app.push.failNext(device, 2 + index, index % 2 === 0 ? 503 : 429);
  for (let round = 1; round <= 3; round += 1) {
    await Promise.all(talks.map(({ t, c }) => write(t.client, c, `Round ${round}`)));
  }
  await eventually(async () => {
    await letTimePass(listener.player);
    return (await dueOf(listener.player)).length === 0 || undefined;
  }, 30_000);
  expect(devices).toEqual(expect.arrayContaining([endpoint, phone]));
  for (const device of devices) {
    const pushes = pushesAt(device);
    const last = new Map(pushes.map(({ payload }) => [payload.url, payload.body]));
    expect([...last.values()]).toEqual(talks.map(() => "Round 3"));
    const shown = pushes.map(({ payload }) => `${payload.url} ${payload.title} ${payload.body}`);
    expect(new Set(shown).size).toBe(shown.length);
  }
});

describe("without keys", () => {
  const bare = useApp({ bindings: { VAPID_PUBLIC_KEY: "", VAPID_PRIVATE_KEY: "" } });

  test("a site doesn't offer push", async () => {
    const { client } = await newVisitor(bare);
    expect(textOf((await client.get(SETTINGS)).text)).not.toMatch(/push/i);
    expect((await turnOn(client, bare.push.subscribe())).status).toBe(404);
    expect(await bare.db.select().from(pushSubscriptions)).toEqual([]);
  });
});
