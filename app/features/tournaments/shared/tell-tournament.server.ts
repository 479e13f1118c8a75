import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notifications, tournamentPlayers } from "#db/schema";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { isOfTournament } from "~/features/notifications/shared/subjects.server";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/**
 * Makes the room of a tournament follow its hiding or restoring: open pages reload, and matches that lost their
 * deadlines are called again.
 * @throws Error if the room didn't do so; calling again does no harm
 */
export const followTournament = ({ env }: Pick<RoomCaller, "env">, tournamentId: string): Promise<void> =>
  callRoom(async () => {
    const room = env.TOURNAMENT_ROOMS.getByName(tournamentId);
    await room.changed();
    await room.settle();
  });

/** Lists the players of a tournament who have unread news of it or of a team in it. */
export async function listNotified(db: Database, tournamentId: string): Promise<string[]> {
  const rows = await db.all<{ userId: string }>(sql`
    SELECT ${tournamentPlayers.userId} AS userId FROM ${tournamentPlayers}
    WHERE ${tournamentPlayers.tournamentId} = ${tournamentId} AND EXISTS (
      SELECT 1 FROM ${notifications}
      WHERE ${notifications.userId} = ${tournamentPlayers.userId} AND ${notifications.readAt} IS NULL
        AND (${notifications.subject} = ${subjectOf("tournament", tournamentId)}
          OR ${isOfTournament(notifications.subject, "tournament-team", tournamentId)})
    )`);
  return rows.map(({ userId }) => userId);
}

/**
 * Tells the open pages of a tournament to reload after a change outside its room, such as a registration or an edit.
 */
export function tellTournament({ env, defer }: RoomCaller, tournamentId: string): void {
  defer(() => callRoom(() => env.TOURNAMENT_ROOMS.getByName(tournamentId).changed()));
}
