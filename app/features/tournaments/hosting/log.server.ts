import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { profiles, tournamentEvents } from "#db/schema";
import { insertIf } from "#db/statements";
import { nameOf } from "~/features/players/name.server";
import type { EventAction, EventDetails } from "../events";

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

/**
 * A page of what was done in a tournament, the last first.
 * @param before the last event of the page before; none on the first
 * @returns `older` leads to the next page, if there is one
 */
export async function listEvents(db: Database, tournamentId: string, before: string | null) {
  const rows = await readEvents(db, tournamentId, before);
  const events = rows.slice(0, SHOWN);
  return { events, older: rows.length > SHOWN ? (events.at(-1)?.id ?? null) : null };
}

const readEvents = (db: Database, tournamentId: string, before: string | null) =>
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
    .where(and(eq(tournamentEvents.tournamentId, tournamentId), before ? lt(tournamentEvents.id, before) : undefined))
    .orderBy(desc(tournamentEvents.id))
    .limit(SHOWN + 1);
