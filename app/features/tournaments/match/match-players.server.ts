import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentMatches, tournamentPlayers } from "#db/schema";
import { pictureFor } from "~/features/blocks/shared/blocks.server";
import { displayName } from "~/features/players/rules";
import { type Rank, rankAt } from "~/game/ranks";
import type { Role } from "~/game/roles";

const f = alias(profiles, "f");
const m = alias(tournamentMatches, "m");
const p = alias(tournamentPlayers, "p");

/** A player of one of the two teams. */
export interface MatchPlayer {
  teamId: string;
  userId: string;
  name: string;
  picture: string | null;
  rank: Rank | null;
  role: Role | null;
  isSubstitute: boolean;
}

/**
 * Lists the players of both teams, in the order in which they joined. Players blocked by the viewer have no picture.
 * @param viewerId null for a guest
 */
export async function listMatchPlayers(
  db: Database,
  { tournamentId, matchId }: { tournamentId: string; matchId: number },
  viewerId: string | null,
): Promise<MatchPlayer[]> {
  const rows = await db.all<
    Pick<typeof tournamentPlayers.$inferSelect, "teamId" | "userId"> &
      Pick<typeof profiles.$inferSelect, "riotGameName" | "riotId"> & {
        isSubstitute: number;
        joinedAt: number;
        picture: string | null;
        rank: number | null;
        role: Role | null;
      }
  >(sql`
    SELECT ${p.teamId} AS teamId, ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute, ${p.joinedAt} AS joinedAt,
      ${f.riotGameName} AS riotGameName, ${f.riotId} AS riotId, ${pictureFor(viewerId, p.userId, f.avatarId)} AS picture,
      ${f.currentRank} AS rank, ${f.preferredRole} AS role
    FROM ${tournamentMatches} AS ${m}
    JOIN ${tournamentPlayers} AS ${p} ON ${p.teamId} IN (${m.team1}, ${m.team2})
    LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${p.userId}
    WHERE ${m.tournamentId} = ${tournamentId} AND ${m.id} = ${matchId}`);
  return rows
    .sort((a, b) => a.joinedAt - b.joinedAt || (a.userId < b.userId ? -1 : 1))
    .map(({ joinedAt: _, riotGameName, riotId, ...row }) => ({
      ...row,
      name: displayName({ userId: row.userId, riotGameName, riotId }),
      rank: rankAt(row.rank),
      isSubstitute: Boolean(row.isSubstitute),
    }));
}
