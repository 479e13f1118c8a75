import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { reportCases } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { openInbox, type RoomSocket } from "../support/socket";
import { casesIn } from "./cases";
import { newModerator } from "./moderators";
import { addPlayer, addPost, newVisitor, type Player } from "./players";

/* The number of waiting cases in open tabs of moderators. This file has its own app, so only its tests add cases. */

const app = useApp();
const { newCase } = casesIn(app);

const countIn = (socket: RoomSocket) =>
  socket.next("unread", ({ cases }) => cases !== undefined).then(({ cases }) => cases as number);
const report = (client: Client, { id }: Player) =>
  client.post(`/players/${id}/report`, { id: uuidv7(), reason: "harassment" });
const caseAbout = async ({ id }: Player) =>
  (await app.db.select().from(reportCases).where(eq(reportCases.subjectId, id)).get()) as { id: string };

test("A moderator's tabs count a case once, however many reports it gets, until it is decided", async () => {
  const [moderator, deciding, one, two] = [
    ...[await newModerator(app), await newModerator(app)],
    ...[await newVisitor(app), await newVisitor(app)],
  ] as const;
  const reported = await addPlayer(app);
  const socket = await openInbox(moderator.client);
  const before = await countIn(socket);
  const first = await report(one.client, reported);
  expect([first.status, roundTrips(first)]).toEqual([303, 2]);
  expect(await countIn(socket)).toBe(before + 1);
  await report(two.client, reported);
  const { id } = await caseAbout(reported);
  const warn = { rule: "respect", reason: "You insulted another player." };
  expect((await deciding.client.submit(`/moderation/cases/${id}/warn`, "Warn", warn)).status).toBe(303);
  // The next count comes with the decision: the second report sent none.
  expect(await countIn(socket)).toBe(before);
  socket.close();
});

test("A case handed to the admins leaves the moderators' count until an undo, and stays in the admins'", async () => {
  const [moderator, admin] = [await newModerator(app), await newModerator(app, "admin")];
  const { id } = await newCase(await addPlayer(app));
  const sockets = await Promise.all([openInbox(moderator.client), openInbox(admin.client)]);
  const [ofModerator, ofAdmin] = await Promise.all(sockets.map(countIn));
  const page = `/moderation/cases/${id}`;
  await moderator.client.submit(`${page}/hand-over`, "Hand to an admin", { reason: "I am not sure." });
  expect(await Promise.all(sockets.map(countIn))).toEqual([(ofModerator as number) - 1, ofAdmin]);
  await admin.client.submit(`${page}/undo`, "Undo", { reason: "It is clear enough." });
  expect(await Promise.all(sockets.map(countIn))).toEqual([ofModerator, ofAdmin]);
  for (const socket of sockets) socket.close();
});

test("A case opened by one of our checks also counts", async () => {
  const [moderator, author] = [await newModerator(app), await newVisitor(app)];
  const socket = await openInbox(moderator.client);
  const before = await countIn(socket);
  const postId = await addPost(app, author.player.id);
  const words = { title: "Two more", message: "You fucking idiots", neededPlayers: "2" };
  expect((await author.client.post(`/lfg/${postId}/edit`, words)).status).toBe(303);
  expect(await countIn(socket)).toBe(before + 1);
  socket.close();
});

test("A case opened by one of our checks also counts if a tournament's room has stored the words", async () => {
  const [moderator, author, rival] = [await newModerator(app), await newVisitor(app), await newVisitor(app)];
  const { id } = await startTournament(app, { teams: 2, captains: [author.player.id, rival.player.id] });
  const socket = await openInbox(moderator.client);
  const before = await countIn(socket);
  const evidence = { evidence: "You fucking idiots" };
  expect((await author.client.post(`/tournaments/${id}/matches/0/dispute`, evidence)).status).toBe(303);
  expect(await countIn(socket)).toBe(before + 1);
  socket.close();
});

test("Players get no count, and a moderator's other news carries none either", async () => {
  const [player, moderator, other] = [await newVisitor(app), await newModerator(app), await newVisitor(app)];
  const [socket, own] = [await openInbox(player.client), await openInbox(moderator.client)];
  await countIn(own);
  const message = { id: uuidv7(), message: "Hi there" };
  expect((await other.client.post(`/players/${moderator.player.id}/message`, message)).status).toBe(303);
  expect(await own.next("unread")).not.toHaveProperty("cases");
  await report(other.client, await addPlayer(app));
  await countIn(own);
  expect((await other.client.post(`/players/${player.player.id}/message`, { ...message, id: uuidv7() })).status).toBe(
    303,
  );
  await socket.next("unread", ({ messages }) => messages === 1);
  for (const frame of socket.frames) expect(frame).not.toHaveProperty("cases");
  for (const one of [socket, own]) one.close();
});
