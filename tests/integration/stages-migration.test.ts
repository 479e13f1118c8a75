import { createClient } from "@libsql/client/http";
import { getTableColumns } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Command } from "#party/wire/tournament-commands";
import { loadPlay } from "~/features/tournaments/play/load.server";
import { play } from "~/features/tournaments/play/play.server";
import { matchName } from "~/features/tournaments/shared/match-names";
import { openDatabase } from "../../db/client";
import { migrate } from "../../db/migrate";
import { tournamentBrackets, tournamentMatches, tournaments, tournamentTeams, users } from "../../db/schema";
import { migrateUpTo } from "../support/migrations";
import { Game, ORGANISER, openTournament } from "../support/play-state";
import { startWatchedDatabase } from "../support/watched-database";

/*
 * The migration `0010_stages` added stage lengths and the choice of the grand final. A tournament that was running at
 * the time continues under its original rules.
 */

const { sqld } = await startWatchedDatabase();

type Table =
  | typeof users
  | typeof tournaments
  | typeof tournamentTeams
  | typeof tournamentMatches
  | typeof tournamentBrackets;

/** Adds rows, limited to the columns that the database has so far. */
async function add(table: Table, name: string, rows: readonly object[]) {
  const client = createClient({ url: sqld.url });
  const known = new Set(
    (await client.execute(`SELECT name FROM pragma_table_info('${name}')`)).rows.map((row) => row.name),
  );
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => known.has(column.name));
  for (const row of rows as readonly Record<string, unknown>[]) {
    const used = columns.filter(([key]) => row[key] !== undefined && row[key] !== null);
    const args = used.map(([key]) => {
      const value = row[key];
      return typeof value === "object" ? JSON.stringify(value) : (value as string | number);
    });
    const names = used.map(([, column]) => column.name);
    await client.execute({ sql: `INSERT INTO ${name} (${names}) VALUES (${names.map(() => "?")})`, args });
  }
  client.close();
}

test("A double elimination running during the migration keeps its lengths and second grand final", async () => {
  await migrateUpTo(sqld.url, "0009_disqualification");
  const game = new Game(openTournament(8, { format: "double_elimination", bestOf: 1, finalBestOf: 3 }));
  await game.start();
  await game.playOut("Grand final");
  const { state } = game;
  const lengths = () => state.matches.map((match) => [matchName(match), match.bestOf]);
  await add(users, "users", [{ id: ORGANISER, email: "organiser@lineup.test", passwordHash: "none", createdAt: 0 }]);
  const text = { description: "A cup.", timeZone: "UTC", entryFee: 0, prizePool: 0, createdAt: 0, updatedAt: 0 };
  await add(tournaments, "tournaments", [{ ...state, ...text, id: state.tournamentId, userId: ORGANISER }]);
  const { tournamentId } = state;
  await add(
    tournamentTeams,
    "tournament_teams",
    state.teams.map((team) => ({
      ...team,
      tournamentId,
      captainId: null,
      nameKey: team.id,
      inviteToken: team.id,
      createdAt: 0,
    })),
  );
  await add(
    tournamentMatches,
    "tournament_matches",
    state.matches.map((match) => ({ ...match, tournamentId, conversationId: null })),
  );
  await add(tournamentBrackets, "tournament_brackets", [{ tournamentId, snapshot: state.snapshot }]);

  await migrate(sqld.url);
  const { db } = openDatabase({ url: sqld.url });
  const load = async () => {
    const loaded = await loadPlay(db, tournamentId);
    if (!loaded) throw new Error("There is no such tournament.");
    return loaded;
  };
  const migrated = await load();
  expect(migrated).toMatchObject({
    ...{ bestOf: 1, quarterBestOf: null, semiBestOf: null, lowerFinalBestOf: null, finalBestOf: 3 },
    grandFinal: "reset",
  });
  expect(migrated.matches.map((match) => [matchName(match), match.bestOf])).toEqual(lengths());
  expect(migrated.matches.every(({ advantage }) => advantage === null)).toBe(true);

  // The losers' side wins the grand final, so a second one follows. It has the same length (best of three).
  const rule = async (name: string, side: 1 | 2) => {
    const match = (await load()).matches.find((row) => matchName(row) === name);
    const rounds: [number, number] = side === 1 ? [13, 7] : [7, 13];
    const maps = [1, 2].map(() => ({ map: null, rounds }));
    const command: Command = { type: "rule", match: match?.id as number, maps };
    const { answers } = await play(db, tournamentId, [{ actorId: ORGANISER, command }], null, game.now + 1000);
    expect(answers).toMatchObject([{ outcome: { outcome: "done" } }]);
  };
  await rule("Grand final", 2);
  const second = (await load()).matches.find((match) => matchName(match) === "Second grand final");
  expect(second).toMatchObject({ state: "ready", bestOf: 3, advantage: null });
  await rule("Second grand final", 1);
  const over = await load();
  expect(over.state).toBe("finished");
  expect(over.matches.map((match) => [matchName(match), match.bestOf])).toEqual(lengths());
});
