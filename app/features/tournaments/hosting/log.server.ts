import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { profiles, tournamentEvents } from "#db/schema";
import { insertIf } from "#db/statements";
import type { EventAction, EventDetails } from "#db/words/event-actions";
import { nameOf } from "~/features/players/shared/name.server";
import { type Cursor, pageOf } from "~/platform/lists/keyset";
import { planWalk, type Walk } from "~/platform/lists/keyset.server";

/** Who does something, to which tournament, and when. */
export interface Deed {
  tournamentId: string;
  userId: string;
  now: Date;
}

/** What somebody has done, or what came about by itself: nobody has. */
export type Happening = Omit<Deed, "userId"> & { userId: string | null };

/**
 * The statement that writes down what was done. It follows at once on the statement that does it, in one transaction, and writes
 * nothing where that one changed nothing.
 */
export const logged = (db: Database, deed: Happening, action: EventAction, details: EventDetails | null = null) =>
  insertIf(
    db,
    tournamentEvents,
    {
      id: uuidv7(deed.now.getTime()),
      tournamentId: deed.tournamentId,
      actorId: deed.userId,
      action,
      details,
      createdAt: deed.now,
    },
    sql`changes() > 0`,
  );

/** Events of a page of the log. */
const SHOWN = 100;

/** A page of what was done in a tournament, the last first. */
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
      actor: { userId: profiles.userId, riotId: profiles.riotId, riotGameName: profiles.riotGameName },
      /** Of the player whom it is about. The log keeps no names of players: accounts go, and their names with them. */
      name: sql<string | null>`${nameOf(sql`json_extract(tournament_events.details, '$.player')`)}`,
    })
    .from(tournamentEvents)
    .leftJoin(profiles, eq(profiles.userId, tournamentEvents.actorId))
    .where(and(eq(tournamentEvents.tournamentId, tournamentId), from))
    .orderBy(...orderBy)
    .limit(SHOWN + 1);
