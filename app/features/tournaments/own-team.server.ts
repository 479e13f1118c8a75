import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { tournamentPlayers } from "#db/schema";

/** Returns the id of the player's team in a tournament; undefined if they are in none. */
export async function findOwnTeamId(db: Database, tournamentId: string, userId: string): Promise<string | undefined> {
  const [member] = await db
    .select({ teamId: tournamentPlayers.teamId })
    .from(tournamentPlayers)
    .where(and(eq(tournamentPlayers.tournamentId, tournamentId), eq(tournamentPlayers.userId, userId)));
  return member?.teamId;
}
