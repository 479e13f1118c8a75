import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentBrackets, tournamentMatches, tournaments, tournamentTeams } from "#db/schema";
import type { TieBreakRules } from "../format/tie-breaks";
import { organisedBy } from "../shared/access.server";
import { mayReinstate } from "./disqualify";

const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/**
 * Finds whether a team's disqualification can be undone, in one query. Only organisers of the tournament get an answer.
 * @returns null for everyone else, and if the team isn't disqualified
 */
export async function findReinstatement(
  db: Database,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  userId: string,
): Promise<boolean | null> {
  const [row] = await db.all<Record<"teams" | "matches" | "snapshot", string | null> & TieBreakRules>(sql`
    SELECT (SELECT ${tournamentBrackets.snapshot} FROM ${tournamentBrackets}
      WHERE ${tournamentBrackets.tournamentId} = ${t.id}) AS snapshot, (
        SELECT json_group_array(
          json_object('id', ${tournamentTeams.id}, 'disqualification', json(${tournamentTeams.disqualification}))
        )
        FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${t.id}
          AND ${tournamentTeams.disqualification} IS NOT NULL
      ) AS teams, (
        SELECT json_group_array(json_object('id', id, 'part', part, 'team1', team1_id, 'team2', team2_id, 'state', state,
          'forfeit', forfeit, 'finishedAt', finished_at))
        FROM (SELECT * FROM ${tournamentMatches} WHERE ${tournamentMatches.tournamentId} = ${t.id}
          ORDER BY ${tournamentMatches.id})
      ) AS matches,
      ${t.tieBreaks} AS tieBreaks, ${t.lastTieBreak} AS lastTieBreak
    FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
    WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${teamRow.disqualification} IS NOT NULL
      AND ${organisedBy(userId, t)}`);
  if (!row?.snapshot) return null;
  const parse = (json: string | null) => JSON.parse(json as string);
  const { tieBreaks, lastTieBreak } = row;
  const [teams, matches, snapshot] = [row.teams, row.matches, row.snapshot].map(parse);
  return mayReinstate({ tieBreaks, lastTieBreak, teams, matches, snapshot }, teamId);
}
