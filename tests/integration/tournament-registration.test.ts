import { gzipSync } from "node:zlib";
import { and, eq, notInArray } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import {
  notifications,
  profiles,
  tournamentInvitations,
  tournamentPlayers,
  tournamentSeekers,
  tournaments,
  tournamentTeams,
  users,
} from "../../db/schema";
import { useApp } from "../support/app";
import type { Fields } from "../support/client";
import { announcedText, buttons, field, findForm, links, main, select, textOf, texts } from "../support/html";
import { addSession } from "../support/played";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openInbox, openTournament } from "../support/socket";
import { addBlock, addConversation, addPlayer, DAY, MINUTE, newVisitor, type Player, unique, visitAs } from "./players";
import { register, registrationsIn } from "./registrations";
import type { Visitor } from "./talk";

const app = useApp();
const { profileOf } = recordsIn(app);
const { newTournament, newEntrant, tournamentOf, teamsOf, membersOf, newTeam, newFullTeam, join, kindsOf } =
  registrationsIn(app);

describe("Registering a team", () => {
  test("makes its captain the first player, tells the organiser, and shows the captain the next step", async () => {
    const { id, hostId } = await newTournament();
    const { client, player } = await newEntrant();
    const page = await client.get(`/tournaments/${id}`);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(links(page.text)).toContainEqual({ text: "Register", href: `/tournaments/${id}/register` });
    const dialog = await client.get(`/tournaments/${id}/register`);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    const before = await tournamentOf(id);
    const answer = await client.submit(`/tournaments/${id}/register`, "Register", { name: "  Five   Quiet People " });
    const [team] = await teamsOf(id);
    expect(team).toMatchObject({ name: "Five Quiet People", captainId: player.id, state: "entered" });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([
      303,
      `/tournaments/${id}/teams/${team?.id}`,
      2,
    ]);
    const own = await client.follow(answer);
    expect(roundTrips(own)).toBe(1);
    expect(announcedText(own.text)).toContain(
      "You're registered! Now bring your players, by link, or by inviting those you know.",
    );
    expect(main(own.text)).toContain("Registered, 1 player short.");
    const actions = texts(own.text, "main :is(.btn, button)");
    expect([actions[0], actions.at(-1)]).toEqual(["Share Invite", "Withdraw"]);
    expect(await membersOf(team?.id as string)).toMatchObject([{ userId: player.id, isSubstitute: false }]);
    const after = await tournamentOf(id);
    expect(after.currentParticipants).toBe(1);
    expect(after.version).toBeGreaterThan(before.version);
    expect(await kindsOf({ id: hostId })).toEqual(["tournament-registered"]);
    expect(main((await client.get(`/tournaments/${id}`)).text)).toContain(
      "Five Quiet People Your team, registered. 1 online now. 1 player short. Incomplete teams can't check in.",
    );
  });

  test("of one player uses the player's name, even if two players share a name", async () => {
    const { id } = await newTournament({ teamSize: 1, maxParticipants: 8 });
    for (let number = 1; number <= 2; number += 1) {
      const { client } = await newEntrant({ riotGameName: "Twin" });
      expect((await client.get(`/tournaments/${id}/register`)).text).not.toContain("Team Name");
      const answer = await client.submit(`/tournaments/${id}/register`, "Register");
      expect(answer.location).toBe(`/tournaments/${id}`);
    }
    expect((await teamsOf(id)).map(({ name }) => name)).toEqual(["Twin", "Twin"]);
  });

  test.each([
    [30, "You're registered! We'll let you know when check-in opens."],
    [0, "You're registered! We'll let you know when your match is ready."],
  ])("of one player says what comes next, with a check-in of %i minutes", async (checkInMinutes, words) => {
    const { id } = await newTournament({ teamSize: 1, checkInMinutes });
    const { client } = await newEntrant();
    const answer = await client.submit(`/tournaments/${id}/register`, "Register");
    expect(announcedText((await client.follow(answer)).text)).toContain(words);
  });

  test("registers once when the same form is sent several times", async () => {
    const { id } = await newTournament();
    const { client } = await newEntrant();
    const team = uuidv7();
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(client, id, "Once", team)));
    answers.push(await register(client, id, "Once", team));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
    expect(await teamsOf(id)).toHaveLength(1);
  });

  test("under another name, with a form that has already registered one, is refused and links to that team", async () => {
    const { id } = await newTournament();
    const { client } = await newEntrant();
    const team = uuidv7();
    expect((await register(client, id, "Alpha", team)).status).toBe(303);
    const again = await register(client, id, "Beta", team);
    expect(again.status).toBe(409);
    expect(announcedText(again.text)).toContain("You're already in this tournament, with “Alpha”.");
    expect(field(again.text, "name").value).toBe("Beta");
    expect(links(again.text)).toContainEqual({ text: "Go to Your Team", href: `/tournaments/${id}/teams/${team}` });
    expect((await teamsOf(id)).map(({ name }) => name)).toEqual(["Alpha"]);
  });

  test("for a full tournament leads to the waiting list, and no spot is shown as open", async () => {
    const { id } = await newTournament({ teamSize: 1, maxParticipants: 2 });
    const panel = async () => main((await (await newEntrant()).client.get(`/tournaments/${id}`)).text);
    expect(await panel()).toContain("Your spot is open.");
    for (let number = 1; number <= 3; number += 1) {
      const { client } = await newEntrant();
      const own = await client.follow(await client.submit(`/tournaments/${id}/register`, "Register"));
      expect(textOf(select(own.text, "section[aria-label='Your spot']"))).toContain("You, ");
      if (number !== 2) continue;
      expect(await panel()).toContain("All 2 spots are taken. Register to join the waiting list. You'd be first");
    }
    expect(await panel()).toContain("Register to join the waiting list. 1 player is already waiting.");
    expect(await panel()).not.toContain("Your spot is open.");
  });

  test.each([
    [2, "The other one joins with your link"],
    [5, "The other 4 join with your link"],
  ])("of %i says how many others can join", async (teamSize, words) => {
    const { id } = await newTournament({ teamSize });
    const { client } = await newEntrant();
    expect(textOf((await client.get(`/tournaments/${id}/register`)).text)).toContain(words);
  });

  test("is refused a second time, after the deadline, or once the tournament has started", async () => {
    const { id } = await newTournament();
    const { captain } = await newTeam(id, "The First");
    const twice = await register(captain.client, id, "The Second");
    expect(twice.status).toBe(409);
    expect(announcedText(twice.text)).toContain("You're already in this tournament, with “The First”.");
    const before = await tournamentOf(id);
    const { client } = await newEntrant();
    for (const [change, words] of [
      [{ registrationDeadline: new Date(Date.now() - 1) }, "Registration is closed: the deadline has passed."],
      [{ state: "running" }, "This tournament has started or is over"],
      [{ state: "cancelled" }, "This tournament has started or is over"],
    ] as const) {
      await app.db.update(tournaments).set(change).where(eq(tournaments.id, id));
      const answer = await register(client, id, "Too Late");
      expect(answer.status).toBe(409);
      expect(announcedText(answer.text)).toContain(words);
      expect(field(answer.text, "name").value).toBe("Too Late");
      expect((await client.get(`/tournaments/${id}/register`)).text).toContain(words.slice(0, 20));
    }
    expect(await teamsOf(id)).toHaveLength(1);
    expect((await tournamentOf(id)).version).toBe(before.version);
  });

  test("needs verified players within the ranks, and the refusal names both ranks and the page to visit", async () => {
    const { id } = await newTournament({ minRank: "Gold 1", maxRank: "Diamond 3" });
    for (const [profile, words, link] of [
      [{ currentRank: "Silver 3" }, "This tournament is for Gold 1 to Diamond 3. You're Silver 3.", null],
      [{ currentRank: "Radiant" }, "This tournament is for Gold 1 to Diamond 3. You're Radiant.", null],
      [
        { riotVerifiedAt: null, riotPuuid: null },
        "Verify your Riot account first.",
        "/dashboard/profile#account-verification",
      ],
    ] as const) {
      const { client } = await newEntrant(profile);
      const dialog = await client.get(`/tournaments/${id}/register`);
      expect(textOf(dialog.text)).toContain(words);
      const answer = await register(client, id);
      expect(answer.status).toBe(409);
      expect(announcedText(answer.text)).toContain(words);
      if (link) expect(links(answer.text).map(({ href }) => href)).toContain(link);
    }
    expect(await teamsOf(id)).toEqual([]);
  });

  test("asks for a missing rank in the dialog, and saves it in the profile", async () => {
    const { id } = await newTournament({ minRank: "Gold 1", maxRank: "Diamond 3" });
    const address = `/tournaments/${id}/register`;
    const { player, client } = await newEntrant({ currentRank: null });
    const fields = { id: uuidv7(), name: "Ranked at last" };
    expect(textOf(select((await client.get(address)).text, "dialog label[for*=currentRank]"))).toBe("Your Rank");

    const without = await client.post(address, fields);
    expect(without.status).toBe(409);
    expect(announcedText(without.text)).toContain("Set your rank to register.");

    const low = await client.post(address, { ...fields, currentRank: "Iron 1" });
    expect(low.status).toBe(409);
    expect(field(low.text, "currentRank").description).toContain("This tournament is for Gold 1 to Diamond 3.");
    expect(await profileOf(player)).toMatchObject({ currentRank: null });

    const answer = await client.post(address, { ...fields, currentRank: "Gold 2" });
    expect([answer.status, answer.location]).toEqual([303, `/tournaments/${id}/teams/${fields.id}`]);
    expect(roundTrips(answer)).toBe(2);
    expect(await profileOf(player)).toMatchObject({ currentRank: "Gold 2" });
  });

  test("keeps the rank of a profile that has one", async () => {
    const { id } = await newTournament({ minRank: "Gold 1" });
    const { player, client } = await newEntrant({ currentRank: "Silver 3" });
    const fields = { id: uuidv7(), name: "Not so low", currentRank: "Gold 2" };
    expect((await client.post(`/tournaments/${id}/register`, fields)).status).toBe(409);
    expect(await profileOf(player)).toMatchObject({ currentRank: "Silver 3" });
  });

  test("needs a name that no other team of the tournament has, in any spelling", async () => {
    const { id } = await newTournament({ maxParticipants: 8 });
    await newTeam(id, "Łódź  Ninjas");
    const { client } = await newEntrant();
    const taken = await register(client, id, "LODZ NINJAS");
    expect(taken.status).toBe(409);
    expect(field(taken.text, "name").description).toContain("Another team in this tournament has that name.");
    for (const name of ["", " \u200B ", "x".repeat(41)]) {
      const answer = await register(client, id, name);
      expect(answer.status).toBe(400);
      expect(field(answer.text, "name").invalid).toBe(true);
    }
    const other = await newTournament();
    expect((await register(client, other.id, "Łódź Ninjas")).status).toBe(303);
  });

  test("is refused once if the host has changed the terms since the form was opened", async () => {
    const { id, hostId } = await newTournament({ entryFee: 0 });
    const host = await visitAs(app, { id: hostId, email: "" });
    const { client } = await newEntrant();
    const page = `/tournaments/${id}/register`;
    const opened = findForm((await client.get(page)).text, "Register").values;
    const edit = (fields: Fields) => host.submit(`/tournaments/${id}/edit`, "Save Tournament", fields);
    expect((await edit({ region: "Europe", description: "One evening.", prizePool: "25" })).status).toBe(303);
    const refused = await client.post(page, { ...opened, name: "Late Readers" });
    expect([refused.status, announcedText(refused.text), field(refused.text, "name").value]).toEqual([
      409,
      expect.stringContaining("The host has changed this tournament since you opened this form."),
      "Late Readers",
    ]);
    // On a phone, the dialog covers the page's own facts.
    expect(textOf(select(refused.text, "#register"))).toContain("Free entry, prize pool $25.00. Single elimination");
    expect(await teamsOf(id)).toEqual([]);
    const renewed = findForm(refused.text, "Register").values;
    // The description is not one of the terms: it may change even after teams have registered.
    expect((await edit({ description: "New words" })).status).toBe(303);
    expect((await client.post(page, renewed)).status).toBe(303);
    expect((await client.post(page, renewed)).status).toBe(303);
    expect(await teamsOf(id)).toHaveLength(1);
  });

  test("is refused once if the host now offers less than the page promised, and not if they offer more", async () => {
    for (const [less, more] of [
      [{ prizePool: "25" }, { prizePool: "500" }],
      [{ maxParticipants: "4" }, { maxParticipants: "16" }],
    ]) {
      const { id, hostId } = await newTournament({
        entryFee: 0,
        prizePool: 50_000,
        maxParticipants: 8,
        // In whole minutes, as from a form, so that the edit keeps it.
        tournamentDate: new Date(Math.floor(Date.now() / MINUTE) * MINUTE + 2 * DAY),
      });
      const host = await visitAs(app, { id: hostId, email: "" });
      const { client } = await newEntrant();
      const page = `/tournaments/${id}/register`;
      const opened = await client.get(page);
      expect(textOf(select(opened.text, "#register"))).toContain("Free entry, prize pool $500.00.");
      const edit = (fields: Fields) => host.submit(`/tournaments/${id}/edit`, "Save Tournament", fields);
      expect((await edit(less as Fields)).status).toBe(303);
      const values = { ...findForm(opened.text, "Register").values, name: "Late Readers" };
      const refused = await client.post(page, values);
      expect([refused.status, announcedText(refused.text)]).toEqual([
        409,
        expect.stringContaining("The host has changed this tournament since you opened this form."),
      ]);
      const shown = "prizePool" in (less as Fields) ? "Free entry, prize pool $25.00." : "4 spots";
      expect(textOf(select(refused.text, "#register"))).toContain(shown);
      // The dialog doesn't state all terms.
      expect(links(refused.text)).toContainEqual({ text: "See the tournament", href: `/tournaments/${id}` });
      expect(await teamsOf(id)).toEqual([]);
      expect((await edit(more as Fields)).status).toBe(303);
      expect((await client.post(page, findForm(refused.text, "Register").values)).status).toBe(303);
    }
  });

  test("isn't refused because the organisers have changed the seeding: the page promises nothing about it", async () => {
    const { id, hostId } = await newTournament({ maxParticipants: 8 });
    await newTeam(id);
    const host = await visitAs(app, { id: hostId, email: "" });
    const { client } = await newEntrant();
    const page = `/tournaments/${id}/register`;
    const opened = findForm((await client.get(page)).text, "Register").values;
    expect((await tournamentOf(id)).seeding).not.toBe("rank");
    const seeded = await host.post(`/tournaments/${id}/seeding`, { intent: "seeding", seeding: "rank" });
    expect([seeded.status, (await tournamentOf(id)).seeding]).toEqual([303, "rank"]);
    expect((await client.post(page, { ...opened, name: "Patient Readers" })).status).toBe(303);
    expect(await teamsOf(id)).toHaveLength(2);
  });

  test("needs a session and an existing tournament", async () => {
    const { id } = await newTournament();
    expect((await app.client().get(`/tournaments/${id}/register`)).location).toContain("/auth?redirectTo=");
    const signedOut = await register(app.client(), id);
    expect(signedOut.status).toBe(401);
    const { client } = await newEntrant();
    expect((await register(client, uuidv7())).status).toBe(404);
    expect((await register(client, id, null)).status).toBe(409);
    const broken = await register(client, id, "Broken", "no-id");
    expect(broken.status).toBe(400);
    expect(await teamsOf(id)).toEqual([]);
  });

  test("never overfills a tournament: teams beyond its spots join the waiting list", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newTournament({ maxParticipants: 2 });
      const entrants = await Promise.all(Array.from({ length: 6 }, () => newEntrant()));
      const answers = await Promise.all(entrants.map(({ client }) => register(client, id)));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
      const teams = await teamsOf(id);
      expect(teams.filter(({ state }) => state === "entered")).toHaveLength(2);
      expect(teams.filter(({ state }) => state === "waiting")).toHaveLength(4);
      expect((await tournamentOf(id)).currentParticipants).toBe(2);
    }
  });

  test("is refused once 100 teams are waiting, whichever of two asks first", async () => {
    const { id, teams } = await newTournament({ teams: 2 + 99, maxParticipants: 2 });
    const entered = teams.slice(0, 2).map((team) => team.id);
    await app.db
      .update(tournamentTeams)
      .set({ state: "waiting" })
      .where(and(eq(tournamentTeams.tournamentId, id), notInArray(tournamentTeams.id, entered)));
    await app.db.update(tournaments).set({ currentParticipants: 2 }).where(eq(tournaments.id, id));
    const [one, other] = [await newEntrant(), await newEntrant()];
    const answers = await Promise.all([register(one.client, id, "Late"), register(other.client, id, "Later")]);
    const page = await (await newEntrant()).client.get(`/tournaments/${id}`);
    expect(main(page.text)).toContain("All 2 spots are taken. The waiting list is full, too.");
    expect(links(page.text).filter(({ text }) => text === "Register")).toEqual([]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(announcedText(refused?.text ?? "")).toContain("All spots are taken, and the waiting list is full, too.");
    expect((await teamsOf(id)).filter(({ state }) => state === "waiting")).toHaveLength(100);
  });

  test("with several simultaneous forms makes one team", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newTournament({ maxParticipants: 8 });
      const { client, player } = await newEntrant();
      const answers = await Promise.all(Array.from({ length: 4 }, () => register(client, id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409]);
      expect(await teamsOf(id)).toHaveLength(1);
      expect(await app.db.select().from(tournamentPlayers).where(eq(tournamentPlayers.userId, player.id))).toHaveLength(
        1,
      );
    }
  });
});

describe("The team's link", () => {
  test("adds players: the first ones play, two more are substitutes, and then it is closed", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const page = await captain.client.get(`/tournaments/${id}/teams/${teamId}`);
    const [link] = page.text.match(/\/tournaments\/[^"]*\/join\/[^"]+/) ?? [];
    const answers = [];
    for (let number = 0; number < 4; number += 1) {
      const { client } = await newEntrant();
      const invitation = await client.get(link as string);
      expect([invitation.status, roundTrips(invitation)]).toEqual([200, 1]);
      // The last one presses the button of a page that they opened before the team was full.
      answers.push(await (number < 3 ? client.submit(link as string, "Join Team") : client.post(link as string)));
    }
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 409]);
    expect(answers.slice(0, 3).map(roundTrips)).toEqual([2, 2, 2]);
    expect(announcedText(answers[3]?.text ?? "")).toContain("This team is full, substitutes included.");
    const members = await membersOf(teamId);
    expect(members.filter(({ isSubstitute }) => isSubstitute)).toHaveLength(2);
    expect(members).toHaveLength(4);
    expect(await kindsOf(captain.player)).toEqual(["tournament-team"]);
  });

  test("says so on its page, and offers no button, once nobody can join by it", async () => {
    const { id, hostId } = await newTournament();
    const { teamId } = await newTeam(id);
    const { client } = await newEntrant();
    const [team] = await teamsOf(id);
    const link = `/tournaments/${id}/join/${team?.inviteToken}`;
    /** Returns the sentence above the page's button, and whether the button is there. */
    const shown = async (viewer = client) => {
      const { text } = await viewer.get(link);
      return [main(text).match(/You're invited|This t.*?\./)?.[0], buttons(text).includes("Join Team")];
    };
    const change = (values: Partial<typeof tournaments.$inferInsert>) =>
      app.db.update(tournaments).set(values).where(eq(tournaments.id, id));
    expect(await shown()).toEqual(["You're invited", true]);
    for (const state of ["running", "finished", "cancelled"] as const) {
      await change({ state });
      expect(await shown()).toEqual(["This tournament has started or is over, so its teams can't change.", false]);
    }
    await change({ state: "open", hiddenAt: new Date() });
    const host = await visitAs(app, { id: hostId, email: "" });
    expect(await shown(host)).toEqual(["This tournament is hidden, so its teams can't change.", false]);
    await change({ hiddenAt: null });
    const mates = [await newEntrant(), await newEntrant(), await newEntrant()];
    for (const mate of mates) expect((await join(mate, id, teamId)).status).toBe(303);
    expect(await shown()).toEqual(["This team is full, substitutes included.", false]);
    expect(main((await mates[0]?.client.get(link))?.text ?? "")).toContain("You're already in this team.");
  });

  test("stops working when the captain makes a new one", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const [before] = await teamsOf(id);
    await captain.client.submit(`/tournaments/${id}/teams/${teamId}`, "New Link");
    const { client } = await newEntrant();
    const old = `/tournaments/${id}/join/${before?.inviteToken}`;
    expect(main((await client.get(old)).text)).toContain("This link doesn't work any more.");
    expect((await client.post(old)).status).toBe(409);
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test("is kept if the captain asks for a new one on a page that shows an older link", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const opened = findForm((await captain.client.get(page)).text, "New Link").values;
    expect((await captain.client.submit(page, "New Link")).status).toBe(303);
    const [renewed] = await teamsOf(id);
    const stale = await captain.client.post(page, { ...opened, intent: "renew-link" });
    expect([stale.status, announcedText(stale.text)]).toEqual([
      409,
      expect.stringContaining("Your link has changed since you opened this page. Check it first."),
    ]);
    expect(field(stale.text, "link").value).toContain(`/join/${renewed?.inviteToken}`);
    expect((await join(await newEntrant(), id, teamId)).status).toBe(303);
    const fresh = findForm(stale.text, "New Link").values;
    expect((await captain.client.post(page, { ...fresh, intent: "renew-link" })).status).toBe(303);
    expect((await teamsOf(id))[0]?.inviteToken).not.toBe(renewed?.inviteToken);
  });

  test("requires every condition: verified, within the ranks, in one team, not blocked, before the start", async () => {
    const { id } = await newTournament({ minRank: "Gold 1", maxParticipants: 8 });
    const { captain, teamId } = await newTeam(id);
    const unverified = await newEntrant({ riotVerifiedAt: null, riotPuuid: null });
    const low = await newEntrant({ currentRank: "Iron 1" });
    const elsewhere = (await newTeam(id, "Elsewhere")).captain;
    const blocked = await newEntrant();
    await addBlock(app, captain.player, blocked.player);
    for (const [visitor, status, words] of [
      [unverified, 409, "Verify your Riot account first."],
      [low, 409, "This tournament is for Gold 1 and up. You're Iron 1."],
      [elsewhere, 409, "You're already in this tournament, with “Elsewhere”."],
      [blocked, 403, "You can't join this team."],
    ] as const) {
      const answer = await join(visitor, id, teamId);
      expect(answer.status).toBe(status);
      expect(announcedText(answer.text)).toContain(words);
    }
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    expect((await join(await newEntrant(), id, teamId)).status).toBe(409);
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test("refuses players who were blocked by a member or have blocked one", async () => {
    const { id } = await newTournament({ teamSize: 3, maxParticipants: 8 });
    const { teamId, members } = await newFullTeam(id, 2);
    const mate = members[0]?.player as Player;
    for (const isBlocker of [true, false]) {
      const visitor = await newEntrant();
      await (isBlocker ? addBlock(app, visitor.player, mate) : addBlock(app, mate, visitor.player));
      const answer = await join(visitor, id, teamId);
      expect([answer.status, announcedText(answer.text)]).toEqual([
        403,
        expect.stringContaining("You can't join this team."),
      ]);
    }
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test("lets a player who joins two teams at the same time into only one of them", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newTournament();
      const [one, two] = [await newTeam(id), await newTeam(id)];
      const visitor = await newEntrant();
      const answers = await Promise.all([join(visitor, id, one.teamId), join(visitor, id, two.teamId)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    }
  });

  test("never overfills a team, however many players join at the same time", async () => {
    const { id } = await newTournament();
    const { teamId } = await newTeam(id);
    const visitors = await Promise.all(Array.from({ length: 6 }, () => newEntrant()));
    await Promise.all(visitors.map((visitor) => join(visitor, id, teamId)));
    const members = await membersOf(teamId);
    expect(members).toHaveLength(4);
    expect(members.filter(({ isSubstitute }) => !isSubstitute)).toHaveLength(2);
  });
});

describe("Inviting players by name", () => {
  test("reaches teammates and conversation partners, who join or decline on the team's page", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id, "Asking");
    const [mate, partner, stranger] = [await newEntrant(), await newEntrant(), await newEntrant()];
    await addSession(app.db, captain.player, [mate.player]);
    await addConversation(app, captain.player, partner.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const own = await captain.client.get(page);
    expect(roundTrips(own)).toBe(1);
    expect(own.text).toContain(`value="${mate.player.id}"`);
    expect(own.text).toContain(`value="${partner.player.id}"`);
    expect(own.text).not.toContain(stranger.player.id);
    const players = [mate, partner, stranger].map(({ player }) => player.id);
    const asked = await captain.client.post(page, { intent: "invite", players });
    expect([asked.status, roundTrips(asked)]).toEqual([303, 2]);
    expect(announcedText((await captain.client.follow(asked)).text)).toContain("2 invitations sent");
    expect(await kindsOf(mate.player)).toEqual(["tournament-invitation"]);
    expect(await kindsOf(stranger.player)).toEqual([]);
    const news = await mate.client.get("/dashboard/notifications");
    expect(links(news.text)).toContainEqual(expect.objectContaining({ href: page }));
    const joined = await mate.client.submit(page, "Join Team");
    expect(joined.status).toBe(303);
    const declined = await partner.client.submit(page, "Decline");
    expect(declined.status).toBe(303);
    expect((await membersOf(teamId)).map(({ userId }) => userId).sort()).toEqual(
      [captain.player.id, mate.player.id].sort(),
    );
    expect(await app.db.select().from(tournamentInvitations).where(eq(tournamentInvitations.teamId, teamId))).toEqual(
      [],
    );
  });

  test("twice sends one invitation and says the same again", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const [one, two] = [await newEntrant(), await newEntrant()];
    for (const { player } of [one, two]) await addConversation(app, captain.player, player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const invite = async (...invited: Visitor[]) => {
      const players = invited.map(({ player }) => player.id);
      const answer = await captain.client.post(page, { intent: "invite", players });
      return [answer.status, announcedText((await captain.client.follow(answer)).text)];
    };
    const sent = (words: string) => [303, expect.stringContaining(words)];
    expect(await invite(one)).toEqual(sent("Invitation sent"));
    expect(await invite(one)).toEqual(sent("Invitation sent"));
    expect(await invite(one, two)).toEqual(sent("Invitation sent"));
    expect(await invite(one, two)).toEqual(sent("2 invitations sent"));
    for (const { player } of [one, two]) expect(await kindsOf(player)).toEqual(["tournament-invitation"]);
    // Someone who has joined a team isn't invited any more.
    expect((await two.client.post(page, { intent: "accept" })).status).toBe(303);
    const late = await captain.client.post(page, {
      intent: "invite",
      players: [one, two].map(({ player }) => player.id),
    });
    expect([late.status, announcedText(late.text)]).toEqual([409, expect.stringContaining("You can't invite them")]);
  });

  test("leaves no news of the invitation once the player has declined, not in open tabs either", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const guest = await newEntrant();
    await addConversation(app, captain.player, guest.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await captain.client.post(page, { intent: "invite", players: guest.player.id })).status).toBe(303);
    const tab = await openInbox(guest.client);
    await tab.next("unread", (unread) => unread.notifications === 1);
    expect((await guest.client.post(page, { intent: "decline" })).status).toBe(303);
    await tab.next("unread", (unread) => unread.notifications === 0);
    tab.close();
    expect(await kindsOf(guest.player)).toEqual([]);
  });

  test("can only be declined once the team is full", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const guest = await newEntrant();
    await addConversation(app, captain.player, guest.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await captain.client.post(page, { intent: "invite", players: [guest.player.id] })).status).toBe(303);
    expect(buttons((await guest.client.get(page)).text)).toEqual(expect.arrayContaining(["Join Team", "Decline"]));
    for (let number = 0; number < 3; number += 1) await join(await newEntrant(), id, teamId);
    const { text } = await guest.client.get(page);
    expect(main(text)).toContain("You're invited to play with this team. This team is full, substitutes included.");
    expect(buttons(text)).not.toContain("Join Team");
    expect((await guest.client.submit(page, "Decline")).status).toBe(303);
  });

  test("no longer counts in the invited player's open tabs once the invitation or the whole team is gone", async () => {
    const { id, hostId } = await newTournament({ maxParticipants: 8 });
    const host = await visitAs(app, { id: hostId, email: "" });
    for (const end of ["take-back", "withdraw", "remove-team"]) {
      const { captain, teamId } = await newTeam(id);
      const guest = await newEntrant();
      await addConversation(app, captain.player, guest.player);
      const page = `/tournaments/${id}/teams/${teamId}`;
      expect((await captain.client.post(page, { intent: "invite", players: guest.player.id })).status).toBe(303);
      const tab = await openInbox(guest.client);
      await tab.next("unread", ({ notifications }) => notifications === 1);
      const answer = await (end === "take-back"
        ? captain.client.post(page, { intent: end, player: guest.player.id })
        : end === "withdraw"
          ? captain.client.post(`/tournaments/${id}/withdraw`)
          : host.post(page, { intent: end }));
      expect(answer.status, end).toBe(303);
      await tab.next("unread", ({ notifications }) => notifications === 0);
      tab.close();
    }
  });

  test.each([
    [
      "accepted one",
      (guest: Visitor, id: string, teamId: string) =>
        guest.client.post(`/tournaments/${id}/teams/${teamId}`, { intent: "accept" }),
    ],
    ["joined a team by its link", (guest: Visitor, id: string, teamId: string) => join(guest, id, teamId)],
    ["registered a team", (guest: Visitor, id: string) => register(guest.client, id)],
  ])("leaves no news of any invitation once the player has %s, not in open tabs either", async (_, enter) => {
    const { id } = await newTournament({ maxParticipants: 8 });
    const elsewhere = await newTournament();
    const guest = await newEntrant();
    const places = [id, id, elsewhere.id];
    const teams = [];
    for (const place of places) {
      const { captain, teamId } = await newTeam(place);
      await addConversation(app, captain.player, guest.player);
      const page = `/tournaments/${place}/teams/${teamId}`;
      expect((await captain.client.post(page, { intent: "invite", players: guest.player.id })).status).toBe(303);
      teams.push(teamId);
    }
    const tab = await openInbox(guest.client);
    await tab.next("unread", ({ notifications }) => notifications === 3);
    expect((await enter(guest, id, teams[0] as string)).status).toBe(303);
    await tab.next("unread", ({ notifications }) => notifications === 1);
    tab.close();
    const news = await app.db.select().from(notifications).where(eq(notifications.userId, guest.player.id));
    expect(news.map(({ subject }) => subject)).toEqual([`tournament-team:${elsewhere.id}/${teams[2]}`]);
  });

  test("is for the captain only, and only invited players can join that way", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const mate = await newEntrant();
    await addConversation(app, captain.player, mate.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await mate.client.post(page, { intent: "invite", players: [captain.player.id] })).status).toBe(404);
    expect((await mate.client.post(page, { intent: "accept" })).status).toBe(409);
    expect((await captain.client.post(page, { intent: "invite" })).status).toBe(400);
    await captain.client.post(page, { intent: "invite", players: [mate.player.id] });
    expect((await captain.client.post(page, { intent: "take-back", player: mate.player.id })).status).toBe(303);
    expect(await kindsOf(mate.player)).toEqual([]);
    expect((await mate.client.post(page, { intent: "accept" })).status).toBe(409);
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test("can't be taken back or declined once the player has joined, and the buttons of outdated pages say so", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const mate = await newEntrant();
    await addConversation(app, captain.player, mate.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const asked = await captain.client.post(page, { intent: "invite", players: [mate.player.id] });
    expect(asked.status).toBe(303);
    expect((await mate.client.submit(page, "Join Team")).status).toBe(303);
    for (const [{ client }, button, words] of [
      [captain, { intent: "take-back", player: mate.player.id }, "They've already joined your team."],
      [mate, { intent: "decline" }, "You've already joined this team."],
    ] as const) {
      const late = await client.post(page, button);
      expect([late.status, announcedText(late.text), roundTrips(late)]).toEqual([409, `Error ${words}`, 3]);
    }
    expect(await membersOf(teamId)).toHaveLength(2);
    expect((await mate.client.post(page, { intent: "leave" })).status).toBe(303);
    // A second press finds no invitation, and changes nothing.
    expect((await mate.client.post(page, { intent: "decline" })).status).toBe(303);
  });
});

describe("News of an invitation, which is sent once a day,", () => {
  const strict = useApp({ limitFactor: 1 });
  const { newTournament, newEntrant, newTeam, kindsOf } = registrationsIn(strict);

  test("is sent again to a player who had accepted and left, but not after the captain's Uninvite", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const [guest, other] = [await newEntrant(), await newEntrant()];
    for (const { player } of [guest, other]) await addConversation(strict, captain.player, player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const invite = async ({ player }: Visitor) =>
      expect((await captain.client.post(page, { intent: "invite", players: player.id })).status).toBe(303);
    await invite(guest);
    for (const intent of ["accept", "leave"]) expect((await guest.client.post(page, { intent })).status).toBe(303);
    await invite(guest);
    expect(await kindsOf(guest.player)).toEqual(["tournament-invitation"]);
    await invite(other);
    expect((await captain.client.post(page, { intent: "take-back", player: other.player.id })).status).toBe(303);
    await invite(other);
    expect(await kindsOf(other.player)).toEqual([]);
  });
});

describe("A team's banners", () => {
  test("are filled with sky blue for the viewer alone, wherever the team is shown", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id);
    const [team] = await teamsOf(id);
    const stranger = await newEntrant();
    const places = {
      [`/tournaments/${id}`]: "section[aria-label='Your team']",
      [`/tournaments/${id}/teams/${teamId}`]: "main div:has(+ h1)",
      [`/tournaments/${id}/join/${team?.inviteToken}`]: "main div:has(+ h1)",
    };
    for (const [address, place] of Object.entries(places)) {
      for (const { client, player } of [captain, members[0] as typeof captain]) {
        const banners = select((await client.get(address)).text, place);
        const letter = ((await profileOf(player))?.riotGameName ?? "").slice(0, 1);
        expect(texts(banners, ".u-you"), address).toEqual([letter]);
        expect(texts(banners, ".u-banner"), address).toHaveLength(1);
      }
      expect(select((await stranger.client.get(address)).text, ".u-you"), address).toHaveLength(0);
    }
  });
});

describe("A team's players", () => {
  test("can leave, be removed and swap places, and a substitute moves up automatically", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id, 4);
    const [second, third, fourth] = members.map(({ player }) => player.id) as [string, string, string];
    const page = `/tournaments/${id}/teams/${teamId}`;
    const playing = async () =>
      (await membersOf(teamId)).filter(({ isSubstitute }) => !isSubstitute).map(({ userId }) => userId);
    const swapped = await captain.client.post(page, { intent: "swap", player: second, substitute: fourth });
    expect([swapped.status, roundTrips(swapped)]).toEqual([303, 2]);
    expect((await playing()).sort()).toEqual([captain.player.id, fourth].sort());
    expect((await members[2]?.client.post(page, { intent: "leave" }))?.status).toBe(303);
    expect((await playing()).sort()).toEqual([captain.player.id, second].sort());
    expect((await captain.client.post(page, { intent: "remove", player: second })).status).toBe(303);
    expect((await playing()).sort()).toEqual([captain.player.id, third].sort());
    expect(await kindsOf(members[0]?.player as never)).toEqual(["tournament-team"]);
  });

  test("are told truly why their team can't change while the tournament is played, and once it is over", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id, 3);
    const [mate, substitute] = members as [Visitor, Visitor];
    const page = `/tournaments/${id}/teams/${teamId}`;
    const refusals = async () => [
      announcedText((await mate.client.post(page, { intent: "leave" })).text),
      announcedText((await captain.client.post(page, { intent: "remove", player: mate.player.id })).text),
    ];
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    for (const refusal of await refusals()) expect(refusal).toContain("Only substitutes can come in now.");
    for (const state of ["finished", "cancelled"] as const) {
      await app.db.update(tournaments).set({ state }).where(eq(tournaments.id, id));
      const swap = { intent: "swap", player: mate.player.id, substitute: substitute.player.id };
      for (const refusal of [...(await refusals()), announcedText((await captain.client.post(page, swap)).text)]) {
        expect(refusal).toContain("This tournament has started or is over, so its teams can't change.");
      }
    }
  });

  test("who have left follow no dead link once the team is gone", async () => {
    const { id } = await newTournament();
    const { captain, members, teamId } = await newFullTeam(id);
    const [mate] = members as [Visitor];
    const gone = await newEntrant();
    expect((await join(gone, id, teamId)).status).toBe(303);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const press = async ({ client }: Visitor, button: Fields) =>
      expect((await client.post(page, button)).status).toBe(303);
    await press(captain, { intent: "remove", player: gone.player.id });
    await press(captain, { intent: "hand-over", player: mate.player.id });
    await press(captain, { intent: "leave" });
    expect((await mate.client.post(`/tournaments/${id}/withdraw`)).status).toBe(303);
    for (const { client } of [gone, captain]) {
      const news = links((await client.get("/dashboard/notifications")).text).map(({ href }) => href);
      for (const href of news.filter((one) => one.startsWith("/tournaments/"))) {
        expect((await client.get(href)).status, href).toBe(200);
      }
    }
    expect(await kindsOf(gone.player)).toEqual([]);
  });

  test("aren't disturbed by the buttons of players who were never in the team", async () => {
    const { id } = await newTournament({ maxParticipants: 8 });
    const { teamId } = await newFullTeam(id);
    const [stranger, room] = [await newEntrant(), await openTournament(app.client(), id)];
    const teams = `/tournaments/${id}/teams`;
    expect((await stranger.client.post(`${teams}/${teamId}`, { intent: "leave" })).status).toBe(409);
    expect((await stranger.client.post(`${teams}/${teamId}`, { intent: "decline" })).status).toBe(303);
    expect((await stranger.client.post(teams, { intent: "stop-seeking" })).status).toBe(303);
    await newTeam(id);
    await room.next("changed");
    room.close();
    expect(room.frames.filter(({ type }) => type === "changed")).toHaveLength(1);
  });

  test("include a captain, who hands the team over before leaving", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id);
    const [mate] = members as [(typeof members)[0]];
    const page = `/tournaments/${id}/teams/${teamId}`;
    const refused = await captain.client.post(page, { intent: "leave" });
    expect(refused.status).toBe(409);
    expect(announcedText(refused.text)).toContain(
      "You're the captain. Make someone else captain first, or withdraw the team while",
    );
    expect((await captain.client.post(page, { intent: "hand-over", player: mate.player.id })).status).toBe(303);
    expect((await teamsOf(id))[0]?.captainId).toBe(mate.player.id);
    expect((await captain.client.post(page, { intent: "leave" })).status).toBe(303);
    expect(await membersOf(teamId)).toHaveLength(1);
  });

  test("learn that they are the captain now, even if a player leaves before they have looked", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members, name } = await newFullTeam(id);
    const [mate] = members as [(typeof members)[0]];
    const page = `/tournaments/${id}/teams/${teamId}`;
    for (let press = 0; press < 2; press += 1) {
      await captain.client.post(page, { intent: "hand-over", player: mate.player.id });
    }
    expect(await kindsOf(mate.player)).toEqual(["tournament-captain"]);
    expect((await captain.client.post(page, { intent: "leave" })).status).toBe(303);
    expect((await kindsOf(mate.player)).sort()).toEqual(["tournament-captain", "tournament-team"]);
    expect(await kindsOf(captain.player)).not.toContain("tournament-captain");
    const news = await mate.client.get("/dashboard/notifications");
    expect(main(news.text)).toContain(`You're now the captain of “${name}”`);
    expect(main(news.text)).toContain(`A player left “${name}”`);
    expect(links(news.text).filter(({ href }) => href === page)).toHaveLength(2);
    await mate.client.get(page);
    await expect.poll(() => kindsOf(mate.player)).toEqual([]);
  });

  test("can only swap places during the tournament", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id, 3);
    const [second, third] = members.map(({ player }) => player.id) as [string, string];
    await app.db.update(tournaments).set({ state: "running" }).where(eq(tournaments.id, id));
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await captain.client.post(page, { intent: "remove", player: second })).status).toBe(409);
    for (const { client } of [captain, members[0] as (typeof members)[0]]) {
      const stays = await client.post(page, { intent: "leave" });
      expect(stays.status).toBe(409);
      // The page no longer suggests withdrawing, not even to the captain.
      expect(announcedText(stays.text)).toContain("The tournament has started. Only substitutes can come in now.");
      expect(announcedText(stays.text)).not.toContain("withdraw it");
    }
    expect((await captain.client.post(page, { intent: "swap", player: second, substitute: third })).status).toBe(303);
    expect(await membersOf(teamId)).toHaveLength(3);
  });

  test("can't swap places while the tournament is hidden: to their open page it doesn't exist", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id, 3);
    const [second, third] = members.map(({ player }) => player.id) as [string, string];
    await app.db.update(tournaments).set({ hiddenAt: new Date() }).where(eq(tournaments.id, id));
    // As the page's script sends it: without JavaScript, the page itself is missing.
    const page = `/tournaments/${id}/teams/${teamId}.data`;
    const swap = { intent: "swap", player: second, substitute: third };
    expect((await captain.client.post(page, swap)).status).toBe(404);
  });

  test("are managed by their captain only, not by members, other captains or strangers", async () => {
    const { id } = await newTournament({ maxParticipants: 8 });
    const { captain, teamId, members } = await newFullTeam(id, 3);
    const other = await newTeam(id);
    const page = `/tournaments/${id}/teams/${teamId}`;
    const player = captain.player.id;
    const member = members[0] as (typeof members)[0];
    for (const { client } of [member, other.captain, await newEntrant()]) {
      for (const fields of [
        { intent: "remove", player: members[1]?.player.id },
        { intent: "hand-over", player: members[1]?.player.id },
        { intent: "swap", player, substitute: members[1]?.player.id },
        { intent: "renew-link" },
        { intent: "remove-team" },
        { intent: "take-back", player },
      ]) {
        expect((await client.post(page, fields)).status, fields.intent).toBe(client === member.client ? 409 : 404);
      }
      expect((await client.post(page, { intent: "nonsense" })).status).toBe(404);
    }
    expect(await membersOf(teamId)).toHaveLength(3);
    expect((await teamsOf(id)).find((team) => team.id === teamId)?.captainId).toBe(player);
  });

  test("learn why a button of an outdated page came too late", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id, 4);
    const [gone, first, second] = members as [Visitor, Visitor, Visitor];
    const page = `/tournaments/${id}/teams/${teamId}`;
    const press = async ({ client }: Visitor, intent: string, fields: Fields = {}) => {
      const answer = await client.post(page, { intent, ...fields });
      expect(answer.status, intent).toBe(409);
      return announcedText(answer.text);
    };
    expect((await gone.client.post(page, { intent: "leave" })).status).toBe(303);
    expect(await press(gone, "leave")).toContain("You're no longer in this team.");
    for (const intent of ["remove", "hand-over"]) {
      expect(await press(captain, intent, { player: gone.player.id })).toContain(
        "This player is no longer in your team.",
      );
    }
    // The departure has made this substitute a starter.
    const promoted = { player: captain.player.id, substitute: first.player.id };
    expect(await press(captain, "swap", promoted)).toContain("Your team has changed");
    const handOver = { intent: "hand-over", player: first.player.id };
    expect((await captain.client.post(page, handOver)).status).toBe(303);
    for (const [intent, fields] of [
      ["remove", { player: second.player.id }],
      ["hand-over", { player: second.player.id }],
      ["swap", { player: first.player.id, substitute: second.player.id }],
      ["invite", { players: gone.player.id }],
      ["renew-link", {}],
      ["take-back", { player: gone.player.id }],
    ] as const) {
      expect(await press(captain, intent, fields)).toContain("You're not this team's captain.");
    }
    const withdrawn = await captain.client.post(`/tournaments/${id}/withdraw`);
    expect(withdrawn.status).toBe(409);
    expect(announcedText(withdrawn.text)).toContain("Only a team's captain can withdraw it.");
    expect((await teamsOf(id))[0]?.captainId).toBe(first.player.id);
  });

  test("and organisers learn from an outdated page that the team is gone", async () => {
    const { id, hostId } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id);
    const host = await visitAs(app, { id: hostId, email: "" });
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await captain.client.post(`/tournaments/${id}/withdraw`)).status).toBe(303);
    for (const [client, intent] of [
      [host, "remove-team"],
      [captain.client, "renew-link"],
      [members[0]?.client as typeof host, "leave"],
      [members[0]?.client as typeof host, "accept"],
    ] as const) {
      const answer = await client.post(page, { intent });
      expect([answer.status, answer.location, roundTrips(answer)], intent).toEqual([
        303,
        `/tournaments/${id}/teams`,
        2,
      ]);
      expect(announcedText((await client.follow(answer)).text)).toContain("This team is no longer in the tournament.");
    }
    const late = await members[0]?.client.post(`/tournaments/${id}/teams`, { intent: "check-in" });
    expect([late?.status, announcedText(late?.text ?? "")]).toEqual([
      409,
      expect.stringContaining("You're no longer in this tournament."),
    ]);
  });

  test("see each other's Discord names, which strangers don't", async () => {
    const { id } = await newTournament();
    const captain = await newEntrant({ discordTag: "quiet.one", riotId: "Quiet#ONE" });
    const teamId = uuidv7();
    await register(captain.client, id, unique("Quiet "), teamId);
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect(main((await captain.client.get(page)).text)).toContain("Discord quiet.one");
    for (const client of [app.client(), (await newVisitor(app)).client]) {
      const { text } = await client.get(page);
      expect(text).not.toContain("quiet.one");
      expect(text).not.toContain("/join/");
    }
    const elsewhere = await newTournament();
    for (const [tournamentId, team] of [
      [elsewhere.id, teamId],
      [id, uuidv7()],
    ]) {
      const missing = `/tournaments/${tournamentId}/teams/${team}`;
      expect((await captain.client.get(missing)).status).toBe(404);
      // An open page of a team that is gone reloads like this.
      expect((await captain.client.get(`${missing}.data`)).text).toContain(`"/tournaments/${tournamentId}/teams"`);
    }
    expect((await captain.client.get(`/tournaments/${uuidv7()}/teams/${teamId}`)).status).toBe(404);
  });
});

describe("Looking for a team", () => {
  test("lists a player with role and note until they join a team", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const seeker = await newEntrant();
    const answer = await seeker.client.submit(`/tournaments/${id}/seek`, "Put Me on the List", {
      role: "Sentinel",
      note: "I hold B.",
    });
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    const tab = await captain.client.get(`/tournaments/${id}/teams`);
    expect(roundTrips(tab)).toBe(1);
    expect(main(tab.text)).toContain("Sentinel I hold B. Report Message");
    expect(links(tab.text).map(({ href }) => href)).toContain(`/players/${seeker.player.id}/message`);
    await join(seeker, id, teamId);
    expect(main((await captain.client.get(`/tournaments/${id}/teams`)).text)).toContain(
      "Nobody is looking for a team right now.",
    );
    expect((await seeker.client.post(`/tournaments/${id}/seek`, { role: "", note: "" })).status).toBe(409);
  });

  test("is for eligible players, and can be withdrawn", async () => {
    const { id } = await newTournament({ minRank: "Gold 1" });
    const low = await newEntrant({ currentRank: "Iron 1" });
    expect((await low.client.post(`/tournaments/${id}/seek`, { role: "", note: "" })).status).toBe(409);
    expect((await low.client.post(`/tournaments/${id}/seek`, { role: "Healer", note: "" })).status).toBe(400);
    const alone = await newTournament({ teamSize: 1 });
    const seeker = await newEntrant();
    expect((await seeker.client.post(`/tournaments/${alone.id}/seek`, { role: "", note: "" })).status).toBe(409);
    await seeker.client.post(`/tournaments/${id}/seek`, { role: "", note: "" });
    expect((await seeker.client.submit(`/tournaments/${id}/teams`, "Take Me Off")).status).toBe(303);
    expect(main((await seeker.client.get(`/tournaments/${id}/teams`)).text)).toContain("Nobody is looking");
  });

  test("shows everyone page by page, and lets players edit and withdraw their entry from every page", async () => {
    const { id } = await newTournament();
    const tab = `/tournaments/${id}/teams`;
    const seeker = await newEntrant();
    await seeker.client.post(`/tournaments/${id}/seek`, { role: "", note: "I was here first." });
    const now = Date.now();
    for (let number = 1; number <= 60; number += 1) {
      const { id: userId } = await addPlayer(app, { riotGameName: `Seeker ${number}` });
      // Two of them each minute.
      const createdAt = new Date(now + Math.ceil(number / 2) * MINUTE);
      await app.db.insert(tournamentSeekers).values({ tournamentId: id, userId, createdAt });
    }
    const read = async (address: string) => {
      const page = await seeker.client.get(address.split("#")[0] as string);
      expect([page.status, roundTrips(page)]).toEqual([200, 1]);
      const section = select(page.text, "section[aria-labelledby=seekers]");
      expect(buttons(page.text)).toContain("Take Me Off");
      expect(links(section)).toContainEqual({ text: "Edit Your Entry", href: `/tournaments/${id}/seek` });
      return {
        text: textOf(section),
        names: texts(section, "li a[id^=player-]"),
        hrefOf: (name: string) => links(section).find(({ text }) => text === name)?.href,
      };
    };
    const first = await read(tab);
    const older = first.hrefOf("Older") as string;
    const second = await read(older);
    expect([first.names.length, second.names.length, second.hrefOf("Older")]).toEqual([50, 11, undefined]);
    expect(new Set([...first.names, ...second.names]).size).toBe(61);
    expect(first.names.slice(0, 2).sort()).toEqual(["Seeker 59", "Seeker 60"]);
    expect(second.text).toMatch(/ You I was here first\./);
    const newer = second.hrefOf("Newer") as string;
    expect((await seeker.client.get(newer.split("#")[0] as string)).location).toBe(tab);
    expect((await seeker.client.submit(tab, "Take Me Off")).location).toBe(tab);
    const after = await seeker.client.get(tab);
    expect(buttons(after.text)).not.toContain("Take Me Off");
    expect(links(after.text).map(({ text }) => text)).toContain("Look for a Team");
    // A visitor can also page through the list.
    expect(main((await app.client().get(older.split("#")[0] as string)).text)).not.toContain("I was here first.");
  });

  test("leads captains to a post with a suggested title", async () => {
    const { id } = await newTournament({ title: "Łódź Night Cup" });
    const { captain } = await newTeam(id);
    const tab = await captain.client.get(`/tournaments/${id}/teams`);
    const link = links(tab.text).find(({ text }) => text === "Look for Players in LFG");
    expect(field((await captain.client.get(link?.href as string)).text, "title").value).toBe("Łódź Night Cup");
  });
});

test("A list of 256 teams of five stays small and takes one round trip", async () => {
  const { id } = await newTournament({ teamSize: 5, maxParticipants: 256 });
  const players = await Promise.all(Array.from({ length: 5 }, () => newEntrant()));
  const teams = Array.from({ length: 256 }, (_, number) => ({
    id: uuidv7(),
    tournamentId: id,
    name: `Quiet People ${uuidv7().slice(-8)}`,
    nameKey: String(number),
    captainId: players[0]?.player.id as string,
    inviteToken: uuidv7(),
    state: "entered" as const,
    listedAt: new Date(),
    createdAt: new Date(),
  }));
  await app.db.insert(tournamentTeams).values(teams);
  for (let start = 0; start < teams.length; start += 32) {
    const members = teams.slice(start, start + 32).flatMap(({ id: teamId }) => {
      const five = Array.from({ length: 5 }, () => uuidv7());
      return five.map((userId) => ({ tournamentId: id, userId, teamId, joinedAt: new Date() }));
    });
    await app.db.batch([
      app.db.insert(users).values(
        members.map(({ userId }) => ({
          id: userId,
          email: `${userId}@lineup.test`,
          passwordHash: "none",
          createdAt: new Date(),
        })),
      ),
      app.db.insert(profiles).values(
        members.map(({ userId }) => ({
          userId,
          riotGameName: `Player ${userId.slice(-8)}`,
          updatedAt: new Date(),
        })),
      ),
      app.db.insert(tournamentPlayers).values(members),
    ]);
  }
  const client = await visitAs(app, (await newEntrant()).player);
  const page = await client.get(`/tournaments/${id}/teams`);
  expect([page.status, roundTrips(page)]).toEqual([200, 1]);
  const size = gzipSync(page.text).length;
  console.info(`256 teams: ${Math.round(size / 1000)} kB gzip of ${Math.round(page.text.length / 1000)} kB`);
  expect(size).toBeLessThan(150_000);
});
