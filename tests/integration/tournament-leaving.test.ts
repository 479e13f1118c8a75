import { and, eq, inArray, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Command } from "#party/wire/tournament-commands";
import { eraseAccount, eraseDueAccounts } from "../../app/features/account/deletion.server";
import { suspendAccount, unsuspendAccount } from "../../app/features/moderation/decisions/suspension.server";
import { play } from "../../app/features/tournaments/play/play.server";
import { leaveTournaments } from "../../app/features/tournaments/shared/leaving.server";
import { type Database, openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import {
  conversationMembers,
  conversations,
  followUps,
  mutedNotifications,
  notificationSwitches,
  notifications,
  reportCases,
  tournamentEvents,
  tournamentMatches,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
  users,
} from "../../db/schema";
import { runAdmin } from "../support/admin";
import { useApp } from "../support/app";
import { announcements, buttons, links, main, select, textOf, texts } from "../support/html";
import { LOCAL_KEYS } from "../support/mailbox";
import { startTournament, undoFinal } from "../support/matches";
import { recordsIn } from "../support/records";
import { roundTrips } from "../support/server-timing";
import { openConversation } from "../support/socket";
import { addTournament } from "../support/tournaments";
import { casesIn } from "./cases";
import {
  addConversation,
  addPlayer,
  DAY,
  MINUTE,
  newPair,
  newVisitor,
  type Player,
  sendTo,
  unique,
  visitAs,
} from "./players";
import { register, registrationsIn } from "./registrations";
import type { Visitor } from "./talk";

const app = useApp();
const { accountOf, makeDeletionDue, notificationsOf, tournamentLogOf } = recordsIn(app);
const { newCase, decideCase } = casesIn(app);
const {
  newTournament,
  newTournamentWithOnePlace,
  newEntrant,
  tournamentOf,
  teamsOf,
  membersOf,
  newTeam,
  newFullTeam,
  kindsOf,
} = registrationsIn(app);

const REASON = "The host's account is gone.";
const DELETION = "/dashboard/settings/delete-account";

const ownDatabase = () => openDatabase({ url: app.libsqlUrl, authToken: app.libsqlAuthToken }).db;

/**
 * Leaves a player's tournaments, and returns everything that open tabs would be told.
 * @param told collects this, so that it isn't lost if leaving fails
 */
async function leave(
  { id }: { id: string },
  db: Database = ownDatabase(),
  told = { notified: [] as string[], tournamentIds: [] as string[], chats: [] as { id: string }[] },
) {
  await leaveTournaments(db, id, new Date(), {
    left(tournamentId, notified) {
      told.tournamentIds.push(tournamentId);
      told.notified.push(...notified);
    },
    leftChats: (chats) => void told.chats.push(...chats),
  });
  return told;
}

/** Suspends a player, and takes them out of tournaments as the follow-up does. */
async function suspend({ id }: { id: string }, db: Database = ownDatabase()) {
  await suspendAccount(
    { db, env: LOCAL_KEYS, now: new Date(), origin: app.url },
    id,
    { reason: "Spam" },
    { operator: "test" },
  );
  return leave({ id }, db);
}
const requestDeletion = ({ client, player }: Visitor) => client.post(DELETION, { email: player.email });
const isGone = async ({ id }: { id: string }) => (await accountOf({ id })) === undefined;
const nameOrganiser = (tournamentId: string, { id }: { id: string }) =>
  app.db.insert(tournamentOrganisers).values({ tournamentId, userId: id, addedAt: new Date() });
const organisersOf = async (id: string) =>
  (await app.db.select().from(tournamentOrganisers).where(eq(tournamentOrganisers.tournamentId, id))).map(
    ({ userId }) => userId,
  );
const change = (id: string, values: Partial<typeof tournaments.$inferInsert>) =>
  app.db.update(tournaments).set(values).where(eq(tournaments.id, id));

/** A database that runs `interrupt` right after its first transaction. */
function databaseWithInterruption(interrupt: () => Promise<unknown>): Database {
  const db = ownDatabase();
  let isFirst = true;
  const batch = async (statements: Parameters<Database["batch"]>[0]) => {
    const results = await db.batch(statements);
    if (isFirst) {
      isFirst = false;
      await interrupt();
    }
    return results;
  };
  return new Proxy(db, {
    get: (target, key) => (key === "batch" ? batch : Reflect.get(target, key, target)),
  });
}

/** A database whose responses are lost, except for the first one. */
function databaseWithLostAnswers(): Database {
  const db = ownDatabase();
  let answers = 0;
  const batch = async (statements: Parameters<Database["batch"]>[0]) => {
    const results = await db.batch(statements);
    answers += 1;
    if (answers > 1) throw new Error("Cut off");
    return results;
  };
  return new Proxy(db, {
    get: (target, key) => (key === "batch" ? batch : Reflect.get(target, key, target)),
  });
}

/** A tournament of a new host. */
async function newHostedTournament(values: Parameters<typeof newTournament>[0] = {}) {
  const host = await newVisitor(app, { riotGameName: unique("Host ") });
  const { id } = await newTournament({ userId: host.player.id, ...values });
  return { host, id, page: `/tournaments/${id}` };
}

describe("A host whose account goes", () => {
  test("and who runs a tournament alone has it cancelled, and its players are told why", async () => {
    const { host, id, page } = await newHostedTournament();
    const { captain, members } = await newFullTeam(id);
    const { id: running } = await newTournament({ userId: host.player.id, state: "running" });
    const { id: finished } = await newTournament({ userId: host.player.id, state: "finished" });
    const { id: others } = await newTournament();
    const before = await tournamentOf(id);
    const { notified, tournamentIds } = await suspend(host.player);
    expect(tournamentIds.sort()).toEqual([id, running].sort());
    expect(notified.sort()).toEqual([captain.player.id, ...members.map(({ player }) => player.id)].sort());
    const after = await tournamentOf(id);
    expect(after).toMatchObject({ state: "cancelled", cancelReason: REASON });
    expect(after.endedAt).not.toBeNull();
    expect(after.version).toBeGreaterThan(before.version);
    expect((await tournamentLogOf(id)).at(-1)).toEqual({ action: "cancelled", details: { reason: REASON } });
    expect(main((await app.client().get(page)).text)).toContain(`This tournament was cancelled. ${REASON}`);
    for (const { player } of [captain, ...members]) expect(await kindsOf(player)).toContain("tournament-cancelled");
    expect((await tournamentOf(running)).state).toBe("cancelled");
    expect((await tournamentOf(finished)).state).toBe("finished");
    expect((await tournamentOf(others)).state).toBe("open");
    // A second run changes nothing.
    expect(await leave(host.player)).toEqual({ notified: [], tournamentIds: [], chats: [] });
  });

  test("has the open pages of their tournaments reload even if the database's response is lost", async () => {
    const { host, id } = await newHostedTournament();
    const { id: played, teams } = await startTournament(app, { teams: 2, captains: [host.player.id] });
    const told = { notified: [], tournamentIds: [] as string[], chats: [] };
    await expect(leave(host.player, databaseWithLostAnswers(), told)).rejects.toThrow("Cut off");
    expect(told.tournamentIds.sort()).toEqual([id, played].sort());
    expect((await tournamentOf(id)).state).toBe("cancelled");
    expect((await teamsOf(played)).find((team) => team.id === teams[0]?.id)?.captainId).toBeNull();
  });

  test("and who also plays in the tournament has its open pages reload only once", async () => {
    const host = await newEntrant();
    const { id } = await newTournament({ userId: host.player.id });
    expect((await register(host.client, id, unique("Team "))).status).toBe(303);
    const next = await newTeam(id);
    const { tournamentIds, notified } = await suspend(host.player);
    expect([tournamentIds, notified]).toEqual([[id], [next.captain.player.id]]);
  });

  test("is warned before asking for deletion, and can't undo the cancellation by keeping the account", async () => {
    const { host, id } = await newHostedTournament();
    expect(main((await host.client.get(DELETION)).text)).toContain("Tournaments you run alone are cancelled");
    expect((await requestDeletion(host)).status).toBe(303);
    await expect.poll(async () => (await tournamentOf(id)).state).toBe("cancelled");
    const back = await visitAs(app, host.player);
    const kept = await back.post(DELETION, { intent: "keep" });
    expect(announcements((await back.follow(kept)).text)).toContain(
      "Your account stays Closed posts and cancelled tournaments stay that way.",
    );
    expect((await tournamentOf(id)).state).toBe("cancelled");
  });

  test("leaves it to the other organisers, who get the host's rights", async () => {
    const { host, id, page } = await newHostedTournament();
    const [helper, next] = [await newVisitor(app), await newVisitor(app)];
    await nameOrganiser(id, helper.player);
    expect((await helper.client.get(`${page}/cancel`)).status).toBe(404);
    await suspend(host.player);
    expect((await tournamentOf(id)).state).toBe("open");
    const organiserCount = await app.db.$count(tournamentOrganisers, eq(tournamentOrganisers.tournamentId, id));
    expect(organiserCount).toBe(1);
    expect(main((await helper.client.get(`${page}/manage`)).text)).toContain("Cancel Tournament");
    const added = await helper.client.post(`${page}/manage`, { intent: "add", playerId: next.player.id });
    expect([added.status, roundTrips(added)]).toEqual([303, 2]);
    expect(await organisersOf(id)).toContain(next.player.id);
    expect((await helper.client.post(`${page}/cancel`, { reason: "Nobody came." })).status).toBe(303);
    expect((await tournamentOf(id)).cancelReason).toBe("Nobody came.");
  });

  test("and who hosts again before the due date has that tournament cancelled before the erasure", async () => {
    const { host, id } = await newHostedTournament();
    const { captain } = await newTeam(id);
    await makeDeletionDue(host.player);
    await app.runScheduled();
    expect(await isGone(host.player)).toBe(true);
    expect(await tournamentOf(id)).toMatchObject({ state: "cancelled", cancelReason: REASON, userId: null });
    expect(await kindsOf(captain.player)).toContain("tournament-cancelled");
  });

  test("is not erased while cancelling fails, which the cron retries", async () => {
    const { host, id } = await newHostedTournament();
    const other = await addPlayer(app);
    await makeDeletionDue(host.player);
    await makeDeletionDue(other);
    await app.db.run(
      sql.raw(`CREATE TRIGGER no_cancelling BEFORE UPDATE OF state ON tournaments WHEN old.id = '${id}'
        BEGIN SELECT RAISE(ABORT, 'not now'); END`),
    );
    await app.runScheduled();
    await app.db.run(sql`DROP TRIGGER no_cancelling`);
    expect([await isGone(host.player), await isGone(other)]).toEqual([false, true]);
    expect((await tournamentOf(id)).state).toBe("open");
    await app.runScheduled();
    expect(await isGone(host.player)).toBe(true);
    expect((await tournamentOf(id)).state).toBe("cancelled");
  });
});

test("Erasing an account that can't leave a tournament tells the operator why, and the account leaves the others", async () => {
  const { host, id } = await newHostedTournament();
  const { id: other } = await newTournament({ userId: host.player.id });
  await app.db.run(
    sql.raw(`CREATE TRIGGER no_cancelling BEFORE UPDATE OF state ON tournaments WHEN old.id = '${id}'
      BEGIN SELECT RAISE(ABORT, 'not now'); END`),
  );
  const erase = async () => {
    const { code, err } = await runAdmin(app, ["erase", host.player.email, "--yes", "--as", "Lee"]);
    // The first line names the database.
    return [code, ...err.trimEnd().split("\n").slice(1)];
  };
  expect(await erase()).toEqual([1, expect.stringContaining("not now")]);
  await app.db.run(sql`DROP TRIGGER no_cancelling`);
  expect([(await tournamentOf(id)).state, (await tournamentOf(other)).state]).toEqual(["open", "cancelled"]);
  expect(await isGone(host.player)).toBe(false);
  expect(await erase()).toEqual([0]);
  expect(await isGone(host.player)).toBe(true);
});

describe("An organiser whose account goes", () => {
  test("loses the role", async () => {
    const { id } = await newHostedTournament();
    const helper = await newVisitor(app);
    await nameOrganiser(id, helper.player);
    const { version } = await tournamentOf(id);
    await suspend(helper.player);
    expect(await organisersOf(id)).toEqual([]);
    const after = await tournamentOf(id);
    expect(after.state).toBe("open");
    expect(after.version).toBeGreaterThan(version);
    expect((await tournamentLogOf(id)).map(({ action }) => action)).toEqual(["organiser-left"]);
  });

  test.each([
    [
      "the suspension is undone",
      async ({ player }: Visitor) => {
        const theCase = await newCase(player);
        await decideCase(theCase, { action: "ban" });
        await leave(player);
        await decideCase(theCase, { action: "undo", rule: null });
      },
    ],
    [
      "the player has kept the account",
      async (visitor: Visitor) => {
        await requestDeletion(visitor);
        await expect
          .poll(async () => app.db.$count(tournamentOrganisers, eq(tournamentOrganisers.userId, visitor.player.id)))
          .toBe(0);
        await (await visitAs(app, visitor.player)).post(DELETION, { intent: "keep" });
      },
    ],
  ])("has not stepped down: the host can add them again right after %s", async (_, goAndComeBack) => {
    const { host, id, page } = await newHostedTournament();
    const helper = await newVisitor(app, { riotGameName: unique("Helper ") });
    const add = () => host.client.post(`${page}/manage`, { intent: "add", playerId: helper.player.id });
    expect((await add()).status).toBe(303);
    await goAndComeBack(helper);
    expect(await organisersOf(id)).toEqual([]);
    expect((await add()).status).toBe(303);
    expect(await organisersOf(id)).toEqual([helper.player.id]);
    expect(textOf((await host.client.get(`${page}/manage`)).text)).toContain("is no longer an organiser");
  });

  test("and who was the last one left to run the tournament has it cancelled", async () => {
    const { host, id } = await newHostedTournament();
    const [one, two] = [await newVisitor(app), await newVisitor(app)];
    for (const { player } of [one, two]) await nameOrganiser(id, player);
    await suspend(host.player);
    await suspend(one.player);
    expect((await tournamentOf(id)).state).toBe("open");
    await suspend(two.player);
    expect(await tournamentOf(id)).toMatchObject({ state: "cancelled", cancelReason: REASON });
  });

  test("at the same moment as all the others leaves no tournament open without an organiser", async () => {
    for (let round = 0; round < 3; round += 1) {
      const { host, id } = await newHostedTournament();
      const helpers = [await addPlayer(app), await addPlayer(app)];
      for (const player of helpers) await nameOrganiser(id, player);
      await Promise.all([host.player, ...helpers].map((player) => suspend(player)));
      expect((await tournamentOf(id)).state).toBe("cancelled");
      expect((await tournamentLogOf(id)).filter(({ action }) => action === "cancelled")).toHaveLength(1);
    }
  });
});

test("The last organiser of a tournament can't step down from it", async () => {
  const { host, id, page } = await newHostedTournament();
  const helper = await newVisitor(app);
  await nameOrganiser(id, helper.player);
  await suspend(host.player);
  const stepDown = () => helper.client.post(`${page}/manage`, { intent: "remove", playerId: helper.player.id });
  const refused = await stepDown();
  expect(refused.status).toBe(409);
  expect(announcements(refused.text).join(" ")).toContain("You're the last organiser.");
  expect(await organisersOf(id)).toEqual([helper.player.id]);
  await change(id, { state: "finished" });
  expect((await stepDown()).status).toBe(303);
  expect(await organisersOf(id)).toEqual([]);
});

test("A host who is leaving can't remove the last organiser whose account stays", async () => {
  const { host, id, page } = await newHostedTournament();
  const [helper, next] = [await newVisitor(app, { riotGameName: "Last One" }), await newVisitor(app)];
  await nameOrganiser(id, helper.player);
  expect((await requestDeletion(host)).status).toBe(303);
  const back = await visitAs(app, host.player);
  const remove = () => back.post(`${page}/manage`, { intent: "remove", playerId: helper.player.id });
  const refused = await remove();
  expect(refused.status).toBe(409);
  expect(announcements(refused.text).join(" ")).toContain(
    "Last One is the only organiser whose account isn't suspended or being deleted.",
  );
  expect(await organisersOf(id)).toEqual([helper.player.id]);
  expect((await back.post(`${page}/manage`, { intent: "add", playerId: next.player.id })).status).toBe(303);
  const removed = await remove();
  expect([removed.status, roundTrips(removed)]).toEqual([303, 2]);
  expect(await organisersOf(id)).toEqual([next.player.id]);
  expect((await remove()).status).toBe(303);
});

describe("An organiser with a block between them and a host whose account goes", () => {
  /** A tournament with an organiser whom the host can block, and who can block the host. */
  async function newPairOfOrganisers() {
    const { one: host, other: helper, conversationId } = await newPair(app);
    const { id } = await newTournament({ userId: host.player.id });
    await nameOrganiser(id, helper.player);
    const block = async (client: Visitor["client"]) => {
      const answer = await client.post(`/dashboard/messages/${conversationId}/block`, { intent: "block" });
      expect(answer.status).toBe(303);
      await expect
        .poll(() => app.db.$count(followUps, eq(followUps.subjectId, helper.player.id)), {
          timeout: 10_000,
        })
        .toBe(0);
    };
    return { host, helper, id, block };
  }

  test.each([
    [
      "keeps the account",
      async (host: Visitor) => {
        await requestDeletion(host);
        return async () => {
          await (await visitAs(app, host.player)).post(DELETION, { intent: "keep" });
        };
      },
    ],
    [
      "is no longer suspended, because moderators have undone it",
      async ({ player }: Visitor) => {
        const theCase = await newCase(player);
        await decideCase(theCase, { action: "ban" });
        return async () => void (await decideCase(theCase, { action: "undo", rule: null }));
      },
    ],
    [
      "is no longer suspended, because the suspension has ended",
      async ({ player }: Visitor) => {
        const theCase = await newCase(player);
        // The suspension lasts a day. The host counts as away until the cron has lifted it.
        await decideCase(theCase, { action: "suspend" }, undefined, new Date(Date.now() - DAY));
        return async () => undefined;
      },
    ],
  ])("stays to run the tournament, until the host %s", async (_, goAway) => {
    const { host, helper, id, block } = await newPairOfOrganisers();
    const { id: others } = await newTournament();
    await nameOrganiser(others, helper.player);
    const comeBack = await goAway(host);
    await block(helper.client);
    expect(await organisersOf(id)).toEqual([helper.player.id]);
    await comeBack();
    await app.runScheduled();
    expect(await organisersOf(id)).toEqual([]);
    expect(await organisersOf(others)).toEqual([helper.player.id]);
  });

  test("also stays to run the tournament if the host places the block", async () => {
    const { host, helper, id, block } = await newPairOfOrganisers();
    await requestDeletion(host);
    await block(await visitAs(app, host.player));
    expect(await organisersOf(id)).toEqual([helper.player.id]);
  });
});

describe("A player whose account goes", () => {
  test("hands the team to the player who joined next, who is told", async () => {
    const { id } = await newTournament();
    const { captain, teamId, members } = await newFullTeam(id, 3);
    const [second, third] = members.map(({ player }) => player) as [Player, Player];
    const { version } = await tournamentOf(id);
    expect((await suspend(captain.player)).notified).toEqual([second.id]);
    const [team] = await teamsOf(id);
    expect(team?.captainId).toBe(second.id);
    expect((await tournamentOf(id)).version).toBeGreaterThan(version);
    expect((await membersOf(teamId)).map(({ userId, isSubstitute }) => [userId, isSubstitute]).sort()).toEqual(
      [
        [second.id, false],
        [third.id, false],
      ].sort(),
    );
    expect(await kindsOf(second)).toEqual(["tournament-captain"]);
  });

  test("removes a team that has no other players, and the waiting list moves up", async () => {
    const { id } = await newTournamentWithOnePlace();
    const { captain, teamId } = await newTeam(id);
    const next = await newTeam(id);
    const { notified } = await suspend(captain.player);
    expect(notified).toEqual([next.captain.player.id]);
    const teams = await teamsOf(id);
    expect(teams.map((team) => team.id)).not.toContain(teamId);
    expect(teams.every(({ state }) => state === "entered")).toBe(true);
  });

  test("hands the team to a player who has joined in the meantime", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const mate = await newEntrant();
    await suspend(
      captain.player,
      databaseWithInterruption(() =>
        app.db
          .insert(tournamentPlayers)
          .values({ tournamentId: id, userId: mate.player.id, teamId, joinedAt: new Date() }),
      ),
    );
    expect(await teamsOf(id)).toMatchObject([{ id: teamId, captainId: mate.player.id }]);
    expect((await membersOf(teamId)).map(({ userId }) => userId)).toEqual([mate.player.id]);
  });

  test("leaves the team in the bracket if it was drawn in the meantime", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    await suspend(
      captain.player,
      databaseWithInterruption(() => change(id, { state: "running" })),
    );
    expect(await teamsOf(id)).toMatchObject([{ id: teamId, captainId: null }]);
    expect((await membersOf(teamId)).map(({ userId }) => userId)).toEqual([captain.player.id]);
  });

  test("doesn't change a tournament that was cancelled in the meantime", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newFullTeam(id);
    await suspend(
      captain.player,
      databaseWithInterruption(() => change(id, { state: "cancelled" })),
    );
    expect(await teamsOf(id)).toMatchObject([{ id: teamId, captainId: captain.player.id }]);
    expect(await membersOf(teamId)).toHaveLength(2);
  });

  test("at the same moment as the others leaves no team behind, and no spot empty", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await newTournament({ maxParticipants: 2 });
      const { captain, members } = await newFullTeam(id, 3);
      await newTeam(id);
      const waiting = await newTeam(id);
      await Promise.all([captain, ...members].map(({ player }) => suspend(player)));
      const teams = await teamsOf(id);
      expect(teams).toHaveLength(2);
      expect(teams.find((team) => team.id === waiting.teamId)?.state).toBe("entered");
      expect((await tournamentOf(id)).currentParticipants).toBe(2);
    }
  });

  test("leaves teams joined before the due date, and only then is the account erased", async () => {
    const { id } = await newTournament();
    const { captain, members } = await newFullTeam(id);
    await makeDeletionDue(captain.player);
    await app.runScheduled();
    expect(await isGone(captain.player)).toBe(true);
    expect(await teamsOf(id)).toMatchObject([{ captainId: members[0]?.player.id }]);
    expect((await tournamentLogOf(id)).map(({ action }) => action)).toContain("left-team");
  });

  test("loses the news of invitations with the invitations", async () => {
    const { id } = await newTournament();
    const { captain, teamId } = await newTeam(id);
    const guest = await newEntrant();
    await addConversation(app, captain.player, guest.player);
    const page = `/tournaments/${id}/teams/${teamId}`;
    expect((await captain.client.post(page, { intent: "invite", players: guest.player.id })).status).toBe(303);
    expect(await kindsOf(guest.player)).toEqual(["tournament-invitation"]);
    expect((await requestDeletion(guest)).status).toBe(303);
    await expect.poll(() => kindsOf(guest.player)).toEqual([]);
  });
});

describe("An account that is about to be erased", () => {
  /** Erases accounts that are due. `interrupt` happens right after a player has left everything. */
  const eraseAfter = ({ id }: Player, interrupt: () => Promise<unknown>) =>
    eraseDueAccounts({ db: ownDatabase(), now: new Date(), keys: [] }, 20, async (userId) => {
      if (userId === id) await interrupt();
    });

  test("stays while its player is in a team that registered in the meantime; the next run frees its spot", async () => {
    const { id } = await newTournamentWithOnePlace();
    const { player, client } = await newEntrant();
    const teamId = uuidv7();
    await makeDeletionDue(player);
    await eraseAfter(player, () => register(client, id, unique("Team "), teamId));
    const next = await newTeam(id);
    expect([await isGone(player), (await teamsOf(id)).at(-1)?.state]).toEqual([false, "waiting"]);
    await app.runScheduled();
    expect(await isGone(player)).toBe(true);
    const teams = await teamsOf(id);
    expect(teams.map((team) => team.id)).not.toContain(teamId);
    expect(teams.find((team) => team.id === next.teamId)?.state).toBe("entered");
  });

  test("stays while its player hosts a tournament that opened in the meantime; the next run cancels it", async () => {
    const { player } = await newEntrant();
    await makeDeletionDue(player);
    let id = "";
    await eraseAfter(player, async () => {
      ({ id } = await newTournament({ userId: player.id }));
    });
    expect([await isGone(player), (await tournamentOf(id)).state]).toEqual([false, "open"]);
    await app.runScheduled();
    expect([await isGone(player), (await tournamentOf(id)).state]).toEqual([true, "cancelled"]);
  });
});

describe.each([
  ["is suspended", async ({ player }: Visitor) => void (await suspend(player))],
  [
    "makes someone else captain",
    async ({ client }: Visitor, page: string, heir: string) =>
      void expect((await client.post(page, { intent: "hand-over", player: heir })).status).toBe(303),
  ],
])("A captain who %s during a tournament leaves to the next captain", (_, go) => {
  /** A team whose captain is to confirm a score; `leave` makes its other player captain. */
  async function newReport(hasWon: boolean, prepare: (captain: Player) => PromiseLike<unknown> = async () => {}) {
    const [reporter, captain] = [await newVisitor(app), await newVisitor(app)];
    const captains = [reporter.player.id, captain.player.id];
    const { id, teams, execute } = await startTournament(app, { teams: 2, teamSize: 2, captains });
    const teamId = teams.find(({ captainId }) => captainId === captain.player.id)?.id as string;
    const mate = (await membersOf(teamId)).find(({ userId }) => userId !== captain.player.id);
    const heir = { id: mate?.userId as string };
    const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    const rounds: [number, number] = (match?.team1 === teamId) === hasWon ? [13, 7] : [7, 13];
    await prepare(captain.player);
    await execute({ type: "report", match: 0, maps: [{ map: null, rounds }] }, reporter.player.id);
    const leave = () => go(captain, `/tournaments/${id}/teams/${teamId}`, heir.id);
    return { id, captain: captain.player, heir, leave };
  }
  const reportOf = async (who: { id: string }) =>
    (await notificationsOf(who)).find(({ kind, readAt }) => kind === "match-report" && readAt === null);

  test.each([
    ["defeat", false],
    ["victory", true],
  ])("the report of a %s that waits for an answer, in the same words", async (__, hasWon) => {
    const { captain, heir, leave } = await newReport(hasWon);
    const asked = await reportOf(captain);
    expect(asked?.data).toMatchObject({ match: "Final", score: "1 to 0", count: 1 });
    await leave();
    expect(await reportOf(heir)).toMatchObject({
      subject: asked?.subject,
      data: { ...(asked?.data as object), minutes: null },
    });
    expect(await kindsOf(heir)).toContain("tournament-captain");
    expect(await kindsOf(captain)).not.toContain("match-report");
  });

  test.each([
    [
      "scores to confirm",
      ({ id }: Player) => app.db.insert(mutedNotifications).values({ userId: id, kind: "match-report" }),
    ],
    [
      "the bell for tournaments",
      ({ id }: Player) =>
        app.db
          .insert(notificationSwitches)
          .values({ userId: id, newsGroup: "tournaments", channel: "bell", isOn: false }),
    ],
  ])("the report that waits for an answer, though they had turned off %s", async (__, turnOff) => {
    const { id, captain, heir, leave } = await newReport(false, turnOff);
    expect(await reportOf(captain)).toBeUndefined();
    await leave();
    expect(await reportOf(heir)).toMatchObject({ subject: `match:${id}/0`, data: { match: "Final", count: 1 } });
  });
});

describe("A captain whose account goes while the tournament runs", () => {
  test("hands the team to another, who reports", async () => {
    const { id, teams, execute } = await startTournament(app, { teams: 4, teamSize: 2 });
    const [first] = teams as [(typeof teams)[0]];
    await suspend({ id: first.captainId });
    const [heir] = await membersOf(first.id);
    expect(await teamsOf(id)).toContainEqual(expect.objectContaining({ id: first.id, captainId: heir?.userId }));
    expect(
      await execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, heir?.userId as string),
    ).toEqual({ outcome: "done" });
    expect(await execute({ type: "forfeit", match: 0 }, first.captainId)).toEqual({
      outcome: "refused",
      reason: "not-captain",
    });
  });

  test("and who was alone delays nobody: the other captain's report counts by itself", async () => {
    const { id, teams, execute } = await startTournament(app, { teams: 2 });
    const [gone, other] = teams as [(typeof teams)[0], (typeof teams)[0]];
    const { version } = await tournamentOf(id);
    await suspend({ id: gone.captainId });
    expect((await teamsOf(id)).find((team) => team.id === gone.id)?.captainId).toBeNull();
    expect((await tournamentOf(id)).version).toBe(version + 1);
    const [match] = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    const isFirst = match?.team1 === other.id;
    const maps = [{ map: null, rounds: (isFirst ? [13, 7] : [7, 13]) as [number, number] }];
    expect(await execute({ type: "report", match: 0, maps }, other.captainId)).toEqual({ outcome: "done" });
    await execute({ type: "settle" }, null, Date.now() + 31 * MINUTE);
    expect(await tournamentOf(id)).toMatchObject({ state: "finished", winnerTeamId: other.id });
  });

  test("and who was alone and absent loses a claimed match", async () => {
    const { id, hostId, teams, execute } = await startTournament(app, { teams: 2 });
    const [gone, other] = teams as [(typeof teams)[0], (typeof teams)[0]];
    await suspend({ id: gone.captainId });
    const late = Date.now() + 60 * MINUTE;
    await execute({ type: "settle" }, null, late);
    expect(await kindsOf({ id: hostId } as Player)).toContain("match-dispute");
    expect(await execute({ type: "check-in", match: 0 }, other.captainId)).toEqual({ outcome: "done" });
    expect(await execute({ type: "claim", match: 0 }, other.captainId, late)).toEqual({ outcome: "done" });
    expect(await tournamentOf(id)).toMatchObject({ state: "finished", winnerTeamId: other.id });
  });
});

test("A player who was alone in a running tournament acts for the team again once the account is kept", async () => {
  const [one, two] = [await newEntrant(), await newEntrant()];
  const { id, execute } = await startTournament(app, {
    teams: 2,
    captains: [one.player.id, two.player.id],
    tournamentDate: new Date(Date.now() - MINUTE),
  });
  const report = () => execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, two.player.id);
  const ownPage = async (client: Visitor["client"]) => main((await client.get(`/tournaments/${id}/matches/0`)).text);
  await requestDeletion(one);
  await expect.poll(async () => (await teamsOf(id)).filter(({ captainId }) => captainId === null)).toHaveLength(1);
  const back = await visitAs(app, one.player);
  expect(await ownPage(back)).not.toContain("Dispute this match");
  const dispute = () => execute({ type: "dispute", match: 0, evidence: "We won it." }, one.player.id);
  expect(await dispute()).toEqual({ outcome: "refused", reason: "not-captain" });
  const { version } = await tournamentOf(id);
  expect((await back.post(DELETION, { intent: "keep" })).status).toBe(303);
  // A newer version outdates the room's copy, which would notify nobody of the other captain's report.
  expect((await tournamentOf(id)).version).toBe(version + 1);
  expect(await ownPage(back)).toContain("Dispute this match");
  await report();
  expect(await kindsOf(one.player)).toContain("match-report");
  expect(await dispute()).toEqual({ outcome: "done" });
});

test.each(["kept", "no longer suspended"])(
  "A player who plays alone is asked about a report that came while they were away, once their account is %s",
  async (end) => {
    const [one, two] = [await newEntrant(), await newEntrant()];
    const { id, execute } = await startTournament(app, {
      teams: 2,
      captains: [one.player.id, two.player.id],
      tournamentDate: new Date(Date.now() - MINUTE),
    });
    const context = { db: ownDatabase(), env: LOCAL_KEYS, now: new Date(), origin: app.url };
    if (end === "kept") await requestDeletion(one);
    else await suspend(one.player);
    await expect.poll(async () => (await teamsOf(id)).filter(({ captainId }) => captainId === null)).toHaveLength(1);
    await execute({ type: "report", match: 0, maps: [{ map: null, rounds: [13, 7] }] }, two.player.id);
    expect(await kindsOf(one.player)).not.toContain("match-report");
    if (end === "kept") {
      const back = await visitAs(app, one.player);
      expect((await back.post(DELETION, { intent: "keep" })).status).toBe(303);
    } else await unsuspendAccount(context, one.player.id, "A mistake.", { operator: "test" });
    expect(await notificationsOf(one.player)).toContainEqual(
      expect.objectContaining({ kind: "match-report", subject: `match:${id}/0`, readAt: null }),
    );
  },
);

test("A team whose only player's account is kept shows them as its captain again, also in a report and the export", async () => {
  const [one, two] = [await newEntrant({ riotGameName: unique("Lone ") }), await newEntrant()];
  const { id, teams } = await startTournament(app, {
    ...{ teams: 2, teamSize: 2, tournamentDate: new Date(Date.now() - MINUTE) },
    captains: [one.player.id, two.player.id],
  });
  const teamId = teams[0]?.id as string;
  const mate = (await membersOf(teamId)).find(({ userId }) => userId !== one.player.id);
  await suspend({ id: mate?.userId as string });
  await requestDeletion(one);
  const captainId = async () => (await teamsOf(id)).find((team) => team.id === teamId)?.captainId;
  await expect.poll(captainId).toBeNull();
  const back = await visitAs(app, one.player);
  const page = `/tournaments/${id}/teams/${teamId}`;
  /** The captain on the Teams tab, on the team's page, in the export, and in a case about the team. */
  const captains = async () => {
    const [tab] = texts((await app.client().get(`/tournaments/${id}/teams`)).text, ".tournament-teams summary");
    const { tournamentTeams: own } = JSON.parse((await back.post("/dashboard/settings/export/download")).text);
    await two.client.post(`${page}/report`, { id: uuidv7(), reason: "spam" });
    const [reported] = await app.db.delete(reportCases).where(eq(reportCases.subjectId, teamId)).returning();
    return {
      tab,
      page: textOf(select((await app.client().get(page)).text, "[aria-labelledby=roster] li")).includes("Captain"),
      export: own[0].isCaptain,
      case: reported?.playerId,
    };
  };
  expect(await captains()).toEqual({ tab: "No captain", page: false, export: false, case: null });
  expect((await back.post(DELETION, { intent: "keep" })).status).toBe(303);
  const name = expect.stringMatching(/^Lone \d+$/);
  expect(await captains()).toEqual({ tab: name, page: true, export: true, case: one.player.id });
});

test("A player who acts for a team without a captain can hand it over", async () => {
  const [one, two] = [await newEntrant(), await newEntrant()];
  const { id, teams } = await startTournament(app, { teams: 2, captains: [one.player.id], teamSize: 1 });
  const teamId = teams[0]?.id as string;
  const place = { tournamentId: id, teamId, userId: two.player.id, isSubstitute: true, joinedAt: new Date() };
  await app.db.insert(tournamentPlayers).values(place);
  // As after the tournament's end, when the captain's account is erased: the others stay in the team.
  await app.db.update(tournamentTeams).set({ captainId: null }).where(eq(tournamentTeams.id, teamId));
  await suspend(two.player);
  await app.db.insert(tournamentPlayers).values(place).onConflictDoNothing();
  const page = `/tournaments/${id}/teams/${teamId}`;
  expect(buttons((await one.client.get(page)).text)).toContain("Make Captain");
  const answer = await one.client.post(page, { intent: "hand-over", player: two.player.id });
  expect(answer.status).toBe(303);
  expect((await teamsOf(id)).find((team) => team.id === teamId)?.captainId).toBe(two.player.id);
});

describe("A finished tournament that is played again", () => {
  /** A final that the first team has won. It has two starters and a substitute, and the other team only a captain. */
  async function newFinished() {
    const [host, rival] = [await newVisitor(app), await newVisitor(app)];
    const [captain, mate, bench] = [await newEntrant(), await newEntrant(), await newEntrant()];
    const { id, execute, teams } = await startTournament(app, {
      teams: 2,
      userId: host.player.id,
      captains: [captain.player.id, rival.player.id],
      tournamentDate: new Date(Date.now() - MINUTE),
    });
    const teamId = teams[0]?.id as string;
    const joined = (visitor: Visitor, minutes: number, isSubstitute = false) => ({
      ...{ tournamentId: id, teamId, userId: visitor.player.id, isSubstitute },
      joinedAt: new Date(Date.now() + minutes * MINUTE),
    });
    await app.db.insert(tournamentPlayers).values([joined(bench, 1, true), joined(mate, 2)]);
    await change(id, { teamSize: 2 });
    expect(await execute({ type: "rule", match: 0, forfeits: 2 }, host.player.id)).toEqual({ outcome: "done" });
    expect((await tournamentOf(id)).state).toBe("finished");
    const here = `/tournaments/${id}/matches/0`;
    const reopen = async () => expect((await host.client.submit(`${here}/reopen`, "Reopen Match")).status).toBe(303);
    const captainOf = async () => (await teamsOf(id)).find((team) => team.id === teamId)?.captainId;
    return { id, here, teamId, host, rival, captain, mate, bench, reopen, captainOf };
  }

  test.each([
    ["suspended", ({ player }: Visitor) => suspend(player)],
    ["due for deletion", (visitor: Visitor) => requestDeletion(visitor)],
    ["erased", ({ player }: Visitor) => app.db.delete(users).where(eq(users.id, player.id))],
  ])("gives a team whose captain is %s by then another captain, who is told and can act", async (_, goAway) => {
    const { here, rival, captain, mate, reopen, captainOf } = await newFinished();
    await goAway(captain);
    await reopen();
    expect(await captainOf()).toBe(mate.player.id);
    expect(await kindsOf(mate.player)).toContain("tournament-captain");
    const report = { intent: "report", leftSide: "1", bestOf: "1", left1: "5", right1: "13" };
    expect((await rival.client.post(here, report)).status).toBe(303);
    expect(await kindsOf(mate.player)).toContain("match-report");
    expect((await mate.client.post(`${here}/dispute`, { evidence: "We won it." })).status).toBe(303);
  });

  test("loses suspended players and organisers with the cron's next run, and substitutes play", async () => {
    const { id, teamId, captain, mate, bench, reopen, captainOf } = await newFinished();
    const helper = await newVisitor(app);
    await nameOrganiser(id, helper.player);
    for (const { player } of [mate, helper]) await suspend(player);
    await app.runScheduled();
    expect(await membersOf(teamId)).toHaveLength(3);
    await reopen();
    await app.runScheduled();
    expect(await captainOf()).toBe(captain.player.id);
    expect((await membersOf(teamId)).map(({ userId, isSubstitute }) => [userId, isSubstitute]).sort()).toEqual(
      [
        [captain.player.id, false],
        [bench.player.id, false],
      ].sort(),
    );
    expect(await organisersOf(id)).toEqual([]);
  });

  test("leaves a team without a captain if no account in it stays", async () => {
    const { id, captain, mate, bench, reopen, captainOf } = await newFinished();
    for (const { player } of [captain, mate, bench]) await suspend(player);
    await app.runScheduled();
    await reopen();
    await app.runScheduled();
    expect(await captainOf()).toBeNull();
    expect((await tournamentOf(id)).state).toBe("running");
  });
});

describe("Match chats", () => {
  /** A match whose chat an organiser also reads. */
  async function newChat() {
    const [host, helper, captain] = [await newVisitor(app), await newVisitor(app), await newVisitor(app)];
    const { id } = await startTournament(app, {
      teams: 4,
      teamSize: 2,
      userId: host.player.id,
      captains: [captain.player.id],
    });
    await nameOrganiser(id, helper.player);
    await app.db.update(tournaments).set({ version: 50 }).where(eq(tournaments.id, id));
    const here = `/tournaments/${id}/matches/0`;
    for (const { client } of [host, helper]) {
      expect((await client.post(here, { intent: "join-chat" })).status).toBe(303);
    }
    const match = await app.db
      .select()
      .from(tournamentMatches)
      .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, 0)))
      .get();
    const conversationId = match?.conversationId as string;
    const isIn = async ({ player }: Visitor) =>
      (await app.db.$count(
        conversationMembers,
        and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, player.id)),
      )) === 1;
    return { id, here, page: `/tournaments/${id}`, host, helper, captain, conversationId, isIn };
  }

  test("lose a removed organiser, and the organiser's open pages get no more messages", async () => {
    const { page, here, host, helper, captain, conversationId, isIn } = await newChat();
    expect((await captain.client.post(here, { id: crypto.randomUUID(), message: "Lobby is up" })).status).toBe(303);
    const [gone, stays] = [
      await openConversation(helper.client, conversationId),
      await openConversation(captain.client, conversationId),
    ];
    await gone.next("hello");
    await stays.next("hello");
    const removed = await host.client.post(`${page}/manage`, { intent: "remove", playerId: helper.player.id });
    expect([removed.status, roundTrips(removed)]).toEqual([303, 2]);
    for (const room of [gone, stays]) expect((await room.closed()).code).toBe(1012);
    expect([await isIn(helper), await isIn(host), await isIn(captain)]).toEqual([false, true, true]);
    expect((await helper.client.get(`/dashboard/messages/${conversationId}`)).status).toBe(404);
    const news = await app.db.$count(
      notifications,
      and(eq(notifications.userId, helper.player.id), eq(notifications.subject, `conversation:${conversationId}`)),
    );
    expect(news).toBe(0);
  });

  test("lose organisers and players whose accounts go", async () => {
    const { helper, host, captain, conversationId, isIn } = await newChat();
    const { chats } = await suspend(helper.player);
    expect(chats).toEqual([{ id: conversationId }]);
    expect([await isIn(helper), await isIn(captain)]).toEqual([false, true]);
    await requestDeletion(captain);
    await expect.poll(() => isIn(captain)).toBe(false);
    expect(await isIn(host)).toBe(true);
    await suspend(host.player);
    expect(await isIn(host)).toBe(false);
  });

  test("call only organisers so, not players who have left their team", async () => {
    const { here, host, helper, captain } = await newChat();
    for (const { client } of [captain, helper]) {
      await client.post(here, { id: crypto.randomUUID(), message: "Lobby is up" });
    }
    const authors = async () => {
      const { text } = await host.client.get(here);
      return texts(select(text, "[role=log]"), "li:has([data-message]) > p:first-child");
    };
    await expect.poll(authors).toHaveLength(2);
    await suspend(captain.player);
    const { id: captainId } = captain.player;
    expect(await authors()).toEqual([
      `Player ${captainId.slice(0, 8)}`,
      `Player ${helper.player.id.slice(0, 8)}, organiser`,
    ]);
  });

  test("keep a former organiser who plays the match", async () => {
    const { id, page, host, captain, isIn } = await newChat();
    await nameOrganiser(id, captain.player);
    await host.client.post(`${page}/manage`, { intent: "remove", playerId: captain.player.id });
    expect(await isIn(captain)).toBe(true);
  });

  test("of undone matches lose the same people, and keep a former organiser who played", async () => {
    const [host, helper] = [await newVisitor(app), await newVisitor(app)];
    const [captain, rival] = [await newVisitor(app), await newVisitor(app)];
    const { id, chat } = await undoFinal(app, {
      teamSize: 2,
      userId: host.player.id,
      captains: [captain.player.id, rival.player.id],
      helperId: helper.player.id,
    });
    const thread = `/dashboard/messages/${chat}`;
    const statusFor = async ({ client }: Visitor) => (await client.get(thread)).status;
    expect(await statusFor(helper)).toBe(200);
    await nameOrganiser(id, captain.player);
    for (const { player } of [helper, captain]) {
      const fields = { intent: "remove", playerId: player.id };
      expect((await host.client.post(`/tournaments/${id}/manage`, fields)).status).toBe(303);
    }
    expect([await statusFor(helper), await statusFor(captain)]).toEqual([404, 200]);
    await suspend(rival.player);
    expect(await app.db.$count(conversationMembers, eq(conversationMembers.userId, rival.player.id))).toBe(0);
  });

  test("of undone matches lead to the tournament", async () => {
    const captain = await newVisitor(app);
    const { id, chat } = await undoFinal(app, { captains: [captain.player.id] });
    const shown = links((await captain.client.get(`/dashboard/messages/${chat}`)).text);
    expect(shown).toContainEqual({ text: "Tournament", href: `/tournaments/${id}` });
    expect(shown.filter(({ text }) => text === "Match")).toEqual([]);
  });
});

describe("The name of a solo player", () => {
  /** The table of every row that contains a text. */
  async function rowsThatHold(text: string): Promise<string[]> {
    const tables = await app.db.all<{ name: string }>(
      sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%drizzle%'`,
    );
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await app.db.all<object>(sql`SELECT * FROM ${sql.identifier(name)}`);
        return rows.filter((row) => JSON.stringify(row).includes(text)).map(() => name);
      }),
    );
    return found.flat();
  }

  test("disappears with the account from brackets, logs, news and chats", async () => {
    const { host, id, page } = await newHostedTournament({ teamSize: 1, maxParticipants: 8, checkInMinutes: 0 });
    // A name that a plain text replacement could confuse with JSON around it.
    const tag = unique("Soloist ");
    const name = `"team": – ${tag}`;
    const [gone, stays] = [await newEntrant({ riotGameName: name }), await newEntrant()];
    for (const { client } of [gone, stays]) expect((await register(client, id, null)).status).toBe(303);
    // In another tournament the player has withdrawn, and was an organiser for a while.
    const elsewhere = await newHostedTournament({ teamSize: 1 });
    expect((await register(gone.client, elsewhere.id, null)).status).toBe(303);
    expect((await gone.client.post(`${elsewhere.page}/withdraw`)).status).toBe(303);
    for (const intent of ["add", "remove"]) {
      await elsewhere.host.client.post(`${elsewhere.page}/manage`, { intent, playerId: gone.player.id });
    }
    const manage = () => elsewhere.host.client.get(`${elsewhere.page}/manage`);
    expect(main((await manage()).text)).toContain(`made ${name} an organiser`);

    await change(id, { registrationDeadline: new Date(Date.now() - MINUTE) });
    const execute = async (actorId: string, command: Command) =>
      (await play(ownDatabase(), id, [{ actorId, command }], null, Date.now())).answers[0]?.outcome;
    expect(await execute(host.player.id, { type: "start" })).toEqual({ outcome: "done" });
    const maps = [{ map: null, rounds: [13, 7] as [number, number] }];
    expect(await execute(gone.player.id, { type: "report", match: 0, maps })).toEqual({ outcome: "done" });
    // The second report agrees with the first and confirms it.
    expect(await execute(stays.player.id, { type: "report", match: 0, maps })).toMatchObject({ outcome: "done" });
    expect([...new Set(await rowsThatHold(tag))].sort()).toEqual([
      "conversations",
      "notifications",
      "profiles",
      "tournament_events",
      "tournament_teams",
    ]);
    const before = await tournamentOf(id);

    await makeDeletionDue(gone.player);
    await app.runScheduled();
    expect(await isGone(gone.player)).toBe(true);
    expect(await rowsThatHold(tag)).toEqual([]);
    expect((await tournamentOf(id)).version).toBeGreaterThan(before.version);
    const other = (await teamsOf(id)).find(({ captainId }) => captainId === stays.player.id)?.name as string;
    expect((await teamsOf(id)).map((team) => team.name).sort()).toEqual([other, "Unknown User"].sort());
    const [chat] = await app.db
      .select({ title: conversations.title })
      .from(conversations)
      .innerJoin(tournamentMatches, eq(tournamentMatches.conversationId, conversations.id))
      .where(eq(tournamentMatches.tournamentId, id));
    expect([`Final: Unknown User – ${other}`, `Final: ${other} – Unknown User`]).toContain(chat?.title);
    const news = await app.db.select().from(notifications).where(eq(notifications.userId, stays.player.id));
    expect(news.find(({ kind }) => kind === "match-ready")?.data).toMatchObject({ opponent: "Unknown User" });
    expect(main((await host.client.get(`${page}/manage`)).text)).toContain("registered Unknown User");
    expect(main((await host.client.get(`${page}/manage`)).text)).toContain(`registered ${other}`);
    expect(main((await manage()).text)).toContain("made Unknown User an organiser");
  });

  test("doesn't come back with a hidden team that is restored after its player's account is gone", async () => {
    const [running, left, ofTwo] = [
      await newHostedTournament({ teamSize: 1, maxParticipants: 8, checkInMinutes: 0 }),
      await newHostedTournament({ teamSize: 1 }),
      await newHostedTournament({ teamSize: 2 }),
    ];
    const tag = unique("Soloist ");
    const [gone, rival] = [await newEntrant({ riotGameName: tag }), await newEntrant()];
    const team = await newFullTeam(ofTwo.id);
    const teamOf = async (id: string, { player }: Visitor) =>
      (await teamsOf(id)).find(({ captainId }) => captainId === player.id)?.id as string;
    const hide = async (subjectId: string, { player }: Visitor) => {
      const theCase = await newCase(player, { kind: "team", subjectId });
      await decideCase(theCase, { action: "hide" });
      return theCase;
    };
    for (const { id } of [running, left]) expect((await register(gone.client, id, null)).status).toBe(303);
    expect((await register(rival.client, running.id, null)).status).toBe(303);
    await hide(await teamOf(left.id, gone), gone);
    expect((await gone.client.post(`${left.page}/withdraw`)).status).toBe(303);
    await change(running.id, { registrationDeadline: new Date(Date.now() - MINUTE) });
    const start = { actorId: running.host.player.id, command: { type: "start" } as const };
    const { answers } = await play(ownDatabase(), running.id, [start], null, Date.now());
    expect(answers[0]?.outcome).toEqual({ outcome: "done" });
    const [solo, shared] = [await hide(await teamOf(running.id, gone), gone), await hide(team.teamId, team.captain)];
    for (const { player } of [gone, team.captain]) await makeDeletionDue(player);
    await app.runScheduled();
    expect([await isGone(gone.player), await isGone(team.captain.player)]).toEqual([true, true]);
    expect(await rowsThatHold(tag)).toEqual([]);
    for (const one of [solo, shared]) await decideCase(one, { action: "undo", rule: null });
    expect(await rowsThatHold(tag)).toEqual([]);
    expect((await teamsOf(running.id)).map(({ name }) => name)).toContain("Unknown User");
    // The team of two keeps its name, because its other member still plays under it.
    expect((await teamsOf(ofTwo.id)).map(({ name }) => name)).toEqual([team.name]);
  });

  test("doesn't come back from an original that was still kept when the name was removed", async () => {
    const { id } = await newHostedTournament({ teamSize: 1 });
    const gone = await newEntrant();
    expect((await register(gone.client, id, null)).status).toBe(303);
    const [team] = await teamsOf(id);
    const theCase = await newCase(gone.player, { kind: "team", subjectId: `${team?.id}` });
    await decideCase(theCase, { action: "hide" });
    await app.db.update(tournamentTeams).set({ name: "Unknown User" }).where(eq(tournamentTeams.tournamentId, id));
    await decideCase(theCase, { action: "undo", rule: null });
    expect((await teamsOf(id)).map(({ name }) => name)).toEqual(["Unknown User"]);
  });

  test("stays with a namesake, and disappears with the second account", async () => {
    const { id } = await newHostedTournament({ teamSize: 1, maxParticipants: 8, checkInMinutes: 0, seeding: "manual" });
    const name = unique("Namesake ");
    // Semi-finals: the first against the fourth, the second against the third.
    const [gone, stays] = [await newEntrant({ riotGameName: name }), await newEntrant({ riotGameName: name })];
    const [theirRival, ownRival] = [await newEntrant(), await newEntrant()];
    for (const [index, { client, player }] of [gone, stays, theirRival, ownRival].entries()) {
      expect((await register(client, id, null)).status).toBe(303);
      await app.db
        .update(tournamentTeams)
        .set({ seed: index + 1 })
        .where(and(eq(tournamentTeams.tournamentId, id), eq(tournamentTeams.captainId, player.id)));
    }
    await change(id, { registrationDeadline: new Date(Date.now() - MINUTE) });
    const execute = async (actorId: string, command: Command) =>
      (await play(ownDatabase(), id, [{ actorId, command }], null, Date.now())).answers[0]?.outcome.outcome;
    expect(await execute((await tournamentOf(id)).userId as string, { type: "start" })).toBe("done");
    const rows = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    const captains = new Map((await teamsOf(id)).map((team) => [team.id, team.captainId]));
    const matchOf = ({ player }: Visitor) =>
      rows.find(({ team1, team2 }) => [team1, team2].some((team) => captains.get(team ?? "") === player.id))
        ?.id as number;
    const [own, theirs] = [matchOf(gone), matchOf(stays)];
    const maps = [{ map: null, rounds: [13, 7] as [number, number] }];
    for (const [visitor, match] of [
      [gone, own],
      [stays, theirs],
    ] as const) {
      expect(await execute(visitor.player.id, { type: "report", match, maps })).toBe("done");
    }
    /** The names in a player's match: in its chat's title, in the opponent's news, and in its log. */
    const namesIn = async (match: number, rival: Visitor) => {
      const [chat] = await app.db
        .select({ title: conversations.title })
        .from(conversations)
        .innerJoin(tournamentMatches, eq(tournamentMatches.conversationId, conversations.id))
        .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, match)));
      const news = await app.db.select().from(notifications).where(eq(notifications.userId, rival.player.id));
      const told = news.find(({ kind }) => kind === "match-ready")?.data as { opponent: string };
      const log = await app.db
        .select({ details: tournamentEvents.details })
        .from(tournamentEvents)
        .where(and(eq(tournamentEvents.tournamentId, id), eq(tournamentEvents.matchId, match)));
      return [chat?.title?.includes(name), told.opponent, JSON.stringify(log).includes(name)];
    };

    await makeDeletionDue(gone.player);
    await app.runScheduled();
    expect(await isGone(gone.player)).toBe(true);
    expect(
      (await teamsOf(id))
        .map((team) => team.name)
        .filter((one) => [name, "Unknown User"].includes(one))
        .sort(),
    ).toEqual([name, "Unknown User"].sort());
    expect(await namesIn(own, ownRival)).toEqual([false, "Unknown User", false]);
    expect(await namesIn(theirs, theirRival)).toEqual([true, name, true]);
    const registered = (await tournamentLogOf(id)).flatMap(({ action, details }) =>
      action === "registered" ? details?.team : [],
    );
    expect(registered.slice(0, 2)).toEqual(["Unknown User", name]);

    await makeDeletionDue(stays.player);
    await app.runScheduled();
    expect(await isGone(stays.player)).toBe(true);
    expect(await rowsThatHold(name)).toEqual([]);
  });

  test("disappears from the chats of undone matches, and from news of messages in them", async () => {
    const [gone, rival] = [await newEntrant(), await newEntrant()];
    const { chat } = await undoFinal(app, { captains: [gone.player.id, rival.player.id] });
    expect((await sendTo(gone.client, chat, "That was close")).status).toBe(200);
    const titles = async () => {
      const talk = await app.db.select().from(conversations).where(eq(conversations.id, chat)).get();
      const [news] = await app.db
        .select()
        .from(notifications)
        .where(and(eq(notifications.userId, rival.player.id), eq(notifications.subject, `conversation:${chat}`)));
      return [talk?.title, (news?.data as { party: string } | undefined)?.party];
    };
    expect(await titles()).toEqual(["Final: Team 1 – Team 2", "Final: Team 1 – Team 2"]);
    await makeDeletionDue(gone.player);
    await app.runScheduled();
    expect(await isGone(gone.player)).toBe(true);
    expect(await titles()).toEqual(["Final: Unknown User – Team 2", "Final: Unknown User – Team 2"]);
  });

  test("disappears in several runs after many tournaments", async () => {
    const { player } = await newEntrant();
    const ids: string[] = [];
    for (let number = 0; number < 15; number += 1) {
      const { id } = await addTournament(app.db, { teams: 1, state: "finished", captains: [player.id] });
      ids.push(id);
    }
    const named = () =>
      app.db.$count(
        tournamentTeams,
        and(inArray(tournamentTeams.tournamentId, ids), eq(tournamentTeams.name, "Team 1")),
      );
    await makeDeletionDue(player);
    await app.runScheduled();
    expect([await isGone(player), await named()]).toEqual([false, 5]);
    await app.runScheduled();
    expect([await isGone(player), await named()]).toEqual([true, 0]);
  });

  test("stays as long as the account, whose deletion may be cancelled at the last moment", async () => {
    const { player } = await newEntrant();
    const { id } = await addTournament(app.db, { teams: 1, captains: [player.id] });
    await eraseAccount(
      { db: ownDatabase(), now: new Date(), keys: [] },
      player,
      "system",
      sql`leaver.deletion_due_at <= 0`,
    );
    expect((await teamsOf(id)).map(({ name }) => name)).toEqual(["Team 1"]);
  });
});
