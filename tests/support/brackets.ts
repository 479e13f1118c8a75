import { eq } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drawBracket } from "../../app/features/tournaments/bracket/draw";
import { readMatches } from "../../app/features/tournaments/bracket/matches";
import { enterResult } from "../../app/features/tournaments/bracket/results";
import type { Snapshot } from "../../app/features/tournaments/bracket/snapshot";
import { champion, standings } from "../../app/features/tournaments/bracket/standings";
import type { MatchLengths } from "../../app/features/tournaments/format/stages";
import { rowsOf } from "../../app/features/tournaments/play/rows";
import { MINUTE } from "../../app/platform/dates/durations";
import type * as schema from "../../db/schema";
import { tournamentBrackets, tournamentMatches, tournaments, tournamentTeams } from "../../db/schema";
import type { Format } from "../../db/words/tournament-formats";
import { type AddedTournament, addTournament } from "./tournaments";

type Database = LibSQLDatabase<typeof schema>;

/** Rows per INSERT: SQLite limits the number of values in one statement. */
const AT_ONCE = 200;

/** Plays matches in order. The better seed always wins, 2–0 and 2–1 in turn, whatever the match's length. */
export async function playMatches(snapshot: Snapshot, matches: number): Promise<Snapshot> {
  let now = snapshot;
  const seeds = new Map(snapshot.participant.map(({ id, name }) => [name, id as number]));
  for (let played = 0; played < matches; played += 1) {
    const next = readMatches(now).find(({ status }) => status === "ready");
    if (!next) return now;
    const [one, two] = next.slots.map(({ team }) => seeds.get(team as string) as number) as [number, number];
    now = await enterResult(now, next.id, { scores: one < two ? [2, played % 2] : [played % 2, 2] });
  }
  return now;
}

/**
 * Adds a tournament with a drawn and partly played bracket. Writes to the database directly: playing hundreds of
 * matches through the tournament's room would take a while.
 */
export async function addPlayedTournament(
  db: Database,
  {
    format = "single_elimination",
    groupSize = 8,
    grandFinal = "reset",
    play = 0,
    teams: count,
    ...tournament
  }: Parameters<typeof addTournament>[1] & {
    format?: Format;
    /** The number of matches that have been played. */
    play?: number;
  },
): Promise<AddedTournament> {
  const lengths: MatchLengths = {
    bestOf: 3,
    quarterBestOf: null,
    semiBestOf: null,
    lowerFinalBestOf: null,
    finalBestOf: 5,
    grandFinal,
  };
  const added = await addTournament(db, { ...lengths, ...tournament, format, groupSize, teams: count });
  const { id: tournamentId, teams } = added;
  const drawn = await drawBracket({ format, teams: teams.map(({ id }) => id), groupSize, grandFinal });
  const snapshot = await playMatches(drawn, play);
  const winner = champion(snapshot);
  const now = new Date();
  const rows = rowsOf(snapshot, lengths).map((row) => ({
    ...row,
    tournamentId,
    deadlineAt: row.state === "ready" ? new Date(now.getTime() + 15 * MINUTE) : null,
    finishedAt: row.state === "finished" ? new Date(now.getTime() + row.id) : null,
  }));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await db
      .insert(tournamentMatches)
      .values(rows.slice(from, from + AT_ONCE) as (typeof tournamentMatches.$inferInsert)[]);
  }
  const final = winner ? standings(snapshot) : [];
  await db.batch([
    db.insert(tournamentBrackets).values({ tournamentId, snapshot }),
    db
      .update(tournaments)
      .set({
        state: winner ? "finished" : "running",
        winnerTeamId: winner,
        startedAt: now,
        endedAt: winner ? now : null,
      })
      .where(eq(tournaments.id, tournamentId)),
    ...final.map(({ team, place, lastPlace }) =>
      db
        .update(tournamentTeams)
        .set({ place, lastPlace: lastPlace > place ? lastPlace : null })
        .where(eq(tournamentTeams.id, team)),
    ),
  ]);
  return added;
}
