import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";

const p = alias(tournamentPlayers, "p");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/** Maximum number of tournaments listed on a player's page. */
const MAX_LISTED = 5;
/** Maximum number of tournaments counted. */
const MAX_COUNTED = 100;

/** A tournament that a player has played in, or is playing in. */
export interface PlayedTournament
  extends Pick<typeof tournaments.$inferSelect, "id" | "title" | "state">,
    Pick<typeof tournamentTeams.$inferSelect, "place" | "lastPlace"> {
  team: string;
}

/**
 * Lists the tournaments that a player has played in, the latest announced first, with the numbers played and won, both
 * counted up to a hundred.
 */
export async function listPlayed(db: Database, userId: string) {
  const played = sql`
    FROM ${tournamentPlayers} AS ${p} CROSS JOIN ${tournaments} AS ${t} ON ${t.id} = ${p.tournamentId}
    CROSS JOIN ${tournamentTeams} AS ${teamRow} ON ${teamRow.id} = ${p.teamId}
    WHERE ${p.userId} = ${userId} AND ${t.state} IN ('running', 'finished') AND ${t.hiddenAt} IS NULL
      AND ${teamRow.state} = 'entered'`;
  const [shown, [counts]] = await Promise.all([
    db.all<PlayedTournament>(sql`
      SELECT ${t.id} AS id, ${t.title} AS title, ${t.state} AS state, ${teamRow.name} AS team,
        ${teamRow.place} AS place, ${teamRow.lastPlace} AS lastPlace ${played}
      ORDER BY ${p.tournamentId} DESC LIMIT ${MAX_LISTED}`),
    db.all<{ played: number; won: number }>(sql`
      SELECT count(*) AS played, coalesce(sum(place = 1), 0) AS won
      FROM (SELECT ${teamRow.place} AS place ${played} ORDER BY ${p.tournamentId} DESC LIMIT ${MAX_COUNTED})`),
  ]);
  return { tournaments: shown, played: counts?.played ?? 0, won: counts?.won ?? 0 };
}
