import { gzipSync } from "node:zlib";
import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { tournamentMatches, tournamentTeams } from "../../db/schema";
import { useApp } from "../support/app";
import { addPlayedTournament } from "../support/brackets";
import { links, main, select, selectEach, textOf, texts } from "../support/html";
import { roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { newVisitor } from "./players";

const app = useApp();

/** The boxes of matches on a page: name, state, and the text of the two sides. */
const boxes = (html: string) =>
  selectEach(html, "article.match").map((box) => ({
    name: box.attr("aria-label"),
    state: box.attr("data-state"),
    sides: texts(box, "li"),
  }));

const rename = (id: string, name: string) =>
  app.db.update(tournamentTeams).set({ name, nameKey: name.toLowerCase() }).where(eq(tournamentTeams.id, id));

describe("The bracket's page", () => {
  test("shows guests each match once, with its teams, seeds and scores, and costs one round trip", async () => {
    const { id, teams } = await addPlayedTournament(app.db, { teams: 4, play: 1 });
    await rename(teams[0]?.id as string, "Second Site");
    const page = await app.client().get(`/tournaments/${id}`);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    expect(boxes(page.text)).toMatchObject([
      { name: "Semi-final 1", state: "finished", sides: ["Seed 1 Second Site 2", "Seed 4 Team 4 0"] },
      { name: "Semi-final 2", state: "upcoming", sides: ["Seed 2 Team 2", "Seed 3 Team 3"] },
      { name: "Final", state: "upcoming", sides: ["Seed 1 Second Site", "Winner of semi-final 2"] },
    ]);
    expect(links(page.text).map(({ href }) => href)).toContain(`/tournaments/${id}/matches/0`);
    expect(textOf(page.text)).toContain("Check in by");
  });

  test("marks the viewer's own team and its path, and no other team's", async () => {
    const { client, player } = await newVisitor(app);
    const { id } = await addPlayedTournament(app.db, { teams: 4, play: 2, captains: [player.id] });
    const own = await client.get(`/tournaments/${id}`);
    expect(main(own.text).match(/, your team/g)).toHaveLength(2);
    expect(selectEach(own.text, "main [data-own]").map((one) => one.attr("data-own"))).toEqual(["out", "in"]);
    const guests = await app.client().get(`/tournaments/${id}`);
    expect(main(guests.text)).not.toContain("your team");
    expect(select(guests.text, "main [data-own]")).toHaveLength(0);
  });

  test("says when both teams are there, when a result is unconfirmed, and when the organisers decide", async () => {
    const { id } = await addPlayedTournament(app.db, { teams: 8 });
    const set = (match: number, change: Partial<typeof tournamentMatches.$inferInsert>) =>
      app.db
        .update(tournamentMatches)
        .set(change)
        .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, match)));
    await set(0, { checkedIn1: new Date(), checkedIn2: new Date() });
    const map = (one: number, two: number) => ({ map: null, rounds: [one, two] as [number, number] });
    await set(1, { state: "reported", report: [map(13, 4), map(5, 13), map(13, 11)] });
    await set(2, { state: "disputed", report: [map(2, 13), map(9, 13)] });
    const page = await app.client().get(`/tournaments/${id}`);
    expect(boxes(page.text).map(({ state }) => state)).toEqual([
      ...["live", "reported", "disputed", "upcoming"],
      ...["upcoming", "upcoming", "upcoming"],
    ]);
    expect(boxes(page.text).slice(1, 3)).toMatchObject([
      { sides: [expect.stringMatching(/ 2$/), expect.stringMatching(/ 1$/)] },
      { sides: [expect.stringMatching(/ 0$/), expect.stringMatching(/ 2$/)] },
    ]);
    for (const words of ["Playing now", "Waiting for confirmation", "Disputed"])
      expect(textOf(page.text)).toContain(words);
  });

  test("shows the winner and the final places, the first eight without a click", async () => {
    const { id, teams } = await addPlayedTournament(app.db, { teams: 12, play: 99, format: "double_elimination" });
    await rename(teams[0]?.id as string, "Five Quiet People");
    const { text } = await app.client().get(`/tournaments/${id}`);
    expect(main(text)).toContain("Five Quiet People won");
    expect(main(text)).toMatch(/Final standings 1st Five Quiet People 2nd Team 2 3rd /);
    expect(texts(text, "main details")[0]).toMatch(/^All 12 places( 9th–12th Team \d+){4}$/);
    expect(links(select(text, "main")).map(({ href }) => href)).toContain(`/tournaments/${id}/teams/${teams[0]?.id}`);
  });

  test("of a round robin shows the groups' tables and each match once, in its round", async () => {
    const { id } = await addPlayedTournament(app.db, { teams: 8, format: "round_robin", groupSize: 4, play: 5 });
    const { text } = await app.client().get(`/tournaments/${id}`);
    const tables = selectEach(text, "main table").map((table) => table.attr("aria-label"));
    expect(tables).toEqual(["Group A", "Group B"]);
    expect(select(text, "main .group-match")).toHaveLength(12);
    expect(select(text, "main details")).toHaveLength(6);
    // The current round is open.
    expect(select(text, "main details[open]")).toHaveLength(2);
    expect(main(text)).toContain("The top two of each group advance to the play-offs.");
  });

  test("before the start says when the bracket will be drawn, how, and from which teams", async () => {
    const { id } = await addTournament(app.db, { teams: 3, seeding: "manual" });
    const page = main((await app.client().get(`/tournaments/${id}`)).text);
    expect(page).toContain("Bracket appears at the start");
    expect(page).toContain("Seed 1 Team 1 Seed 2 Team 2 Seed 3 Team 3");
    expect(page).not.toContain("Seeding and Start");
    expect((await app.client().get(`/tournaments/${id}/matches`)).text).toContain("when the tournament starts");
  });

  test("is inert below the tournament's dialogs", async () => {
    const { client } = await newVisitor(app);
    const { id } = await addTournament(app.db, { teams: 3, registrationDeadline: new Date(Date.now() + 60_000) });
    const dialog = await client.get(`/tournaments/${id}/register`);
    expect([dialog.status, roundTrips(dialog)]).toEqual([200, 1]);
    // Everything beside the dialog is inert, and no inert element contains the dialog.
    const beside = select(dialog.text, "main > *").not("dialog, :has(dialog)");
    expect(beside.length).toBeGreaterThanOrEqual(2);
    expect(beside.not("[inert]")).toHaveLength(0);
    expect(textOf(select(dialog.text, "main [inert]"))).toContain("Bracket appears at the start");
    expect(textOf(select(dialog.text, "dialog"))).toContain("Register");
    expect(select(dialog.text, "[inert] dialog")).toHaveLength(0);
    expect(select((await client.get(`/tournaments/${id}`)).text, "[inert]")).toHaveLength(0);
  });

  test("names the side that has forfeited", async () => {
    const { id } = await addPlayedTournament(app.db, { teams: 4, play: 1 });
    await app.db
      .update(tournamentMatches)
      .set({ score1: null, score2: null, forfeit: 2 })
      .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, 0)));
    const [match] = boxes((await app.client().get(`/tournaments/${id}`)).text);
    expect(match?.sides).toEqual(["Seed 1 Team 1", "Seed 4 Team 4 Forfeit"]);
  });

  test("keeps the chosen view, and accepts no unknown one", async () => {
    const { id } = await addPlayedTournament(app.db, { teams: 2 });
    const client = app.client();
    expect((await client.get(`/tournaments/${id}?view=maze`)).text).not.toMatch(/data-view="/);
    await client.get(`/tournaments/${id}?view=drawn`, { "Sec-Purpose": "prefetch" });
    expect(client.cookies.has("lineup_bracket")).toBe(false);
    expect((await client.get(`/tournaments/${id}?view=list`)).text).toContain('data-view="list"');
    expect((await client.get(`/tournaments/${id}`)).text).toContain('data-view="list"');
    expect((await client.get(`/tournaments/${id}?view=drawn`)).text).toContain('data-view="drawn"');
  });

  test("stays under 150 kB with 256 teams in a double elimination, repeats no match and shows no team id", async () => {
    const { id, teams } = await addPlayedTournament(app.db, { teams: 256, format: "double_elimination", play: 40 });
    // Random names, which gzip can hardly compress.
    await app.db
      .update(tournamentTeams)
      .set({ name: sql`hex(randomblob(10))` })
      .where(eq(tournamentTeams.tournamentId, id));
    const page = await app.client().get(`/tournaments/${id}`);
    expect(roundTrips(page)).toBe(1);
    const names = boxes(page.text).map(({ name }) => name);
    expect(names).toHaveLength(511);
    expect(new Set(names).size).toBe(511);
    expect(gzipSync(page.text).byteLength).toBeLessThanOrEqual(150_000);
    expect(teams.filter((team) => page.text.includes(team.id))).toEqual([]);
  });

  test("also stays under 150 kB with 256 teams in groups and their 1,920 matches", async () => {
    const { id } = await addPlayedTournament(app.db, { teams: 256, format: "round_robin", groupSize: 16 });
    const page = await app.client().get(`/tournaments/${id}`);
    expect(select(page.text, ".group-match")).toHaveLength(1_920);
    expect(gzipSync(page.text).byteLength).toBeLessThanOrEqual(150_000);
    const list = await app.client().get(`/tournaments/${id}/matches`);
    expect(boxes(list.text)).toHaveLength(60);
  });
});

describe("The list of all matches", () => {
  test("begins with the viewer's own, and continues on further pages", async () => {
    const { client, player } = await newVisitor(app);
    const { id } = await addPlayedTournament(app.db, { teams: 128, play: 70, captains: [player.id] });
    const first = await client.get(`/tournaments/${id}/matches`);
    expect([first.status, roundTrips(first)]).toEqual([200, 1]);
    expect(boxes(first.text).slice(0, 2)).toMatchObject([
      { sides: [expect.stringContaining("your team"), expect.anything()] },
      { sides: [expect.stringContaining("your team"), expect.anything()] },
    ]);
    expect(textOf(first.text)).toMatch(/Your matches .* To play .* Finished /);
    const next = links(first.text).find(({ text }) => text === "Next");
    const second = await client.get(`/tournaments/${id}/matches${next?.href.replace(/^.*\?/, "?")}`);
    expect(main(second.text)).not.toContain("Your matches");
    expect(links(second.text)).toContainEqual({ text: "Previous", href: `/tournaments/${id}/matches` });
    const names = [first, second].flatMap(({ text }) => boxes(text).map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect((await client.get(`/tournaments/${id}/matches?page=999`)).status).toBe(200);
    expect((await client.get(`/tournaments/${id}/matches?page=-1`)).status).toBe(200);
  });
});
