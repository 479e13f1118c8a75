import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { profiles, tournamentEvents } from "#db/schema";
import { eventActions } from "#db/sql";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { nameColumns, nameOf } from "~/features/players/shared/name.server";
import { type Cursor, pageOf } from "~/platform/lists/keyset";
import { planWalk, type Walk } from "~/platform/lists/keyset.server";

/** Number of events on a page of the log. */
const SHOWN = 100;

/** Lists a page of a tournament's log, latest first, for one of its organisers. */
export async function listEvents(
  db: Database,
  { tournamentId, viewerId }: { tournamentId: string; viewerId: string },
  cursor: Cursor | null,
) {
  const found = await readEvents(db, { tournamentId, viewerId }, planWalk(cursor, { id: tournamentEvents.id }));
  return pageOf({ found, end: null }, SHOWN, cursor, ({ id }) => ({ key: null, id }));
}

const readEvents = (
  db: Database,
  { tournamentId, viewerId }: { tournamentId: string; viewerId: string },
  { from, orderBy }: Walk,
) =>
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
      /** Whether it is a disqualification by an organiser whom the viewer has blocked. */
      isReasonHidden: sql<number>`${tournamentEvents.action} = ${eventActions("disqualified")}
        AND ${hasBlocked(viewerId, sql`${tournamentEvents.actorId}`)}`,
    })
    .from(tournamentEvents)
    .leftJoin(profiles, eq(profiles.userId, tournamentEvents.actorId))
    .where(and(eq(tournamentEvents.tournamentId, tournamentId), from))
    .orderBy(...orderBy)
    .limit(SHOWN + 1);
