import { and, eq, isNotNull } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { writeNewsEmails } from "../../app/features/notifications/email/write.server";
import { notificationSwitches, notifications, outbox, pushSubscriptions, sessions, users } from "../../db/schema";
import { LOCAL_SECRET } from "../../scripts/local/app";
import { useApp } from "../support/app";
import { signIn } from "../support/client";
import { heading, links, textOf, ticked } from "../support/html";
import { LOCAL_KEYS } from "../support/mailbox";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { casesIn } from "./cases";
import { addPlayer, DAY, MINUTE, newVisitor, type Player, unique, visitAs } from "./players";
import { startConversation, type Visitor, write } from "./talk";
import { requestToJoin, teamsIn } from "./teams";

const app = useApp({ emailProvider: true });
const { notificationsOf } = recordsIn(app);
const { newPost } = teamsIn(app);
const { newCase, decideCase } = casesIn(app);

const SETTINGS = "/dashboard/settings/notifications";
const EVIL = { Origin: "https://evil.example", Cookie: "" };

/** The emails about news that have arrived at a player's address. */
const emailsTo = ({ email }: Player) => app.emailProvider?.delivered.filter(({ to }) => to === email) ?? [];

/** Moves everything that waits to be emailed to a player so far back that it is due. */
const wait = ({ id }: Player) =>
  app.db
    .update(notifications)
    .set({ emailDueAt: new Date(Date.now() - 1), createdAt: new Date(Date.now() - 31 * MINUTE) })
    .where(and(eq(notifications.userId, id), isNotNull(notifications.emailDueAt)));

/** Lets half an hour pass for a player, and runs the cron. */
async function letTimePass(player: Player): Promise<void> {
  await wait(player);
  await app.runScheduled();
}

const dueOf = async (player: Player) =>
  (await notificationsOf(player)).flatMap(({ kind, emailDueAt }) => (emailDueAt ? [kind] : []));

/** Lets time pass until a player has that many emails: their visits are recorded only after the response. */
const expectEmails = (player: Player, count: number) =>
  expect
    .poll(async () => {
      await letTimePass(player);
      return emailsTo(player).length;
    })
    .toBe(count);

/** A player who has news: someone has answered their post. */
async function newAuthorWithNews(): Promise<{ author: Visitor; reader: Visitor; conversationId: string }> {
  const author = await newVisitor(app, { riotGameName: unique("Author ") });
  const reader = await newVisitor(app, { riotGameName: unique("Reader ") });
  const { conversationId } = await startConversation(app, { author, reader });
  return { author, reader, conversationId };
}

/** The path of an email's one-click unsubscribe. */
const unsubscribeOf = (player: Player): string => {
  const header = emailsTo(player).at(-1)?.headers["List-Unsubscribe"] ?? "";
  expect(header).toMatch(/^<http:\/\/localhost\/unsubscribe\/[\w.-]+>$/);
  return new URL(header.slice(1, -1)).pathname;
};

const emailSwitchesOf = async ({ id }: Player) =>
  (await app.db.select().from(notificationSwitches).where(eq(notificationSwitches.userId, id)))
    .filter(({ channel }) => channel === "email")
    .map(({ newsGroup, isOn }) => [newsGroup, isOn]);

describe("News that waits unread for half an hour", () => {
  test("comes in one email, with what is new and how to stop it, and quotes no message", async () => {
    const { author } = await newAuthorWithNews();
    const { client } = await newVisitor(app, { riotGameName: "Rin", currentRank: "Gold 2" });
    const { postId, author: host } = await newPost(2, 0);
    await startConversation(app, { author: host });
    await requestToJoin(client, postId, { role: "Sentinel" });
    await app.runScheduled();
    expect(emailsTo(host.player)).toEqual([]);

    await letTimePass(host.player);
    const [email, ...others] = emailsTo(host.player);
    expect(others).toEqual([]);
    expect(email?.subject).toBe("2 things are waiting for you on Lineup");
    for (const words of ["Reader replied to your post", "Rin", "Stop emails about messages and your team"]) {
      expect(email?.text, words).toContain(words);
    }
    expect(email?.text).not.toContain("Hi there");
    expect(email?.headers).toEqual({
      "List-Unsubscribe": expect.stringContaining("/unsubscribe/"),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    // The other author's half an hour isn't over.
    expect(emailsTo(author.player)).toEqual([]);
  });

  test("brings later unread news along in the same email, so that it needn't wait for the next day", async () => {
    const { author } = await newAuthorWithNews();
    await wait(author.player);
    await startConversation(app, { author });
    const read = await startConversation(app, { author });
    await author.client.get(`/dashboard/messages/${read.conversationId}`);
    await expect.poll(async () => (await notificationsOf(author.player)).filter((one) => one.readAt)).toHaveLength(1);
    await app.runScheduled();
    const [email] = emailsTo(author.player);
    expect(email?.subject).toBe("2 things are waiting for you on Lineup");
    const unread = (await notificationsOf(author.player)).filter(({ readAt }) => !readAt);
    expect(unread.map(({ emailDueAt }) => emailDueAt)).toEqual([null, null]);
  });

  test("is emailed once, even by two simultaneous runs and after a failed attempt", async () => {
    const { author } = await newAuthorWithNews();
    await wait(author.player);
    const settings = { env: { SESSION_SECRET: [LOCAL_SECRET], ...LOCAL_KEYS }, origin: "https://lineup.test" };
    const run = () => writeNewsEmails({ ...settings, db: app.db, now: new Date() });
    await Promise.all([run(), run(), run()]);
    const mails = await app.db.select().from(outbox).where(eq(outbox.recipient, author.player.email));
    expect(mails).toHaveLength(1);
    app.emailProvider?.failNext(1);
    await app.runScheduled();
    expect(emailsTo(author.player)).toHaveLength(0);
    await app.db
      .update(outbox)
      .set({ dueAt: new Date(Date.now() - 1) })
      .where(eq(outbox.recipient, author.player.email));
    await Promise.all([app.runScheduled(), app.runScheduled()]);
    await app.runScheduled();
    expect(emailsTo(author.player)).toHaveLength(1);
    // The link changes an account's settings, so it is deleted together with the text.
    const [sent] = await app.db.select().from(outbox).where(eq(outbox.recipient, author.player.email));
    expect([sent?.body, sent?.html, sent?.unsubscribeUrl]).toEqual([null, null, null]);
  });

  test("isn't emailed once it is read", async () => {
    const { author, conversationId } = await newAuthorWithNews();
    await author.client.get(`/dashboard/messages/${conversationId}`);
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toEqual([]);
    await expect.poll(() => dueOf(author.player)).toEqual([]);
  });

  test("doesn't wait longer because more of it comes", async () => {
    const { author, reader, conversationId } = await newAuthorWithNews();
    await author.client.get(`/dashboard/messages/${conversationId}`);
    await expect.poll(async () => (await notificationsOf(author.player)).filter((one) => !one.readAt)).toEqual([]);
    const due = async () => (await notificationsOf(author.player)).find(({ kind }) => kind === "message")?.emailDueAt;
    await write(reader.client, conversationId, "Are you there?");
    const first = await due();
    expect(first).toBeInstanceOf(Date);
    await write(reader.client, conversationId, "Hello?");
    expect(await due()).toEqual(first);
  });

  test("is never emailed to suspended or leaving players, or ones without a confirmed, working address", async () => {
    const past = new Date(Date.now() - DAY);
    for (const state of [
      { emailConfirmedAt: null },
      { emailFailedAt: past },
      { suspendedAt: past },
      { deletionDueAt: new Date(Date.now() + DAY) },
    ]) {
      const { author } = await newAuthorWithNews();
      await app.db.update(users).set(state).where(eq(users.id, author.player.id));
      await letTimePass(author.player);
      expect(emailsTo(author.player), JSON.stringify(state)).toEqual([]);
      expect(await dueOf(author.player)).toEqual([]);
    }
  });

  test.each([
    ["without a confirmed address", { emailConfirmedAt: null }],
    ["who had an email an hour ago", { newsEmailedAt: new Date(Date.now() - 60 * MINUTE) }],
  ])(
    "is never emailed to a player %s, even in a large backlog, and others' news is still emailed",
    async (_, state) => {
      const [flooded, { author: other }] = [await addPlayer(app), await newAuthorWithNews()];
      await app.db.update(users).set(state).where(eq(users.id, flooded.id));
      const emailDueAt = new Date(Date.now() - MINUTE);
      // Each round of a run examines a thousand, longest-waiting first.
      await app.db.insert(notifications).values(
        Array.from({ length: 1_030 }, (__, number) => ({
          ...{ id: unique("flood-"), userId: flooded.id, kind: "message" as const, subject: `conversation:${number}` },
          ...{ data: { name: "Reader", preview: "Hi", count: 1 }, createdAt: emailDueAt, emailDueAt },
        })),
      );
      await letTimePass(other.player);
      expect(emailsTo(flooded)).toEqual([]);
      expect(emailsTo(other.player)).toHaveLength(1);
    },
  );

  test("isn't emailed if the player it came from has since been blocked", async () => {
    const { author, conversationId } = await newAuthorWithNews();
    await author.client.post(`/dashboard/messages/${conversationId}/block`, { intent: "block" });
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toEqual([]);
  });

  test("comes once a day while the player stays away, and sooner once they have been back", async () => {
    const { author, reader, conversationId } = await newAuthorWithNews();
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toHaveLength(1);
    await write(reader.client, conversationId, "Are you there?");
    await startConversation(app, { author });
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toHaveLength(1);
    // Postponed to a day after the first email, and not lost.
    expect(await dueOf(author.player)).not.toEqual([]);
    await author.client.get("/dashboard/profile");
    await expectEmails(author.player, 2);
  });

  test("comes sooner to a player who has been back and has signed out again", async () => {
    const { author, reader, conversationId } = await newAuthorWithNews();
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toHaveLength(1);
    const elsewhere = app.client();
    await signIn(elsewhere, author.player.email);
    await elsewhere.get(`/dashboard/messages/${conversationId}`);
    await elsewhere.post("/auth/sign-out");
    await write(reader.client, conversationId, "One more thing.");
    await expectEmails(author.player, 2);
  });

  test("comes sooner to a player who follows an email right away, however short before it they were last seen", async () => {
    const { author, reader, conversationId } = await newAuthorWithNews();
    const { id } = author.player;
    await app.db
      .update(sessions)
      .set({ lastSeenAt: new Date(Date.now() - MINUTE) })
      .where(eq(sessions.userId, id));
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toHaveLength(1);
    await author.client.get("/dashboard/profile");
    await write(reader.client, conversationId, "Good to see you.");
    await expectEmails(author.player, 2);
  });
});

describe("The settings", () => {
  test("show a table of groups and channels, and what can't be turned off", async () => {
    const { client } = await newVisitor(app);
    const page = await client.get(SETTINGS);
    expect(roundTrips(page)).toBe(1);
    for (const words of ["Bell", "Push", "Email", "Messages", "Team", "Tournaments", "Account", "Always on"]) {
      expect(textOf(page.text), words).toContain(words);
    }
    const all = ["messages", "team", "tournaments", "account"];
    expect(ticked(page.text, "bell")).toEqual(all);
    expect(ticked(page.text, "push")).toEqual(all.slice(0, 3));
    expect(ticked(page.text, "email")).toEqual(all.slice(0, 3));
  });

  test("turn groups off by channel, which stops new notifications there and drops waiting ones", async () => {
    const { author } = await newAuthorWithNews();
    const device = app.push.subscribe();
    await author.client.post("/push", { endpoint: device.endpoint, ...device.keys });
    const fields = { bell: ["messages", "team"], push: ["team"], email: ["team", "account"] };
    expect((await author.client.submit(SETTINGS, "Save", fields)).location).toBe(SETTINGS);
    expect(await dueOf(author.player)).toEqual([]);
    const page = await author.client.get(SETTINGS);
    for (const [channel, groups] of Object.entries(fields)) expect(ticked(page.text, channel)).toEqual(groups);

    const { reader } = await startConversation(app, { author });
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toEqual([]);
    expect((await notificationsOf(author.player)).map(({ pushDueAt }) => pushDueAt)).toEqual([null, null]);
    expect(app.push.received.filter(({ endpoint }) => endpoint === device.endpoint)).toEqual([]);

    // With the bell off there is no news at all.
    await author.client.submit(SETTINGS, "Save", { bell: ["team"] });
    await startConversation(app, { author, reader });
    expect(await notificationsOf(author.player)).toHaveLength(2);
    expect(await app.db.$count(pushSubscriptions, eq(pushSubscriptions.userId, author.player.id))).toBe(1);
  });

  test("stay as they are when a form from an older release, without the table, is sent", async () => {
    const { client, player } = await newVisitor(app);
    await client.post(SETTINGS, { kinds: ["message"] });
    expect(await app.db.$count(notificationSwitches, eq(notificationSwitches.userId, player.id))).toBe(0);
    expect((await client.post(SETTINGS, { channels: ["email"], email: ["no-such-group"] })).status).toBe(400);
  });

  test("are in the player's export", async () => {
    const { client } = await newVisitor(app);
    await client.post(SETTINGS, { channels: ["email"], email: ["team"] });
    const { text } = await client.post("/dashboard/settings/export/download");
    expect(JSON.parse(text).notificationSwitches).toContainEqual({ group: "messages", channel: "email", isOn: false });
  });
});

describe("The link that unsubscribes", () => {
  test("works in one click, without cookies and from a foreign origin, as often as it is sent", async () => {
    const { author } = await newAuthorWithNews();
    await letTimePass(author.player);
    const path = unsubscribeOf(author.player);
    for (let time = 0; time < 2; time += 1) {
      const answer = await app.client().post(path, { "List-Unsubscribe": "One-Click" }, EVIL);
      expect([answer.status, answer.location]).toEqual([200, null]);
      expect(heading(answer.text)).toBe("You're unsubscribed");
      expect(answer.setCookie).toEqual([]);
    }
    expect(await emailSwitchesOf(author.player)).toEqual([["messages", false]]);
    // The log holds no signature, so its readers can't unsubscribe anyone.
    const signature = path.slice(path.lastIndexOf(".") + 1);
    for (const { message } of app.logs) expect(message).not.toContain(signature);
    const without = await app.client().post(path, { "List-Unsubscribe": "One-Click" }, { Origin: "" });
    expect(without.status).toBe(200);
    await startConversation(app, { author });
    await letTimePass(author.player);
    expect(emailsTo(author.player)).toHaveLength(1);
  });

  test("is refused if it is posted with cookies from anywhere but our own page", async () => {
    const { author } = await newAuthorWithNews();
    await letTimePass(author.player);
    const path = unsubscribeOf(author.player);
    const foreign = await author.client.post(path, {}, { Origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect(await emailSwitchesOf(author.player)).toEqual([]);
  });

  test("opens a page that asks first, even for visitors", async () => {
    const { author } = await newAuthorWithNews();
    await letTimePass(author.player);
    const path = unsubscribeOf(author.player);
    const visitor = app.client();
    const page = await visitor.get(path);
    expect([page.status, heading(page.text), roundTrips(page)]).toEqual([200, "Stop these emails?", 1]);
    expect(page.text).toContain("noindex");
    expect(await emailSwitchesOf(author.player)).toEqual([]);
    const pressed = await visitor.submit(path, "Unsubscribe");
    expect([pressed.status, pressed.location, roundTrips(pressed)]).toEqual([303, path, 2]);
    expect(heading((await visitor.follow(pressed)).text)).toBe("You're unsubscribed");
    expect(await emailSwitchesOf(author.player)).toEqual([["messages", false]]);
    expect(links(page.text)).toContainEqual({ text: "Notification settings", href: SETTINGS });
  });

  test("is refused when it is forged or belongs to something else", async () => {
    const { author, reader } = await newAuthorWithNews();
    await letTimePass(author.player);
    const path = unsubscribeOf(author.player);
    const signature = path.slice(path.lastIndexOf("."));
    const session = decodeURIComponent(author.client.cookies.get("lineup_session") ?? "");
    for (const forged of [
      `/unsubscribe/${reader.player.id}.messages${signature}`,
      `/unsubscribe/${author.player.id}.messages-team${signature}`,
      `${path}x`,
      `/unsubscribe/${author.player.id}.messages`,
      `/unsubscribe/${session}`,
      "/unsubscribe/x",
    ]) {
      expect((await app.client().get(forged)).status, forged).toBe(404);
      expect((await app.client().post(forged, {}, EVIL)).status, forged).toBe(404);
    }
    for (const { player } of [author, reader]) expect(await emailSwitchesOf(player)).toEqual([]);
  });

  test("of an erased account says that no more emails come, and changes nothing", async () => {
    const { author } = await newAuthorWithNews();
    await letTimePass(author.player);
    const path = unsubscribeOf(author.player);
    await app.db.delete(users).where(eq(users.id, author.player.id));
    const page = await app.client().get(path);
    expect([heading(page.text), roundTrips(page)]).toEqual(["You're unsubscribed", 1]);
    expect((await app.client().post(path, { "List-Unsubscribe": "One-Click" }, EVIL)).status).toBe(200);
    expect(await emailSwitchesOf(author.player)).toEqual([]);
  });
});

describe("Emails that can't be turned off", () => {
  test("about moderators' decisions come to players who have turned everything off", async () => {
    const { client, player } = await newVisitor(app);
    await client.post(SETTINGS, { channels: ["bell", "push", "email"] });
    expect(await decideCase(await newCase(player), { action: "warn" })).toMatchObject({ outcome: "decided" });
    await app.runScheduled();
    const [email, ...others] = emailsTo(player);
    expect(others).toEqual([]);
    expect(email?.text).toContain("Rude words");
    expect(email?.headers).toEqual({});
  });

  test("about security come to players who have turned everything off", async () => {
    const player = await addPlayer(app);
    const client = await visitAs(app, player);
    await client.post(SETTINGS, { channels: ["bell", "push", "email"] });
    await app.client().post("/auth/forgot-password", { email: player.email });
    const email = await app.readEmail(player.email);
    expect(email.code ?? email.link).toBeDefined();
    expect(emailsTo(player)[0]?.headers).toEqual({});
  });
});
