import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentMatches, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { readSummary, type SummaryRow, summaryColumns } from "~/features/players/shared/summary.server";

/** Lists all matches of a tournament, in playable order, with the columns for lists and drawings. */
export function listMatches(db: Database, tournamentId: string) {
  const match = tournamentMatches;
  return db
    .select({
      id: match.id,
      part: match.part,
      group: match.group,
      round: match.round,
      rounds: match.rounds,
      number: match.number,
      bestOf: match.bestOf,
      advantage: match.advantage,
      source1: match.source1,
      source2: match.source2,
      team1: match.team1,
      team2: match.team2,
      score1: match.score1,
      score2: match.score2,
      rounds1: match.rounds1,
      rounds2: match.rounds2,
      winner: match.winner,
      forfeit: match.forfeit,
      state: match.state,
      /** The maps reported by a captain, until the report is confirmed. */
      report: sql`iif(${match.state} IN ('reported', 'disputed'), ${match.report}, NULL)`.mapWith(match.report),
      /** Whether the whole tournament was cancelled. */
      isCancelled: sql<number>`(SELECT state FROM tournaments WHERE id = ${tournamentId}) = 'cancelled'`,
      isCheckedIn: sql<number>`${match.checkedIn1} IS NOT NULL AND ${match.checkedIn2} IS NOT NULL`,
      deadlineAt: match.deadlineAt,
      finishedAt: match.finishedAt,
    })
    .from(match)
    .where(eq(match.tournamentId, tournamentId))
    .orderBy(match.id);
}

export type MatchRow = Awaited<ReturnType<typeof listMatches>>[number];

/** Finds a tournament's tie-break rules; undefined if there is no such tournament. */
export const findTieBreaks = (db: Database, tournamentId: string) =>
  db
    .select({ tieBreaks: tournaments.tieBreaks, lastTieBreak: tournaments.lastTieBreak })
    .from(tournaments)
    .where(eq(tournaments.id, tournamentId))
    .get();

/** Lists the teams that have a spot in a tournament, in no particular order: a few hundred at most. */
export function listTeamNames(db: Database, tournamentId: string) {
  const team = tournamentTeams;
  return db
    .select({
      id: team.id,
      name: team.name,
      seed: team.seed,
      place: team.place,
      lastPlace: team.lastPlace,
      isDisqualified: sql<boolean>`${team.disqualification} IS NOT NULL`.mapWith(Boolean),
    })
    .from(team)
    .where(and(eq(team.tournamentId, tournamentId), eq(team.state, "entered")));
}

export type TeamRow = Awaited<ReturnType<typeof listTeamNames>>[number];

const champion = alias(tournamentPlayers, "champion");

/**
 * Lists the starters of a tournament's winning team, for their banners; empty before there is a winner.
 * @param viewerId undefined for a guest
 */
export async function listChampions(db: Database, tournamentId: string, viewerId: string | undefined) {
  const rows = await db.all<SummaryRow & { joinedAt: number }>(sql`
    SELECT ${champion.userId} AS userId, ${champion.joinedAt} AS joinedAt, ${summaryColumns(viewerId)}
    FROM ${tournaments}
      JOIN ${tournamentPlayers} AS ${champion} ON ${champion.teamId} = ${tournaments.winnerTeamId}
      LEFT JOIN ${profiles} ON ${profiles.userId} = ${champion.userId}
    WHERE ${tournaments.id} = ${tournamentId} AND NOT ${champion.isSubstitute}`);
  return rows
    .sort((one, other) => one.joinedAt - other.joinedAt)
    .map((row) => {
      const { userId, name, picture } = readSummary(row);
      return { userId, name, picture };
    });
}
