import { and, eq, isNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Command, Outcome } from "#party/wire/tournament-commands";
import { NOTIFICATION_KINDS } from "../../app/features/notifications/kinds";
import { cancelTournament } from "../../app/features/tournaments/hosting/commands.server";
import { loadPlay } from "../../app/features/tournaments/play/load.server";
import { type PlayResult, play, type ReceivedCommand } from "../../app/features/tournaments/play/play.server";
import { type PlayMatch, type PlayState, type PlayTeam, writeResults } from "../../app/features/tournaments/play/state";
import { MINUTE } from "../../app/platform/dates/durations";
import { type Database, openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import {
  conversationMembers,
  notifications,
  profiles,
  restrictions,
  tournamentEvents,
  tournamentOrganisers,
  tournaments,
  tournamentTeams,
} from "../../db/schema";
import { type MeasuredDatabase, startMeasuredDatabase } from "../support/cost";
import { reopening } from "../support/matches";
import { type AddedTournament, addTournament } from "../support/tournaments";

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE);

let site: MeasuredDatabase;
let db: Database;

beforeAll(async () => {
  site = await startMeasuredDatabase({ players: 1, posts: 1 }, new Date());
  db = openDatabase({ url: site.proxy.url }).db;
});

afterAll(() => site?.stop());

const done: Outcome = { outcome: "done" };
const refused = (reason: string) => ({ outcome: "refused", reason });

const outcomesOf = ({ answers }: PlayResult): Outcome[] => answers.map(({ outcome }) => outcome);

/** Test helpers that send commands to a tournament, one by one. */
function commandsOf(tournament: AddedTournament) {
  let known: PlayState | null = null;
  const ask = async (actorId: string | null, command: Command, now = Date.now()): Promise<Outcome> => {
    const played: PlayResult = await play(db, tournament.id, [{ actorId, command }], known, now);
    known = played.state;
    return played.answers[0]?.outcome as Outcome;
  };
  const matches = async () => (await loadPlay(db, tournament.id))?.matches ?? [];
  const match = async (id: number) => (await matches()).find((row) => row.id === id) as PlayMatch;
  const captain = (teamId: string | null) => tournament.teams.find(({ id }) => id === teamId)?.captainId as string;
  /** Confirms the current report as a captain. */
  const confirm = async (actorId: string, id: number) =>
    ask(actorId, { type: "confirm", match: id, expects: (await match(id)).reportedAt ?? 0 });
  const won = [{ map: null, rounds: [13, 7] as [number, number] }];
  return {
    ask,
    matches,
    match,
    captain,
    confirm,
    won,
    start: () => ask(tournament.hostId, { type: "start" }),
    /** Returns the sentences and details that a team's captain reads in their notifications. */
    newsOf: (teamId: string | null | undefined) => newsTo(captain(teamId as string)),
    /** Finishes a match: the first side's captain reports a win, and the other one confirms it. */
    async finish(id: number) {
      const { team1, team2 } = await match(id);
      expect(await ask(captain(team1), { type: "report", match: id, maps: won })).toEqual(done);
      expect(await confirm(captain(team2), id)).toEqual(done);
    },
  };
}

/** Returns the sentences and details that a player reads in their notifications. */
async function newsTo(userId: string) {
  const rows = await db.select().from(notifications).where(eq(notifications.userId, userId));
  return rows
    .map(({ kind, data }) => NOTIFICATION_KINDS.find(({ name }) => name === kind)?.words(data as never))
    .map((words) => [words?.sentence, words?.detail])
    .sort();
}

/** Returns the kinds of a player's unread notifications. */
const unreadOf = async (userId: string) =>
  (
    await db
      .select()
      .from(notifications)
      .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
  )
    .map(({ kind }) => kind)
    .sort();

const findTournament = (id: string) => db.select().from(tournaments).where(eq(tournaments.id, id)).get();

describe("Starting", () => {
  test("draws the bracket from the checked-in teams by seed, and announces their matches", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, matches, captain } = commandsOf(tournament);
    expect(await start()).toEqual(done);
    const [first] = await matches();
    expect([first?.team1, first?.team2]).toEqual([tournament.teams[0]?.id, tournament.teams[3]?.id]);
    expect(await findTournament(tournament.id)).toMatchObject({ state: "running", startedAt: expect.any(Date) });
    const told = await db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, captain(first?.team1 ?? null)));
    expect(told).toMatchObject([{ kind: "match-ready", subject: `match:${tournament.id}/0` }]);
    const chat = await db
      .select({ userId: conversationMembers.userId })
      .from(conversationMembers)
      .where(eq(conversationMembers.conversationId, first?.conversationId as string));
    expect(new Set(chat.map(({ userId }) => userId))).toEqual(
      new Set([captain(first?.team1 ?? null), captain(first?.team2 ?? null)]),
    );
  });

  test("gives the spots of absent teams to waiting teams, in order", async () => {
    const tournament = await addTournament(db, { teams: 5, maxParticipants: 3, tournamentDate: minutesAgo(1) });
    const [, absent, , waits, second] = tournament.teams;
    await db
      .update(tournamentTeams)
      .set({ checkedInAt: null })
      .where(eq(tournamentTeams.id, absent?.id as string));
    for (const team of [waits, second]) {
      await db
        .update(tournamentTeams)
        .set({ state: "waiting" })
        .where(eq(tournamentTeams.id, team?.id as string));
    }
    expect(await commandsOf(tournament).start()).toEqual(done);
    const rows = await db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, tournament.id));
    expect(rows.map(({ name, state }) => [name, state]).sort()).toEqual([
      ["Team 1", "entered"],
      ["Team 2", "absent"],
      ["Team 3", "entered"],
      ["Team 4", "entered"],
      ["Team 5", "waiting"],
    ]);
    expect((await findTournament(tournament.id))?.currentParticipants).toBe(3);
  });

  test("notifies teams that move up, teams with a bye, and teams left out", async () => {
    const tournament = await addTournament(db, { teams: 5, maxParticipants: 3, tournamentDate: minutesAgo(1) });
    const [first, absent, third, movedUp, left] = tournament.teams.map(({ id }) => id);
    const change = (id: string | undefined, values: Partial<typeof tournamentTeams.$inferInsert>) =>
      db
        .update(tournamentTeams)
        .set(values)
        .where(eq(tournamentTeams.id, id as string));
    await change(absent, { checkedInAt: null });
    await change(movedUp, { state: "waiting" });
    await change(left, { state: "waiting" });
    const { start, newsOf } = commandsOf(tournament);
    await start();
    expect(await newsOf(first)).toEqual([["Semi-final: you have a bye and advance without playing", "Night Cup"]]);
    expect(await newsOf(third)).toEqual([
      ["Your next match: semi-final 1 against Team 4", "Night Cup. Check in within 15 min."],
    ]);
    expect(await newsOf(movedUp)).toEqual([
      ["A spot opened up: Team 4 is in", "Night Cup"],
      ["Your next match: semi-final 1 against Team 3", "Night Cup. Check in within 15 min."],
    ]);
    const [[told], [late]] = [await newsOf(absent), await newsOf(left)];
    expect(told).toEqual([
      "“Night Cup” started without “Team 2”: it wasn't complete, verified and checked in",
      undefined,
    ]);
    expect(late).toEqual(["“Night Cup” started: no spot opened up for “Team 5”", undefined]);
  });

  test("is refused while teams may still check in, until the tournament's date", async () => {
    const tournament = await addTournament(db, { teams: 3 });
    const late = tournament.teams[2]?.id as string;
    await db.update(tournamentTeams).set({ checkedInAt: null }).where(eq(tournamentTeams.id, late));
    const { start, ask, match } = commandsOf(tournament);
    expect(await start()).toEqual(refused("check-in-open"));
    // A team that lacks a player may find one until then.
    await db.update(tournaments).set({ teamSize: 2 }).where(eq(tournaments.id, tournament.id));
    expect(await start()).toEqual(refused("check-in-open"));
    await db.update(tournaments).set({ teamSize: 1 }).where(eq(tournaments.id, tournament.id));
    await db.update(tournamentTeams).set({ checkedInAt: new Date() }).where(eq(tournamentTeams.id, late));
    expect(await start()).toEqual(done);
    // An early start gives no team less time than announced.
    const one = tournament.teams[1]?.captainId as string;
    const id = 1;
    expect((await match(id)).deadlineAt).toBeGreaterThan(Date.now() + 25 * MINUTE);
    expect(await ask(one, { type: "check-in", match: id })).toEqual(done);
    expect(await ask(one, { type: "claim", match: id }, Date.now() + 16 * MINUTE)).toEqual(refused("too-early"));
  });

  test("needs an organiser, closed registration and two teams, and works only once", async () => {
    const early = await addTournament(db, { teams: 2, registrationDeadline: new Date(Date.now() + MINUTE) });
    expect(await commandsOf(early).start()).toEqual(refused("registration-open"));
    const alone = await addTournament(db, { teams: 1 });
    expect(await commandsOf(alone).start()).toEqual(refused("too-few-teams"));
    expect(await findTournament(alone.id)).toMatchObject({ state: "open", version: 0 });
    const tournament = await addTournament(db, { teams: 2 });
    const { ask, start } = commandsOf(tournament);
    expect(await ask(tournament.teams[0]?.captainId as string, { type: "start" })).toEqual(refused("not-organiser"));
    expect(await start()).toEqual(done);
    expect(await start()).toEqual(refused("not-open"));
  });

  test("counts a team with an unverified player as absent, and ignores changed ranks", async () => {
    const tournament = await addTournament(db, { teams: 4, checkInMinutes: 0, maxRank: "Gold 3" });
    const [unverified, risen] = tournament.teams.map(({ captainId }) => captainId);
    const change = (userId: string | undefined, values: Partial<typeof profiles.$inferInsert>) =>
      db
        .update(profiles)
        .set(values)
        .where(eq(profiles.userId, userId as string));
    await change(unverified, { riotPuuid: null, riotVerifiedAt: null });
    await change(risen, { currentRank: "Radiant" });
    expect(await commandsOf(tournament).start()).toEqual(done);
    const rows = await db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, tournament.id));
    expect(rows.map(({ name, state }) => [name, state]).sort()).toEqual([
      ["Team 1", "absent"],
      ["Team 2", "entered"],
      ["Team 3", "entered"],
      ["Team 4", "entered"],
    ]);
  });

  test("leaves incomplete teams out of the bracket", async () => {
    const tournament = await addTournament(db, { teams: 2, teamSize: 2 });
    expect(await commandsOf(tournament).start()).toEqual(refused("too-few-teams"));
  });

  test("reads once and writes one batch, even for 256 teams in a double elimination", { timeout: 60_000 }, async () => {
    const tournament = await addTournament(db, { teams: 256, format: "double_elimination" });
    site.proxy.clear();
    const { db: fresh, usage } = openDatabase({ url: site.proxy.url });
    const played = await play(
      fresh,
      tournament.id,
      [{ actorId: tournament.hostId, command: { type: "start" } }],
      null,
      Date.now(),
    );
    expect(outcomesOf(played)).toEqual([done]);
    const writes = site.proxy.statements.filter(({ sql: text }) => !/^\s*SELECT/i.test(text));
    console.log(`256 teams: ${usage.roundTrips} round trips, ${writes.length} writing statements`);
    expect(usage.roundTrips).toBe(2);
    expect(writes.length).toBeLessThanOrEqual(12);
    expect(await loadPlay(db, tournament.id).then((state) => state?.matches.length)).toBe(511);
  });
});

describe("A match", () => {
  test("is decided, and its winner advances, when one captain reports and the other confirms", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, finish, match } = commandsOf(tournament);
    await start();
    await finish(0);
    expect(await match(0)).toMatchObject({ state: "finished", winner: 1, score1: 1, score2: 0 });
    expect(await match(2)).toMatchObject({ state: "waiting", team1: tournament.teams[0]?.id, team2: null });
  });

  test("counts a report as the check-in of the reporting team, not of the other", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    await ask(captain((await match(0)).team2), { type: "report", match: 0, maps: won });
    expect(await match(0)).toMatchObject({ state: "reported", checkedIn1: null, checkedIn2: expect.any(Number) });
  });

  test("confirms a report by itself 15 minutes after the tournament's date, if the report came before it", async () => {
    const date = Date.now() + 40 * MINUTE;
    const tournament = await addTournament(db, { teams: 2, tournamentDate: new Date(date) });
    const { start, ask, match, captain, won, newsOf } = commandsOf(tournament);
    await start();
    await ask(captain((await match(0)).team1), { type: "report", match: 0, maps: won });
    expect((await match(0)).confirmBy).toBe(date + 15 * MINUTE);
    await ask(null, { type: "settle" }, date + 15 * MINUTE - 1);
    expect((await match(0)).state).toBe("reported");
    // A notification long before the match states no number of minutes.
    expect(await newsOf((await match(0)).team2)).toEqual([
      ["Team 1 reported that they won the final, 1 to 0: confirm or dispute it", "Night Cup"],
      ["Your next match: the final against Team 1", "Night Cup"],
    ]);
  });

  test("confirms a report by itself after 15 minutes, but not before", async () => {
    const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    const now = Date.now();
    await ask(captain((await match(0)).team1), { type: "report", match: 0, maps: won }, now);
    await ask(null, { type: "settle" }, now + 15 * MINUTE - 1);
    expect((await match(0)).state).toBe("reported");
    await ask(null, { type: "settle" }, now + 15 * MINUTE);
    expect((await match(0)).state).toBe("finished");
    expect(await findTournament(tournament.id)).toMatchObject({
      state: "finished",
      winnerTeamId: tournament.teams[0]?.id,
    });
  });

  test("refuses impossible commands, and nothing changes", async () => {
    const tournament = await addTournament(db, { teams: 4, bestOf: 3 });
    const { start, ask, match, captain, confirm, won } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    const [one, two] = [captain(team1), captain(team2)];
    const before = await loadPlay(db, tournament.id);
    const map = (...rounds: [number, number]) => ({ map: null, rounds });
    for (const maps of [
      won,
      [map(13, 12)],
      [map(13, 5), map(12, 12)],
      [map(13, 5), map(13, 5), map(13, 5)],
      [map(15, 12), map(13, 5)],
      [map(13, 5), map(5, 13), map(13, 5), map(13, 5)],
      [map(-1, 13), map(13, 5)],
    ]) {
      expect(await ask(one, { type: "report", match: 0, maps })).toEqual(refused("bad-score"));
    }
    const fair = [map(13, 5), map(13, 11)];
    expect(await ask(captain((await match(1)).team1), { type: "report", match: 0, maps: fair })).toEqual(
      refused("not-captain"),
    );
    expect(await ask(tournament.hostId, { type: "report", match: 0, maps: fair })).toEqual(refused("not-captain"));
    expect(await ask(one, { type: "report", match: 2, maps: fair })).toEqual(refused("locked"));
    expect(await ask(one, { type: "report", match: 99, maps: fair })).toEqual(refused("no-match"));
    expect(await confirm(one, 0)).toEqual(refused("nothing-reported"));
    expect(await ask(one, { type: "rule", match: 0, maps: fair })).toEqual(refused("not-organiser"));
    expect(await ask(one, { type: "reopen", match: 0, expects: "" })).toEqual(refused("not-organiser"));
    expect(await ask(tournament.hostId, { type: "reopen", match: 0, expects: "" })).toEqual(refused("not-finished"));
    expect(await ask(one, { type: "claim", match: 0 })).toEqual(refused("check-in-first"));
    expect(await ask(tournament.hostId, { type: "check-in", match: 0 })).toEqual(refused("not-member"));
    expect(await loadPlay(db, tournament.id)).toEqual(before);
    expect(await ask(one, { type: "report", match: 0, maps: fair })).toEqual(done);
    expect(await confirm(one, 0)).toEqual(refused("own-report"));
    const other = [map(13, 5), map(13, 9)];
    expect(await ask(two, { type: "report", match: 0, maps: other })).toEqual(refused("reported-by-other"));
    expect(await confirm(two, 0)).toEqual(done);
    expect(await confirm(two, 0)).toEqual(refused("finished"));
    expect(await ask(one, { type: "report", match: 0, maps: fair })).toEqual(refused("finished"));
  });

  test("isn't confirmed if its report changed after the other captain read it", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    const now = Date.now();
    const lost = [{ map: null, rounds: [7, 13] as [number, number] }];
    await ask(captain(team1), { type: "report", match: 0, maps: lost }, now);
    await ask(captain(team1), { type: "report", match: 0, maps: won }, now + 1);
    expect(await ask(captain(team2), { type: "confirm", match: 0, expects: now })).toEqual(refused("report-changed"));
    expect((await match(0)).state).toBe("reported");
    expect(await ask(captain(team2), { type: "confirm", match: 0, expects: now + 1 })).toEqual(done);
    expect(await match(0)).toMatchObject({ state: "finished", winner: 1 });
  });

  test.each(["dispute", "rule"] as const)(
    "refuses a command to %s if its report changed after the form was opened",
    async (type) => {
      const tournament = await addTournament(db, { teams: 2 });
      const { start, ask, match, captain, won } = commandsOf(tournament);
      await start();
      const { team1, team2 } = await match(0);
      const now = Date.now();
      const lost = [{ map: null, rounds: [7, 13] as [number, number] }];
      const shown = async () => {
        const { team1, team2, readyAt, reportedAt } = await match(0);
        return { teams: [team1 ?? "", team2 ?? ""], readyAt, reportedAt };
      };
      const send = (seen: Awaited<ReturnType<typeof shown>> | undefined) =>
        type === "dispute"
          ? ask(captain(team2), { type, match: 0, evidence: "It wasn't so.", shown: seen })
          : ask(tournament.hostId, { type, match: 0, maps: lost, shown: seen });
      const unreported = await shown();
      await ask(captain(team1), { type: "report", match: 0, maps: lost }, now);
      const reported = await shown();
      await ask(captain(team1), { type: "report", match: 0, maps: won }, now + 1);
      for (const seen of [unreported, reported]) expect(await send(seen)).toEqual(refused("report-changed"));
      expect(await match(0)).toMatchObject({ state: "reported", report: won });
      expect(await send(await shown())).toEqual(done);
      expect((await match(0)).state).toBe(type === "dispute" ? "disputed" : "finished");
    },
  );

  test("isn't decided by a form that was opened before it was disputed", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    const { team1, team2, readyAt } = await match(0);
    const reported = Date.now();
    await ask(captain(team1), { type: "report", match: 0, maps: won }, reported);
    await ask(captain(team2), { type: "dispute", match: 0, evidence: "They had six players." });
    const shown = { teams: [team1 ?? "", team2 ?? ""], readyAt, reportedAt: reported, isDisputed: false };
    const older = { ...shown, reportedAt: reported - 1 };
    const late = [
      { maps: won, shown },
      { forfeits: 2 as const, shown },
      { maps: won, shown: older },
    ];
    for (const decision of late) {
      const answer = await ask(tournament.hostId, { type: "rule", match: 0, ...decision });
      expect(answer).toEqual(refused("disputed-since"));
    }
    expect((await match(0)).state).toBe("disputed");
    const seen = { ...shown, isDisputed: true };
    expect(await ask(tournament.hostId, { type: "rule", match: 0, maps: won, shown: seen })).toEqual(done);
  });

  test("takes a forfeit whatever has been reported, as its form says", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    const { team1, team2, readyAt } = await match(0);
    const shown = { teams: [team1 ?? "", team2 ?? ""], readyAt, reportedAt: null };
    await ask(captain(team1), { type: "report", match: 0, maps: won });
    expect(await ask(captain(team2), { type: "forfeit", match: 0, shown })).toEqual(done);
  });

  test("is confirmed by a second, equal report", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, ask, match, captain } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    const report = (team: string | null, map: "Haven" | "Lotus" | null, rounds: [number, number]) =>
      ask(captain(team), { type: "report", match: 0, maps: [{ map, rounds }] });
    await report(team1, "Haven", [13, 7]);
    expect(await report(team2, "Haven", [13, 8])).toEqual(refused("reported-by-other"));
    expect(await report(team2, "Lotus", [13, 7])).toEqual(refused("reported-by-other"));
    expect(await report(team2, null, [13, 7])).toEqual({ outcome: "done", isConfirmed: true });
    expect(await match(0)).toMatchObject({ state: "finished", winner: 1, maps: [{ map: "Haven", rounds: [13, 7] }] });
  });

  test("stops its clock during a dispute until an organiser decides", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, ask, match, captain, won, newsOf } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    await ask(captain(team1), { type: "report", match: 0, maps: won });
    const evidence = "It was 13 to 7 for us: see the picture in the chat.";
    expect(await ask(captain(team2), { type: "dispute", match: 0, evidence })).toEqual(done);
    await ask(null, { type: "settle" }, Date.now() + 60 * MINUTE);
    expect(await match(0)).toMatchObject({ state: "disputed", disputer: 2, dispute: evidence });
    expect(await newsTo(tournament.hostId)).toEqual([["Final is disputed: you decide", "Night Cup"]]);
    const dispute = "Team 2 disputes the final: the organisers will decide";
    expect((await newsOf(team1)).map(([sentence]) => sentence)).toContain(dispute);
    expect((await newsOf(team2)).map(([sentence]) => sentence)).not.toContain(dispute);
    const maps = [{ map: null, rounds: [7, 13] as [number, number] }];
    expect(await ask(tournament.hostId, { type: "rule", match: 0, maps })).toEqual(done);
    expect(await match(0)).toMatchObject({ state: "finished", winner: 2 });
  });

  test("can be claimed by a checked-in team once the other is late", async () => {
    const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
    const { start, ask, match, captain } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    expect(await ask(captain(team1), { type: "check-in", match: 0 })).toEqual(done);
    expect(await ask(captain(team1), { type: "claim", match: 0 })).toEqual(refused("too-early"));
    const late = Date.now() + 16 * MINUTE;
    expect(await ask(captain(team2), { type: "claim", match: 0 }, late)).toEqual(refused("check-in-first"));
    expect(await ask(captain(team1), { type: "claim", match: 0 }, late)).toEqual(done);
    expect(await match(0)).toMatchObject({ state: "finished", winner: 1, forfeit: 2, score1: null });
  });

  test("that is overdue is announced to the organisers once", async () => {
    const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
    const { start, ask } = commandsOf(tournament);
    await start();
    const late = Date.now() + 16 * MINUTE;
    const ofHost = eq(notifications.userId, tournament.hostId);
    await ask(null, { type: "settle" }, late);
    expect(await newsTo(tournament.hostId)).toEqual([["Final is overdue", "Night Cup"]]);
    await db
      .update(notifications)
      .set({ readAt: new Date(late) })
      .where(ofHost);
    await ask(null, { type: "settle" }, late + MINUTE);
    expect(await db.select().from(notifications).where(ofHost)).toMatchObject([{ readAt: new Date(late) }]);
    const events = await db.select().from(tournamentEvents).where(eq(tournamentEvents.tournamentId, tournament.id));
    expect(events.filter(({ action }) => action === "overdue")).toHaveLength(1);
  });

  test("that was overdue no longer calls the organisers once both teams are there, or one has reported it", async () => {
    for (const command of [{ type: "check-in" }, { type: "report", maps: [{ map: null, rounds: [13, 7] }] }] as const) {
      const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
      const { start, ask, match, captain } = commandsOf(tournament);
      await start();
      const { team1, team2 } = await match(0);
      await ask(captain(team1), { type: "check-in", match: 0 });
      const late = Date.now() + 16 * MINUTE;
      await ask(null, { type: "settle" }, late);
      expect(await unreadOf(tournament.hostId)).toEqual(["match-dispute"]);
      const actorId = captain(team2);
      const played = await play(
        db,
        tournament.id,
        [{ actorId, command: { ...command, match: 0 } as Command }],
        null,
        late,
      );
      expect([outcomesOf(played), await unreadOf(tournament.hostId)]).toEqual([[done], []]);
      expect(played.notified).toContainEqual({ userId: tournament.hostId });
    }
  });

  test("that was overdue and is now disputed calls the organisers to decide it", async () => {
    const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
    const { start, ask, match, captain } = commandsOf(tournament);
    await start();
    const late = Date.now() + 16 * MINUTE;
    await ask(null, { type: "settle" }, late);
    await ask(captain((await match(0)).team1), { type: "dispute", match: 0, evidence: "They left." }, late);
    expect(await unreadOf(tournament.hostId)).toEqual(["match-dispute"]);
    expect(await newsTo(tournament.hostId)).toEqual([["Final is disputed: you decide", "Night Cup"]]);
  });

  test("that its own reporter disputes no longer calls the other captain to confirm the report", async () => {
    const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    await ask(captain(team1), { type: "report", match: 0, maps: won });
    expect(await unreadOf(captain(team2))).toEqual(["match-report"]);
    await ask(captain(team1), { type: "dispute", match: 0, evidence: "I swapped the sides." });
    expect(await unreadOf(captain(team2))).toEqual(["match-dispute"]);
  });

  test("no longer calls players to check in once both teams are there, or it is reported or disputed", async () => {
    for (const command of [
      { type: "check-in" },
      { type: "report", maps: [{ map: null, rounds: [13, 7] }] },
      { type: "dispute", evidence: "They left." },
    ] as const) {
      const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
      const { start, ask, match, captain } = commandsOf(tournament);
      await start();
      const { team1, team2 } = await match(0);
      await ask(captain(team1), { type: "check-in", match: 0 });
      const callsIn = async (teamId: string | null) =>
        (await unreadOf(captain(teamId))).filter((kind) => kind === "match-ready");
      expect(await callsIn(team2)).toEqual(["match-ready"]);
      const actorId = captain(team2);
      const attempt = { actorId, command: { ...command, match: 0 } as Command };
      const played = await play(db, tournament.id, [attempt], null, Date.now());
      expect([outcomesOf(played), await callsIn(team1), await callsIn(team2)], command.type).toEqual([[done], [], []]);
      expect(played.notified).toContainEqual({ userId: captain(team1) });
    }
  });

  test("is reopened with the matches that depend on it, if the organiser was shown exactly these", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, ask, finish, match } = commandsOf(tournament);
    await start();
    for (const id of [0, 1, 2]) await finish(id);
    expect(await findTournament(tournament.id)).toMatchObject({ state: "finished", endedAt: expect.any(Date) });
    expect(await ask(tournament.hostId, { type: "reopen", match: 0, expects: writeResults([await match(0)]) })).toEqual(
      refused("changed"),
    );
    expect(await ask(tournament.hostId, await reopening(db, tournament.id, 0))).toEqual(done);
    expect(await match(0)).toMatchObject({ state: "ready", winner: null, report: null, maps: null });
    expect(await match(2)).toMatchObject({ state: "waiting", team1: null, winner: null });
    expect(await findTournament(tournament.id)).toMatchObject({ state: "running", winnerTeamId: null, endedAt: null });
    for (const id of [0, 2]) await finish(id);
    expect(await findTournament(tournament.id)).toMatchObject({ state: "finished" });
  });
});

describe("A match that is over", () => {
  test("leaves no captain with an unread call to play or confirm it, even if nobody confirmed its report", async () => {
    const tournament = await addTournament(db, { teams: 2, tournamentDate: minutesAgo(1) });
    const { start, ask, match, captain, won } = commandsOf(tournament);
    await start();
    const { team1, team2 } = await match(0);
    const now = Date.now();
    await ask(captain(team1), { type: "report", match: 0, maps: won }, now);
    expect(await unreadOf(captain(team2))).toEqual(["match-report"]);
    await ask(null, { type: "settle" }, now + 15 * MINUTE);
    for (const team of [team1, team2]) {
      expect(await unreadOf(captain(team))).toEqual(["match-result", "tournament-finished"]);
    }
  });

  test("leaves no organiser with unread news of its dispute, and other matches keep theirs", async () => {
    const tournament = await addTournament(db, { teams: 4, tournamentDate: minutesAgo(1) });
    const userId = tournament.teams[3]?.captainId as string;
    await db.insert(tournamentOrganisers).values({ tournamentId: tournament.id, userId, addedAt: new Date() });
    const { start, ask, match, captain } = commandsOf(tournament);
    await start();
    const { team1 } = await match(1);
    await ask(captain(team1), { type: "dispute", match: 1, evidence: "They left." });
    await ask(null, { type: "settle" }, Date.now() + 16 * MINUTE);
    expect(await unreadOf(tournament.hostId)).toEqual(["match-dispute", "match-dispute"]);
    expect(await ask(userId, { type: "rule", match: 1, forfeits: 1 })).toEqual(done);
    expect(await unreadOf(tournament.hostId)).toEqual(["match-dispute"]);
    expect(await unreadOf(captain(team1))).toEqual(["match-result"]);
    expect(await unreadOf(captain((await match(0)).team1))).toEqual(["match-ready"]);
  });

  test("leaves its players with no unread call to play it if the tournament was cancelled", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { id: tournamentId, hostId, teams } = tournament;
    await commandsOf(tournament).start();
    const captainId = teams[0]?.captainId as string;
    const cancel = (userId: string) => {
      const now = new Date();
      return cancelTournament({ db, now, origin: "https://lineup.test" }, "Over", { tournamentId, userId, now });
    };
    // Only the host can cancel it.
    expect(await cancel(captainId)).toBeNull();
    expect(await unreadOf(captainId)).toEqual(["match-ready"]);
    expect(await cancel(hostId)).toContain(captainId);
    expect(await unreadOf(captainId)).toEqual(["tournament-cancelled"]);
  });
});

describe("A rollback", () => {
  test("is announced to the players of all undone matches, and replaces earlier notifications about them", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, ask, finish, newsOf } = commandsOf(tournament);
    await start();
    for (const id of [0, 1, 2]) await finish(id);
    const [one, two, , four] = tournament.teams.map(({ id }) => id);
    expect(await ask(tournament.hostId, await reopening(db, tournament.id, 0))).toEqual(done);
    const again = "Semi-final 1 will be replayed: its result was undone";
    const off = "Final is on hold: an earlier match will be replayed";
    const sentences = async (team: string | undefined) => (await newsOf(team)).map(([sentence]) => sentence);
    expect(await sentences(one)).toEqual([off, again, "Your next match: semi-final 1 against Team 4"]);
    expect(await sentences(four)).toEqual([again, "Your next match: semi-final 1 against Team 1"]);
    expect(await sentences(two)).toContain(off);
    expect(await sentences(two)).toContain("You won semi-final 2, 1 to 0");
    expect(await sentences(two)).not.toContain("Your next match: the final against Team 1");
  });

  test("is also announced to players whose action in an undone match was stored together with it", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, finish, match, captain } = commandsOf(tournament);
    await start();
    for (const id of [0, 1]) await finish(id);
    const captainId = captain((await match(2)).team1);
    const reopen: ReceivedCommand = {
      actorId: tournament.hostId,
      command: await reopening(db, tournament.id, 0),
    };
    const dispute: ReceivedCommand = {
      actorId: captainId,
      command: { type: "dispute", match: 2, evidence: "They left." },
    };
    expect(outcomesOf(await play(db, tournament.id, [dispute, reopen], null, Date.now()))).toEqual([done, done]);
    expect((await newsTo(captainId)).map(([sentence]) => sentence)).toContain(
      "Final is on hold: an earlier match will be replayed",
    );
    expect(await newsTo(tournament.hostId)).toEqual([]);
  });

  test("also names a later match that has been reported, because its report would be lost", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, ask, finish, match, captain, won } = commandsOf(tournament);
    await start();
    for (const id of [0, 1]) await finish(id);
    const { team1 } = await match(2);
    expect(await ask(captain(team1), { type: "report", match: 2, maps: won })).toEqual(done);
    expect(await ask(tournament.hostId, { type: "reopen", match: 0, expects: writeResults([await match(0)]) })).toEqual(
      refused("changed"),
    );
    expect(await ask(tournament.hostId, await reopening(db, tournament.id, 0))).toEqual(done);
    expect(await match(2)).toMatchObject({ state: "waiting", report: null });
  });
});

describe("A rollback of a group stage", () => {
  test("unlinks the old play-offs' log entries and deletes their notifications: match numbers are reused", async () => {
    const tournament = await addTournament(db, {
      teams: 6,
      format: "round_robin",
      groupSize: 3,
      lastTieBreak: "draw",
      tournamentDate: minutesAgo(1),
    });
    const { start, ask, finish, matches, captain, newsOf } = commandsOf(tournament);
    await start();
    const playoffs = async () =>
      (await matches()).filter(({ part, state }) => part === "playoffs" && state === "ready");
    const groups = (await matches()).map(({ id }) => id);
    for (const id of groups) await finish(id);
    const [old] = (await playoffs()) as [PlayMatch];
    expect(await ask(captain(old.team1), { type: "dispute", match: old.id, evidence: "They left." })).toEqual(done);
    const aboutOld = async () => ({
      events: (await db.select().from(tournamentEvents).where(eq(tournamentEvents.tournamentId, tournament.id))).filter(
        ({ matchId }) => matchId === old.id,
      ),
      news: (await db.select().from(notifications)).filter(
        ({ subject }) => subject === `match:${tournament.id}/${old.id}`,
      ),
    });
    expect((await aboutOld()).events.map(({ action }) => action)).toEqual(["disputed"]);
    expect((await aboutOld()).news.map(({ kind }) => kind).sort()).toEqual([
      "match-dispute",
      "match-dispute",
      "match-ready",
      "match-ready",
    ]);
    const last = groups.at(-1) as number;
    expect(await ask(tournament.hostId, await reopening(db, tournament.id, last))).toEqual(done);
    expect(await aboutOld()).toEqual({ events: [], news: [] });
    const log = await db.select().from(tournamentEvents).where(eq(tournamentEvents.tournamentId, tournament.id));
    expect(log.filter(({ action }) => action === "disputed")).toMatchObject([{ matchId: null }]);
    const sentences = (await newsOf(old.team1)).map(([sentence]) => sentence);
    expect(sentences).toContainEqual(expect.stringMatching(/^Semi-final \d is on hold/));
    await finish(last);
    expect((await playoffs()).map(({ id }) => id)).toContain(old.id);
    const { events, news } = await aboutOld();
    expect([events, news.map(({ kind }) => kind)]).toEqual([[], ["match-ready", "match-ready"]]);
  });

  test("deletes the notifications of byes, whose match numbers are reused as well", async () => {
    const tournament = await addTournament(db, {
      teams: 9,
      format: "round_robin",
      groupSize: 3,
      lastTieBreak: "draw",
      tournamentDate: minutesAgo(1),
    });
    const { start, ask, finish, matches, newsOf } = commandsOf(tournament);
    await start();
    const groups = (await matches()).map(({ id }) => id);
    for (const id of groups) await finish(id);
    const playoffs = async (wanted: PlayMatch["state"]) =>
      (await matches()).filter(({ part, state }) => part === "playoffs" && state === wanted);
    const teams = (await playoffs("bye")).map(({ team1, team2 }) => team1 ?? team2);
    expect(teams).toHaveLength(2);
    const byesOf = async (team: string | null) =>
      (await newsOf(team)).filter(([sentence]) => sentence?.includes("you have a bye")).length;
    expect(await Promise.all(teams.map(byesOf))).toEqual([1, 1]);
    expect(await ask(tournament.hostId, await reopening(db, tournament.id, groups.at(-1) as number))).toEqual(done);
    expect(await playoffs("bye")).toEqual([]);
    expect(await Promise.all(teams.map(byesOf))).toEqual([0, 0]);
  });
});

describe("A group", () => {
  test("plays one round after the other: a match has no deadline before its turn", async () => {
    const tournament = await addTournament(db, { teams: 4, format: "round_robin", tournamentDate: minutesAgo(1) });
    const { start, finish, matches } = commandsOf(tournament);
    await start();
    const timed = async () =>
      (await matches()).filter(({ deadlineAt }) => deadlineAt !== null).map(({ round }) => round);
    expect(await timed()).toEqual([1, 1]);
    for (const { id } of (await matches()).filter(({ round }) => round === 1)) await finish(id);
    expect(await timed()).toEqual([2, 2]);
  });

  /** Starts a group of four, and picks a match of its second round. */
  async function startGroup() {
    const tournament = await addTournament(db, { teams: 4, format: "round_robin", tournamentDate: minutesAgo(1) });
    const played = commandsOf(tournament);
    await played.start();
    const all = await played.matches();
    const { id, team1, team2 } = all.find(({ round }) => round === 2) as PlayMatch;
    return {
      ...played,
      host: tournament.hostId,
      id,
      one: played.captain(team1),
      two: played.captain(team2),
      async finishRound() {
        for (const { id: first } of all.filter(({ round }) => round === 1)) await played.finish(first);
      },
      /** Returns the minutes for check-in that the notification of this match names, by player. */
      calls: async () =>
        Object.fromEntries(
          (await db.select().from(notifications))
            .filter(({ kind, subject }) => kind === "match-ready" && subject === `match:${tournament.id}/${id}`)
            .map(({ userId, data }) => [userId, (data as { minutes: number | null }).minutes]),
        ),
    };
  }

  test("lets two teams play before their turn: they keep their deadline, and aren't notified", async () => {
    const { ask, match, id, one, two, finishRound, calls } = await startGroup();
    const now = Date.now();
    expect(await ask(one, { type: "check-in", match: id }, now)).toEqual(done);
    expect(await match(id)).toMatchObject({ readyAt: now, deadlineAt: null, conversationId: expect.any(String) });
    expect(await ask(two, { type: "check-in", match: id }, now)).toEqual(done);
    const { deadlineAt } = await match(id);
    expect(deadlineAt).toBe(now + 60 * MINUTE);
    await finishRound();
    expect([(await match(id)).deadlineAt, await calls()]).toEqual([deadlineAt, {}]);
  });

  test("refuses an early report from a captain whose opponent is not there", async () => {
    const { ask, id, one, two, won } = await startGroup();
    const report = { type: "report", match: id, maps: won } as const;
    expect(await ask(one, report)).toEqual(refused("not-up"));
    await ask(one, { type: "check-in", match: id });
    expect(await ask(one, report)).toEqual(refused("not-up"));
    await ask(two, { type: "check-in", match: id });
    expect(await ask(one, report)).toEqual(done);
  });

  test("gives a team that hasn't checked in early its full time from the match's turn", async () => {
    const { ask, match, id, one, two, finishRound, calls } = await startGroup();
    const now = Date.now();
    await ask(one, { type: "check-in", match: id }, now);
    expect(await ask(one, { type: "claim", match: id }, now + 60 * MINUTE)).toEqual(refused("too-early"));
    await finishRound();
    expect((await match(id)).deadlineAt).toBeGreaterThanOrEqual(now + 15 * MINUTE);
    // The notification of a team that is already there names no deadline.
    expect(await calls()).toEqual({ [one]: null, [two]: 15 });
  });

  test("has a chat for a match that is disputed before its turn", async () => {
    const { ask, id, host, one, two, won, match } = await startGroup();
    expect(await ask(host, { type: "join-chat", match: id })).toEqual(refused("no-chat"));
    for (const captain of [one, two]) await ask(captain, { type: "check-in", match: id });
    await ask(one, { type: "report", match: id, maps: won });
    await ask(two, { type: "dispute", match: id, evidence: "It was not so." });
    expect(await ask(host, { type: "join-chat", match: id })).toEqual(done);
    const chat = await db
      .select({ userId: conversationMembers.userId })
      .from(conversationMembers)
      .where(eq(conversationMembers.conversationId, (await match(id)).conversationId as string));
    expect(new Set(chat.map(({ userId }) => userId))).toEqual(new Set([host, one, two]));
  });
});

/** The places of seven teams. Teams eliminated in the same round, or equally placed in their groups, share a place. */
const PLACES_OF_SEVEN = {
  single_elimination: [1, 2, 3, 3, 5, 5, 5],
  double_elimination: [1, 2, 3, 4, 5, 5, 7],
  round_robin: [1, 2, 3, 3, 5, 5, 7],
};

describe("The stored state", () => {
  test("equals the computed state, snapshot and matches included, after each command of a tournament", async () => {
    for (const format of ["single_elimination", "double_elimination", "round_robin"] as const) {
      const tournament = await addTournament(db, { teams: 7, format, groupSize: 4 });
      let known: PlayState | null = null;
      let now = Date.now();
      const ask = async (actorId: string | null, command: Command) => {
        const played: PlayResult = await play(db, tournament.id, [{ actorId, command }], known, now);
        expect(outcomesOf(played)).toEqual([done]);
        known = played.state;
        const stored = await loadPlay(db, tournament.id);
        expect(stored?.snapshot).toEqual(known?.snapshot);
        expect(stored?.matches).toEqual(known?.matches);
        expect(stored?.version).toBe(known?.version);
        now += 1_000;
      };
      await ask(tournament.hostId, { type: "start" });
      for (;;) {
        const next: PlayMatch | undefined = (known as PlayState | null)?.matches.find(({ state }) => state === "ready");
        if (!next) break;
        await ask(tournament.hostId, { type: "rule", match: next.id, maps: [{ map: "Haven", rounds: [13, 2] }] });
      }
      const rows = await db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, tournament.id));
      const finalPlaces = (teams: readonly Pick<PlayTeam, "id" | "place" | "lastPlace">[]) =>
        teams.map(({ id, place, lastPlace }) => `${place}–${lastPlace} ${id}`).sort();
      expect(finalPlaces(rows)).toEqual(finalPlaces((known as PlayState | null)?.teams ?? []));
      expect(rows.map(({ place }) => place).sort()).toEqual(PLACES_OF_SEVEN[format]);
      expect((await findTournament(tournament.id))?.winnerTeamId).toBe(rows.find(({ place }) => place === 1)?.id);
    }
  });

  test("doesn't change when another write came first: the command is decided again on the new state", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, captain } = commandsOf(tournament);
    await start();
    const old = await loadPlay(db, tournament.id);
    await db.update(tournaments).set({ version: sql`version + 1` }).where(eq(tournaments.id, tournament.id));
    await db
      .update(tournamentTeams)
      .set({ captainId: tournament.hostId })
      .where(eq(tournamentTeams.id, tournament.teams[0]?.id as string));
    const command: Command = { type: "forfeit", match: 0 };
    const first = captain(tournament.teams[0]?.id as string);
    const played = await play(db, tournament.id, [{ actorId: first, command }], old, Date.now());
    expect(outcomesOf(played)).toEqual([refused("not-captain")]);
    expect((await loadPlay(db, tournament.id))?.matches[0]?.state).toBe("ready");
  });

  test("takes a result without a retry when another command in its batch is refused", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, captain, won } = commandsOf(tournament);
    await start();
    const state = await loadPlay(db, tournament.id);
    const warm = openDatabase({ url: site.proxy.url });
    const actorId = captain(tournament.teams[0]?.id as string);
    const report: ReceivedCommand = { actorId, command: { type: "report", match: 0, maps: won } };
    const forfeit: ReceivedCommand = { actorId: tournament.hostId, command: { type: "forfeit", match: 0 } };
    const { answers } = await play(warm.db, tournament.id, [report, forfeit], state, Date.now());
    expect(answers).toEqual([
      { received: report, outcome: done },
      { received: forfeit, outcome: refused("not-captain") },
    ]);
    expect(warm.usage.roundTrips).toBe(1);
  });

  test("takes a result although a new limit forbids the evidence in another command of its batch", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const { start, captain, match, won } = commandsOf(tournament);
    await start();
    const state = await loadPlay(db, tournament.id);
    const captainOf = async (id: number) => captain((await match(id)).team1);
    const dispute: ReceivedCommand = {
      actorId: await captainOf(0),
      command: { type: "dispute", match: 0, evidence: "They left." },
    };
    const report: ReceivedCommand = { actorId: await captainOf(1), command: { type: "report", match: 1, maps: won } };
    const until = Date.now() + 60 * MINUTE;
    await db.insert(restrictions).values({
      userId: dispute.actorId as string,
      scope: "messaging",
      until: new Date(until),
      decisionId: uuidv7(),
    });
    const { answers } = await play(db, tournament.id, [dispute, report], state, Date.now());
    expect(answers).toEqual([
      { received: dispute, outcome: { ...refused("limited"), until } },
      { received: report, outcome: done },
    ]);
    expect([(await match(0)).state, (await match(1)).state]).toEqual(["ready", "reported"]);
  });

  test("takes a result in one round trip with a cached state, and in two without", async () => {
    const tournament = await addTournament(db, { teams: 2 });
    const { start, captain, won } = commandsOf(tournament);
    await start();
    const asked = (command: Command, team = 0) => [{ actorId: captain(tournament.teams[team]?.id as string), command }];
    const cold = openDatabase({ url: site.proxy.url });
    const { state } = await play(
      cold.db,
      tournament.id,
      asked({ type: "report", match: 0, maps: won }),
      null,
      Date.now(),
    );
    expect(cold.usage.roundTrips).toBe(2);
    const warm = openDatabase({ url: site.proxy.url });
    await play(
      warm.db,
      tournament.id,
      asked({ type: "confirm", match: 0, expects: state?.matches[0]?.reportedAt as number }, 1),
      state,
      Date.now(),
    );
    expect(warm.usage.roundTrips).toBe(1);
  });

  test("takes organisers' commands in as few round trips: start, decide, reopen, disqualify, reinstate", async () => {
    const tournament = await addTournament(db, { teams: 4 });
    const commands: (Command | "reopen")[] = [
      { type: "start" },
      { type: "rule", match: 0, forfeits: 2 },
      { type: "rule", match: 1, forfeits: 2 },
      { type: "rule", match: 2, forfeits: 2 },
      "reopen",
      { type: "disqualify", team: tournament.teams[0]?.id as string, reason: "Played with six." },
      { type: "reinstate", team: tournament.teams[0]?.id as string },
    ];
    let known: PlayState | null = null;
    for (const each of commands) {
      const command = each === "reopen" ? await reopening(db, tournament.id, 0) : each;
      const { db: counted, usage } = openDatabase({ url: site.proxy.url });
      const played: PlayResult = await play(
        counted,
        tournament.id,
        [{ actorId: tournament.hostId, command }],
        known,
        Date.now(),
      );
      expect([command.type, outcomesOf(played), usage.roundTrips]).toEqual([command.type, [done], known ? 1 : 2]);
      known = played.state;
      const stored = await loadPlay(db, tournament.id);
      expect(stored?.matches).toEqual(known?.matches);
      const disqualified = (state: PlayState | null | undefined) =>
        state?.teams.map(({ disqualification }) => disqualification);
      expect(disqualified(stored)?.filter(Boolean)).toEqual(disqualified(known)?.filter(Boolean));
    }
  });
});
