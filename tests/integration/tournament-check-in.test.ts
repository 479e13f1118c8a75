import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { play } from "../../app/features/tournaments/play/play.server";
import { openDatabase } from "../../db/client";
import {
  notifications,
  profiles,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "../../db/schema";
import { useApp } from "../support/app";
import { announcedText, announcements, buttons, findForm, links, main, textOf } from "../support/html";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openInbox, openTournament } from "../support/socket";
import { addConversation, DAY, HOUR, MINUTE, type Player, unique, visitAs } from "./players";
import { FIRST_TEAM, register, registrationsIn } from "./registrations";
import type { Visitor } from "./talk";

const app = useApp();
const { tournamentLogOf } = recordsIn(app);
const {
  newTournament,
  newTournamentWithOnePlace,
  newEntrant,
  tournamentOf,
  teamsOf,
  newTeam,
  newFullTeam,
  kindsOf,
  openCheckIn,
} = registrationsIn(app);

/** Returns the state of each team by its id, except for the team that was there from the start. */
const statesOf = async (id: string) =>
  Object.fromEntries(
    (await teamsOf(id)).filter(({ name }) => name !== FIRST_TEAM).map((team) => [team.id, team.state]),
  );
/** Changes a player's profile. @returns the changed profile */
const change = async (userId: string, values: Partial<typeof profiles.$inferInsert>) =>
  app.db
    .update(profiles)
    .set({ updatedAt: new Date(), ...values })
    .where(eq(profiles.userId, userId))
    .returning()
    .get();

describe("The waiting list", () => {
  test("is over once the tournament is cancelled, and the panels of its teams say so", async () => {
    const { id, hostId } = await newTournamentWithOnePlace();
    await newTeam(id);
    const { captain } = await newTeam(id);
    const panel = async () => main((await captain.client.get(`/tournaments/${id}`)).text);
    expect(await panel()).toContain("Your team, first on the waiting list.");
    const host = await visitAs(app, { id: hostId, email: "" });
    expect((await host.submit(`/tournaments/${id}/cancel`, "Cancel Tournament", { reason: "Over" })).status).toBe(303);
    expect(await panel()).toMatch(/No spot opened up\. .*The tournament was cancelled\./);
    expect(await panel()).not.toContain("waiting list");
  });

  test("moves up by itself in order of registration when a team withdraws, and the players are told", async () => {
    const { id } = await newTournamentWithOnePlace();
    const [first, second, third] = [await newTeam(id), await newTeam(id, "Second Site"), await newTeam(id)];
    expect(await statesOf(id)).toEqual({
      [first.teamId]: "entered",
      [second.teamId]: "waiting",
      [third.teamId]: "waiting",
    });
    expect(main((await third.captain.client.get(`/tournaments/${id}`)).text)).toContain(
      "on the waiting list behind 1 team.",
    );
    const before = await tournamentOf(id);
    const answer = await first.captain.client.submit(`/tournaments/${id}/withdraw`, "Withdraw");
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `/tournaments/${id}`, 2]);
    expect(await statesOf(id)).toEqual({ [second.teamId]: "entered", [third.teamId]: "waiting" });
    expect(await kindsOf(second.captain.player)).toEqual(["tournament-place"]);
    expect(await kindsOf(third.captain.player)).toEqual([]);
    expect(textOf((await second.captain.client.get("/dashboard/notifications")).text)).toContain(
      "A spot opened up: Second Site is in",
    );
    const after = await tournamentOf(id);
    expect(after.currentParticipants).toBe(2);
    expect(after.version).toBeGreaterThan(before.version);
    expect((await tournamentLogOf(id)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["withdrew", "moved-up"]),
    );
    const again = await first.captain.client.post(`/tournaments/${id}/withdraw`);
    expect(again.status).toBe(303);
    expect(await statesOf(id)).toEqual({ [second.teamId]: "entered", [third.teamId]: "waiting" });
  });

  test.each([
    ["the team withdraws", (captain: Visitor) => captain, { intent: "withdraw" }],
    ["the player leaves the team", (_: Visitor, mate: Visitor) => mate, { intent: "leave" }],
  ])("leaves a player no unread news of the team's spot once %s", async (_, actor, button) => {
    const { id } = await newTournamentWithOnePlace();
    const [first, second] = [await newTeam(id), await newFullTeam(id)];
    const [mate] = second.members as [Visitor];
    expect((await first.captain.client.post(`/tournaments/${id}/withdraw`)).status).toBe(303);
    const tab = await openInbox(mate.client);
    await tab.next("unread", ({ notifications }) => notifications === 1);
    expect(await kindsOf(mate.player)).toEqual(["tournament-place"]);
    const page = button.intent === "withdraw" ? "withdraw" : `teams/${second.teamId}`;
    const pressed = await actor(second.captain, mate).client.post(`/tournaments/${id}/${page}`, button);
    expect(pressed.status).toBe(303);
    expect(await kindsOf(mate.player)).toEqual(button.intent === "withdraw" ? ["tournament-withdrawn"] : []);
    if (button.intent === "leave") await tab.next("unread", ({ notifications }) => notifications === 0);
    tab.close();
  });

  test.each(["starts without the team", "is cancelled"])(
    "leaves no unread news of a team's spot once the tournament %s",
    async (end) => {
      const { id, hostId } = await newTournamentWithOnePlace();
      const [first, second] = [await newTeam(id), await newTeam(id)];
      expect((await first.captain.client.post(`/tournaments/${id}/withdraw`)).status).toBe(303);
      expect(await kindsOf(second.captain.player)).toEqual(["tournament-place"]);
      if (end === "is cancelled") {
        const host = await visitAs(app, { id: hostId, email: "" });
        await host.submit(`/tournaments/${id}/cancel`, "Cancel Tournament", { reason: "Over" });
        expect(await kindsOf(second.captain.player)).toEqual(["tournament-cancelled"]);
        return;
      }
      const others = [await newFullTeam(id), await newFullTeam(id)];
      await openCheckIn(id);
      for (const { captain } of others)
        expect((await captain.client.submit(`/tournaments/${id}`, "Check In")).status).toBe(303);
      await app.db
        .update(tournaments)
        .set({ tournamentDate: new Date(Date.now() - MINUTE) })
        .where(eq(tournaments.id, id));
      const { db } = openDatabase({ url: app.libsqlUrl, authToken: app.libsqlAuthToken });
      await play(db, id, [{ actorId: hostId, command: { type: "start" } }], null, Date.now());
      expect((await tournamentOf(id)).state).toBe("running");
      expect(await kindsOf(second.captain.player)).toEqual(["tournament-withdrawn"]);
    },
  );

  test("fills each free place once, however many teams withdraw at the same moment", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await newTournament({ maxParticipants: 3 });
      const teams = [];
      for (let number = 0; number < 8; number += 1) teams.push(await newTeam(id));
      const leaving = teams.slice(0, 4);
      await Promise.all(leaving.map(({ captain }) => captain.client.post(`/tournaments/${id}/withdraw`)));
      const states = Object.values(await statesOf(id));
      expect(states.filter((state) => state === "entered")).toHaveLength(3);
      expect(states.filter((state) => state === "waiting")).toHaveLength(1);
      expect((await tournamentOf(id)).currentParticipants).toBe(3);
    }
  });

  test("also moves up when an organiser removes a team, and the removed team's players are told", async () => {
    const { id } = await newTournamentWithOnePlace();
    const { captain, teamId, members } = await newFullTeam(id);
    const waiting = await newTeam(id);
    const organiser = await newEntrant();
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await organiser.client.get(page)).text).not.toContain("Remove Team");
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: organiser.player.id, addedAt: new Date() });
    const answer = await organiser.client.submit(page, "Remove Team");
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    expect(await statesOf(id)).toEqual({ [waiting.teamId]: "entered" });
    for (const { player } of [captain, ...members]) {
      expect(await kindsOf(player)).toContain("tournament-withdrawn");
    }
  });

  test("is shown in order, below the teams with a spot", async () => {
    const { id } = await newTournamentWithOnePlace();
    await newTeam(id, "Ins");
    await newTeam(id, "Waits One");
    await newTeam(id, "Waits Two");
    const tab = await app.client().get(`/tournaments/${id}/teams`);
    expect([tab.status, roundTrips(tab)]).toEqual([200, 1]);
    expect(main(tab.text)).toMatch(/Teams Already Here .*Ins .*Waiting list 1 Waits One .* 2 Waits Two/);
  });
});

describe("Withdrawing", () => {
  test("is offered on the page: to waiting teams at any time, to others until check-in opens", async () => {
    const { id } = await newTournamentWithOnePlace();
    const entered = await newTeam(id);
    const waiting = await newTeam(id);
    const offers = async ({ captain, teamId }: typeof entered) =>
      Promise.all(
        [`/tournaments/${id}`, `/tournaments/${id}/teams/${teamId}`].map(
          async (path) => links((await captain.client.get(path)).text).filter(({ text }) => text === "Withdraw").length,
        ),
      );
    expect(await offers(entered)).toEqual([1, 1]);
    const date = (milliseconds: number) =>
      app.db
        .update(tournaments)
        .set({
          registrationDeadline: new Date(Date.now() - HOUR),
          tournamentDate: new Date(Date.now() + milliseconds),
        })
        .where(eq(tournaments.id, id));
    for (const milliseconds of [HOUR / 4, -HOUR / 4]) {
      await date(milliseconds);
      expect(await offers(entered)).toEqual([0, 0]);
      expect(await offers(waiting)).toEqual([1, 1]);
    }
    const late = await entered.captain.client.post(`/tournaments/${id}/withdraw`);
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("Ask the organisers."),
    ]);
    expect((await waiting.captain.client.post(`/tournaments/${id}/withdraw`)).status).toBe(303);
  });

  test("is over at the tournament's date: the page says that play starts soon, and shows no past times", async () => {
    for (const checkInMinutes of [0, 30]) {
      const { id } = await newTournament({ checkInMinutes });
      const { captain } = await newFullTeam(id);
      await app.db
        .update(tournaments)
        .set({ registrationDeadline: new Date(Date.now() - HOUR), tournamentDate: new Date(Date.now() - HOUR / 4) })
        .where(eq(tournaments.id, id));
      const page = textOf((await captain.client.get(`/tournaments/${id}`)).text);
      expect(page).toMatch(/The organisers will start it soon/);
      expect(page).not.toMatch(/Check-in opens on|It starts on/);
    }
  });

  test("is refused once check-in has opened or the tournament has started", async () => {
    const { id } = await newTournament();
    const { captain } = await newFullTeam(id);
    await openCheckIn(id);
    const late = await captain.client.post(`/tournaments/${id}/withdraw`);
    expect(late.status).toBe(409);
    expect(announcedText(late.text)).toContain("It's too late to withdraw on your own.");
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    const begun = await captain.client.post(`/tournaments/${id}/withdraw`);
    expect(announcedText(begun.text)).toContain("The tournament has started. Forfeit your matches instead.");
    expect(await teamsOf(id)).toHaveLength(1);
  });

  test("and `Remove Team` are refused with the true reason once the tournament is cancelled, and not offered", async () => {
    const { id, hostId } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const host = await visitAs(app, { id: hostId, email: "" });
    const page = `/tournaments/${id}/withdraw`;
    const { values } = findForm((await captain.client.get(page)).text, "Withdraw");
    await host.submit(`/tournaments/${id}/cancel`, "Cancel Tournament", { reason: "Over" });
    const late = await captain.client.post(page, values);
    const removed = await host.post(`/tournaments/${id}/teams/${teamId}`, { intent: "remove-team" });
    for (const answer of [late, removed]) {
      expect([answer.status, announcements(answer.text).join()]).toEqual([
        409,
        expect.stringContaining("This tournament has started or is over, so its teams can't change."),
      ]);
    }
    expect(buttons(late.text)).not.toContain("Withdraw");
    expect(main(late.text)).not.toContain("gives up its spot");
  });

  test("after the start doesn't ask a team that got no spot to forfeit its matches", async () => {
    const { id } = await newTournamentWithOnePlace();
    await newTeam(id);
    const { captain } = await newTeam(id);
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    const late = await captain.client.post(`/tournaments/${id}/withdraw`);
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("This tournament has started or is over, so its teams can't change."),
    ]);
  });

  test("is refused if the page showed another team of the captain's", async () => {
    const { id } = await newTournament();
    const page = `/tournaments/${id}/withdraw`;
    const { captain } = await newTeam(id);
    const form = async () => findForm((await captain.client.get(page)).text, "Withdraw").values;
    const ofFirst = await form();
    expect((await captain.client.post(page, ofFirst)).status).toBe(303);
    expect((await register(captain.client, id, unique("Second Team "))).status).toBe(303);
    const stale = await captain.client.post(page, ofFirst);
    expect([stale.status, announcements(stale.text).join()]).toEqual([
      409,
      expect.stringContaining("You've joined another team since you opened this page. Check it first."),
    ]);
    expect(await teamsOf(id)).toHaveLength(1);
    expect(main(stale.text)).toContain("Second Team");
    expect((await captain.client.post(page, findForm(stale.text, "Withdraw").values)).status).toBe(303);
    expect(await teamsOf(id)).toEqual([]);
  });

  test("from the waiting list is refused if the team has got a spot since its page was opened", async () => {
    const { id } = await newTournamentWithOnePlace();
    const page = `/tournaments/${id}/withdraw`;
    const [first, second] = [await newTeam(id), await newTeam(id, "Second Site")];
    const { client } = second.captain;
    const opened = await client.get(page);
    expect(main(opened.text)).toContain("Second Site leaves the waiting list.");
    expect((await first.captain.client.submit(page, "Withdraw")).status).toBe(303);
    const stale = await client.post(page, findForm(opened.text, "Withdraw").values);
    expect([stale.status, announcements(stale.text).join()]).toEqual([
      409,
      expect.stringContaining("Second Site has a spot now. To give it up, withdraw again."),
    ]);
    expect(main(stale.text)).toContain("Second Site gives up its spot.");
    expect(await statesOf(id)).toEqual({ [second.teamId]: "entered" });
    expect((await client.post(page, findForm(stale.text, "Withdraw").values)).status).toBe(303);
    expect(await statesOf(id)).toEqual({});
  });

  test("says that it's too late if the team has got its spot after check-in opened", async () => {
    const { id } = await newTournamentWithOnePlace();
    const page = `/tournaments/${id}/withdraw`;
    const [first, second] = [await newTeam(id), await newTeam(id, "Second Site")];
    const { client } = second.captain;
    const opened = await client.get(page);
    await first.captain.client.submit(page, "Withdraw");
    await openCheckIn(id);
    const stale = await client.post(page, findForm(opened.text, "Withdraw").values);
    expect([stale.status, announcements(stale.text).join()]).toEqual([
      409,
      expect.stringContaining(
        "Second Site has a spot now, and it's too late to give it up on your own. Ask the organisers.",
      ),
    ]);
    expect(buttons(stale.text)).not.toContain("Withdraw");
    expect(await statesOf(id)).toEqual({ [second.teamId]: "entered" });
  });

  test("is up to the captain, and lets the other players join another team", async () => {
    const { id } = await newTournament();
    const { captain, members } = await newFullTeam(id);
    const [mate] = members as [(typeof members)[0]];
    expect((await mate.client.post(`/tournaments/${id}/withdraw`)).status).toBe(409);
    expect(await teamsOf(id)).toHaveLength(1);
    await captain.client.post(`/tournaments/${id}/withdraw`);
    expect(await kindsOf(mate.player)).toEqual(["tournament-withdrawn"]);
    expect(await app.db.select().from(tournamentPlayers).where(eq(tournamentPlayers.tournamentId, id))).toEqual([]);
  });
});

describe("Check-in", () => {
  test("is described in the rules in the tense that fits its state", async () => {
    const { id } = await newTournament();
    const rules = async () => main((await app.client().get(`/tournaments/${id}/rules`)).text);
    expect(await rules()).toMatch(/Check-in Opens \w.* Miss check-in and your spot goes to the waiting list\./);
    await openCheckIn(id);
    expect(await rules()).toMatch(/Check-in Open since \w.* Miss check-in and your spot goes to the waiting list\./);
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    expect(await rules()).toContain("Check-in Over. Anyone who missed it lost their spot");
    await app.db.update(tournaments).set({ checkInMinutes: 0 }).where(eq(tournaments.id, id));
    expect(await rules()).toContain("Check-in None. Every complete team of verified players with a spot plays");
    await app.db.update(tournaments).set({ teamSize: 1 }).where(eq(tournaments.id, id));
    expect(await rules()).toContain("Check-in None. Every verified player with a spot plays");
  });

  test("is open to any player of a complete team, once, from its opening until the tournament starts", async () => {
    const { id } = await newTournament();
    const { teamId, captain, members } = await newFullTeam(id);
    const [short, late] = [await newTeam(id), await newFullTeam(id)];
    const checkIn = (client: typeof captain.client) => client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    const early = await checkIn(captain.client);
    expect(early.status).toBe(409);
    expect(announcedText(early.text)).toContain("Check-in isn't open yet.");
    await openCheckIn(id);
    const incomplete = await checkIn(short.captain.client);
    expect(announcedText(incomplete.text)).toContain("1 player short. Incomplete teams can't check in.");
    expect((await checkIn((await newEntrant()).client)).status).toBe(409);
    const before = await tournamentOf(id);
    const [mate] = members as [(typeof members)[0]];
    const answer = await mate.client.submit(`/tournaments/${id}`, "Check In");
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, `/tournaments/${id}`, 2]);
    const page = await mate.client.follow(answer);
    expect(main(page.text)).toContain("You've checked in.");
    const [team] = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.id, teamId));
    expect(team?.checkedInAt).not.toBeNull();
    expect((await tournamentOf(id)).version).toBe(before.version + 1);
    expect((await checkIn(captain.client)).status).toBe(303);
    const [after] = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.id, teamId));
    expect(after?.checkedInAt).toEqual(team?.checkedInAt);
    expect((await tournamentOf(id)).version).toBe(before.version + 1);
    await app.db
      .update(tournaments)
      .set({ tournamentDate: new Date(Date.now() - MINUTE) })
      .where(eq(tournaments.id, id));
    expect((await checkIn(late.captain.client)).status).toBe(303);
  });

  test("is refused with the names of players who are no longer eligible, and works after a substitution", async () => {
    const { id } = await newTournament({ minRank: "Silver 1", maxRank: "Gold 3" });
    const { teamId, captain, members } = await newFullTeam(id, 3);
    const [mate, substitute] = members as [(typeof members)[0], (typeof members)[0]];
    await openCheckIn(id);
    const nameOf = async ({ id: userId }: Player) => (await change(userId, {}))?.riotGameName;
    const checkIn = () => mate.client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    const before = await tournamentOf(id);
    await change(mate.player.id, { currentRank: "Diamond 1" });
    await change(captain.player.id, { currentRank: null });
    const misfits = await checkIn();
    expect(misfits.status).toBe(409);
    const names = [await nameOf(captain.player), await nameOf(mate.player)];
    expect(announcedText(misfits.text)).toContain(
      `This tournament is for verified accounts, Silver 1 to Gold 3. ${names[0]} has no rank set. ${names[1]} is Diamond 1. Swap in a substitute on your team's page, then check in.`,
    );
    await change(captain.player.id, { riotVerifiedAt: null, riotPuuid: null });
    await change(mate.player.id, { currentRank: "Gold 3" });
    expect(announcedText((await checkIn()).text)).toContain(
      `This tournament is for verified accounts, Silver 1 to Gold 3. ${names[0]} isn't verified any more. Swap in a substitute`,
    );
    expect((await teamsOf(id))[0]?.checkedInAt).toBeNull();
    expect((await tournamentOf(id)).version).toBe(before.version);
    const swap = (player: Player) =>
      captain.client.post(`/tournaments/${id}/teams/${teamId}`, {
        intent: "swap",
        player: captain.player.id,
        substitute: player.id,
      });
    await change(substitute.player.id, { currentRank: "Iron 1" });
    const unfit = await swap(substitute.player);
    expect(unfit.status).toBe(409);
    expect(announcedText(unfit.text)).toContain(
      `This tournament is for verified accounts, Silver 1 to Gold 3. ${await nameOf(substitute.player)} is Iron 1.`,
    );
    await change(substitute.player.id, { currentRank: "Silver 1" });
    expect((await swap(substitute.player)).status).toBe(303);
    expect((await checkIn()).status).toBe(303);
    expect((await teamsOf(id))[0]?.checkedInAt).not.toBeNull();
  });

  test("tells a solo player why it is refused", async () => {
    const { id } = await newTournament({ teamSize: 1, maxRank: "Gold 3" });
    const { captain } = await newTeam(id, null);
    await openCheckIn(id);
    await change(captain.player.id, { currentRank: "Diamond 1" });
    const answer = await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    expect([answer.status, announcedText(answer.text)]).toEqual([
      409,
      expect.stringContaining("This tournament is for Gold 3 and below. You're Diamond 1."),
    ]);
    expect((await teamsOf(id))[0]?.checkedInAt).toBeNull();
  });

  test("is closed while the tournament is hidden, also to a team that has checked in", async () => {
    const { id } = await newTournament();
    const { captain } = await newFullTeam(id);
    await openCheckIn(id);
    const hide = (hiddenAt: Date | null) => app.db.update(tournaments).set({ hiddenAt }).where(eq(tournaments.id, id));
    const checkIn = async () => (await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status;
    await hide(new Date());
    const { version } = await tournamentOf(id);
    expect(await checkIn()).toBe(404);
    expect([(await teamsOf(id))[0]?.checkedInAt, (await tournamentOf(id)).version]).toEqual([null, version]);
    await hide(null);
    expect(await checkIn()).toBe(303);
    await hide(new Date());
    expect(await checkIn()).toBe(404);
  });

  test("is undone when a player leaves and the substitute who takes over isn't eligible", async () => {
    const { id } = await newTournament({ maxRank: "Gold 3" });
    const { teamId, captain, members } = await newFullTeam(id, 3);
    await openCheckIn(id);
    await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    await change(members[1]?.player.id as string, { currentRank: "Radiant" });
    // The captain can't leave, so this request undoes nothing.
    await captain.client.post(`/tournaments/${id}/teams/${teamId}`, { intent: "leave" });
    expect((await teamsOf(id))[0]?.checkedInAt).not.toBeNull();
    await members[0]?.client.post(`/tournaments/${id}/teams/${teamId}`, { intent: "leave" });
    expect((await teamsOf(id))[0]?.checkedInAt).toBeNull();
  });

  test("is open to waiting teams, which may play instead of absent ones", async () => {
    const { id } = await newTournamentWithOnePlace();
    await newFullTeam(id);
    const waiting = await newFullTeam(id);
    await openCheckIn(id);
    const { client } = waiting.captain;
    expect(main((await client.get(`/tournaments/${id}`)).text)).toContain(
      "Check in: if someone with a spot doesn't, you may play instead.",
    );
    const answer = await client.submit(`/tournaments/${id}`, "Check In");
    expect(announcedText((await client.follow(answer)).text)).toContain(
      "If someone with a spot doesn't, you may play instead.",
    );
    expect((await statesOf(id))[waiting.teamId]).toBe("waiting");
  });

  test("is undone when a player leaves and there is no substitute", async () => {
    const { id } = await newTournament();
    const { teamId, captain, members } = await newFullTeam(id);
    await openCheckIn(id);
    await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    await members[0]?.client.post(`/tournaments/${id}/teams/${teamId}`, { intent: "leave" });
    expect((await teamsOf(id))[0]?.checkedInAt).toBeNull();
  });

  test("is announced once, at its opening, to everyone who can check in", async () => {
    const { id } = await newTournamentWithOnePlace();
    const { captain, members } = await newFullTeam(id);
    const waiting = await newTeam(id);
    const later = await newTournament();
    const other = await newTeam(later.id);
    await openCheckIn(id);
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    for (const { player } of [captain, ...members, waiting.captain]) {
      expect((await kindsOf(player)).filter((kind) => kind === "tournament-check-in")).toHaveLength(1);
    }
    expect(await kindsOf(other.captain.player)).not.toContain("tournament-check-in");
    const [news] = await app.db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, waiting.captain.player.id), eq(notifications.kind, "tournament-check-in")));
    expect(news?.data).toMatchObject({ count: 1 });
    expect(
      links((await waiting.captain.client.get("/dashboard/notifications")).text).map(({ href }) => href),
    ).toContain(`/tournaments/${id}`);
  });

  test("isn't announced to teams that have already checked in", async () => {
    const { id } = await newTournament();
    const [{ captain, members }, late] = [await newFullTeam(id), await newFullTeam(id)];
    await openCheckIn(id);
    expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    await app.runScheduled();
    for (const { player } of [captain, ...members]) expect(await kindsOf(player)).not.toContain("tournament-check-in");
    expect(await kindsOf(late.captain.player)).toContain("tournament-check-in");
  });

  test("is called for again if a player's departure undoes it after the announcement", async () => {
    const { id } = await newTournament();
    const { teamId, captain, members } = await newFullTeam(id);
    const [leaver] = members as [(typeof members)[0]];
    await openCheckIn(id);
    expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    await app.runScheduled();
    await leaver.client.post(`/tournaments/${id}/teams/${teamId}`, { intent: "leave" });
    expect(await kindsOf(captain.player)).toContain("tournament-check-in");
    expect(await kindsOf(leaver.player)).not.toContain("tournament-check-in");
  });

  test("no longer counts as news for anyone in the team once one of them has checked in", async () => {
    const { id } = await newTournament();
    const [{ captain, members }, late] = [await newFullTeam(id), await newFullTeam(id)];
    await openCheckIn(id);
    await app.runScheduled();
    const [mate] = members as [(typeof members)[0]];
    const tab = await openInbox(mate.client);
    await tab.next("unread", ({ notifications: unread }) => unread === 1);
    expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    await tab.next("unread", ({ notifications: unread }) => unread === 0);
    tab.close();
    for (const { player } of [captain, mate]) expect(await kindsOf(player)).not.toContain("tournament-check-in");
    expect(await kindsOf(late.captain.player)).toContain("tournament-check-in");
  });

  test("no longer counts as news if an edit postpones it, and is announced again when it opens", async () => {
    const host = await newEntrant();
    const { id } = await newTournament({ userId: host.player.id });
    const { captain } = await newFullTeam(id);
    await openCheckIn(id);
    await app.runScheduled();
    const isCalled = async () => (await kindsOf(captain.player)).includes("tournament-check-in");
    const edit = async (fields: Record<string, string>) =>
      (await host.client.submit(`/tournaments/${id}/edit`, "Save Tournament", fields)).status;
    expect([await edit({ description: "Now with a caster." }), await isCalled()]).toEqual([303, true]);
    const tab = await openInbox(captain.client);
    const { notifications: before } = await tab.next("unread");
    const registrationDeadline = new Date(Date.now() + 10 * MINUTE).toISOString().slice(0, 16);
    expect([await edit({ registrationDeadline }), await isCalled()]).toEqual([303, false]);
    await tab.next("unread", ({ notifications: unread }) => unread === before - 1);
    tab.close();
    await openCheckIn(id);
    await app.runScheduled();
    expect(await isCalled()).toBe(true);
  });

  test("no longer counts as news for players who leave their team or are removed, nor for a team that goes", async () => {
    const host = await newEntrant();
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 2 });
    const [{ teamId, captain, members }, removed] = [await newFullTeam(id, 3), await newFullTeam(id)];
    const waiting = await newFullTeam(id);
    const [leaver, dropped] = members as [(typeof members)[0], (typeof members)[0]];
    await openCheckIn(id);
    await app.runScheduled();
    const page = `/tournaments/${id}/teams`;
    const calls = async ({ player }: { player: Player }) =>
      (await kindsOf(player)).filter((kind) => kind === "tournament-check-in").length;
    const all = [leaver, dropped, captain, removed.captain, ...removed.members, waiting.captain, ...waiting.members];
    for (const one of all) expect(await calls(one)).toBe(1);
    const tab = await openInbox(leaver.client);
    await tab.next("unread", ({ notifications: unread }) => unread === 1);
    expect((await leaver.client.post(`${page}/${teamId}`, { intent: "leave" })).status).toBe(303);
    await tab.next("unread", ({ notifications: unread }) => unread === 0);
    tab.close();
    const drop = { intent: "remove", player: dropped.player.id };
    expect((await captain.client.post(`${page}/${teamId}`, drop)).status).toBe(303);
    expect((await host.client.post(`${page}/${removed.teamId}`, { intent: "remove-team" })).status).toBe(303);
    for (const one of [leaver, dropped, removed.captain, ...removed.members]) expect(await calls(one)).toBe(0);
    for (const one of [captain, waiting.captain, ...waiting.members]) expect(await calls(one)).toBe(1);
  });
});

test("Check-in that opens updates the tournament's open pages", async () => {
  const { id } = await newTournament();
  const { captain } = await newTeam(id);
  const room = await openTournament(captain.client, id);
  await openCheckIn(id);
  await app.runScheduled();
  await room.next("changed");
  room.close();
});

test("Check-in is announced even if the date passes before the first cron run", async () => {
  const { id } = await newTournament();
  const { captain } = await newTeam(id);
  await app.db
    .update(tournaments)
    .set({ registrationDeadline: new Date(Date.now() - 2 * MINUTE), tournamentDate: new Date(Date.now() - MINUTE) })
    .where(eq(tournaments.id, id));
  await app.runScheduled();
  expect(await kindsOf(captain.player)).toContain("tournament-check-in");
});

describe("A tournament that nobody starts", () => {
  const dueSince = async (id: string, ago: number) =>
    app.db
      .update(tournaments)
      .set({
        registrationDeadline: new Date(Date.now() - ago - HOUR),
        tournamentDate: new Date(Date.now() - ago),
        startToldAt: ago > DAY ? new Date(Date.now() - ago) : null,
      })
      .where(eq(tournaments.id, id));

  test("reminds its organisers once, on its date", async () => {
    const [host, helper] = [await newEntrant(), await newEntrant()];
    const { id } = await newTournament({ userId: host.player.id });
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    const { captain } = await newTeam(id);
    await app.runScheduled();
    expect(await kindsOf(host.player)).not.toContain("tournament-due");
    await dueSince(id, MINUTE);
    for (let run = 0; run < 2; run += 1) await app.runScheduled();
    for (const { player } of [host, helper]) {
      expect((await kindsOf(player)).filter((kind) => kind === "tournament-due")).toHaveLength(1);
    }
    expect(await kindsOf(captain.player)).not.toContain("tournament-due");
    expect(links((await host.client.get("/dashboard/notifications")).text).map(({ href }) => href)).toContain(
      `/tournaments/${id}/seeding`,
    );
  });

  test("is cancelled a week later, and the players and the host are told", async () => {
    const host = await newEntrant();
    const [waits, over] = [await newTournament(), await newTournament({ userId: host.player.id })];
    const { captain } = await newTeam(over.id);
    await dueSince(waits.id, 6 * DAY);
    await dueSince(over.id, 7 * DAY);
    await app.runScheduled();
    expect((await tournamentOf(waits.id)).state).toBe("open");
    expect(await tournamentOf(over.id)).toMatchObject({
      state: "cancelled",
      cancelReason: "Nobody started it within a week of its date.",
    });
    for (const { player } of [captain, host]) expect(await kindsOf(player)).toContain("tournament-cancelled");
    expect(main((await host.client.get(`/tournaments/${over.id}/manage`)).text)).toContain(
      "The tournament was cancelled: “Nobody started it within a week of its date.”",
    );
  });
});

describe("A tournament that isn't open any more", () => {
  test.each([
    ["started", "start", {}, 0],
    // The cancellation is news, too.
    ["was cancelled", "cancel", { reason: "Over" }, 1],
  ])("calls nobody to check in, to start it or to join a team once it %s", async (_, path, fields, unread) => {
    const [host, helper, guest] = [await newEntrant(), await newEntrant(), await newEntrant()];
    const { id } = await newTournament({ userId: host.player.id, maxParticipants: 8 });
    const [one, two, late] = [await newFullTeam(id), await newFullTeam(id), await newTeam(id)];
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: id, userId: helper.player.id, addedAt: new Date() });
    await addConversation(app, late.captain.player, guest.player);
    const invite = { intent: "invite", players: guest.player.id };
    expect((await late.captain.client.post(`/tournaments/${id}/teams/${late.teamId}`, invite)).status).toBe(303);
    await app.db
      .update(tournaments)
      .set({ registrationDeadline: new Date(Date.now() - HOUR), tournamentDate: new Date(Date.now() - MINUTE) })
      .where(eq(tournaments.id, id));
    await app.runScheduled();
    for (const { captain } of [one, two]) {
      expect((await captain.client.post(`/tournaments/${id}/teams`, { intent: "check-in" })).status).toBe(303);
    }
    expect(await kindsOf(late.captain.player)).toEqual(["tournament-check-in"]);
    expect(await kindsOf(helper.player)).toEqual(["tournament-due"]);
    expect(await kindsOf(guest.player)).toEqual(["tournament-invitation"]);
    const tab = await openInbox(guest.client);
    await tab.next("unread", ({ notifications: news }) => news === 1);
    expect((await host.client.post(`/tournaments/${id}/${path}`, fields)).status).toBe(303);
    await tab.next("unread", ({ notifications: news }) => news === 0);
    tab.close();
    expect(await kindsOf(host.player)).not.toContain("tournament-due");
    expect(await kindsOf(helper.player)).toHaveLength(unread);
    expect(await kindsOf(late.captain.player)).not.toContain("tournament-check-in");
  });
});

test("A player's page names the tournaments they have played, and counts those they have won", async () => {
  const entrant = await newEntrant();
  for (const [place, title] of [
    [1, "First Cup"],
    [3, "Second Cup"],
  ] as const) {
    const { id } = await newTournament({
      title,
      state: "finished",
      registrationDeadline: new Date(Date.now() - DAY),
      tournamentDate: new Date(Date.now() - HOUR),
    });
    const teamId = `${id.slice(0, -1)}0`;
    await app.db.insert(tournamentTeams).values({
      id: teamId,
      tournamentId: id,
      name: `Team of ${title}`,
      nameKey: title,
      captainId: entrant.player.id,
      inviteToken: id,
      state: "entered",
      place,
      listedAt: new Date(),
      createdAt: new Date(),
    });
    await app.db
      .insert(tournamentPlayers)
      .values({ tournamentId: id, userId: entrant.player.id, teamId, joinedAt: new Date() });
  }
  const page = await app.client().get(`/players/${entrant.player.id}`);
  expect(roundTrips(page)).toBe(1);
  expect(main(page.text)).toContain(
    "Tournaments 2 played, 1 won Second Cup 3rd · Team of Second Cup First Cup Won · Team of First Cup",
  );
});
