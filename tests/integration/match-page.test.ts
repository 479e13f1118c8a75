import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Command } from "#party/wire/tournament-commands";
import { uuidv7 } from "../../db/ids";
import { notifications, restrictions, tournamentMatches, tournaments } from "../../db/schema";
import { useApp } from "../support/app";
import { addPlayedTournament } from "../support/brackets";
import type { Client, HttpResponse } from "../support/client";
import { eventually } from "../support/eventually";
import { announcements, buttons, field, findForm, heading, links, main, select, textOf, texts } from "../support/html";
import { reopening, startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { openInbox } from "../support/socket";
import { startWatchedDatabase } from "../support/watched-database";
import { DAY, MINUTE, newVisitor, sendTo, unique } from "./players";
import { textsOf, type Visitor } from "./talk";

const { proxy, appOptions } = await startWatchedDatabase();
const app = useApp(appOptions);

/** Counts the round trips to the database that an action waits for, including its room's, which no header reports. */
async function waitsOf(act: () => Promise<HttpResponse>): Promise<{ answer: HttpResponse; waits: number }> {
  // The room may still be notifying inboxes of an earlier action.
  await eventually(() => proxy.underWay === 0 || undefined);
  proxy.clear();
  proxy.latency = 100;
  const answer = await act();
  proxy.latency = 0;
  return { answer, waits: proxy.waits };
}

/** The labels of the buttons and links that change a match. */
const controls = ({ text }: HttpResponse) =>
  [...buttons(text), ...links(text).map(({ text: words }) => words)].filter((words) =>
    [
      "Check In",
      "Claim Win",
      "Report Score",
      "Update Report",
      "Confirm",
      "Dispute",
      "Dispute this match",
      "Forfeit",
      "Decide",
      "Reopen Match",
      "Join Match Chat",
    ].includes(words),
  );

/** The rounds in a form for a score, map by map. */
const rowsIn = ({ text }: HttpResponse) =>
  ["left1", "right1", "left2", "right2", "left3", "right3"].map((name) => field(text, name).value);

/** The form's fields for a 2–0 win of the left side in a best of three. */
const TWO_NIL = { bestOf: "3", left1: "13", right1: "9", left2: "13", right2: "11" };

/**
 * Starts a tournament of four teams of two, best of three. `one` (side 1) plays `two` (side 2) in semi-final 1.
 */
async function newMatch(options: Partial<Parameters<typeof startTournament>[1]> = {}) {
  const host = await newVisitor(app, { riotGameName: unique("Host ") });
  const captains: Visitor[] = [];
  for (let seed = 1; seed <= 4; seed += 1) captains.push(await newVisitor(app, { riotGameName: unique("Captain ") }));
  const [one, third, fourth, two] = captains as [Visitor, Visitor, Visitor, Visitor];
  const tournament = await startTournament(app, {
    teams: 4,
    teamSize: 2,
    bestOf: 3,
    finalBestOf: 3,
    tournamentDate: new Date(Date.now() - MINUTE),
    userId: host.player.id,
    captains: captains.map(({ player }) => player.id),
    ...options,
  });
  const here = `/tournaments/${tournament.id}/matches/0`;
  const row = async (id = 0) =>
    (await app.db
      .select()
      .from(tournamentMatches)
      .where(and(eq(tournamentMatches.tournamentId, tournament.id), eq(tournamentMatches.id, id)))
      .get()) as typeof tournamentMatches.$inferSelect;
  const change = (values: Partial<typeof tournamentMatches.$inferInsert>) =>
    app.db.batch([
      app.db
        .update(tournamentMatches)
        .set(values)
        .where(and(eq(tournamentMatches.tournamentId, tournament.id), eq(tournamentMatches.id, 0))),
      // A newer version outdates the room's copy, so the room reloads the tournament.
      app.db.update(tournaments).set({ version: 100 }).where(eq(tournaments.id, tournament.id)),
    ]);
  const report = (client: Client, side: 1 | 2, fields: Record<string, string> = TWO_NIL) =>
    client.post(here, { intent: "report", leftSide: String(side), ...fields });
  return { tournament, host, one, two, third, fourth, here, row, change, report };
}

describe("The page of a match", () => {
  test("is public: it shows both teams and the state without controls, in one round trip", async () => {
    const { here } = await newMatch({ title: "Łódź Night Cup" });
    const page = await app.client().get(here);
    expect([page.status, roundTrips(page), heading(page.text)]).toEqual([200, 1, "Semi-final 1"]);
    expect(main(page.text)).toMatch(
      /Łódź Night Cup .*Check-in Best of 3 Check in by .*Team 1 .*vs Not played yet .*Team 4/,
    );
    expect(controls(page)).toEqual([]);
    expect(page.text).not.toContain("Match chat");
  });

  test("doesn't say of a cancelled match that it or a check-in is still to come", async () => {
    const { here, host, tournament } = await newMatch();
    expect(main((await app.client().get(here)).text)).toMatch(/Not checked in yet .*Not played yet/);
    await host.client.post(`/tournaments/${tournament.id}/cancel`, { reason: "The servers are down." });
    const page = main((await app.client().get(here)).text);
    expect(page).toContain("Cancelled");
    expect(page).not.toMatch(/Not checked in yet|Not played yet/);
  });

  test("shows a captain their own team on the left, and takes one round trip, chat and log included", async () => {
    const { here, two } = await newMatch();
    const page = await two.client.get(here);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(main(page.text)).toMatch(
      /Team 4 Your team, seed 4\. You are the captain\..*Team 1 Seed 1\. Captain: Captain/,
    );
    expect(page.text).toContain("Match chat");
    expect(controls(page)).toEqual(["Check In", "Report Score", "Dispute this match", "Forfeit"]);
  });

  test.each([
    [1, true],
    [3, true],
    [5, false],
  ])("uses the layout for few players in teams of %i: %s", async (teamSize, isFew) => {
    const { here } = await newMatch({ teamSize });
    const banners = select((await app.client().get(here)).text, ".match-banners");
    expect(banners).toHaveLength(2);
    expect(banners.filter("[data-few]")).toHaveLength(isFew ? 2 : 0);
  });

  test("explains the chat until the first message", async () => {
    const { here, one } = await newMatch();
    expect(main((await one.client.get(here)).text)).toContain("No messages yet.");
    await one.client.post(here, { id: uuidv7(), message: "The lobby is up." });
    expect(main((await one.client.get(here)).text)).not.toContain("No messages yet.");
  });

  test("gives back a message by a player who isn't in its chat, so that it can be copied", async () => {
    const { here } = await newMatch();
    const { client } = await newVisitor(app);
    const answer = await client.post(here, { id: uuidv7(), message: "Still here?" });
    expect([answer.status, roundTrips(answer)]).toEqual([404, 2]);
    expect(select(answer.text, "textarea[readonly]").text()).toBe("Still here?");
  });

  test("names the reported winner in its log for every reader", async () => {
    const { here, one, two, report } = await newMatch();
    await report(two.client, 2);
    for (const client of [one.client, two.client, app.client()]) {
      expect(main((await client.get(here)).text)).toMatch(/What happened .* reported: Team 4 won 2 to 0/);
    }
  });

  test("shows the match's events among the messages of its chat, also under the Chat tab", async () => {
    const { here, one, two, report, row } = await newMatch();
    await one.client.post(here, { id: uuidv7(), message: "The lobby is up." });
    await report(two.client, 2);
    await one.client.post(here, { id: uuidv7(), message: "Well played." });
    const inOrder = /The lobby is up\. .* reported: Team 4 won 2 to 0, .*Well played\./;
    expect(textOf(select((await one.client.get(here)).text, ".match-chat ol"))).toMatch(inOrder);
    const conversation = `/dashboard/messages/${(await row()).conversationId}`;
    const tab = await one.client.get(conversation);
    expect(roundTrips(tab)).toBe(1);
    expect(textOf(select(tab.text, ".thread ol"))).toMatch(inOrder);
  });

  test("says which earlier match fills an empty slot", async () => {
    const { tournament, one } = await newMatch();
    const page = await one.client.get(`/tournaments/${tournament.id}/matches/2`);
    expect(heading(page.text)).toBe("Final");
    expect(main(page.text)).toMatch(
      /Waiting for teams .*Winner of semi-final 1 .*Winner of semi-final 2 The teams aren't both known yet/,
    );
    expect(controls(page)).toEqual([]);
  });

  test("looks past a bye, and names the earlier match whose loser fills the slot", async () => {
    const { id } = await addPlayedTournament(app.db, { teams: 7, format: "double_elimination" });
    const sides = async (match: number) =>
      main((await app.client().get(`/tournaments/${id}/matches/${match}`)).text).match(
        /(?:Winner|Loser) of (?:(?! (?:The teams|vs|A team|Winner|Loser) ).)+/g,
      );
    const rows = await app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id));
    const bye = rows.find(({ part, state }) => part === "losers" && state === "bye");
    const next = rows.find(({ source1, source2 }) => [source1, source2].includes(`W${bye?.id}`));
    expect(await sides(next?.id as number)).toEqual([
      "Loser of winners' round 2, match 2",
      "Loser of winners' round 1, match 1",
    ]);
  });

  test("asks only for the played maps of a grand final with an advantage, and adds the advantage to the score", async () => {
    const { tournament, one, two, third, fourth, host } = await newMatch({
      format: "double_elimination",
      grandFinal: "advantage",
      bestOf: 1,
      semiBestOf: 3,
      finalBestOf: 5,
    });
    const matches = () =>
      app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, tournament.id));
    const address = (id: number | undefined) => `/tournaments/${tournament.id}/matches/${id}`;
    for (;;) {
      const next = (await matches()).find(({ state, part }) => state === "ready" && part !== "grand-final");
      if (!next) break;
      expect(next.bestOf, next.part).toBe(next.part === "losers" && next.round === next.rounds ? 1 : 3);
      const maps = next.bestOf === 1 ? { bestOf: "1", left1: "13", right1: "9" } : TWO_NIL;
      const ruled = await host.client.post(`${address(next.id)}/decide`, { decision: "score", leftSide: "1", ...maps });
      expect(ruled.status).toBe(303);
    }
    const final = (await matches()).find(({ part }) => part === "grand-final");
    expect(final).toMatchObject({ bestOf: 5, advantage: 1, state: "ready" });
    const here = address(final?.id);
    const captains = [one, two, third, fourth];
    const captainOf = (team: string | null | undefined) => {
      const captainId = tournament.teams.find(({ id }) => id === team)?.captainId;
      return captains.find(({ player }) => player.id === captainId) as Visitor;
    };
    const [winners, losers] = [captainOf(final?.team1), captainOf(final?.team2)];
    expect(main((await app.client().get(here)).text)).toMatch(
      /best of 5 from 1–0 .*Not played yet\. Team \d starts one map up/i,
    );
    expect(main((await losers.client.get(here)).text)).toMatch(
      /best of 5 from 0–1 .*They start one map up\. Enter only the maps that are played\./i,
    );
    const page = await winners.client.get(here);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(main(page.text)).toMatch(/You start one map up\. Enter only the maps that are played\./);
    expect([field(page.text, "left4").value, page.text.includes('name="left5"')]).toEqual(["", false]);
    // The losers' side needs three map wins, and the winners' side only two, because it starts one map up.
    const score = { left1: "13", right1: "9", left2: "9", right2: "13", left3: "13", right3: "4" };
    const short = await losers.client.submit(here, "Report Score", {
      left1: "13",
      right1: "9",
      left2: "13",
      right2: "9",
    });
    expect([short.status, field(short.text, "left3").description]).toEqual([
      400,
      "Nobody has won yet: it takes 3 maps, including the one-map head start. Enter this one.",
    ]);
    const report = { intent: "report", leftSide: "1", bestOf: "5", advantage: "1", ...score };
    expect((await winners.client.post(here, report)).status).toBe(303);
    expect(main((await app.client().get(here)).text)).toMatch(
      /3 to 1 .*Advantage 1 map to 0 Map 1 13 to 9 Map 2 9 to 13 Map 3 13 to 4 Map 4 not played/,
    );
    expect((await losers.client.submit(here, "Confirm")).status).toBe(303);
    expect((await matches()).find(({ part }) => part === "grand-final")).toMatchObject({
      state: "finished",
      score1: 3,
      score2: 1,
      rounds1: 35,
      rounds2: 26,
    });
    const bracket = main((await app.client().get(`/tournaments/${tournament.id}`)).text);
    expect(bracket).toContain("best of 5 from 1–0");
    expect(bracket).not.toContain("Second grand final");
  });

  test("is missing for an unknown match or tournament", async () => {
    const { tournament, here, one } = await newMatch();
    const other = await newMatch();
    for (const path of [
      `${here}9`,
      `/tournaments/${tournament.id}/matches/-1`,
      `/tournaments/${tournament.id}/matches/00`,
      `/tournaments/${uuidv7()}/matches/0`,
      "/tournaments/1/matches/0",
    ]) {
      expect([path, (await one.client.get(path)).status]).toEqual([path, 404]);
      expect([path, (await one.client.post(path, { intent: "check-in" })).status]).toEqual([path, 404]);
    }
    expect((await one.client.post(here, { intent: "win" })).status).toBe(404);
    expect((await one.client.post(other.here, { intent: "check-in" })).status).toBe(403);
  });

  test("marks the notification that led to it as read", async () => {
    const { here, one, tournament } = await newMatch();
    const unread = async () =>
      (await app.db.select().from(notifications).where(eq(notifications.userId, one.player.id))).filter(
        ({ readAt, subject }) => readAt === null && subject === `match:${tournament.id}/0`,
      );
    expect(await unread()).toHaveLength(1);
    await one.client
      .get("/dashboard/notifications")
      .then(({ text }) => expect(links(text).map(({ href }) => href)).toContain(here));
    await one.client.get(here);
    await expect.poll(unread).toEqual([]);
  });
});

describe("Checking in", () => {
  test("takes two round trips, shows on the page, and starts the match once both teams have checked in", async () => {
    const { here, one, two, row } = await newMatch();
    const { answer, waits } = await waitsOf(() => one.client.post(here, { intent: "check-in" }));
    expect([answer.status, answer.location, waits]).toEqual([303, here, 2]);
    const after = await one.client.follow(answer);
    expect(announcements(after.text)).toContain("Your team has checked in");
    expect(main(after.text)).toContain("Team 1 has checked in");
    expect(controls(after)).not.toContain("Check In");
    expect((await row()).checkedIn1).not.toBeNull();
    expect(main((await two.client.get(here)).text)).toContain("Team 1 has checked in");
    await two.client.post(here, { intent: "check-in" });
    expect(main((await two.client.get(here)).text)).toMatch(/Playing now .*Both teams are here. Play!/);
  });

  test("by only one team lets its captain claim the win after the deadline, but not before", async () => {
    const { here, one, two, row, change } = await newMatch();
    expect((await one.client.post(here, { intent: "claim" })).status).toBe(409);
    await one.client.post(here, { intent: "check-in" });
    const early = await one.client.post(here, { intent: "claim" });
    expect([early.status, announcements(early.text)]).toEqual([
      409,
      ["Error The other team still has time to check in."],
    ]);
    await change({ deadlineAt: new Date(Date.now() - MINUTE) });
    expect(controls(await two.client.get(here))).not.toContain("Claim Win");
    expect(main((await two.client.get(here)).text)).toContain("Check in before the other team claims the win.");
    expect(controls(await one.client.get(here))).toContain("Claim Win");
    expect((await one.client.post(here, { intent: "claim" })).location).toBe(here);
    expect(await row()).toMatchObject({ state: "finished", winner: 1, forfeit: 2 });
    expect(main((await two.client.get(here)).text)).toContain("Team 1 won: Team 4 forfeited");
  });

  test("doesn't let a captain claim the win once a score is reported, and the error says why", async () => {
    const { here, one, two, row, change, report } = await newMatch();
    await one.client.post(here, { intent: "check-in" });
    await report(one.client, 1);
    await change({ deadlineAt: new Date(Date.now() - MINUTE) });
    const own = await one.client.post(here, { intent: "claim" });
    expect(announcements(own.text)).toEqual(["Error The other captain has to confirm your report."]);
    const other = await two.client.post(here, { intent: "claim" });
    expect(announcements(other.text)).toEqual(["Error The other captain reported first. Confirm or dispute it."]);
    expect((await row()).state).toBe("reported");
  });
});

describe("A score", () => {
  test("is reported by one captain with their own team on the left, and confirmed by the other", async () => {
    const { here, one, two, third, row, report } = await newMatch();
    const answer = await two.client.submit(here, "Report Score", {
      ...TWO_NIL,
      map1: "Haven",
      map2: "Lotus",
      map3: "Ascent",
    });
    expect([answer.status, answer.location, roundTrips(answer)]).toEqual([303, here, 1]);
    expect(await row()).toMatchObject({
      state: "reported",
      reporter: 2,
      report: [
        { map: "Haven", rounds: [9, 13] },
        { map: "Lotus", rounds: [11, 13] },
      ],
    });
    const own = await two.client.follow(answer);
    expect(announcements(own.text)).toContain("Score reported The other captain confirms it, or it counts by itself.");
    expect(main(own.text)).toMatch(
      /2 to 0 You reported this Maps Haven 13 to 9 Lotus 13 to 11 Map 3 not played .*Team 1 has to confirm Captain \d+ has been asked since \d\d:\d\d \. If nobody answers, your report counts\. 15 min left of 15/,
    );
    expect(controls(own)).toEqual(["Update Report", "Dispute this match"]);
    expect([field(own.text, "map1").value, field(own.text, "left1").value, field(own.text, "right1").value]).toEqual([
      "Haven",
      "13",
      "9",
    ]);
    expect(main((await third.client.get(here)).text)).toMatch(
      /0 to 2 Team 4 reported this .* reported: Team 4 won 2 to 0/,
    );
    const asked = await one.client.get(here);
    expect(main(asked.text)).toMatch(/0 to 2 Team 4 reported this .*Is this how it ended\?/);
    expect(controls(asked)).toEqual(["Confirm", "Dispute"]);
    expect((await report(one.client, 1)).status).toBe(409);
    expect((await two.client.post(here, { intent: "confirm" })).status).toBe(409);
    expect((await third.client.post(here, { intent: "confirm" })).status).toBe(403);
    expect((await row()).state).toBe("reported");
    expect((await one.client.submit(here, "Confirm")).location).toBe(here);
    expect(await row()).toMatchObject({ state: "finished", winner: 2, score1: 0, score2: 2 });
    const late = await report(two.client, 2);
    expect([late.status, announcements(late.text)[0]]).toEqual([
      409,
      "Error This match is already decided, so nothing was changed.",
    ]);
    const done = await two.client.get(here);
    expect(main(done.text)).toMatch(/Finished .*2 to 0 Team 4 won .*What happened .* confirmed: Team 4 won 2 to 0/);
    expect(controls(done)).toEqual([]);
  });

  test("can't be confirmed if it changed after the page was loaded, and the new score is shown instead", async () => {
    const { here, one, two, row, report } = await newMatch();
    await report(two.client, 1);
    const seen = field((await one.client.get(here)).text, "expects").value;
    await report(two.client, 2);
    for (const expects of [seen, "", "now"]) {
      const late = await one.client.post(here, { intent: "confirm", expects });
      expect([late.status, announcements(late.text)]).toEqual([
        409,
        ["Error A captain has sent a new report. Check it, then try again."],
      ]);
      expect(main(late.text)).toContain("0 to 2 Team 4 reported this");
    }
    expect((await row()).state).toBe("reported");
  });

  test("can't be disputed or decided with a form from before a new report or dispute; the form says why", async () => {
    const { here, host, one, two, row, report } = await newMatch();
    await report(two.client, 1);
    const opened = async (client: Client, page: string, button: string) =>
      findForm((await client.get(`${here}/${page}`)).text, button).values;
    const dispute = { ...(await opened(one.client, "dispute", "Send Dispute")), evidence: "They left early." };
    const decision = await opened(host.client, "decide", "Decide");
    await report(two.client, 2);
    const changed = expect.stringContaining("A captain has sent a new report. Check it, then try again.");
    const late = await one.client.post(`${here}/dispute`, dispute);
    expect([late.status, announcements(late.text).join()]).toEqual([409, changed]);
    expect(field(late.text, "evidence").value).toBe("They left early.");
    expect(textOf(late.text)).toContain("Team 4 reported: Team 4 won 2 to 0 (13 to 9, 13 to 11).");
    const ruled = await host.client.post(`${here}/decide`, decision);
    expect([ruled.status, announcements(ruled.text).join()]).toEqual([409, changed]);
    expect(textOf(ruled.text)).toContain(
      "Team 4 reported: Team 4 won 2 to 0 (13 to 9, 13 to 11). This score is filled in below.",
    );
    expect(rowsIn(ruled)).toEqual(["9", "13", "11", "13", "", ""]);
    expect((await row()).state).toBe("reported");
    const { client } = one;
    expect((await client.post(`${here}/dispute`, findForm(late.text, "Send Dispute").values)).location).toBe(here);
    const unread = await host.client.post(`${here}/decide`, findForm(ruled.text, "Decide").values);
    expect([unread.status, announcements(unread.text).join()]).toEqual([
      409,
      expect.stringContaining("A captain has disputed this match. Read why, then decide."),
    ]);
    expect(links(unread.text)).toContainEqual({ text: "See the dispute", href: here });
    expect((await row()).state).toBe("disputed");
    expect((await host.client.post(`${here}/decide`, findForm(unread.text, "Decide").values)).location).toBe(here);
    expect(await row()).toMatchObject({ state: "finished", winner: 2 });
  });

  test("that an organiser has typed stays in the decision form when a captain reports another one", async () => {
    const { here, host, two, row, report } = await newMatch();
    await report(two.client, 1);
    const opened = findForm((await host.client.get(`${here}/decide`)).text, "Decide").values;
    const typed = { ...opened, left1: "13", right1: "8" };
    await report(two.client, 2);
    const late = await host.client.post(`${here}/decide`, typed);
    expect(late.status).toBe(409);
    expect(rowsIn(late)).toEqual(["13", "8", "13", "11", "", ""]);
    expect(textOf(late.text)).toContain("Team 4 reported: Team 4 won 2 to 0 (13 to 9, 13 to 11). Decision");
    await host.client.post(`${here}/decide`, findForm(late.text, "Decide").values);
    expect(await row()).toMatchObject({
      state: "finished",
      winner: 1,
      maps: [{ rounds: [13, 8] }, { rounds: [13, 11] }],
    });
  });

  test("that an organiser has typed is cleared from the decision form if the match is played again", async () => {
    const { here, host, row } = await newMatch();
    const opened = findForm((await host.client.get(`${here}/decide`)).text, "Decide").values;
    const before = opened.shown?.[0]?.replace(String((await row()).readyAt?.getTime()), "1");
    const typed = { left1: "13", right1: "8", left2: "13", right2: "9" };
    const late = await host.client.post(`${here}/decide`, { ...opened, shown: before, ...typed });
    expect([late.status, announcements(late.text).join()]).toEqual([409, expect.stringContaining("it's played again")]);
    expect(rowsIn(late)).toEqual(["", "", "", "", "", ""]);
  });

  test("that an organiser mistyped stays in the form, which still knows the report that it had shown", async () => {
    const { here, host, two, row, report } = await newMatch();
    await report(two.client, 1);
    const opened = findForm((await host.client.get(`${here}/decide`)).text, "Decide").values;
    await report(two.client, 2);
    const wrong = await host.client.post(`${here}/decide`, { ...opened, left1: "12", right1: "8" });
    expect(wrong.status).toBe(400);
    expect(rowsIn(wrong)).toEqual(["12", "8", "13", "11", "", ""]);
    const again = { ...findForm(wrong.text, "Decide").values, left1: "13" };
    const late = await host.client.post(`${here}/decide`, again);
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("A captain has sent a new report. Check it, then try again."),
    ]);
    expect((await row()).state).toBe("reported");
  });

  test("is confirmed when both captains report the same one", async () => {
    const { here, one, two, row, report } = await newMatch();
    await report(two.client, 2);
    const lost = { bestOf: "3", left1: "9", right1: "13", left2: "11", right2: "13" };
    const same = await report(one.client, 1, lost);
    expect([same.status, same.location]).toEqual([303, here]);
    expect(announcements((await one.client.follow(same)).text)).toContain(
      "Score confirmed The match is decided. We've told both teams.",
    );
    expect(await row()).toMatchObject({ state: "finished", winner: 2 });
  });

  test("reported before the tournament's date needn't be confirmed before it, and the page says so", async () => {
    const { one, two, report } = await newMatch({ tournamentDate: new Date(Date.now() + 60 * MINUTE) });
    const answer = await report(two.client, 2);
    const own = main((await two.client.follow(answer)).text);
    expect(own).toMatch(/Team 1 has to confirm .* until ([A-Z][a-z]{2} \d+ [A-Z][a-z]{2}, )?\d\d:\d\d/);
    expect(own).not.toContain("min left");
    await one.client
      .get("/dashboard/notifications")
      .then(({ text }) => expect(main(text)).not.toMatch(/It counts by itself|Check in within/));
  });

  test("can be changed until it is confirmed", async () => {
    const { here, one, row, report } = await newMatch();
    await report(one.client, 1);
    const again = await one.client.submit(here, "Update Report", { right1: "7" });
    expect(again.status).toBe(303);
    expect((await row()).report?.[0]?.rounds).toEqual([13, 7]);
  });

  test("that is impossible changes nothing, and stays in the form with an error at its field", async () => {
    const { one, row, report } = await newMatch();
    const answer = await report(one.client, 1, { ...TWO_NIL, map1: "Haven", left2: "14", right2: "11" });
    expect(answer.status).toBe(400);
    expect(field(answer.text, "left2")).toEqual({
      value: "14",
      invalid: true,
      description: "The first side to 13 rounds wins a map. After 12–12, it takes a two-round lead.",
    });
    expect(field(answer.text, "left1")).toMatchObject({ value: "13", invalid: false });
    expect(field(answer.text, "map1").value).toBe("Haven");
    expect((await row()).state).toBe("ready");
    expect(field((await report(one.client, 1, { bestOf: "3", left1: "13", right1: "1" })).text, "left2").invalid).toBe(
      true,
    );
    // The room rejects a form that claims more maps than the match has.
    const five = {
      left1: "13",
      right1: "1",
      left2: "1",
      right2: "13",
      left3: "1",
      right3: "13",
      left4: "13",
      right4: "1",
      left5: "13",
      right5: "1",
    };
    expect((await report(one.client, 1, { bestOf: "5", ...five })).status).toBe(400);
    expect((await row()).state).toBe("ready");
  });

  test("is accepted only from captains of the two teams, and only when signed in", async () => {
    const { here, host, third, row, report } = await newMatch();
    for (const { client } of [host, third]) {
      const answer = await report(client, 1);
      expect([answer.status, announcements(answer.text)[0]]).toEqual([
        403,
        "Error Only the captains of the two teams can do that.",
      ]);
    }
    expect((await report(app.client(), 1)).status).toBe(401);
    expect((await app.client().post(here, { intent: "check-in" })).location).toContain("/auth?");
    expect((await row()).state).toBe("ready");
  });

  test("is refused while the match waits for a team", async () => {
    const { tournament, one } = await newMatch();
    const answer = await one.client.post(`/tournaments/${tournament.id}/matches/2`, {
      intent: "report",
      leftSide: "1",
      ...TWO_NIL,
    });
    expect(answer.status).toBe(409);
  });
});

describe("A dispute", () => {
  test("is sent with evidence, read by both teams and the organisers, and decided by the organisers", async () => {
    const { here, host, one, two, third, row, report } = await newMatch();
    await report(two.client, 2);
    const empty = await one.client.post(`${here}/dispute`, { evidence: " " });
    expect([empty.status, field(empty.text, "evidence").description]).toEqual([
      400,
      "Say what happened. Links to screenshots or a recording help.",
    ]);
    const evidence = "They left at 11 to 9.\nhttps://example.com/shot.png <b>";
    expect((await one.client.submit(`${here}/dispute`, "Send Dispute", { evidence })).location).toBe(here);
    expect(await row()).toMatchObject({ state: "disputed", disputer: 1, dispute: evidence });
    for (const { client } of [one, two, host]) {
      const page = await client.get(here);
      expect(main(page.text)).toMatch(
        /Disputed .*Team 1 disputes this match .*They left at 11 to 9\. https:\/\/example\.com\/shot\.png <b>/,
      );
    }
    for (const { text } of [await third.client.get(here), await app.client().get(here)]) {
      expect(text).toContain("disputes this match");
      expect(text).not.toContain("They left");
    }
    expect(controls(await host.client.get(here))).toEqual(["Join Match Chat", "Decide"]);
    expect((await two.client.post(here, { intent: "confirm" })).status).toBe(409);
    const dialog = await host.client.get(`${here}/decide`);
    expect([
      dialog.status,
      roundTrips(dialog),
      field(dialog.text, "left1").value,
      field(dialog.text, "right1").value,
    ]).toEqual([200, 1, "9", "13"]);
    const bad = await host.client.submit(`${here}/decide`, "Decide", { decision: "score", left1: "1", right1: "1" });
    expect([bad.status, field(bad.text, "left1").invalid]).toEqual([400, true]);
    expect((await host.client.submit(`${here}/decide`, "Decide", { decision: "forfeit-2" })).location).toBe(here);
    expect(await row()).toMatchObject({ state: "finished", winner: 1, forfeit: 2 });
    // The report that the organiser didn't follow isn't the result.
    for (const { client } of [one, two, third]) {
      const page = main((await client.get(here)).text);
      expect(page).toContain("Team 1 won: Team 4 forfeited");
      expect(page).not.toMatch(/0 to 2|2 to 0 Team|13 to 9|9 to 13/);
    }
  });

  test("is refused because of the limit if messaging is limited while its evidence is being stored", async () => {
    const { here, one, row } = await newMatch();
    const evidence = "They left at 11 to 9.";
    const limit = {
      userId: one.player.id,
      scope: "messaging",
      until: new Date(Date.now() + DAY),
      decisionId: uuidv7(),
    } as const;
    proxy.before = { words: evidence, run: () => app.db.insert(restrictions).values(limit) };
    const refused = await one.client.post(`${here}/dispute`, { evidence });
    expect([proxy.before, refused.status]).toEqual([null, 403]);
    expect(textOf(refused.text)).toMatch(
      /You can't send messages until .*\/account\/decisions\. Leave the evidence empty: your dispute counts all the same\./,
    );
    expect(field(refused.text, "evidence").value).toBe(evidence);
    expect(await row()).toMatchObject({ state: "ready", dispute: null });
  });

  test("keeps its evidence readable for the same people once it is decided and the match is reopened", async () => {
    const { here, host, one, two, third, row } = await newMatch();
    const evidence = "They left at 11 to 9.";
    const readers = async () =>
      (
        await Promise.all([one.client, two.client, host.client, third.client, app.client()].map((who) => who.get(here)))
      ).map(({ text }) => main(text).split(evidence).length - 1 + (text.includes(evidence) ? 10 : 0));
    await one.client.submit(`${here}/dispute`, "Send Dispute", { evidence });
    expect(await readers()).toEqual([11, 11, 11, 0, 0]);
    await host.client.submit(`${here}/decide`, "Decide", { decision: "forfeit-2" });
    expect(await readers()).toEqual([11, 11, 11, 0, 0]);
    await host.client.submit(`${here}/reopen`, "Reopen Match");
    expect((await row()).dispute).toBeNull();
    expect(await readers()).toEqual([11, 11, 11, 0, 0]);
    expect(main((await two.client.get(here)).text)).toMatch(
      /disputed the match for Team 1, [\d:]+ They left at 11 to 9\./,
    );
  });

  test("hides its evidence from a team that enters the match later, and from one that has left it", async () => {
    const { tournament, host, one, two } = await newMatch();
    const final = `/tournaments/${tournament.id}/matches/2`;
    const decide = (id: number, forfeits: 1 | 2) =>
      tournament.execute({ type: "rule", match: id, forfeits }, host.player.id);
    await decide(0, 2);
    await decide(1, 2);
    await one.client.submit(`${final}/dispute`, "Send Dispute", { evidence: "They left." });
    await tournament.execute(await reopening(app.db, tournament.id, 0), host.player.id);
    await decide(0, 1);
    expect(main((await two.client.get(final)).text)).toMatch(/Team 4 .*disputed the match for Team 1/);
    for (const { client } of [one, two]) expect((await client.get(final)).text).not.toContain("They left.");
    expect((await host.client.get(final)).text).toContain("They left.");
  });

  test("is decided by organisers only: others don't get the dialogs", async () => {
    const { here, one, third, row } = await newMatch();
    expect((await one.client.get(`${here}/decide`)).location).toBe(here);
    expect((await third.client.get(`${here}/dispute`)).location).toBe(here);
    expect((await third.client.get(`${here}/forfeit`)).location).toBe(here);
    expect((await app.client().get(`${here}/dispute`)).location).toContain("/auth?");
    expect(
      (await one.client.post(`${here}/decide`, { decision: "forfeit-2", bestOf: "3", leftSide: "1" })).status,
    ).toBe(403);
    expect((await third.client.post(`${here}/dispute`, { evidence: "Mine" })).status).toBe(403);
    expect((await third.client.post(`${here}/forfeit`)).status).toBe(403);
    expect((await row()).state).toBe("ready");
  });
});

test("A form that was loaded when another team played in the match is refused, and then names the new team", async () => {
  const { tournament, host, two } = await newMatch();
  const execute = (command: Command) => tournament.execute(command, host.player.id);
  for (const match of [0, 1]) await execute({ type: "rule", match, forfeits: 1 });
  // The final is between teams 4 and 3.
  const final = `/tournaments/${tournament.id}/matches/2`;
  const forms = [
    [host, `${final}/decide`, "Decide", { decision: "forfeit-2" }],
    [two, `${final}/forfeit`, "Forfeit", {}],
    [two, `${final}/dispute`, "Send Dispute", { evidence: "They left." }],
    [two, final, "Report Score", TWO_NIL],
  ] as const;
  const posts: (() => Promise<HttpResponse>)[] = [];
  for (const [{ client }, address, button, fields] of forms) {
    const { values } = findForm((await client.get(address)).text, button);
    posts.push(() => client.post(address, { ...values, ...fields }));
  }
  await execute(await reopening(app.db, tournament.id, 1));
  await execute({ type: "rule", match: 1, forfeits: 2 });
  for (const [index, post] of posts.entries()) {
    const answer = await post();
    expect([answer.status, announcements(answer.text).join()]).toEqual([
      409,
      expect.stringContaining("Another team plays in this match now. Check the names, then try again."),
    ]);
    // On a phone, the dialog covers the page's own names.
    if (forms[index]?.[2] === "Send Dispute") {
      expect(textOf(select(answer.text, "#dispute"))).toContain("Against Team 2.");
    }
  }
  // The refused form names the teams that play now, so it can be sent again.
  expect((await host.client.submit(`${final}/decide`, "Decide", { decision: "forfeit-2" })).status).toBe(303);
});

test("A form from before the match was reopened doesn't count for the replay of the same teams", async () => {
  const { here, tournament, host, one, two, row } = await newMatch();
  const forms = [
    [host, `${here}/decide`, "Decide", { decision: "forfeit-2" }],
    [two, `${here}/forfeit`, "Forfeit", {}],
    [two, `${here}/dispute`, "Send Dispute", { evidence: "They left." }],
    [one, here, "Report Score", TWO_NIL],
  ] as const;
  const posts: (() => Promise<HttpResponse>)[] = [];
  for (const [{ client }, address, button, fields] of forms) {
    const { values } = findForm((await client.get(address)).text, button);
    posts.push(() => client.post(address, { ...values, ...fields }));
  }
  await tournament.execute({ type: "rule", match: 0, forfeits: 1 }, host.player.id);
  await tournament.execute(await reopening(app.db, tournament.id, 0), host.player.id);
  for (const post of posts) {
    const answer = await post();
    expect([answer.status, announcements(answer.text).join()]).toEqual([
      409,
      expect.stringContaining("This match has been reopened, so it's played again. Check it, then try again."),
    ]);
  }
  expect(await row()).toMatchObject({ state: "ready", reporter: null });
  // The refused form shows the match as it is now, so it can be sent again.
  expect((await host.client.submit(`${here}/decide`, "Decide", { decision: "forfeit-2" })).status).toBe(303);
});

test("A mistyped form goes on naming the game that it was opened for, so it doesn't count for the replay", async () => {
  const { here, tournament, host, one, row } = await newMatch();
  const forms = [
    [here, "Report Score", { ...TWO_NIL, right1: "12" }, { right1: "11" }],
    [`${here}/dispute`, "Send Dispute", { evidence: "" }, { evidence: "They left." }],
  ] as const;
  const opened: Record<string, string[]>[] = [];
  for (const [address, button] of forms) opened.push(findForm((await one.client.get(address)).text, button).values);
  await tournament.execute({ type: "rule", match: 0, forfeits: 1 }, host.player.id);
  await tournament.execute(await reopening(app.db, tournament.id, 0), host.player.id);
  for (const [index, [address, button, wrong, right]] of forms.entries()) {
    const mistyped = await one.client.post(address, { ...opened[index], ...wrong });
    expect(mistyped.status).toBe(400);
    const late = await one.client.post(address, { ...findForm(mistyped.text, button).values, ...right });
    expect([late.status, announcements(late.text).join()]).toEqual([
      409,
      expect.stringContaining("This match has been reopened, so it's played again. Check it, then try again."),
    ]);
    // The evidence may still be true; the score is another game's.
    if (address === here) expect(rowsIn(late)).toEqual(["", "", "", "", "", ""]);
    else expect(field(late.text, "evidence").value).toBe("They left.");
  }
  expect(await row()).toMatchObject({ state: "ready", reporter: null });
  expect((await one.client.submit(`${here}/dispute`, "Send Dispute", { evidence: "They left." })).status).toBe(303);
});

test("A captain forfeits in a separate step, and the other team advances", async () => {
  const { here, one, row } = await newMatch();
  const dialog = await one.client.get(`${here}/forfeit`);
  expect(textOf(dialog.text)).toContain("Team 4 wins semi-final 1, whatever was played.");
  expect((await one.client.submit(`${here}/forfeit`, "Forfeit")).location).toBe(here);
  expect(await row()).toMatchObject({ state: "finished", winner: 2, forfeit: 1 });
  expect((await row(2)).team1).toBe((await row()).team2);
});

test("Each step of a result takes two round trips at most: reported, confirmed, decided, reopened", async () => {
  const { here, tournament, host, one, two, row } = await newMatch();
  const waitsFor = async (client: Client, path: string, fields: Record<string, string>) => {
    const { answer, waits } = await waitsOf(() => client.post(path, fields));
    expect([path, fields.intent, answer.status]).toEqual([path, fields.intent, 303]);
    return waits;
  };
  const final = `/tournaments/${tournament.id}/matches/2`;
  const expects = async () => ({ expects: field((await host.client.get(`${here}/reopen`)).text, "expects").value });
  const waits = [
    await waitsFor(one.client, here, { intent: "report", leftSide: "1", ...TWO_NIL }),
    await waitsFor(two.client, here, { intent: "confirm", expects: String((await row()).reportedAt?.getTime()) }),
    await waitsFor(host.client, here.replace(/0$/, "1/decide"), { decision: "forfeit-2", bestOf: "3", leftSide: "1" }),
    // The last result also sets every team's final place.
    await waitsFor(host.client, `${final}/decide`, { decision: "forfeit-1", bestOf: "3", leftSide: "1" }),
    await waitsFor(host.client, `${here}/reopen`, await expects()),
  ];
  expect(
    waits.every((count) => count <= 2),
    waits.join(),
  ).toBe(true);
});

describe("Reopening a match", () => {
  async function played() {
    const match = await newMatch();
    const { tournament, host } = match;
    const forfeitSecondTeam = (id: number) =>
      tournament.execute({ type: "rule", match: id, forfeits: 2 }, host.player.id);
    await forfeitSecondTeam(0);
    await forfeitSecondTeam(1);
    return { ...match, forfeitSecondTeam };
  }

  test("names the matches that are undone with it, and reopens them all", async () => {
    const { here, host, row, forfeitSecondTeam } = await played();
    await forfeitSecondTeam(2);
    expect(controls(await host.client.get(here))).toEqual(["Join Match Chat", "Reopen Match"]);
    const dialog = await host.client.get(`${here}/reopen`);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    expect(textOf(dialog.text)).toContain(
      "The result of semi-final 1 (Team 4 forfeited) is undone. Its teams check in",
    );
    expect(textOf(dialog.text)).toContain(
      "1 later match is undone, too: Final: its result is undone (Team 2 forfeited)",
    );
    const answer = await host.client.submit(`${here}/reopen`, "Reopen Match");
    expect([answer.location, roundTrips(answer)]).toEqual([here, 1]);
    // The final's page also tells every visitor.
    const final = here.replace(/\d+$/, "2");
    expect(textOf((await app.client().get(final)).text)).toContain(
      "Final is undone because Semi-final 1 is played again",
    );
    expect([(await row()).state, (await row(2)).state]).toEqual(["ready", "waiting"]);
  });

  test("lists each later match with its score or forfeit, or says that it has no result", async () => {
    const { here, host, tournament } = await played();
    const execute = (command: Command) => tournament.execute(command, host.player.id);
    const listed = async () =>
      texts((await host.client.get(`${here}/reopen`)).text, "li").filter((item) => item.startsWith("Final"));
    expect(await listed()).toEqual(["Final, without a result yet"]);
    const rounds = [
      [7, 13],
      [13, 11],
      [9, 13],
    ] as [number, number][];
    await execute({ type: "rule", match: 2, maps: rounds.map((one) => ({ map: null, rounds: one })) });
    expect(await listed()).toEqual(["Final: its result is undone (Team 2 won 2 to 1)"]);
    await tournament.execute(await reopening(app.db, tournament.id, 2), host.player.id);
    await execute({ type: "rule", match: 2, forfeits: 1 });
    expect(await listed()).toEqual(["Final: its result is undone (Team 1 forfeited)"]);
  });

  test("is refused if another match has come to depend on it since the page was loaded, and names that match", async () => {
    const { here, host, row, tournament } = await newMatch();
    const decide = (id: number) => tournament.execute({ type: "rule", match: id, forfeits: 2 }, host.player.id);
    await decide(0);
    const { value: expects } = field((await host.client.get(`${here}/reopen`)).text, "expects");
    // With the other semi-final decided, the final can be played.
    await decide(1);
    const late = await host.client.post(`${here}/reopen`, { expects });
    expect(late.status).toBe(409);
    expect(announcements(late.text)[0]).toBe("Error The bracket has changed. Check again what is undone.");
    expect(texts(late.text, "li")).toContain("Final, without a result yet");
    expect((await row()).state).toBe("finished");
    expect((await host.client.submit(`${here}/reopen`, "Reopen Match")).status).toBe(303);
  });

  test("is refused once a later match that it named without a result has been played, and names that result", async () => {
    const { here, host, row, tournament, forfeitSecondTeam } = await played();
    const { values } = findForm((await host.client.get(`${here}/reopen`)).text, "Reopen Match");
    await forfeitSecondTeam(2);
    const late = await host.client.post(`${here}/reopen`, values);
    expect([late.status, announcements(late.text)[0]]).toEqual([
      409,
      "Error The bracket has changed. Check again what is undone.",
    ]);
    expect(texts(late.text, "li")).toContain("Final: its result is undone (Team 2 forfeited)");
    expect([(await row()).state, (await row(2)).state]).toEqual(["finished", "finished"]);
    const [{ state } = { state: null }] = await app.db
      .select({ state: tournaments.state })
      .from(tournaments)
      .where(eq(tournaments.id, tournament.id));
    expect(state).toBe("finished");
  });

  test("is refused once another organiser has reopened and decided the match, and names their result", async () => {
    const { here, host, row, tournament } = await played();
    const { values } = findForm((await host.client.get(`${here}/reopen`)).text, "Reopen Match");
    await tournament.execute(await reopening(app.db, tournament.id, 0), host.player.id);
    await tournament.execute({ type: "rule", match: 0, forfeits: 1 }, host.player.id);
    const late = await host.client.post(`${here}/reopen`, values);
    expect(late.status).toBe(409);
    expect(textOf(late.text)).toContain("The result of semi-final 1 (Team 1 forfeited) is undone.");
    expect(await row()).toMatchObject({ state: "finished", winner: 2 });
  });

  test("that was the final takes the news of the tournament's end off the counts in other players' tabs", async () => {
    const { tournament, host, fourth, forfeitSecondTeam } = await played();
    await forfeitSecondTeam(2);
    const final = `/tournaments/${tournament.id}/matches/2`;
    // The captain of team 3; the final was between teams 1 and 2.
    const tab = await openInbox(fourth.client);
    const { notifications: before } = await tab.next("unread");
    expect((await host.client.submit(`${final}/reopen`, "Reopen Match")).status).toBe(303);
    await tab.next("unread", ({ notifications: after }) => after === before - 1);
    tab.close();
  });

  test("is refused to captains", async () => {
    const { here, one, row } = await played();
    expect((await one.client.get(`${here}/reopen`)).location).toBe(here);
    expect((await one.client.post(`${here}/reopen`, { expects: "" })).status).toBe(403);
    expect((await row()).state).toBe("finished");
  });
});

describe("The chat of a match", () => {
  test("is on the match's page for both teams, works without JavaScript, and links back from the Chat tab", async () => {
    const { here, one, two, third, row } = await newMatch();
    const { conversationId } = await row();
    const sent = await one.client.submit(here, "Send", { message: "Lobby is up" });
    expect([sent.status, sent.location]).toEqual([303, here]);
    expect(await textsOf(app, conversationId as string)).toEqual(["Lobby is up"]);
    const page = await two.client.get(here);
    expect(page.text).toContain("Lobby is up");
    expect(main(page.text)).toMatch(/Captain \d+, Team 1 Lobby is up/);
    expect(links(page.text)).toContainEqual({ text: "Check for new messages", href: here });
    const tab = await two.client.get(`/dashboard/messages/${conversationId}`);
    expect(links(tab.text)).toContainEqual({ text: "Match", href: here });
    const empty = await one.client.post(here, { id: uuidv7(), message: " " });
    expect([empty.status, field(empty.text, "message").description]).toEqual([400, "Write a message first."]);
    expect((await third.client.get(here)).text).not.toContain("Lobby is up");
    expect((await third.client.post(here, { id: uuidv7(), message: "Let me in" })).status).toBe(404);
    expect(await textsOf(app, conversationId as string)).toEqual(["Lobby is up"]);
  });

  test("counts as read once the page has been opened", async () => {
    const { here, one, two, row } = await newMatch();
    const { conversationId } = await row();
    await sendTo(one.client, conversationId as string, "Lobby is up");
    const page = await two.client.get(here);
    expect(page.text).toContain("Lobby is up");
    await expect
      .poll(
        async () =>
          (
            await app.db.query.conversationMembers.findFirst({
              where: (member, { and: both, eq: is }) =>
                both(is(member.conversationId, conversationId as string), is(member.userId, two.player.id)),
            })
          )?.unreadCount,
      )
      .toBe(0);
  });

  test("can't be joined any more once the tournament is cancelled", async () => {
    const { here, host, tournament } = await newMatch();
    await host.client.post(`/tournaments/${tournament.id}/cancel`, { reason: "The servers are down." });
    const page = await host.client.get(here);
    expect(main(page.text)).toContain("Cancelled");
    expect(controls(page)).toEqual([]);
    const answer = await host.client.post(here, { intent: "join-chat" });
    expect([answer.status, announcements(answer.text)[0]]).toEqual([409, "Error This tournament isn't being played."]);
    expect((await host.client.get(here)).text).not.toContain("Match chat");
  });

  test("can be joined in two round trips, even when the tournament is over", async () => {
    const { here, host, tournament } = await newMatch();
    for (const match of [0, 1, 2]) await tournament.execute({ type: "rule", match, forfeits: 2 }, host.player.id);
    const { answer, waits } = await waitsOf(() => host.client.post(here, { intent: "join-chat" }));
    expect([answer.location, waits]).toEqual([here, 2]);
  });

  test("can be joined by an organiser, but by nobody else outside the two teams", async () => {
    const { here, host, third } = await newMatch();
    expect((await host.client.get(here)).text).not.toContain("Match chat");
    expect((await third.client.post(here, { intent: "join-chat" })).status).toBe(403);
    expect((await host.client.post(here, { intent: "join-chat" })).location).toBe(here);
    const page = await host.client.get(here);
    expect(page.text).toContain("Match chat");
    expect(controls(page)).toEqual(["Decide"]);
  });
});
