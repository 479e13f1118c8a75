import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  notifications,
  tournamentEvents,
  tournamentMatches,
  tournamentOrganisers,
  tournamentTeams,
} from "../../db/schema";
import { useApp } from "../support/app";
import { announcements, field, findForm, links, main, textOf } from "../support/html";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { newVisitor, unique } from "./players";

const app = useApp();

/**
 * Starts a tournament of four teams of two. `page` is the page of the captain's team, Team 1, which plays semi-final 1
 * (`semi`) against Team 4.
 */
async function newTournamentInPlay() {
  const host = await newVisitor(app, { riotGameName: unique("Host ") });
  const captain = await newVisitor(app, { riotGameName: unique("Captain ") });
  const tournament = await startTournament(app, {
    teams: 4,
    teamSize: 2,
    userId: host.player.id,
    captains: [captain.player.id],
  });
  const home = `/tournaments/${tournament.id}`;
  const page = `${home}/teams/${tournament.teams[0]?.id}`;
  const semi = async () =>
    (await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, tournament.id)))[0];
  return { host, captain, tournament, home, page, semi };
}

describe("Disqualifying a team", () => {
  test("is a single action of an organiser, with a reason, in two round trips", async () => {
    const { host, captain, tournament, home, page, semi } = await newTournamentInPlay();
    expect(links((await host.client.get(page)).text).map(({ text }) => text)).toContain("Disqualify");
    const dialog = await host.client.get(`${page}/disqualify`);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    const answer = await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: "Played with six." });
    // The `Server-Timing` header counts one round trip. It leaves out the second, which the tournament's room makes.
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, page, 1]);
    expect(announcements((await host.client.follow(answer)).text)[0]).toContain("Team disqualified");
    expect(await semi()).toMatchObject({ state: "finished", winner: 2, forfeit: 1 });
    // Its own players and the organisers read why; others only learn of the disqualification.
    for (const { client } of [host, captain]) expect(main((await client.get(page)).text)).toContain("Played with six.");
    const visitor = main((await app.client().get(page)).text);
    expect(visitor).toContain("This team is disqualified.");
    expect(visitor).not.toContain("Played with six.");
    expect(main((await app.client().get(`${home}/teams`)).text)).toContain("Disqualified");
    expect(main((await captain.client.get(home)).text)).toContain("Your team is disqualified. Read why");
    expect(main((await app.client().get(`${home}/matches/0`)).text)).toContain("Team 1 was disqualified: Team 4 won");
    // The newest entry comes first, so the consequences are above their cause.
    expect(main((await host.client.get(`${home}/manage`)).text)).toMatch(
      /Team 1 was disqualified: Team 4 won .* disqualified Team 1: “Played with six.”/,
    );
    const news = await app.db.select().from(notifications).where(eq(notifications.userId, captain.player.id));
    expect(news.filter(({ kind }) => kind === "tournament-withdrawn")).toMatchObject([
      { data: { team: "Team 1", by: "disqualified", reason: "Played with six." } },
    ]);
    // Sending the form again changes nothing.
    const again = await host.client.post(`${page}/disqualify`, { intent: "disqualify", reason: "Played with six." });
    expect(again.status).toBe(303);
    const events = await app.db.select().from(tournamentEvents).where(eq(tournamentEvents.tournamentId, tournament.id));
    expect(events.filter(({ action }) => action === "disqualified")).toHaveLength(1);
  });

  test("is refused to the second of two organisers with another reason, which the team would never read", async () => {
    const { host, captain, tournament, page } = await newTournamentInPlay();
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: tournament.id, userId: helper.player.id, addedAt: new Date() });
    await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: "Played with six." });
    const late = await helper.client.post(`${page}/disqualify`, { intent: "disqualify", reason: "Cheated." });
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("This team has just been disqualified, for another reason. Its page shows which."),
    ]);
    expect(main((await captain.client.get(page)).text)).toContain("Played with six.");
  });

  test("again isn't undone by an older dialog, which is refused and then shows the new reason", async () => {
    const { host, tournament, page, semi } = await newTournamentInPlay();
    const helper = await newVisitor(app);
    await app.db
      .insert(tournamentOrganisers)
      .values({ tournamentId: tournament.id, userId: helper.player.id, addedAt: new Date() });
    const dialog = `${page}/disqualify`;
    await host.client.submit(dialog, "Disqualify", { reason: "Played with six." });
    const { values } = findForm((await host.client.get(dialog)).text, "Undo");
    expect((await helper.client.submit(dialog, "Undo")).status).toBe(303);
    // A second try after a lost response changes nothing.
    expect((await host.client.post(dialog, { ...values, intent: "reinstate" })).status).toBe(303);
    await helper.client.submit(dialog, "Disqualify", { reason: "Used a second account." });
    const refused = await host.client.post(dialog, { ...values, intent: "reinstate" });
    expect([refused.status, announcements(refused.text).join()]).toEqual([
      409,
      expect.stringContaining("This team has been disqualified again. Check the reason, then undo it."),
    ]);
    expect(main(refused.text)).toContain("Used a second account.");
    expect(await semi()).toMatchObject({ state: "finished", forfeit: 1 });
    expect((await host.client.submit(dialog, "Undo")).location).toBe(page);
    expect(await semi()).toMatchObject({ state: "ready", forfeit: null });
  });

  test("asks for the reason, and keeps the typed one", async () => {
    const { host, page, semi } = await newTournamentInPlay();
    const empty = await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: " " });
    expect([empty.status, field(empty.text, "reason").description]).toEqual([
      400,
      expect.stringContaining("Say why. The team and the organisers will see it."),
    ]);
    const long = "x".repeat(501);
    const tooLong = await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: long });
    expect([tooLong.status, field(tooLong.text, "reason").value]).toEqual([400, long]);
    expect((await semi())?.state).toBe("ready");
  });

  test("can be undone until a later match is played", async () => {
    const { host, tournament, home, page, semi } = await newTournamentInPlay();
    await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: "Played with six." });
    const dialog = await host.client.get(`${page}/disqualify`);
    expect(main(dialog.text) + textOf(dialog.text)).toContain("Team 1 was disqualified: Played with six.");
    const offers = async () => links((await host.client.get(page)).text).map(({ text }) => text);
    expect(await offers()).toContain("Undo Disqualification");
    const answer = await host.client.submit(`${page}/disqualify`, "Undo");
    expect([answer.location, roundTrips(answer)]).toEqual([page, 1]);
    expect(await semi()).toMatchObject({ state: "ready", winner: null, forfeit: null });
    expect(main((await app.client().get(page)).text)).not.toContain("disqualified");
    expect(main((await app.client().get(`${home}/matches/0`)).text)).toContain(
      "Semi-final 1 is open again because Team 1 is back in",
    );
    await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: "Six again." });
    for (const match of [1, 2]) await tournament.execute({ type: "rule", match, forfeits: 1 }, host.player.id);
    // The page stops offering it, and explains why to organisers only.
    expect(await offers()).not.toContain("Undo Disqualification");
    const why = "A later match was played. Reopen that one first to undo the disqualification.";
    const played = await host.client.get(page);
    expect([main(played.text).includes(why), roundTrips(played)]).toEqual([true, 1]);
    expect(main((await app.client().get(page)).text)).not.toContain(why);
    const late = await host.client.submit(`${page}/disqualify`, "Undo");
    expect([late.status, announcements(late.text).join(" ")]).toEqual([
      409,
      expect.stringContaining("A later match was played after the disqualification."),
    ]);
    const rows = await app.db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, tournament.id));
    expect(rows.find(({ name }) => name === "Team 1")?.disqualification?.reason).toBe("Six again.");
  });

  test("can be undone even after the play-offs were drawn without the team", async () => {
    const host = await newVisitor(app, { riotGameName: unique("Host ") });
    const tournament = await startTournament(app, {
      teams: 8,
      format: "round_robin",
      groupSize: 4,
      userId: host.player.id,
    });
    const first = tournament.teams[0]?.id as string;
    const page = `/tournaments/${tournament.id}/teams/${first}`;
    const matches = (part: "group" | "playoffs") =>
      app.db
        .select()
        .from(tournamentMatches)
        .where(and(eq(tournamentMatches.tournamentId, tournament.id), eq(tournamentMatches.part, part)))
        .orderBy(tournamentMatches.id);
    const isFirst = ({ team1, team2 }: Record<"team1" | "team2", string | null>) => team1 === first || team2 === first;
    const rule = (id: number, rounds: [number, number]) =>
      tournament.execute({ type: "rule", match: id, maps: [{ map: null, rounds }] }, host.player.id);
    const groups = await matches("group");
    // Team 1 wins its matches; in the others of both groups, the name that sorts first wins.
    for (const match of [...groups.filter(isFirst), ...groups.filter((row) => !isFirst(row))].slice(0, -1)) {
      await rule(match.id, nameOf(match.team1) < nameOf(match.team2) ? [13, 7] : [7, 13]);
    }
    const last = groups.filter((row) => !isFirst(row)).at(-1);
    await host.client.submit(`${page}/disqualify`, "Disqualify", { reason: "Played with six." });
    await rule(last?.id as number, [13, 7]);
    expect((await matches("playoffs")).some(isFirst)).toBe(false);
    const offers = async () => links((await host.client.get(page)).text).map(({ text }) => text);
    expect(await offers()).toContain("Undo Disqualification");
    expect((await host.client.submit(`${page}/disqualify`, "Undo")).location).toBe(page);
    const [semi] = (await matches("playoffs")).filter(isFirst);
    expect(semi).toMatchObject({ state: "ready" });
    const log = main((await app.client().get(`/tournaments/${tournament.id}/matches/${semi?.id}`)).text);
    expect(log).toContain("is drawn again because Team 1 is back in");

    function nameOf(team: string | null): string {
      return tournament.teams.find(({ id }) => id === team)?.name ?? "";
    }
  });

  test("is only for the tournament's organisers", async () => {
    const { captain, page, home, semi } = await newTournamentInPlay();
    expect((await captain.client.get(`${page}/disqualify`)).status).toBe(404);
    expect((await app.client().get(`${page}/disqualify`)).location).toContain("/auth?");
    const form = { intent: "disqualify", reason: "They are better." };
    expect((await captain.client.post(`${page}/disqualify`, form)).status).toBe(403);
    const other = await newTournamentInPlay();
    expect((await other.host.client.post(`${page}/disqualify`, form)).status).toBe(403);
    const foreign = `${home}/teams/${other.tournament.teams[0]?.id}/disqualify`;
    expect((await other.host.client.get(foreign)).status).toBe(404);
    expect((await semi())?.state).toBe("ready");
  });
});
