import { and, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import { profiles, tournamentSeekers, users } from "#db/schema";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";

const s = alias(tournamentSeekers, "s");
const u = alias(users, "u");

/** Maximum number of players on a page of the list of players looking for a team. */
const SEEKERS_PAGE = 50;

/** The entry of a player who is looking for a team. */
type Search = Pick<typeof tournamentSeekers.$inferSelect, "role" | "note">;

/** A player who is looking for a team. */
export interface Seeker extends PlayerSummary, Search {}

/**
 * Lists a page of the players looking for a team in a tournament, the latest first. Leaves out players who have blocked
 * the viewer or are blocked by them.
 */
export async function listSeekers(
  db: Database,
  tournamentId: string,
  userId: string | undefined,
  cursor: Cursor | null,
): Promise<Page<Seeker>> {
  const walk = planWalk(cursor, { key: s.createdAt, id: s.userId });
  const rows = await db.all<SummaryRow & Search & { createdAt: number }>(sql`
    SELECT ${s.userId} AS userId, ${s.role} AS role, ${s.note} AS note, ${s.createdAt} AS createdAt,
      ${summaryColumns(userId)}
    FROM ${tournamentSeekers} AS ${s} JOIN ${users} AS ${u} ON ${u.id} = ${s.userId}
      LEFT JOIN ${profiles} ON ${profiles.userId} = ${s.userId}
    WHERE ${and(sql`${s.tournamentId} = ${tournamentId}`, walk.from)}
      AND ${staysOpen(u)}
      AND NOT ${userId ? blockBetween(sql`${s.userId}`, userId) : sql`0`}
    ORDER BY ${sql.join(walk.orderBy, sql`, `)} LIMIT ${SEEKERS_PAGE + 1}`);
  const page = pageOf({ found: rows, end: null }, SEEKERS_PAGE, cursor, (row) => ({
    key: row.createdAt,
    id: row.userId,
  }));
  return { ...page, items: page.items.map((row) => ({ ...readSummary(row), role: row.role, note: row.note })) };
}

/** Returns a player's own entry in a tournament's list of players looking for a team; undefined if they have none. */
export async function findOwnSearch(db: Database, tournamentId: string, userId: string): Promise<Search | undefined> {
  const [row] = await db.all<Search>(sql`
    SELECT ${tournamentSeekers.role}, ${tournamentSeekers.note} FROM ${tournamentSeekers}
      WHERE ${tournamentSeekers.tournamentId} = ${tournamentId} AND ${tournamentSeekers.userId} = ${userId}`);
  return row;
}
