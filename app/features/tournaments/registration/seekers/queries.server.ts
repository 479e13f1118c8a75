import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentSeekers, users } from "#db/schema";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";

const s = alias(tournamentSeekers, "s");
const u = alias(users, "u");

/** Maximum number of players shown on the list of players looking for a team. */
const SEEKERS = 50;

/** The entry of a player who is looking for a team. */
type Search = Pick<typeof tournamentSeekers.$inferSelect, "role" | "note">;

/** A player who is looking for a team. */
export interface Seeker extends PlayerSummary, Search {}

/**
 * Lists the players looking for a team in a tournament, the latest first. Leaves out players who have blocked the
 * viewer or are blocked by them.
 */
export async function listSeekers(db: Database, tournamentId: string, userId: string | undefined): Promise<Seeker[]> {
  const rows = await db.all<SummaryRow & Search>(sql`
    SELECT ${s.userId} AS userId, ${s.role} AS role, ${s.note} AS note, ${summaryColumns(userId)}
    FROM ${tournamentSeekers} AS ${s} JOIN ${users} AS ${u} ON ${u.id} = ${s.userId} LEFT
      JOIN ${profiles} ON ${profiles.userId} = ${s.userId}
    WHERE ${s.tournamentId} = ${tournamentId} AND ${u.suspendedAt} IS NULL AND ${u.deletionDueAt} IS NULL
      AND NOT ${userId ? blockBetween(sql`${s.userId}`, userId) : sql`0`}
    ORDER BY ${s.createdAt} DESC LIMIT ${SEEKERS}`);
  return rows.map((row) => ({ ...readSummary(row), role: row.role, note: row.note }));
}

/** Returns a player's entry on that list; undefined if they have none. */
export async function findOwnSearch(db: Database, tournamentId: string, userId: string): Promise<Search | undefined> {
  const [row] = await db.all<Search>(sql`
    SELECT ${tournamentSeekers.role}, ${tournamentSeekers.note} FROM ${tournamentSeekers}
      WHERE ${tournamentSeekers.tournamentId} = ${tournamentId} AND ${tournamentSeekers.userId} = ${userId}`);
  return row;
}
