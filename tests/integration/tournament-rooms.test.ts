import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { presence, tournamentEvents, tournamentMatches, tournaments } from "../../db/schema";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { startTournament } from "../support/matches";
import {
  openConversation,
  openInbox,
  openRoom,
  openTournament,
  type RoomSocket,
  requestSocket,
} from "../support/socket";
import { addPlayer, newVisitor, openSession, sendTo } from "./players";
import type { Visitor } from "./talk";

const app = useApp();

const SECRET = "only between the two teams";
/** The most that an alarm may be late on a busy machine, in milliseconds. */
const PATIENCE = 20_000;

/** A running tournament of four solo players: match 0 is `one` against `two`, match 1 `three` against `four`. */
async function newTournament() {
  const host = await newVisitor(app);
  const [one, three, four, two] = [
    await newVisitor(app),
    await newVisitor(app),
    await newVisitor(app),
    await newVisitor(app),
  ] as const;
  const tournament = await startTournament(app, {
    teams: 4,
    userId: host.player.id,
    tournamentDate: new Date(Date.now() - 60_000),
    captains: [one, three, four, two].map(({ player }) => player.id),
  });
  const { id } = tournament;
  const isMatch = (match: number) => and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, match));
  const row = async (match: number) =>
    (await app.db
      .select()
      .from(tournamentMatches)
      .where(isMatch(match))
      .get()) as typeof tournamentMatches.$inferSelect;
  /** Changes a match in the database and raises the tournament's version, so that the room reloads it. */
  const change = (match: number, values: Partial<typeof tournamentMatches.$inferInsert>) =>
    app.db.batch([
      app.db.update(tournamentMatches).set(values).where(isMatch(match)),
      app.db.update(tournaments).set({ version: sql`version + 1` }).where(eq(tournaments.id, id)),
    ]);
  const post = ({ client }: Visitor, match: number, fields: Record<string, string>) =>
    client.post(`/tournaments/${id}/matches/${match}`, fields);
  const chat = async () => (await row(0)).conversationId as string;
  const eventsOf = async (match: number) =>
    (
      await app.db
        .select({ action: tournamentEvents.action, actorId: tournamentEvents.actorId })
        .from(tournamentEvents)
        .where(and(eq(tournamentEvents.tournamentId, id), eq(tournamentEvents.matchId, match)))
    ).map(({ action, actorId }) => [action, actorId]);
  return { ...tournament, host, one, two, three, four, row, change, post, chat, eventsOf };
}

const REPORT = { intent: "report", leftSide: "1", bestOf: "1", left1: "13", right1: "5" };

/** Makes a change and waits until each socket hears of it, so that all earlier frames have arrived, too. */
async function expectHears(change: () => Promise<unknown>, ...sockets: RoomSocket[]) {
  const before = sockets.map(({ frames }) => frames.length);
  await change();
  for (const [index, socket] of sockets.entries()) {
    await socket.until(() => (socket.frames.length > (before[index] as number) ? true : undefined), "a change");
  }
}

describe("The alarm of a tournament's room", () => {
  test("confirms an unanswered report in time, and then reports an overdue match to the organisers", async () => {
    const { id, one, three, row, change, post, eventsOf } = await newTournament();
    expect((await post(one, 0, REPORT)).status).toBe(303);
    const [confirmBy, deadlineAt] = [Date.now() + 1_500, Date.now() + 2_500];
    await change(0, { confirmBy: new Date(confirmBy) });
    await change(1, { deadlineAt: new Date(deadlineAt) });
    const guest = await openTournament(app.client(), id);
    // The room reads the new times with the next command, and sets its alarm.
    await expectHears(async () => expect((await post(three, 1, { intent: "check-in" })).status).toBe(303), guest);
    const heard = guest.frames.length;
    await expect.poll(async () => (await row(0)).state, { timeout: PATIENCE }).toBe("finished");
    expect((await row(0)).finishedAt?.getTime()).toBeGreaterThanOrEqual(confirmBy);
    expect((await row(2)).team1).toBe((await row(0)).team1);
    await expect
      .poll(async () => (await row(1)).overdueToldAt?.getTime() ?? 0, { timeout: PATIENCE })
      .toBeGreaterThanOrEqual(deadlineAt);
    await guest.until(() => (guest.frames.length > heard ? true : undefined), "the change");
    expect((await eventsOf(0)).at(-1)).toEqual(["counted", null]);
    expect((await eventsOf(1)).at(-1)).toEqual(["overdue", null]);
  });
});

describe("A page that opens its socket", () => {
  test("is told of a change since it was loaded, but of none that it already shows", async () => {
    const { id, one, two, post } = await newTournament();
    const guest = await openTournament(app.client(), id);
    const before = Date.now();
    await expectHears(() => post(one, 0, { intent: "check-in" }), guest);
    const after = Date.now() + 1;
    const openSince = (since: number | string) => openRoom(app.client(), `/parties/tournament/${id}?since=${since}`);
    const stale = await openSince(before);
    await stale.next("changed");
    const others = [await openSince(after), await openSince("x"), await openTournament(app.client(), id)];
    await expectHears(() => post(two, 0, { intent: "check-in" }), stale, ...others);
    expect(stale.frames).toEqual([{ type: "changed" }, { type: "changed" }]);
    for (const { frames } of others) expect(frames).toEqual([{ type: "changed" }]);
  });

  test("opens it again once it has expired, and is told that something has changed", async () => {
    const { id, one, post } = await newTournament();
    const spectator = app.client();
    const since = Date.now();
    // A guest's socket expires in the same way, but only after twelve hours.
    const expiresAt = new Date(since + 3_000);
    const { cookie } = await openSession(app, (await addPlayer(app)).id, { expiresAt });
    spectator.cookies.set("lineup_session", cookie);
    const address = `/parties/tournament/${id}?since=${since}`;
    const socket = await openRoom(spectator, address);
    await eventually(() => Date.now() > expiresAt.getTime() || undefined);
    expect((await post(one, 0, { intent: "check-in" })).status).toBe(303);
    // The code after which `useRoom` connects again.
    expect((await socket.closed()).code).toBe(1012);
    await (await openRoom(spectator, address)).next("changed");
  });
});

describe("The chat of a match", () => {
  test("hears of each entry in its match's log, and of no other match's", async () => {
    const { id, one, two, three, row, post, chat } = await newTournament();
    const players = await openConversation(two.client, await chat());
    const others = await openConversation(three.client, (await row(1)).conversationId as string);
    await Promise.all([players.next("hello"), others.next("hello")]);
    const guest = await openTournament(app.client(), id);
    await expectHears(() => post(one, 0, { intent: "check-in" }), guest, players);
    await expectHears(() => post(two, 0, { ...REPORT, leftSide: "2" }), guest, players);
    const typesOf = ({ frames }: RoomSocket) => frames.map(({ type }) => type);
    expect(typesOf(players)).toEqual(["hello", "match", "match"]);
    await expectHears(() => post(three, 1, { intent: "check-in" }), guest, others);
    expect(typesOf(others)).toEqual(["hello", "match"]);
    expect(typesOf(players)).toEqual(["hello", "match", "match"]);
  });

  test("is opened again by the players' pages once an organiser has joined, and then shows the organiser's typing", async () => {
    const { host, one, post, chat } = await newTournament();
    const conversationId = await chat();
    const before = await openConversation(one.client, conversationId);
    await before.next("hello");
    expect((await post(host, 0, { intent: "join-chat" })).status).toBe(303);
    expect((await before.closed()).code).toBe(1012);
    const [player, organiser] = [
      await openConversation(one.client, conversationId),
      await openConversation(host.client, conversationId),
    ];
    await player.next("hello");
    organiser.send({ type: "typing" });
    expect(await player.next("typing")).toEqual({ type: "typing", userId: host.player.id });
  });
});

describe("A guest", () => {
  test("learns that a tournament has changed, and nothing else: no chat, presence, names or evidence", async () => {
    const { id, one, two, three, host, post, chat } = await newTournament();
    const guest = await openTournament(app.client(), id);
    const stranger = await openTournament((await newVisitor(app)).client, id);
    const watching = [guest, stranger];
    await expectHears(() => post(one, 0, { intent: "check-in" }), ...watching);
    // The guests hear of no event in the match's chat or in an inbox.
    const [writer, reader] = [
      await openConversation(one.client, await chat()),
      await openConversation(two.client, await chat()),
    ];
    const inbox = await openInbox(two.client);
    writer.send({ type: "typing" });
    await reader.next("typing");
    expect((await sendTo(one.client, await chat(), SECRET)).status).toBe(200);
    await reader.next("message", ({ message }) => message.content === SECRET);
    reader.send({ type: "read", seq: 1 });
    await writer.next("read");
    inbox.send({ type: "presence", state: "away" });
    const isTwo = eq(presence.userId, two.player.id);
    await expect.poll(async () => (await app.db.select().from(presence).where(isTwo).get())?.state).toBe("away");
    await expectHears(() => post(two, 0, { ...REPORT, leftSide: "2" }), ...watching);
    const disputed = () =>
      one.client.post(`/tournaments/${id}/matches/0/dispute`, { evidence: "They played with a ringer." });
    await expectHears(async () => expect((await disputed()).status).toBe(303), ...watching);
    const team = (await three.client.get(`/tournaments/${id}/teams`)).text.match(/\/teams\/([\w-]{36})/)?.[1];
    await expectHears(
      () =>
        host.client.post(`/tournaments/${id}/teams/${team}/disqualify`, { intent: "disqualify", reason: "A ringer." }),
      ...watching,
    );
    for (const { frames, end } of watching) {
      expect(end).toBeUndefined();
      expect(new Set(frames.map((frame) => JSON.stringify(frame)))).toEqual(new Set(['{"type":"changed"}']));
    }
  });

  test("can't send anything: valid frames reach nobody, and invalid ones close only the guest's socket", async () => {
    const { id, one, two, post } = await newTournament();
    const [guest, witness] = [await openTournament(app.client(), id), await openTournament(app.client(), id)];
    const player = await openTournament(two.client, id);
    for (const frame of [
      { type: "changed" },
      { type: "typing", userId: one.player.id },
      { type: "read", seq: 1 },
      { type: "presence", state: "online" },
      { type: "message", message: { id: uuidv7(), seq: 1, senderId: one.player.id, content: SECRET, createdAt: 0 } },
      { type: "play", actorId: one.player.id, command: { type: "forfeit", match: 0 } },
      { type: "__proto__" },
    ]) {
      guest.send(frame);
    }
    await expectHears(() => post(one, 0, { intent: "check-in" }), guest, witness, player);
    for (const { frames } of [guest, witness, player]) expect(frames).toEqual([{ type: "changed" }]);
    for (const [frame, code] of [
      ["{", 1008],
      ["[1]", 1008],
      [new ArrayBuffer(8), 1008],
      [JSON.stringify({ type: "changed", more: "x".repeat(1_024) }), 1009],
    ] as const) {
      const breaking = await openTournament(app.client(), id);
      breaking.send(frame);
      expect((await breaking.closed()).code).toBe(code);
    }
    const flooding = await openTournament(app.client(), id);
    for (let sent = 0; sent < 200; sent += 1) flooding.send({ type: "changed" });
    expect(await flooding.closed()).toEqual({ code: 1008, reason: "Too many frames" });
    await expectHears(() => post(two, 0, { intent: "check-in" }), guest, witness, player);
    for (const { frames } of [guest, witness, player]) expect(frames).toHaveLength(2);
  });

  test("shares an address with up to 199 others, and one more is turned away", async () => {
    const { id, one, post } = await newTournament();
    const guests = await Promise.all(Array.from({ length: 200 }, () => openTournament(app.client(), id)));
    const late = [await openTournament(app.client(), id), await openTournament(app.client(), id)];
    for (const socket of late) expect(await socket.closed()).toEqual({ code: 1008, reason: "Too many visitors" });
    const player = await openTournament(one.client, id);
    await expectHears(() => post(one, 0, { intent: "check-in" }), player, ...guests);
    for (const { end } of guests) expect(end).toBeUndefined();
  });

  test("can't enter any other room, under any claimed name", async () => {
    const { id, one, two, chat } = await newTournament();
    const stranger = await newVisitor(app);
    const visitor = {
      userId: one.player.id,
      sessionId: "x",
      expiresAt: Date.now() + 1e9,
      others: [two.player.id],
      lastSeq: 0,
    };
    const forged = {
      "X-Lineup-Visitor": JSON.stringify(visitor),
      "x-partykit-room": await chat(),
      "x-partykit-namespace": "conversation-rooms",
    };
    const refusals = async (client: Visitor["client"], paths: string[]) =>
      Promise.all(paths.map(async (path) => [path, (await requestSocket(client, path, forged)).status]));
    const all = (paths: string[], status: number) => paths.map((path) => [path, status]);
    const others = [`/parties/conversation/${await chat()}`, `/parties/conversation/${id}`, "/parties/inbox"];
    expect(await refusals(app.client(), others)).toEqual(all(others, 401));
    const conversations = others.slice(0, 2);
    expect(await refusals(stranger.client, conversations)).toEqual(all(conversations, 404));
    const none = [
      "/parties/tournament",
      "/parties/tournament/",
      `/parties/tournament/${id}/`,
      `/parties/tournament/${id}/matches/0`,
      `/parties/tournament/${await chat()}`,
      `/parties/tournament/${one.player.id}`,
      `/parties/tournament/${uuidv7()}`,
      `/parties/tournament/x%2F..%2F${id}`,
      `/parties/tournament/${"x".repeat(65)}`,
      `/parties/Tournament/${id}`,
      `/parties/tournament-rooms/${id}`,
      `/parties/TOURNAMENT_ROOMS/${id}`,
      `/parties/team/${id}`,
      `/parties/match/${id}`,
      `/parties/inbox/${one.player.id}`,
    ];
    for (const client of [app.client(), stranger.client]) expect(await refusals(client, none)).toEqual(all(none, 404));
    // In the tournament's own room, a guest stays a guest, whatever the headers claim.
    const answer = await requestSocket(app.client(), `/parties/tournament/${id}?_pk=${one.player.id}`, forged);
    expect(answer.status).toBe(101);
    const member = await openConversation(two.client, await chat());
    await member.next("hello");
    expect((await sendTo(one.client, await chat(), SECRET)).status).toBe(200);
    await member.next("message");
    expect(answer.socket?.frames).toEqual([]);
    const foreign = { Origin: "https://evil.example" };
    expect((await requestSocket(app.client(), `/parties/tournament/${id}`, foreign)).status).toBe(403);
  });
});
