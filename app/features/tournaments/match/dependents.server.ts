import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournamentBrackets, tournamentTeams } from "#db/schema";
import { type BracketMatch, readMatches, type Slot } from "../bracket/matches";
import { findDependents } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import { matchName } from "../shared/match-names";

/** A match that reopening another one would undo. */
interface DependentMatch {
  id: number;
  name: string;
  /**
   * Its result, which would be lost: "Second Site won 2 to 1", or "Five Quiet People forfeited"; null if it has none
   * yet.
   */
  result: string | null;
}

/** Lists the matches that reopening a match would undo, earliest first. */
export async function listDependents(db: Database, tournamentId: string, matchId: number): Promise<DependentMatch[]> {
  const [row] = await db.all<{ snapshot: string; names: string }>(sql`
    SELECT ${tournamentBrackets.snapshot}, (
      SELECT json_group_object(${tournamentTeams.id}, ${tournamentTeams.name}) FROM ${tournamentTeams}
        WHERE ${tournamentTeams.tournamentId} = ${tournamentId}
    ) AS names
    FROM ${tournamentBrackets} WHERE ${tournamentBrackets.tournamentId} = ${tournamentId}`);
  if (!row) return [];
  const snapshot = JSON.parse(row.snapshot) as Snapshot;
  const names = JSON.parse(row.names) as Record<string, string>;
  const known = new Map(readMatches(snapshot).map((match) => [match.id, match]));
  return findDependents(snapshot, matchId)
    .reverse()
    .flatMap((id) => {
      const match = known.get(id);
      return match ? [{ id, name: matchName(match), result: resultOf(match, names) }] : [];
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
