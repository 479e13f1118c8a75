import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { MapResult } from "../../app/game/scores";
import { tournamentMatches, tournaments, tournamentTeams } from "../../db/schema";
import { useApp } from "../support/app";
import { field, main } from "../support/html";
import { startTournament } from "../support/matches";
import { roundTrips } from "../support/server-timing";
import { addTournament } from "../support/tournaments";
import { DAY, HOUR, newVisitor, unique } from "./players";

const app = useApp();

const NEW = "/dashboard/tournaments/new";
const ROUNDS_FIRST = "round-difference,head-to-head,map-difference";
const soon = (days: number) => new Date(Math.floor(Date.now() / HOUR) * HOUR + days * DAY);
const local = (date: Date) => date.toISOString().slice(0, 16);

const filled = (changes: Record<string, string> = {}) => ({
  title: unique("Group Cup "),
  description: "One evening, in groups.",
  entryFee: "0",
  prizePool: "0",
  maxParticipants: "8",
  tournamentDate: local(soon(10)),
  registrationDeadline: local(soon(9)),
  format: "round_robin",
  ...changes,
});

const find = (title: string) => app.db.select().from(tournaments).where(eq(tournaments.title, title)).get();

describe("The host's tie-breaks", () => {
  test("are chosen in the form, shown on the Rules tab, edited and copied", async () => {
    const { client } = await newVisitor(app);
    const fields = filled({ tieBreaks: ROUNDS_FIRST, lastTieBreak: "draw" });
    expect((await client.submit(NEW, "Create Tournament", fields)).status).toBe(303);
    const stored = await find(fields.title);
    expect(stored).toMatchObject({ tieBreaks: ROUNDS_FIRST, lastTieBreak: "draw" });
    const page = `/tournaments/${stored?.id}`;
    const rules = await app.client().get(`${page}/rules`);
    expect(roundTrips(rules)).toBe(1);
    expect(main(rules.text)).toContain(
      "Separated by forfeits first, then round difference, then head-to-head, then map difference, then maps won, then rounds won, and finally the draw",
    );
    expect(main(rules.text)).toContain("13 to 0 on every map needed");
    const edited = await client.submit(`${page}/edit`, "Save Tournament", { lastTieBreak: "match" });
    expect([edited.status, roundTrips(edited)]).toEqual([303, 2]);
    expect(main((await app.client().get(`${page}/rules`)).text)).toContain(
      "and finally a tie-break match where a place depends on it, otherwise the draw",
    );
    const copy = await client.get(`${NEW}?copy=${stored?.id}`);
    expect([field(copy.text, "tieBreaks").value, field(copy.text, "lastTieBreak").value]).toEqual([
      ROUNDS_FIRST,
      "match",
    ]);
  });

  test("have defaults, and accept only values from the list", async () => {
    const { client } = await newVisitor(app);
    const fields = filled();
    await client.submit(NEW, "Create Tournament", fields);
    expect(await find(fields.title)).toMatchObject({
      tieBreaks: "head-to-head,map-difference,round-difference",
      lastTieBreak: "match",
    });
    for (const [name, value] of [
      ["tieBreaks", "legacy"],
      ["tieBreaks", "coin,head-to-head"],
      ["lastTieBreak", "coin"],
    ] as const) {
      const wrong = filled({ [name]: value });
      const answer = await client.submit(NEW, "Create Tournament", wrong);
      expect([answer.status, field(answer.text, name).description], value).toEqual([
        400,
        expect.stringContaining("Choose one from the list."),
      ]);
      expect(field(answer.text, "title").value).toBe(wrong.title);
      expect(await find(wrong.title)).toBeUndefined();
    }
  });

  test("of an older tournament are shown as they were, and a copy gets the defaults", async () => {
    const host = await newVisitor(app);
    const { id } = await addTournament(app.db, {
      teams: 3,
      format: "round_robin",
      userId: host.player.id,
      state: "finished",
      tieBreaks: "legacy",
      lastTieBreak: "draw",
    });
    const rules = main((await app.client().get(`/tournaments/${id}/rules`)).text);
    expect(rules).toContain("Separated by head-to-head, then map difference, then maps won, and finally the draw");
    expect(rules).toContain("No maps count in a forfeited match");
    const copy = await host.client.get(`${NEW}?copy=${id}`);
    expect(field(copy.text, "tieBreaks").value).toBe("head-to-head,map-difference,round-difference");
  });
});

type Started = Awaited<ReturnType<typeof startTournament>>;

const matchesOf = (id: string) =>
  app.db.select().from(tournamentMatches).where(eq(tournamentMatches.tournamentId, id)).orderBy(tournamentMatches.id);

/** Two captains report and confirm a match of one map. @param teams the winner first, by their numbers from 1 */
async function playMatch(
  tournament: Started,
  [winner, loser]: readonly [number, number],
  rounds: readonly [number, number],
) {
  const [one, two] = [winner, loser].map((number) => tournament.teams[number - 1]) as Started["teams"];
  const match = (await matchesOf(tournament.id)).find(
    ({ state, team1, team2 }) =>
      state !== "finished" && [one?.id, two?.id].every((team) => team === team1 || team === team2),
  );
  if (!one || !two || !match) throw new Error("There is no such match to play.");
  const maps: MapResult[] = [{ map: null, rounds: match.team1 === one.id ? [...rounds] : [rounds[1], rounds[0]] }];
  await tournament.execute({ type: "check-in", match: match.id }, one.captainId);
  await tournament.execute({ type: "check-in", match: match.id }, two.captainId);
  await tournament.execute({ type: "report", match: match.id, maps }, one.captainId);
  const [reported] = (await matchesOf(tournament.id)).filter(({ id }) => id === match.id);
  const confirmed = await tournament.execute(
    { type: "confirm", match: match.id, expects: reported?.reportedAt?.getTime() ?? 0 },
    two.captainId,
  );
  expect(confirmed.outcome).toBe("done");
}

const startGroup = (options: Partial<Parameters<typeof addTournament>[1]> = {}) =>
  startTournament(app, {
    teams: 3,
    format: "round_robin",
    groupSize: 3,
    tournamentDate: new Date(Date.now() - HOUR / 2),
    ...options,
  });

const placesOf = async (id: string) =>
  (
    await app.db
      .select({ name: tournamentTeams.name, place: tournamentTeams.place })
      .from(tournamentTeams)
      .where(eq(tournamentTeams.tournamentId, id))
      .orderBy(tournamentTeams.place)
  ).map(({ name }) => name);

describe("A group's table", () => {
  test("orders a cycle of three by rounds, and says so beside it", async () => {
    const cup = await startGroup();
    await playMatch(cup, [3, 1], [13, 2]);
    await playMatch(cup, [1, 2], [13, 11]);
    await playMatch(cup, [2, 3], [13, 11]);
    const page = await app.client().get(`/tournaments/${cup.id}`);
    expect([page.status, roundTrips(page)]).toEqual([200, 1]);
    const text = main(page.text);
    expect(text).toContain("Teams level on wins are separated by forfeits first, then head-to-head");
    expect(text).toContain(
      "Level on wins: Team 3 ahead of Team 2 by round difference, +9 to 0 Team 2 ahead of Team 1 by round difference, 0 to −9",
    );
    expect(text).toContain("Team 3 won");
    expect(await placesOf(cup.id)).toEqual(["Team 3", "Team 2", "Team 1"]);
  });

  test("gets a tie-break match when everything is equal, and then says that it decided", async () => {
    const cup = await startGroup();
    for (const pair of [
      [1, 2],
      [2, 3],
      [3, 1],
    ] as const)
      await playMatch(cup, pair, [13, 11]);
    const open = await app.client().get(`/tournaments/${cup.id}`);
    expect(main(open.text)).toContain("Team 1 ahead of Team 2 by the draw, until the tie-break is played");
    expect(main(open.text)).toContain("Tie-break, round 1");
    const [row] = await app.db.select().from(tournaments).where(eq(tournaments.id, cup.id));
    expect(row?.state).toBe("running");
    for (const pair of [
      [3, 1],
      [3, 2],
      [2, 1],
    ] as const)
      await playMatch(cup, pair, [13, 11]);
    expect(await placesOf(cup.id)).toEqual(["Team 3", "Team 2", "Team 1"]);
    const over = main((await app.client().get(`/tournaments/${cup.id}`)).text);
    expect(over).toContain("Team 3 ahead of Team 2 by a tie-break match Team 2 ahead of Team 1 by a tie-break match");
  });

  test("uses the draw if the host has chosen that, and names the draw", async () => {
    const cup = await startGroup({ lastTieBreak: "draw" });
    for (const pair of [
      [1, 2],
      [2, 3],
      [3, 1],
    ] as const)
      await playMatch(cup, pair, [13, 11]);
    expect(await placesOf(cup.id)).toEqual(["Team 1", "Team 2", "Team 3"]);
    expect(main((await app.client().get(`/tournaments/${cup.id}`)).text)).toContain(
      "Team 1 ahead of Team 2 by the draw: all else is equal",
    );
  });

  test("of a tournament from before tie-breaks could be chosen keeps its order to the end", async () => {
    const cup = await startGroup({ tieBreaks: "legacy", lastTieBreak: "draw" });
    await playMatch(cup, [3, 1], [13, 2]);
    await playMatch(cup, [1, 2], [13, 11]);
    await playMatch(cup, [2, 3], [13, 11]);
    expect(await placesOf(cup.id)).toEqual(["Team 1", "Team 2", "Team 3"]);
  });

  test("counts a forfeit as 13 rounds to 0, and places the forfeiting team last among level teams", async () => {
    const cup = await startGroup();
    await playMatch(cup, [2, 1], [13, 11]);
    await playMatch(cup, [1, 3], [13, 0]);
    const [left] = (await matchesOf(cup.id)).filter(({ state }) => state !== "finished");
    expect(
      await cup.execute({ type: "forfeit", match: left?.id as number }, cup.teams[1]?.captainId as string),
    ).toEqual({
      outcome: "done",
    });
    const rows = await app.db
      .select({ rounds1: tournamentMatches.rounds1, rounds2: tournamentMatches.rounds2 })
      .from(tournamentMatches)
      .where(and(eq(tournamentMatches.tournamentId, cup.id), eq(tournamentMatches.id, left?.id as number)));
    expect(rows.flatMap(({ rounds1, rounds2 }) => [rounds1, rounds2].sort())).toEqual([0, 13]);
    expect(await placesOf(cup.id)).toEqual(["Team 1", "Team 3", "Team 2"]);
    expect(main((await app.client().get(`/tournaments/${cup.id}`)).text)).toMatch(
      /Team 3 ahead of Team 2 ?, which forfeited a match/,
    );
  });
});
