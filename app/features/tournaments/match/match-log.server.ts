import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentEvents, tournamentMatches } from "#db/schema";
import type { EventDetails } from "#db/words/event-actions";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { nameOf } from "~/features/players/shared/name.server";

const chatted = alias(tournamentMatches, "chatted");
const e = alias(tournamentEvents, "e");

/** The maximum number of log entries that a match's page and its chat show; older ones are left out. */
const LOG_LENGTH = 50;

/** An entry in a match's log. */
export interface MatchEvent {
  id: string;
  /** Null for automatic events, and once the account is gone. */
  actorId: string | null;
  /** Null in the same cases. */
  actorName: string | null;
  action: string;
  details: EventDetails | null;
  /** Whether the viewer has blocked the actor. */
  isByBlocked: boolean;
  createdAt: Date;
}

/**
 * Lists the latest entries of a match's log, oldest first.
 * @param viewerId null for a guest
 */
export const listMatchEvents = (
  db: Database,
  { tournamentId, matchId }: { tournamentId: string; matchId: number },
  viewerId: string | null,
): Promise<MatchEvent[]> => listEvents(db, sql`(${tournamentId}, ${matchId})`, viewerId);

/** Lists the same entries for a match's chat; none if the conversation isn't one. Doesn't check who may read it. */
export const listChatEvents = (db: Database, conversationId: string, viewerId: string): Promise<MatchEvent[]> =>
  listEvents(
    db,
    sql`(
      SELECT ${chatted.tournamentId}, ${chatted.id} FROM ${tournamentMatches} AS ${chatted}
      WHERE ${chatted.conversationId} = ${conversationId}
    )`,
    viewerId,
  );

/** @param match the tournament and the number of the match, as a row in SQL */
async function listEvents(db: Database, match: SQL, viewerId: string | null): Promise<MatchEvent[]> {
  const rows = await db.all<
    Pick<typeof tournamentEvents.$inferSelect, "id" | "actorId" | "action"> & {
      actorName: string | null;
      details: string | null;
      isByBlocked: number;
      createdAt: number;
    }
  >(sql`
    SELECT ${e.id} AS id, ${e.actorId} AS actorId, ${nameOf(sql`${e.actorId}`)} AS actorName, ${e.action} AS action,
      ${e.details} AS details,
      ${hasBlocked(viewerId ?? "", sql`${e.actorId}`)} AS isByBlocked, ${e.createdAt} AS createdAt
    FROM ${tournamentEvents} AS ${e}
    WHERE (${e.tournamentId}, ${e.matchId}) = ${match}
    ORDER BY ${e.id} DESC LIMIT ${LOG_LENGTH}`);
  return rows.reverse().map(({ details, isByBlocked, createdAt, ...row }) => ({
    ...row,
    isByBlocked: Boolean(isByBlocked),
    details: details === null ? null : (JSON.parse(details) as EventDetails),
    createdAt: new Date(createdAt),
  }));
}
