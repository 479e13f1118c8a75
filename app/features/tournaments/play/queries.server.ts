import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentMatches, tournaments } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { isSessionOpen } from "~/platform/session/conditions.server";
import { organisedBy } from "../shared/access.server";

const m = alias(tournamentMatches, "m");
const t = alias(tournaments, "t");

/**
 * Whether a tournament exists and a visitor may see it. The query itself checks the session of organisers of a hidden
 * one: a claim outlives the session, and a suspended player is a guest here.
 */
export async function isTournament(
  { db, claim, now }: Pick<RequestContext, "db" | "claim" | "now">,
  tournamentId: string,
): Promise<boolean> {
  const mayOrganise = claim ? sql`${organisedBy(claim.userId)} AND ${isSessionOpen(claim, now)}` : sql`0`;
  const rows = await db.all(sql`SELECT 1 FROM ${tournaments}
    WHERE ${tournaments.id} = ${tournamentId} AND (${tournaments.hiddenAt} IS NULL OR (${mayOrganise}))`);
  return rows.length > 0;
}

/**
 * Lists the ids of running tournaments with something due.
 * @param limit maximum number of each kind per run of the cron
 */
export async function listDue(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT tournament_id AS id FROM (
      SELECT ${m.tournamentId} FROM ${tournamentMatches} AS ${m}
        JOIN ${tournaments} AS ${t} ON ${t.id} = ${m.tournamentId}
      WHERE ${m.state} = 'reported' AND ${m.confirmBy} <= ${now} AND ${t.state} = 'running'
        AND ${t.hiddenAt} IS NULL LIMIT ${limit}
    )
    UNION ALL
    SELECT tournament_id FROM (
      SELECT ${m.tournamentId} FROM ${tournamentMatches} AS ${m}
        JOIN ${tournaments} AS ${t} ON ${t.id} = ${m.tournamentId}
      WHERE ${m.state} = 'ready' AND ${m.overdueToldAt} IS NULL AND ${m.deadlineAt} <= ${now} AND ${t.state} = 'running'
        AND ${t.hiddenAt} IS NULL
      LIMIT ${limit}
    )`);
  return [...new Set(rows.map(({ id }) => id))];
}
