import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { profiles, tournamentEvents } from "#db/schema";
import { insertIf } from "#db/statements";
import type { EventAction, EventDetails } from "#db/words/event-actions";
import { nameColumns, nameOf } from "~/features/players/shared/name.server";
import { type Cursor, pageOf } from "~/platform/lists/keyset";
import { planWalk, type Walk } from "~/platform/lists/keyset.server";

/** A player's action, for the log: the player, the tournament, and the time. */
export interface ActorStamp {
  tournamentId: string;
  userId: string;
  now: Date;
}

/** The same for any event; `userId` is null if it happened automatically. */
export type EventStamp = Omit<ActorStamp, "userId"> & { userId: string | null };

/**
 * Builds the statement that logs an event. It must come right after the statement that makes the change, in the same
 * transaction, and logs nothing if that statement changed nothing.
 */
export const logEvent = (db: Database, stamp: EventStamp, action: EventAction, details: EventDetails | null = null) =>
  insertIf(
    db,
    tournamentEvents,
    {
      id: uuidv7(stamp.now.getTime()),
      tournamentId: stamp.tournamentId,
      actorId: stamp.userId,
      action,
      details,
      createdAt: stamp.now,
    },
    sql`changes() > 0`,
  );

/** Number of events on a page of the log. */
const SHOWN = 100;

/** Lists a page of a tournament's log, latest first. */
export async function listEvents(db: Database, tournamentId: string, cursor: Cursor | null) {
  const found = await readEvents(db, tournamentId, planWalk(cursor, { id: tournamentEvents.id }));
  return pageOf({ found, end: null }, SHOWN, cursor, ({ id }) => ({ key: null, id }));
}

const readEvents = (db: Database, tournamentId: string, { from, orderBy }: Walk) =>
  db
    .select({
      id: tournamentEvents.id,
      action: tournamentEvents.action,
      details: tournamentEvents.details,
      matchId: tournamentEvents.matchId,
      createdAt: tournamentEvents.createdAt,
      actorId: tournamentEvents.actorId,
      actor: nameColumns,
      /**
       * The name of the player that the event is about. The log itself stores no names, because they must disappear
       * with their accounts.
       */
      name: sql<string | null>`${nameOf(sql`json_extract(tournament_events.details, '$.player')`)}`,
    })
    .from(tournamentEvents)
    .leftJoin(profiles, eq(profiles.userId, tournamentEvents.actorId))
    .where(and(eq(tournamentEvents.tournamentId, tournamentId), from))
    .orderBy(...orderBy)
    .limit(SHOWN + 1);
