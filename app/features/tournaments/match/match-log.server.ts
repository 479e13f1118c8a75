import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentEvents } from "#db/schema";
import type { EventDetails } from "#db/words/event-actions";
import { nameOf } from "~/features/players/shared/name.server";

const e = alias(tournamentEvents, "e");

/** How many entries of a match's log its page shows: the latest ones. */
const LOG_LENGTH = 50;

/** An entry in a match's log. */
export interface MatchEvent {
  id: string;
  /** Null for automatic events, and once the account is gone. */
  actorName: string | null;
  action: string;
  details: EventDetails | null;
  createdAt: Date;
}

/** The latest entries of a match's log, oldest first. */
export async function listMatchEvents(db: Database, tournamentId: string, matchId: number): Promise<MatchEvent[]> {
  const rows = await db.all<
    Pick<typeof tournamentEvents.$inferSelect, "id" | "action"> & {
      actorName: string | null;
      details: string | null;
      createdAt: number;
    }
  >(sql`
    SELECT ${e.id} AS id, ${nameOf(sql`${e.actorId}`)} AS actorName, ${e.action} AS action, ${e.details} AS details,
      ${e.createdAt} AS createdAt
    FROM ${tournamentEvents} AS ${e}
    WHERE ${e.tournamentId} = ${tournamentId} AND ${e.matchId} = ${matchId}
    ORDER BY ${e.id} DESC LIMIT ${LOG_LENGTH}`);
  return rows.reverse().map(({ details, createdAt, ...row }) => ({
    ...row,
    details: details === null ? null : (JSON.parse(details) as EventDetails),
    createdAt: new Date(createdAt),
  }));
}
