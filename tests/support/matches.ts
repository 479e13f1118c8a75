import { and, eq } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import type { Command, Outcome } from "#party/wire/tournament-commands";
import { listUndone } from "../../app/features/tournaments/match/undone.server";
import { play } from "../../app/features/tournaments/play/play.server";
import { writeResults } from "../../app/features/tournaments/play/state";
import { type Database, openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import type * as schema from "../../db/schema";
import {
  profiles,
  tournamentMatches,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  users,
} from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "./database";
import { type AddedTournament, addTournament, verifyAccounts } from "./tournaments";

/**
 * Adds a tournament to an app and starts it, so that its first matches can be played. It bypasses the tournament's room
 * and writes to the database directly; the room will find the tournament already running.
 */
export async function startTournament(
  app: Pick<App, "libsqlUrl" | "libsqlAuthToken">,
  options: Parameters<typeof addTournament>[1],
): Promise<
  AddedTournament & { execute: (command: Command, actorId: string | null, now?: number) => Promise<Outcome> }
> {
  const db = openTestDatabase(app);
  const { teamSize = 1, ...rest } = options;
  const tournament = await addTournament(db, rest);
  if (teamSize > 1) await fillTeams(db, tournament, teamSize);
  const { db: own } = openDatabase({ url: app.libsqlUrl, authToken: app.libsqlAuthToken });
  const execute = async (command: Command, actorId: string | null, now = Date.now()) => {
    const { answers } = await play(own, tournament.id, [{ actorId, command }], null, now);
    return answers[0]?.outcome as Outcome;
  };
  const started = await execute({ type: "start" }, tournament.hostId);
  if (started.outcome !== "done") throw new Error(`The tournament did not start: ${started.reason}.`);
  return { ...tournament, execute };
}

/**
 * Starts a tournament of four teams, and undoes its final between the first two of them, by reopening the first one's
 * semi-final.
 * @param helperId a player to make an organiser, who joins the final's chat before it is undone
 * @returns the tournament, and the conversation that was the final's chat
 */
export async function undoFinal(
  app: Parameters<typeof startTournament>[0],
  { helperId, ...options }: Omit<Parameters<typeof addTournament>[1], "teams"> & { helperId?: string },
): Promise<Awaited<ReturnType<typeof startTournament>> & { chat: string }> {
  const db = openTestDatabase(app);
  const tournament = await startTournament(app, { ...options, teams: 4, thirdPlace: "no" });
  const { id, hostId } = tournament;
  const execute = async (command: Command, actorId: string) => {
    const outcome = await tournament.execute(command, actorId);
    if (outcome.outcome !== "done") throw new Error(`No ${command.type}: ${outcome.reason}.`);
  };
  for (const match of [0, 1]) await execute({ type: "rule", match, forfeits: 2 }, hostId);
  if (helperId) {
    await db.insert(tournamentOrganisers).values({ tournamentId: id, userId: helperId, addedAt: new Date() });
    await execute({ type: "join-chat", match: 2 }, helperId);
  }
  const final = and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, 2));
  const row = await db.select().from(tournamentMatches).where(final).get();
  await execute(await reopening(db, id, 0), hostId);
  return { ...tournament, chat: row?.conversationId as string };
}

/** Returns the command that reopens a match, as its dialog would send it now. */
export async function reopening(db: Database, tournamentId: string, match: number) {
  return { type: "reopen", match, expects: writeResults(await listUndone(db, tournamentId, match)) } as const;
}

/** Adds players to each captain's team until it has `teamSize`. */
async function fillTeams(
  db: LibSQLDatabase<typeof schema>,
  { id, teams }: AddedTournament,
  teamSize: number,
): Promise<void> {
  const now = new Date();
  const others = teams.flatMap((team) =>
    Array.from({ length: teamSize - 1 }, (_, index) => ({
      teamId: team.id,
      userId: uuidv7(),
      name: `${team.name}.${index + 2}`,
    })),
  );
  await db.batch([
    db.insert(users).values(
      others.map(({ userId }) => ({
        id: userId,
        email: `${userId}@lineup.test`,
        passwordHash: "none",
        createdAt: now,
      })),
    ),
    db.insert(profiles).values(others.map(({ userId, name }) => ({ userId, riotGameName: name, updatedAt: now }))),
    db
      .insert(tournamentPlayers)
      .values(others.map(({ userId, teamId }) => ({ tournamentId: id, userId, teamId, joinedAt: now }))),
    db.update(tournaments).set({ teamSize }).where(eq(tournaments.id, id)),
  ]);
  await verifyAccounts(
    db,
    others.map(({ userId }) => userId),
  );
}
