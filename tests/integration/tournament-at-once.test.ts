import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { tournamentEvents, tournamentMatches, tournaments } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { addTournament } from "../support/tournaments";
import { newVisitor, visitAs } from "./players";

const app = useApp();

const SIZE = 128;

test("64 results sent at the same time by different captains all count, and none twice", {
  timeout: 240_000,
}, async () => {
  const visitors = new Map<string, Client>();
  for (let number = 0; number < SIZE; number += 1) {
    const { player, client } = await newVisitor(app);
    visitors.set(player.id, client);
  }
  const { player: host } = await newVisitor(app);
  const tournament = await addTournament(app.db, { teams: SIZE, captains: [...visitors.keys()], userId: host.id });
  const organiser = await visitAs(app, host);
  expect((await organiser.post(`/tournaments/${tournament.id}/start`)).status).toBe(303);

  const currentMatches = () =>
    app.db
      .select()
      .from(tournamentMatches)
      .where(eq(tournamentMatches.tournamentId, tournament.id))
      .orderBy(tournamentMatches.id);
  const first = (await currentMatches()).filter(({ state }) => state === "ready");
  expect(first).toHaveLength(SIZE / 2);
  const captainOf = (teamId: string | null) =>
    visitors.get(tournament.teams.find(({ id }) => id === teamId)?.captainId ?? "") as Client;
  const address = (match: number) => `/tournaments/${tournament.id}/matches/${match}`;

  const reports = await Promise.all(
    first.map(({ id, team1 }) =>
      captainOf(team1).post(address(id), {
        intent: "report",
        bestOf: "1",
        leftSide: "1",
        map1: "Haven",
        left1: "13",
        right1: "6",
      }),
    ),
  );
  expect(reports.map(({ status }) => status)).toEqual(first.map(() => 303));

  // Each captain presses twice.
  const confirmations = await Promise.all(
    (await currentMatches())
      .slice(0, SIZE / 2)
      .flatMap(({ id, team2, reportedAt }) =>
        [0, 1].map(() =>
          captainOf(team2).post(address(id), { intent: "confirm", expects: String(reportedAt?.getTime()) }),
        ),
      ),
  );
  const accepted = confirmations.filter(({ status }) => status === 303);
  expect(accepted.length).toBeGreaterThanOrEqual(first.length);

  const after = await currentMatches();
  expect(after.filter(({ state, winner }) => state === "finished" && winner === 1)).toHaveLength(SIZE / 2);
  const next = after.filter(({ state }) => state === "ready");
  expect(next).toHaveLength(SIZE / 4);
  expect(new Set(next.flatMap(({ team1, team2 }) => [team1, team2]))).toEqual(new Set(first.map(({ team1 }) => team1)));
  const events = await app.db.select().from(tournamentEvents).where(eq(tournamentEvents.tournamentId, tournament.id));
  const count = (action: string) => events.filter((event) => event.action === action).length;
  expect([count("reported"), count("confirmed")]).toEqual([SIZE / 2, SIZE / 2]);
  const row = await app.db.select().from(tournaments).where(eq(tournaments.id, tournament.id)).get();
  console.info(`64 simultaneous reports and 64 confirmations: ${row?.version} transactions, including the start`);
  // The room stores several at a time, so there are fewer transactions than reports and confirmations.
  expect(row?.version).toBeLessThan(SIZE);
});
