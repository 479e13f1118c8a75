import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournamentBrackets, tournamentMatches, tournamentTeams } from "#db/schema";
import { type BracketMatch, readMatches, type Slot } from "../bracket/matches";
import { findDependents } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import { matchName } from "../shared/match-names";

/** A match that would be undone. */
interface UndoneMatch {
  id: number;
  name: string;
  /** When it was decided, in milliseconds since 1970; null if it has no result yet. */
  finishedAt: number | null;
  /**
   * Its result, which would be lost: "Second Site won 2 to 1", or "Five Quiet People forfeited"; null if it has none
   * yet.
   */
  result: string | null;
}

/** Lists the matches that reopening a match would undo: the match itself, then those after it, earliest first. */
export async function listUndone(db: Database, tournamentId: string, matchId: number): Promise<UndoneMatch[]> {
  const [row] = await db.all<Record<"snapshot" | "names" | "ends", string>>(sql`
    SELECT ${tournamentBrackets.snapshot}, (
      SELECT json_group_object(${tournamentTeams.id}, ${tournamentTeams.name}) FROM ${tournamentTeams}
        WHERE ${tournamentTeams.tournamentId} = ${tournamentId}
    ) AS names, (
      SELECT json_group_object(${tournamentMatches.id}, ${tournamentMatches.finishedAt}) FROM ${tournamentMatches}
        WHERE ${tournamentMatches.tournamentId} = ${tournamentId}
    ) AS ends
    FROM ${tournamentBrackets} WHERE ${tournamentBrackets.tournamentId} = ${tournamentId}`);
  if (!row) return [];
  const snapshot = JSON.parse(row.snapshot) as Snapshot;
  const names = JSON.parse(row.names) as Record<string, string>;
  const ends = JSON.parse(row.ends) as Record<string, number | null>;
  const known = new Map(readMatches(snapshot).map((match) => [match.id, match]));
  return [matchId, ...findDependents(snapshot, matchId).reverse()].flatMap((id) => {
    const match = known.get(id);
    return match ? [{ id, name: matchName(match), finishedAt: ends[id] ?? null, result: resultOf(match, names) }] : [];
  });
}

function resultOf({ status, slots }: BracketMatch, names: Readonly<Record<string, string>>): string | null {
  if (status !== "finished") return null;
  const teamName = (slot: Slot | undefined) => names[slot?.team as string];
  const loser = slots.find(({ won }) => !won);
  if (loser?.forfeited) return `${teamName(loser)} forfeited`;
  const winner = slots.find(({ won }) => won);
  return `${teamName(winner)} won ${winner?.score} to ${loser?.score}`;
}
