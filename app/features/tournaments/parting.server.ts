import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentInvitations, tournamentPlayers, tournamentTeams } from "#db/schema";
import { transact } from "#db/statements";
import { forgetNews } from "~/features/notifications/shared/notify.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { separateOrganisersLater } from "./hosting/organisers.server";
import { teamSubject } from "./registration/changes.server";

const mate = alias(tournamentPlayers, "mate");
const teamRow = alias(tournamentTeams, "team");

/**
 * Separates two players in all tournaments after one has blocked the other: neither stays an organiser of the other's
 * tournaments, unless nobody else could run them, and open invitations to each other's teams are removed. They stay in
 * teams that they share. Runs after the response; running it twice has no further effect.
 */
export function separatePlayersLater(context: RequestContext, blockerId: string, blockedId: string): void {
  separateOrganisersLater(context, blockerId, blockedId);
  context.defer(async () => {
    tellUnread(context, ...(await removeInvitations(context.db, blockerId, blockedId)));
  });
}

/**
 * Removes each of two players' open invitations to teams that the other is in, and the news of these invitations.
 * @returns the ids of the players who were invited
 */
async function removeInvitations(db: Database, one: string, other: string): Promise<string[]> {
  const { userId, teamId } = tournamentInvitations;
  const removed = await db.all<{ userId: string; teamId: string; tournamentId: string }>(sql`
    DELETE FROM ${tournamentInvitations} WHERE ${userId} IN (${one}, ${other}) AND EXISTS (
      SELECT 1 FROM ${tournamentPlayers} AS ${mate}
      WHERE ${mate.teamId} = ${teamId} AND ${mate.userId} = iif(${userId} = ${one}, ${other}, ${one})
    )
    RETURNING ${userId} AS userId, ${teamId} AS teamId, (
      SELECT ${teamRow.tournamentId} FROM ${tournamentTeams} AS ${teamRow} WHERE ${teamRow.id} = ${teamId}
    ) AS tournamentId`);
  await transact(db, {
    forget: removed.map((gone) =>
      forgetNews(db, sql`SELECT ${gone.userId}`, sql`${teamSubject(gone.tournamentId, gone.teamId)}`),
    ),
  });
  return removed.map((gone) => gone.userId);
}
