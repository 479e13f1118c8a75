import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { sessions, tournamentBrackets, tournamentMatches, tournaments, users } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { hidingIn } from "../support/hiding";
import { announcedText, buttons, links, main } from "../support/html";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { openTournament, requestSocket } from "../support/socket";
import { hideablesIn, opens } from "./hideables";
import { addConversation, DAY, MINUTE, type NamedVisitor, unique } from "./players";
import { register, registrationsIn } from "./registrations";

const app = useApp();
const { hide, restore } = hidingIn(app);
const { newTournament, newEntrant, join, membersOf, openCheckIn, teamsOf, tournamentOf } = registrationsIn(app);
const { newPlayer, newsOf, newsSays, newTeam, newMatch } = hideablesIn(app);

describe("A hidden team", () => {
  test("gets a name that no other team of the tournament has, in the bracket's data as well", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const [one, two] = made.teams;
    for (const hidden of [one, two]) await hide({ kind: "team", id: hidden?.id as string });
    expect((await teamsOf(made.id)).map(({ name }) => name).sort()).toEqual(["Team 3", "Team 4"]);
    const bracket = await app.db
      .select()
      .from(tournamentBrackets)
      .where(eq(tournamentBrackets.tournamentId, made.id))
      .get();
    expect(JSON.stringify(bracket)).not.toMatch(/Team \d/);
    for (const hidden of [two, one]) await restore({ kind: "team", id: hidden?.id as string });
    expect((await teamsOf(made.id)).map(({ name }) => name).sort()).toEqual(["Team 1", "Team 2"]);
  });

  test("keeps the neutral name if another team has taken its own", async () => {
    const made = await newTeam(await newPlayer("Viewer"));
    await hide({ kind: "team", id: made.teamId });
    const taker = await newEntrant();
    expect((await register(taker.client, made.tournamentId, made.name)).status).toBe(303);
    await restore({ kind: "team", id: made.teamId });
    const names = (await teamsOf(made.tournamentId)).map(({ name }) => name);
    expect(names.sort()).toEqual([made.name, "Team 1"].sort());
  });
});

/**
 * Returns the names of all links and buttons on some pages of a tournament, and checks that each link to the
 * tournament's own pages opens.
 */
async function offeredOn(client: Client, home: string, pages: readonly string[]): Promise<Set<string>> {
  const offered = new Set<string>();
  const targets = new Set<string>();
  for (const page of pages) {
    const { text } = await client.get(page);
    for (const name of buttons(text)) offered.add(name);
    for (const link of links(text)) {
      offered.add(link.text);
      if (link.href.startsWith(home)) targets.add(link.href);
    }
  }
  for (const target of targets) expect((await client.get(target)).status, target).toBe(200);
  return offered;
}

/** A running tournament of two solo players, with helpers for its only match. */
async function newFinal() {
  const [one, two] = [await newPlayer("One"), await newPlayer("Two")];
  const tournament = await startTournament(app, {
    teams: 2,
    captains: [one.player.id, two.player.id],
    tournamentDate: new Date(Date.now() - MINUTE),
  });
  return { ...tournament, one, two };
}

/**
 * A tournament with a team, and people who have had news of it and left: a guest of the team who has declined, a player
 * who was removed, and an organiser whom the host has removed.
 */
async function newLeavers() {
  const [host, captain, helper] = [await newPlayer("Host"), await newPlayer("Captain"), await newPlayer("Helper")];
  const [declined, removed] = [await newPlayer("Guest"), await newPlayer("Mate")];
  const { id } = await newTournament({ userId: host.player.id, title: unique("Foul cup "), maxParticipants: 8 });
  const [page, teamId, name] = [`/tournaments/${id}`, uuidv7(), unique("Foul team ")];
  const press = async ({ client }: NamedVisitor, path: string, button: Record<string, string>) =>
    expect((await client.post(path, button)).status).toBe(303);
  const team = `${page}/teams/${teamId}`;
  await press(host, `${page}/manage`, { intent: "add", playerId: helper.player.id });
  expect((await register(captain.client, id, name, teamId)).status).toBe(303);
  await press(host, `${page}/manage`, { intent: "remove", playerId: helper.player.id });
  await addConversation(app, captain.player, declined.player);
  await press(captain, team, { intent: "invite", players: declined.player.id });
  expect(await newsSays(declined, name)).toBe(true);
  await press(declined, team, { intent: "decline" });
  expect((await join(removed, id, teamId)).status).toBe(303);
  await press(captain, team, { intent: "remove", player: removed.player.id });
  return { declined, removed, helper, tournamentId: id, teamId, name };
}

const matchOf = async (id: string) =>
  (await app.db
    .select()
    .from(tournamentMatches)
    .where(eq(tournamentMatches.tournamentId, id))
    .get()) as typeof tournamentMatches.$inferSelect;
const changeMatch = (id: string, values: Partial<typeof tournamentMatches.$inferInsert>) =>
  app.db.update(tournamentMatches).set(values).where(eq(tournamentMatches.tournamentId, id));

describe("A hidden tournament", () => {
  test("updates its open pages, and stays visible to its organisers, with a note", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const room = await openTournament(app.client(), made.id);
    await hide({ kind: "tournament", id: made.id });
    await room.next("changed");
    room.close();
    const page = await made.host.client.get(made.page);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(main(page.text)).toContain("Moderators have hidden this tournament.");
    for (const tab of ["teams", "matches", "manage"])
      expect(await opens(made.host.client, `${made.page}/${tab}`)).toBe(true);
    expect((await requestSocket(app.client(), `/parties/tournament/${made.id}`)).status).toBe(404);
    const own = await requestSocket(made.host.client, `/parties/tournament/${made.id}`);
    expect(own.status).toBe(101);
    own.socket?.close();
  });

  test.each([
    [
      "is suspended",
      ({ player }: NamedVisitor | { player: { id: string } }) =>
        app.db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, player.id)),
    ],
    [
      "has ended the session elsewhere",
      ({ player }: NamedVisitor | { player: { id: string } }) =>
        app.db.delete(sessions).where(eq(sessions.userId, player.id)),
    ],
  ])("is hidden from an organiser who %s, as from any guest", async (_, end) => {
    const made = await newMatch(await newPlayer("Viewer"));
    const { id, page, host } = made;
    const invitation = `${page}/join/${(await teamsOf(id))[0]?.inviteToken}`;
    await hide({ kind: "tournament", id });
    const pages = [
      page,
      `${page}/teams`,
      `${page}/matches`,
      `${page}/matches/0`,
      `${page}/teams/${made.team?.id}`,
      invitation,
      `${page}.data?_routes=routes/tournaments.$tournamentId._bracket`,
      `${page}/teams.data?_routes=routes/tournaments.$tournamentId.teams`,
      `${page}/matches.data?_routes=routes/tournaments.$tournamentId.matches`,
    ];
    for (const path of pages) expect((await host.client.get(path)).status, path).toBe(200);
    await end(host);
    for (const path of pages) expect((await host.client.get(path)).status, path).toBe(404);
    expect((await requestSocket(host.client, `/parties/tournament/${id}`)).status).toBe(404);
  });

  test("is in nobody's news, not even in that of players and organisers who have left", async () => {
    const { declined, removed, helper, teamId, tournamentId, name } = await newLeavers();
    const { title } = await tournamentOf(tournamentId);
    for (const reader of [removed, helper]) expect(await newsSays(reader, title)).toBe(true);
    for (const reader of [removed, helper]) expect(await newsSays(reader, name)).toBe(true);
    await hide({ kind: "team", id: teamId });
    for (const reader of [declined, removed, helper]) expect(await newsSays(reader, name)).toBe(false);
    expect(await newsSays(removed, "Team 1")).toBe(true);
    await hide({ kind: "tournament", id: tournamentId });
    for (const reader of [declined, removed, helper]) expect(await newsSays(reader, title)).toBe(false);
  });

  test("stays hidden from other players when its host's account is erased", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const stranger = await newPlayer("Stranger");
    await hide({ kind: "tournament", id: made.id });
    await app.db.update(tournaments).set({ userId: null }).where(eq(tournaments.id, made.id));
    expect(await opens(stranger.client, `${made.page}/matches/0`)).toBe(false);
  });

  test("stays hidden when its organiser rewrites it", async () => {
    const host = await newPlayer("Host");
    const { id } = await newTournament({ userId: host.player.id });
    const page = `/tournaments/${id}`;
    await hide({ kind: "tournament", id });
    const edited = await host.client.submit(`${page}/edit`, "Save Tournament", { description: "New words" });
    expect([edited.status, (await tournamentOf(id)).description]).toEqual([303, "New words"]);
    expect((await app.client().get(page)).status).toBe(404);
  });

  test("sends no news", async () => {
    const made = await newMatch(await newPlayer("Viewer"));
    const title = (await tournamentOf(made.id)).title;
    await hide({ kind: "tournament", id: made.id });
    await made.host.client.submit(`${made.page}/cancel`, "Cancel Tournament", { reason: "Over" });
    expect((await tournamentOf(made.id)).state).toBe("cancelled");
    expect(await newsSays(made.author, title)).toBe(false);
  });

  test("doesn't claim that players were told when a team is removed or the tournament is cancelled", async () => {
    const host = await newPlayer("Host");
    const toasts = async (isHidden: boolean) => {
      const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
      const [page, teamId] = [`/tournaments/${id}`, uuidv7()];
      for (const team of [teamId, uuidv7()]) {
        expect((await register((await newEntrant()).client, id, unique("Team "), team)).status).toBe(303);
      }
      if (isHidden) await hide({ kind: "tournament", id });
      const removed = await host.client.post(`${page}/teams/${teamId}`, { intent: "remove-team" });
      const said = announcedText((await host.client.follow(removed)).text);
      const cancelled = await host.client.submit(`${page}/cancel`, "Cancel Tournament", { reason: "Over" });
      return `${said} ${announcedText((await host.client.follow(cancelled)).text)}`;
    };
    expect(await toasts(false)).toMatch(/was removed We've told its players.*We've told everyone who registered/);
    const said = await toasts(true);
    expect(said).toMatch(/was removed.*Tournament cancelled/);
    expect(said).not.toContain("We've told");
  });

  test("gets no further organisers, and offers none", async () => {
    const [host, helper] = [await newPlayer("Host"), await newPlayer("Helper")];
    const { id } = await newTournament({ userId: host.player.id, title: unique("Foul cup ") });
    const { title } = await tournamentOf(id);
    const page = `/tournaments/${id}/manage`;
    await addConversation(app, host.player, helper.player);
    const add = () => host.client.post(page, { intent: "add", playerId: helper.player.id });
    const offers = async () => {
      const { text } = await host.client.get(page);
      return [buttons(text).includes("Add Organiser"), text.includes(helper.player.id)];
    };
    await hide({ kind: "tournament", id });
    expect(await offers()).toEqual([false, false]);
    expect(main((await host.client.get(page)).text)).toContain("You can add organisers once the tournament is shown");
    const refused = await add();
    expect([refused.status, roundTrips(refused)]).toEqual([409, 3]);
    expect(announcedText(refused.text)).toContain(
      "Moderators have hidden this tournament. You can add organisers once",
    );
    expect(await newsOf(helper)).toEqual([]);
    expect(await opens(helper.client, `/tournaments/${id}`)).toBe(false);
    await restore({ kind: "tournament", id });
    expect(await offers()).toEqual([true, true]);
    expect((await add()).status).toBe(303);
    expect(await newsSays(helper, title)).toBe(true);
  });

  test("sends no news when a captain's account goes and another player takes over the team", async () => {
    const [captain, heir] = [await newPlayer("Captain"), await newPlayer("Heir")];
    const { id } = await newTournament({ title: unique("Foul cup "), maxParticipants: 8 });
    const teamId = uuidv7();
    expect((await register(captain.client, id, unique("Team "), teamId)).status).toBe(303);
    expect((await join(heir, id, teamId)).status).toBe(303);
    await hide({ kind: "tournament", id });
    await captain.client.post("/dashboard/settings/delete-account", { email: captain.player.email });
    await expect.poll(async () => (await teamsOf(id))[0]?.captainId).toBe(heir.player.id);
    expect(await newsOf(heir)).toEqual([]);
  });

  test("puts in the substitute if a player's account goes, and undoes the check-in of an incomplete team", async () => {
    const [captain, mate, substitute] = [await newPlayer("Captain"), await newPlayer("Mate"), await newPlayer("Third")];
    const { id } = await newTournament({ maxParticipants: 8 });
    const teamId = uuidv7();
    expect((await register(captain.client, id, unique("Team "), teamId)).status).toBe(303);
    for (const player of [mate, substitute]) expect((await join(player, id, teamId)).status).toBe(303);
    await openCheckIn(id);
    expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    await hide({ kind: "tournament", id });
    const leave = ({ client, player }: NamedVisitor) =>
      client.post("/dashboard/settings/delete-account", { email: player.email });
    const rest = async () => (await membersOf(teamId)).map(({ userId, isSubstitute }) => [userId, isSubstitute]);
    const isCheckedIn = async () => (await teamsOf(id))[0]?.checkedInAt !== null;
    await leave(mate);
    await expect.poll(async () => (await rest()).length).toBe(2);
    expect((await rest()).sort()).toEqual([captain, substitute].map(({ player }) => [player.id, false]).sort());
    expect(await isCheckedIn()).toBe(true);
    await leave(substitute);
    await expect.poll(async () => (await rest()).length).toBe(1);
    expect(await isCheckedIn()).toBe(false);
  });

  test("gives a report its full time again once it is shown again, and tells the other captain", async () => {
    const { id, execute, one, two } = await newFinal();
    await execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, one.player.id);
    await hide({ kind: "tournament", id });
    await changeMatch(id, { confirmBy: new Date(Date.now() - MINUTE) });
    await restore({ kind: "tournament", id });
    await app.runScheduled();
    const { state, confirmBy } = await matchOf(id);
    expect(state).toBe("reported");
    expect(confirmBy?.getTime()).toBeGreaterThan(Date.now() + 14 * MINUTE);
    expect(await newsOf(two)).toMatchObject([{ kind: "match-report", subject: `match:${id}/0` }]);
    const corrected = await execute(
      { type: "report", match: 0, maps: [{ map: null, rounds: [13, 5] }] },
      one.player.id,
    );
    expect(corrected).toEqual({ outcome: "done" });
  });

  test("counts a report's minutes from when the tournament is shown again, once there is a new deadline", async () => {
    const { id, execute, one } = await newFinal();
    await execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, one.player.id);
    const panel = async () => main((await one.client.get(`/tournaments/${id}/matches/0`)).text);
    const reportedAt = new Date(Date.now() - 2 * DAY);
    // As if the tournament was shown again, but its room couldn't be reached.
    await changeMatch(id, { reportedAt, confirmBy: null });
    expect(await panel()).toContain("Team 2 has to confirm If nobody answers, your report counts.");
    await hide({ kind: "tournament", id });
    await restore({ kind: "tournament", id });
    expect(await panel()).toMatch(
      /Team 2 has to confirm \S.* has been asked since \d\d:\d\d \. If nobody answers, your report counts\. 15 min left of 15/,
    );
  });

  test("calls its matches again once it is shown again, so no win can be claimed immediately", async () => {
    const { id, execute, one, two } = await newFinal();
    await execute({ type: "check-in", match: 0 }, one.player.id);
    await hide({ kind: "tournament", id });
    await changeMatch(id, { deadlineAt: new Date(Date.now() - MINUTE) });
    await restore({ kind: "tournament", id });
    for (const player of [one, two]) {
      expect(await newsOf(player)).toMatchObject([{ kind: "match-ready", subject: `match:${id}/0` }]);
    }
    const { checkedIn1, deadlineAt } = await matchOf(id);
    expect(checkedIn1).not.toBeNull();
    expect(deadlineAt?.getTime()).toBeGreaterThan(Date.now() + 14 * MINUTE);
    const claim = await execute({ type: "claim", match: 0 }, one.player.id);
    expect(claim).toEqual({ outcome: "refused", reason: "too-early" });
  });

  test("has a week to be started once it is shown again, and its check-in is announced", async () => {
    const [host, entrant] = [await newPlayer("Host"), await newPlayer("Entrant")];
    const { id } = await newTournament({ userId: host.player.id, teamSize: 1 });
    expect((await register(entrant.client, id, null)).status).toBe(303);
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
    const change = (values: Partial<typeof tournaments.$inferInsert>) =>
      app.db.update(tournaments).set(values).where(eq(tournaments.id, id));
    await change({ registrationDeadline: daysAgo(9), tournamentDate: daysAgo(8), startToldAt: daysAgo(8) });
    await hide({ kind: "tournament", id });
    await restore({ kind: "tournament", id });
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    expect((await tournamentOf(id)).state).toBe("open");
    const kinds = async (player: NamedVisitor) => (await newsOf(player)).map(({ kind }) => kind);
    expect(await kinds(host)).toContain("tournament-due");
    expect(await kinds(entrant)).toContain("tournament-check-in");
    await change({ startToldAt: daysAgo(7) });
    await app.runScheduled();
    expect((await tournamentOf(id)).state).toBe("cancelled");
  });

  test("offers its organisers no action that must wait until it is shown again: before the start", async () => {
    const [host, helper] = [await newPlayer("Host"), await newPlayer("Helper")];
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
    const page = `/tournaments/${id}`;
    const add = { intent: "add", playerId: helper.player.id };
    expect((await host.client.post(`${page}/manage`, add)).status).toBe(303);
    const offered = async () => {
      const pages = ["", "/teams", "/manage"].map((tab) => `${page}${tab}`);
      const labels = await offeredOn(helper.client, page, pages);
      const all = ["Seeding and Start", "Add to calendar", "Register", "Look for a Team", "Report"];
      return all.filter((one) => labels.has(one));
    };
    expect(await offered()).toHaveLength(5);
    await hide({ kind: "tournament", id });
    expect(await offered()).toEqual([]);
    await restore({ kind: "tournament", id });
    expect(await offered()).toHaveLength(5);
  });

  test("offers its organisers no action that must wait until it is shown again: once check-in is open", async () => {
    const host = await newPlayer("Host");
    const { id } = await newTournament({ userId: host.player.id, teamSize: 1 });
    const page = `/tournaments/${id}`;
    expect((await register(host.client, id, null)).status).toBe(303);
    await openCheckIn(id);
    const offered = async () => buttons((await host.client.get(page)).text).includes("Check In");
    expect(await offered()).toBe(true);
    await hide({ kind: "tournament", id });
    expect(await offered()).toBe(false);
    const waits = "until the tournament is shown again.";
    expect(main((await host.client.get(page)).text)).toContain(`Check-in and the start wait ${waits}`);
    const refused = await host.client.post(`${page}/teams`, { intent: "check-in" });
    expect([refused.status, announcedText(refused.text)]).toEqual([
      409,
      expect.stringContaining("Moderators have hidden this tournament. Check-in waits until it is shown again."),
    ]);
  });

  test("offers its organisers no action that must wait until it is shown again: in a team", async () => {
    const host = await newPlayer("Host");
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
    const [page, teamId] = [`/tournaments/${id}`, uuidv7()];
    expect((await register(host.client, id, unique("Team "), teamId)).status).toBe(303);
    expect((await join(await newEntrant(), id, teamId)).status).toBe(303);
    const offered = async () => {
      const labels = await offeredOn(host.client, page, [`${page}/teams/${teamId}`]);
      return ["Make Captain", "Remove", "New Link"].filter((one) => labels.has(one));
    };
    expect(await offered()).toHaveLength(3);
    await hide({ kind: "tournament", id });
    expect(await offered()).toEqual([]);
  });

  test("offers its organisers no action that must wait until it is shown again: during play", async () => {
    const [host, other] = [await newPlayer("Host"), await newPlayer("Other")];
    const { id, teams } = await startTournament(app, {
      teams: 2,
      userId: host.player.id,
      captains: [host.player.id, other.player.id],
    });
    const page = `/tournaments/${id}`;
    const match = `${page}/matches/0`;
    const offered = async () => {
      const labels = await offeredOn(host.client, page, [page, match, `${page}/teams/${teams[1]?.id}`]);
      const all = ["Add to calendar", "Check In", "Dispute this match", "Forfeit", "Decide", "Disqualify", "Report"];
      return all.filter((one) => labels.has(one));
    };
    expect(await offered()).toHaveLength(7);
    await hide({ kind: "tournament", id });
    expect(await offered()).toEqual([]);
    expect((await host.client.get(`${match}/decide`)).location).toBe(match);
  });
});
