import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import {
  auditLog,
  calendarFeeds,
  conversationMembers,
  conversations,
  hiddenOriginals,
  identities,
  messages,
  outbox,
  presence,
  recoveryCodes,
  sessions,
  totpFactors,
  tournamentEvents,
  tournamentOrganisers,
  tournamentTeams,
  trustedDevices,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { hidingIn } from "../support/hiding";
import { announcements, links, textOf } from "../support/html";
import { addTournament } from "../support/tournaments";
import { startWatchedDatabase } from "../support/watched-database";
import { casesIn } from "./cases";
import { addBlock, addPlayer, addPost, DAY, HOUR, newVisitor, openSession, unique } from "./players";
import { startConversation, type Visitor, write } from "./talk";
import { pressTeamButton, requestToJoin, teamsIn } from "./teams";

const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp(appOptions);
const { newPost, newTeam } = teamsIn(app);
const { newCase, decideCase, decisionsOf } = casesIn(app);
const { hide } = hidingIn(app);

const PAGE = "/dashboard/settings/export";
const download = (client: Client) => client.post(`${PAGE}/download`);

test("A player's data comes as one JSON file with everything that is stored about the player", async () => {
  const { author, reader, conversationId } = await startConversation(app);
  const { player, client } = author;
  await write(client, conversationId, "Yes, at eight");
  const closed = await addPost(app, player.id, { title: "Closed long ago", isActive: false });
  const blocked = await addPlayer(app, { riotGameName: "Rude One" });
  await addBlock(app, player, blocked);
  await client.post(`/dashboard/messages/${conversationId}/report`, { id: uuidv7(), reason: "spam", details: "Twice" });
  await client.post("/dashboard/settings/notifications", { kinds: ["message"] });
  await app.db.insert(identities).values({
    id: uuidv7(),
    userId: player.id,
    provider: "discord",
    subject: "1234",
    name: "author.d",
    createdAt: new Date(),
  });

  const { postId } = await newPost(2, 0);
  await requestToJoin(client, postId, { role: "Sentinel", note: "Until midnight" });

  const answer = await client.submit(PAGE, "Download My Data");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/json");
  expect(answer.headers.get("Content-Disposition")).toMatch(/^attachment; filename="lineup-\d{4}-\d\d-\d\d\.json"$/);
  expect(answer.headers.get("Cache-Control")).toContain("no-store");
  const data = JSON.parse(answer.text);
  expect(Object.keys(data)).toEqual([
    "exportedAt",
    "account",
    "profile",
    "twoFactor",
    "linkedAccounts",
    "sessions",
    "trustedDevices",
    "presence",
    "posts",
    "requestsToJoin",
    "teamDetails",
    "teamReady",
    "tournamentTeams",
    "tournamentInvitations",
    "tournamentSearches",
    "tournamentsHosted",
    "tournamentsOrganised",
    "tournamentActions",
    "calendarAddress",
    "conversations",
    "messagesInLeftChats",
    "feedbackGiven",
    "feedbackReceived",
    "blockedPlayers",
    "reports",
    "decisions",
    "limits",
    "hidden",
    "notifications",
    "mutedNotifications",
    "notificationSwitches",
    "pushDevices",
    "pushSettings",
    "emails",
    "changes",
  ]);
  expect(data.account).toMatchObject({ id: player.id, email: player.email, hasPassword: true });
  expect(data.profile).toMatchObject({ riotGameName: "Author" });
  expect(data.linkedAccounts).toMatchObject([{ provider: "discord", subject: "1234", name: "author.d" }]);
  expect(data.posts.map(({ id }: { id: string }) => id)).toContain(closed);
  expect(data.posts).toHaveLength(2);
  expect(data.requestsToJoin).toMatchObject([{ postId, role: "Sentinel", note: "Until midnight", state: "pending" }]);
  expect(data.conversations).toHaveLength(1);
  expect(data.conversations[0].with).toEqual(["Reader"]);
  expect(data.conversations[0].messages).toMatchObject([
    { seq: 1, from: "Reader", content: "Hi there" },
    { seq: 2, from: "you", content: "Yes, at eight" },
  ]);
  expect(data.blockedPlayers).toMatchObject([{ name: "Rude One" }]);
  expect(data.reports).toMatchObject([{ reason: "spam", details: "Twice" }]);
  expect(data.mutedNotifications).toContain("contact");
  expect(data.sessions).toHaveLength(1);
  expect(data.changes).toMatchObject([{ actor: "player", action: "data-exported" }]);
  expect(data.notifications.length).toBeGreaterThan(0);
  expect(reader.player.email).not.toBe(player.email);
});

test("It includes what the player has set for their team", async () => {
  const { postId, members } = await newTeam(1);
  const [{ client }] = members as [Visitor];
  for (const form of [{ intent: "ready" }, { intent: "set-party-code", partyCode: "AB12CD" }]) {
    expect((await client.post(`/lfg/${postId}`, form)).status).toBe(303);
  }
  const data = JSON.parse((await download(client)).text);
  expect(data.teamDetails).toMatchObject([{ postId, kind: "party-code", value: "AB12CD" }]);
  expect(data.teamReady).toMatchObject([{ postId }]);
});

test("It includes tournaments that the player hosts, helps to run or acts in, but no calendar address", async () => {
  const { client, player } = await newVisitor(app);
  const createdAt = new Date();
  const { id } = await addTournament(app.db, { teams: 0, userId: player.id, title: "Own Cup" });
  const { id: helped } = await addTournament(app.db, { teams: 0, title: "Other Cup" });
  await app.db.insert(tournamentOrganisers).values({ tournamentId: helped, userId: player.id, addedAt: createdAt });
  await app.db.insert(tournamentEvents).values([
    {
      id: uuidv7(),
      tournamentId: helped,
      matchId: 3,
      actorId: player.id,
      action: "disputed",
      details: { team: "Five", evidence: "They left at 9 to 4." },
      createdAt,
    },
    { id: uuidv7(), tournamentId: helped, actorId: null, action: "overdue", createdAt },
  ]);
  await app.db.insert(calendarFeeds).values({ userId: player.id, token: unique("token-"), createdAt });
  const { text } = await download(client);
  const data = JSON.parse(text);
  expect(data.tournamentsHosted).toMatchObject([{ id, title: "Own Cup" }]);
  expect(data.tournamentsOrganised).toMatchObject([{ tournamentId: helped, title: "Other Cup" }]);
  expect(data.tournamentActions).toMatchObject([
    { tournamentId: helped, matchId: 3, action: "disputed", details: { evidence: "They left at 9 to 4." } },
  ]);
  expect(data.calendarAddress).toEqual({ createdAt: expect.any(String) });
  expect(text).not.toContain("token-");
});

test("It leaves out the text of a tournament that moderators have hidden, except for its organisers", async () => {
  const [member, organiser] = [await newVisitor(app), await newVisitor(app)];
  const captains = [member.player.id, organiser.player.id];
  const { id } = await addTournament(app.db, { teams: 2, title: "Rude Cup", userId: organiser.player.id, captains });
  const disqualification = { at: 1, left: 3, reason: "Rude words" };
  await app.db.update(tournamentTeams).set({ disqualification }).where(eq(tournamentTeams.tournamentId, id));
  const teamOf = async ({ client }: typeof member) => JSON.parse((await download(client)).text).tournamentTeams;
  const asWritten = { title: "Rude Cup", disqualification };
  for (const visitor of [member, organiser]) expect(await teamOf(visitor)).toMatchObject([asWritten]);
  await hide({ kind: "tournament", id });
  expect(await teamOf(member)).toEqual([
    expect.objectContaining({ title: "Tournament removed by moderators", disqualification: { at: 1, left: 3 } }),
  ]);
  expect(await teamOf(organiser)).toMatchObject([asWritten]);
});

test("It includes decisions about the player, their appeals and their limits, as `/account/decisions` shows them", async () => {
  const { client, player } = await newVisitor(app);
  const about = {
    kind: "post",
    snapshot: { author: "Seller", title: "Accounts for sale", other: "Somebody" },
  } as const;
  const until = new Date(Date.now() + DAY);
  const limited = { action: "limit", rule: "cheating", reason: "You sell accounts.", until } as const;
  const theCase = await newCase(player, about);
  await decideCase(theCase, limited);
  await decideCase(await newCase(player), { action: "dismiss", rule: null, reason: "Nothing wrong." });
  await decideCase(await newCase(await addPlayer(app)), { action: "warn", reason: "About somebody else." });
  const [decision] = await decisionsOf(theCase.id);
  await client.post(`/account/decisions/${decision?.id}/appeal`, { words: "It was a joke." });
  const { text } = await download(client);
  const data = JSON.parse(text);
  expect(data.decisions).toEqual([
    {
      id: decision?.id,
      kind: "post",
      action: "limit",
      scopes: ["posting"],
      rule: "cheating",
      reason: "You sell accounts.",
      until: until.toJSON(),
      asReported: ["Accounts for sale"],
      origin: "Someone reported it to us. A person made this decision, without automated help.",
      isTakenBack: false,
      createdAt: decision?.createdAt.toJSON(),
      appeal: {
        words: "It was a joke.",
        createdAt: expect.any(String),
        outcome: null,
        answer: null,
        answeredAt: null,
      },
    },
  ]);
  expect(data.limits).toEqual([{ scope: "posting", until: until.toJSON() }]);
  expect(text).not.toMatch(/Kim|Nothing wrong|About somebody else/);
  expect(textOf((await client.get(PAGE)).text)).toContain("moderators' decisions about you");
});

test("It includes presence, trusted devices, recovery codes left, hidden originals and emails", async () => {
  const { client, player } = await newVisitor(app);
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + DAY)];
  const ofPlayer = { userId: player.id, createdAt };
  await app.db.insert(presence).values({ userId: player.id, state: "online", seenAt: createdAt });
  await app.db.insert(totpFactors).values({ ...ofPlayer, secret: "x", confirmedAt: createdAt });
  for (const usedAt of [null, createdAt, null]) {
    await app.db.insert(recoveryCodes).values({ id: uuidv7(), userId: player.id, codeHash: unique("hash"), usedAt });
  }
  await app.db.insert(trustedDevices).values({ ...ofPlayer, id: unique("device-"), userAgent: "Firefox", expiresAt });
  // The player has named a team and left it, and has become the captain of one that another player named.
  const { teams } = await addTournament(app.db, { teams: 2, captains: [player.id] });
  const [ledTeamId, teamId] = teams.map(({ id }) => id) as [string, string];
  await newCase(player, { kind: "team", subjectId: teamId });
  await newCase(await addPlayer(app), { kind: "team", subjectId: ledTeamId });
  await app.db.insert(hiddenOriginals).values([
    { kind: "player", subjectId: player.id, original: { description: "Rude words" }, createdAt },
    { kind: "player", subjectId: uuidv7(), original: { description: "Somebody else's" }, createdAt },
    { kind: "team", subjectId: teamId, original: { name: "Rude name" }, createdAt },
    { kind: "team", subjectId: ledTeamId, original: { name: "Named by another" }, createdAt },
  ]);
  const email = (subject: string, sentAt: Date | null) => ({
    ...{ id: uuidv7(), recipient: player.email, subject, body: "A link", createdAt, sentAt },
  });
  await app.db.insert(outbox).values([email("Welcome", createdAt), email("Waits", null)]);
  const { text } = await download(client);
  const data = JSON.parse(text);
  expect(data).toMatchObject({
    presence: { state: "online", seenAt: createdAt.toJSON() },
    twoFactor: { recoveryCodesLeft: 2 },
    trustedDevices: [{ userAgent: "Firefox", createdAt: createdAt.toJSON(), expiresAt: expiresAt.toJSON() }],
    hidden: [
      { kind: "player", original: { description: "Rude words" }, hiddenAt: createdAt.toJSON() },
      { kind: "team", original: { name: "Rude name" }, hiddenAt: createdAt.toJSON() },
    ],
  });
  expect(data.emails).toEqual(
    expect.arrayContaining([
      { subject: "Welcome", createdAt: createdAt.toJSON(), sentAt: createdAt.toJSON() },
      { subject: null, createdAt: createdAt.toJSON(), sentAt: null },
    ]),
  );
  expect(text).not.toContain("A link");
  // Someone else's mail may have gone to an address that the player hasn't confirmed.
  await app.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, player.id));
  expect(JSON.parse((await download(client)).text).emails).toEqual([]);
});

test("It contains no other player's address, and no hash, token, code or secret", async () => {
  const { author, reader } = await startConversation(app);
  const { player, client } = author;
  const secret = unique("secret-");
  await app.db
    .insert(totpFactors)
    .values({ userId: player.id, secret, createdAt: new Date(), confirmedAt: new Date() });
  await app.db.insert(recoveryCodes).values({ id: uuidv7(), userId: player.id, codeHash: `${secret}-code` });
  const expiresAt = new Date(Date.now() + DAY);
  await app.db
    .insert(trustedDevices)
    .values({ id: `${secret}-device`, userId: player.id, createdAt: new Date(), expiresAt });
  const { text } = await download(client);
  expect(JSON.parse(text).twoFactor).toMatchObject({ confirmedAt: expect.any(String) });
  const all = await app.db.select().from(users);
  for (const { id, email, passwordHash } of all) {
    if (id !== player.id) expect(text).not.toContain(email);
    expect(text).not.toContain(passwordHash);
  }
  for (const { id } of await app.db.select().from(sessions)) expect(text).not.toContain(id);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(reader.player.id);
  expect(text).not.toMatch(/scrypt\$|"[0-9a-f]{64}"/);
  expect(text).not.toContain(client.cookies.get("lineup_session")?.split(".")[1]);
  // The file contains the player's own address and no other.
  expect([...new Set(text.match(/[\w.+-]+@[\w-]+\.\w+/g))]).toEqual([player.email]);
});

test("It is complete at any length: conversations and messages beyond one page, in order", async () => {
  const { player, client } = await newVisitor(app);
  const long = await startConversation(app, { reader: { player, client } });
  const many = 1_234;
  const rows = Array.from({ length: many }, (_, index) => ({
    id: uuidv7(),
    conversationId: long.conversationId,
    seq: index + 2,
    senderId: index % 2 ? player.id : long.author.player.id,
    content: `Number ${index}`,
    createdAt: new Date(),
  }));
  for (let start = 0; start < many; start += 300) await app.db.insert(messages).values(rows.slice(start, start + 300));
  for (let index = 0; index < 24; index += 1) await startConversation(app, { reader: { player, client } });
  const data = JSON.parse((await download(client)).text) as {
    conversations: { id: string; messages: { seq: number; content: string }[] }[];
  };
  expect(data.conversations).toHaveLength(25);
  const own = data.conversations.find(({ id }) => id === long.conversationId);
  expect(own?.messages.map(({ seq }) => seq)).toEqual(Array.from({ length: many + 1 }, (_, index) => index + 1));
});

test("It includes a player's own messages in a chat that they have left, and nobody else's", async () => {
  const { author, postId, members, conversationId } = await newTeam(1);
  const [leaver] = members as [Visitor];
  for (const words of ["I can be there", "At nine"]) await write(leaver.client, conversationId, words);
  await write(author.client, conversationId, "Fine with me");
  const exported = async ({ client }: Visitor) => JSON.parse((await download(client)).text);
  expect((await exported(leaver)).messagesInLeftChats).toEqual([]);
  await pressTeamButton(leaver.client, postId, "leave");
  const { conversations: open, messagesInLeftChats } = await exported(leaver);
  expect(open).toEqual([]);
  const left = { id: expect.any(String), conversationId, createdAt: expect.any(String), hiddenAt: null };
  expect(messagesInLeftChats).toEqual([
    { ...left, content: "I can be there" },
    { ...left, content: "At nine" },
  ]);
  expect((await exported(author)).messagesInLeftChats).toEqual([]);
});

test("It has each conversation once, even one that gets a message while the list is being read", async () => {
  const { player, client } = await newVisitor(app);
  const ids = Array.from({ length: 501 }, () => uuidv7());
  const begun = Date.now() - DAY;
  await app.db.insert(conversations).values(ids.map((id) => ({ id, title: "Duo", createdAt: new Date(begun) })));
  await app.db.insert(conversationMembers).values(
    ids.map((conversationId, index) => {
      const at = new Date(begun + index);
      return { conversationId, userId: player.id, listedAt: at, joinedAt: at };
    }),
  );
  // Only the second page of the list compares its two columns.
  const words = String.raw`\"listed_at\", \"conversation_members\".\"conversation_id\") `;
  const oldest = eq(conversationMembers.conversationId, ids[0] as string);
  const run = async () => app.db.update(conversationMembers).set({ listedAt: new Date() }).where(oldest);
  proxy.before = { words, run };
  const data = JSON.parse((await download(client)).text) as { conversations: { id: string }[] };
  expect(proxy.before).toBeNull();
  expect(data.conversations.map(({ id }) => id).sort()).toEqual(ids.toSorted());
});

test("A player without any data gets a file, and so does one whose conversation partner is gone", async () => {
  const { client } = await newVisitor(app);
  expect(JSON.parse((await download(client)).text)).toMatchObject({ conversations: [], posts: [], reports: [] });
  const { author, reader } = await startConversation(app);
  await app.db.delete(users).where(eq(users.id, author.player.id));
  const data = JSON.parse((await download(reader.client)).text);
  expect(data.conversations[0]).toMatchObject({ with: ["Unknown User"], messages: [{ from: "you" }] });
});

describe("the file is only for its own player", () => {
  test("an old session must confirm its identity first, a guest must sign in, and GET shows the page", async () => {
    const player = await addPlayer(app);
    const client = app.client();
    const old = await openSession(app, player.id, { createdAt: new Date(Date.now() - HOUR) });
    client.cookies.set("lineup_session", old.cookie);
    const asked = `/auth/reauthenticate?redirectTo=${encodeURIComponent(PAGE)}`;
    expect(links((await client.get(PAGE)).text)).toContainEqual({ text: "Continue", href: asked });
    expect((await download(client)).location).toBe(asked);
    expect((await download(app.client())).location).toMatch(/^\/auth\?/);
    expect((await client.get(`${PAGE}/download`)).location).toBe(PAGE);
    expect(await app.db.select().from(auditLog).where(eq(auditLog.userId, player.id))).toEqual([]);
  });

  test("an ended session gets nothing", async () => {
    const { player, client } = await newVisitor(app);
    await app.db.delete(sessions).where(eq(sessions.userId, player.id));
    const answer = await download(client);
    expect(answer.location).toMatch(/^\/auth/);
    expect(answer.text).not.toContain(player.email);
  });
});

describe("with the product's limits", () => {
  const strict = useApp({ limitFactor: 1 });

  test("the file is made five times an hour, then the page says when to try again", async () => {
    const { client } = await newVisitor(strict);
    for (let times = 0; times < 5; times += 1) expect((await download(client)).status).toBe(200);
    const refused = await download(client);
    expect(refused.location).toBe(PAGE);
    expect(announcements((await client.follow(refused)).text).join()).toContain("That was a lot");
  });
});
