import { eq } from "drizzle-orm";
import { drawBracket } from "../../app/features/tournaments/bracket/draw";
import { readMatches, type Slot } from "../../app/features/tournaments/bracket/matches";
import { enterResult } from "../../app/features/tournaments/bracket/results";
import type { Snapshot } from "../../app/features/tournaments/bracket/snapshot";
import { champion, standings } from "../../app/features/tournaments/bracket/standings";
import type { Format } from "../../app/features/tournaments/formats";
import { uuidv7 } from "../../db/ids";
import { tournamentBrackets, tournamentMatches, tournaments, tournamentTeams } from "../../db/schema";
import type { TestDatabase } from "./database";

const HOUR = 60 * 60 * 1000;
/** Rows of one INSERT: SQLite takes a limited number of values. */
const AT_ONCE = 200;

type TournamentRow = typeof tournaments.$inferInsert;

/** Puts a tournament into the database, announced for next week unless told otherwise. */
export async function addTournament(
  db: TestDatabase,
  userId: string | null,
  tournament: Partial<TournamentRow> = {},
): Promise<string> {
  const now = new Date();
  const row: TournamentRow = {
    id: uuidv7(),
    userId,
    title: "Northern Five Cup",
    description: "One evening, best of three.",
    entryFee: 0,
    prizePool: 0,
    maxParticipants: 256,
    format: "single_elimination",
    teamSize: 5,
    bestOf: 3,
    finalBestOf: 5,
    groupSize: 8,
    checkInMinutes: 30,
    seeding: "random",
    tournamentDate: new Date(now.getTime() + 7 * 24 * HOUR),
    registrationDeadline: new Date(now.getTime() + 6 * 24 * HOUR),
    timeZone: "Europe/Berlin",
    createdAt: now,
    updatedAt: now,
    ...tournament,
  };
  await db.insert(tournaments).values(row);
  return row.id;
}

/** Enters teams of these names, in this order; none has a captain unless `captains` says so. @returns their ids */
export async function addTeams(
  db: TestDatabase,
  tournamentId: string,
  names: readonly string[],
  team: Partial<typeof tournamentTeams.$inferInsert> = {},
): Promise<string[]> {
  const now = new Date();
  const rows = names.map((name) => ({
    id: uuidv7(),
    tournamentId,
    name,
    nameKey: name.toLowerCase(),
    inviteToken: uuidv7(),
    state: "entered" as const,
    listedAt: now,
    createdAt: now,
    ...team,
  }));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await db.insert(tournamentTeams).values(rows.slice(from, from + AT_ONCE));
  }
  await db.update(tournaments).set({ currentParticipants: names.length }).where(eq(tournaments.id, tournamentId));
  return rows.map(({ id }) => id);
}

/** Plays what can be played, the earlier match first and the better seed winning, until `left` matches can be. */
export async function playOn(snapshot: Snapshot, matches: number): Promise<Snapshot> {
  let now = snapshot;
  const seeds = new Map(snapshot.participant.map(({ id, name }) => [name, id as number]));
  for (let played = 0; played < matches; played += 1) {
    const next = readMatches(now).find(({ standing }) => standing === "ready");
    if (!next) return now;
    const [one, two] = next.slots.map(({ team }) => seeds.get(team as string) as number) as [number, number];
    now = await enterResult(now, next.id, { scores: one < two ? [2, played % 2] : [played % 2, 2] });
  }
  return now;
}

/** Draws a tournament's bracket from its teams and stores it, played as far as `play` goes: as its room would. */
export async function startTournament(
  db: TestDatabase,
  tournamentId: string,
  teams: readonly string[],
  {
    format,
    groupSize = 8,
    play = 0,
  }: {
    format: Format;
    groupSize?: number;
    /** How many matches are played. */
    play?: number;
  },
): Promise<Snapshot> {
  const snapshot = await playOn(await drawBracket({ format, teams, groupSize }), play);
  const winner = champion(snapshot);
  const places = new Map(standings(snapshot).map(({ team, place }) => [team, place]));
  const rows = rowsOf(snapshot).map((row) => ({ tournamentId, ...row }));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await db.insert(tournamentMatches).values(rows.slice(from, from + AT_ONCE));
  }
  const seeded = teams.map((id, index) =>
    db
      .update(tournamentTeams)
      .set({ seed: index + 1, place: winner ? (places.get(id) ?? null) : null })
      .where(eq(tournamentTeams.id, id)),
  );
  await db.batch([
    db.insert(tournamentBrackets).values({ tournamentId, snapshot }),
    db
      .update(tournaments)
      .set({
        format,
        state: winner ? "finished" : "running",
        winnerTeamId: winner,
        startedAt: new Date(),
        endedAt: winner ? new Date() : null,
      })
      .where(eq(tournaments.id, tournamentId)),
    ...seeded,
  ]);
  return snapshot;
}

function rowsOf(snapshot: Snapshot) {
  const source = ({ from, isBye }: Slot) =>
    from && !isBye ? `${from.outcome === "winner" ? "W" : "L"}${from.match}` : null;
  return readMatches(snapshot).map(({ slots: [one, two], standing, ...match }) => ({
    ...match,
    bestOf: match.round === match.rounds && match.part === "bracket" ? 5 : 3,
    source1: source(one),
    source2: source(two),
    team1: one.team,
    team2: two.team,
    score1: standing === "finished" ? one.score : null,
    score2: standing === "finished" ? two.score : null,
    winner: standing !== "finished" ? null : one.won ? 1 : 2,
    forfeit: one.forfeited ? 1 : two.forfeited ? 2 : null,
    state: standing,
    finishedAt: standing === "finished" ? new Date() : null,
    deadlineAt: standing === "ready" ? new Date(Date.now() + HOUR) : null,
  }));
}
