import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournamentPlayers } from "#db/schema";

/** The team of a tournament that a player is in; undefined when that is none. */
export async function findOwnTeamId(db: Database, tournamentId: string, userId: string): Promise<string | undefined> {
  const [member] = await db
    .select({ teamId: tournamentPlayers.teamId })
    .from(tournamentPlayers)
    .where(and(eq(tournamentPlayers.tournamentId, tournamentId), eq(tournamentPlayers.userId, userId)));
  return member?.teamId;
}
