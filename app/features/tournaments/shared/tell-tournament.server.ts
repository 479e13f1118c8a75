import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { notifications, tournamentPlayers, tournaments } from "#db/schema";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { isOfTournament } from "~/features/notifications/shared/subjects.server";
import { tellNotified, userIdsOf } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";
import { type ActorStamp, didLately } from "./changes.server";
import { selectInformed } from "./tournament-news.server";

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
  return userIdsOf(rows);
}

/**
 * Lists everyone who may have had news of a hidden tournament: hiding it removed the news, and left no record of its
 * readers. Some occur several times. In a large tournament `tellUnread` tells only the first of them. Empty if the
 * tournament isn't hidden.
 */
export async function listInformedOfHidden(db: Database, tournamentId: string): Promise<string[]> {
  const rows = await db.all<{ userId: string }>(sql`
    SELECT informed.user_id AS userId FROM (${selectInformed(tournamentId)}) AS informed
    WHERE EXISTS (
      SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.hiddenAt} IS NOT NULL
    )`);
  return userIdsOf(rows);
}

/**
 * Updates a tournament's open tabs and pages once more when a player withdraws or removes a team for the second time:
 * the response to their first request may have been lost. Has no effect if the log has no such event by them in the
 * last hour. Players who have only lost news as a result, such as those invited to the team, aren't reached: no record
 * of them is left.
 */
export const tellAgain = (
  context: Parameters<typeof tellNotified>[0] & Pick<RequestContext, "now">,
  { tournamentId, userId }: Omit<ActorStamp, "now">,
  action: "withdrew" | "removed-team",
): void =>
  context.defer(async () => {
    // If there is such an event, the player is among those whom the log names, and may have lost news of the team.
    const informed = await context.db.all<{ userId: string }>(sql`
      SELECT informed.user_id AS userId FROM (${selectInformed(tournamentId)}) AS informed
      WHERE ${didLately({ tournamentId, userId, now: context.now }, action)}
      AND (informed.user_id = ${userId} OR EXISTS (
        SELECT 1 FROM ${notifications} WHERE ${notifications.userId} = informed.user_id
          AND ${notifications.readAt} IS NULL AND ${notifications.subject} = ${subjectOf("tournament", tournamentId)}
      ))`);
    if (informed.length === 0) return;
    tellTournament(context, tournamentId);
    tellNotified(context, informed);
  });

/**
 * Tells the open pages of a tournament to reload after a change outside its room, such as a registration or an edit.
 */
export function tellTournament({ env, defer }: RoomCaller, tournamentId: string): void {
  defer(() => callRoom(() => env.TOURNAMENT_ROOMS.getByName(tournamentId).changed()));
}
