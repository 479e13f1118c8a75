import { and, eq, sql } from "drizzle-orm";
import { isSuspended } from "#db/accounts";
import { auditLog, tournamentTeams, users } from "#db/schema";
import { auditActions } from "#db/sql";
import { tellPostLists } from "~/features/lfg/shared/tell-post-lists.server";
import { tellChangedMessage } from "~/features/messages/shared/hide-message.server";
import { tellNotified, tellUnread } from "~/features/notifications/shared/unread.server";
import { addTagFacets } from "~/features/players/shared/facets.server";
import { settlePicture } from "~/features/players/shared/settle-picture.server";
import { listLapsed } from "~/features/teams/shared/lapse-requests.server";
import { leaveTeamsAndAnnounce } from "~/features/teams/shared/leaving.server";
import { tellTeams } from "~/features/teams/shared/tell-teams.server";
import { listDisputed } from "~/features/tournaments/shared/evidence.server";
import { leaveTournamentsAndAnnounce } from "~/features/tournaments/shared/leaving.server";
import { endRolesAcrossBlocks } from "~/features/tournaments/shared/separation.server";
import {
  followTournament,
  listInformedOfHidden,
  listNotified,
  tellTournament,
} from "~/features/tournaments/shared/tell-tournament.server";
import type { RequestContext } from "~/platform/context";
import { FOREVER } from "~/platform/lists/keyset.server";
import { callRoom } from "~/platform/rooms/rooms.server";
import { settleAll } from "~/platform/settle-all";
import { type FollowUp, isDeactivated, noteDepartures } from "./note.server";

export type FollowUpContext = Pick<RequestContext, "db" | "env" | "origin" | "defer">;

/** Does the work of a follow-up, and leaves its row as it is. */
export async function performFollowUp(context: FollowUpContext, { kind, subjectId, picture }: FollowUp): Promise<void> {
  const { db, env } = context;
  if (kind === "post") {
    tellPostLists(context, subjectId);
    tellTeams(context, subjectId);
    tellNotified(context, await listLapsed(db, subjectId));
  }
  if (kind === "message") tellChangedMessage(context, subjectId);
  if (kind === "tournament") {
    const [notified, informed] = await Promise.all([listNotified(db, subjectId), listInformedOfHidden(db, subjectId)]);
    tellUnread(context, ...notified, ...informed);
    await followTournament(context, subjectId);
  }
  if (kind === "team") {
    const team = await db
      .select({ tournamentId: tournamentTeams.tournamentId })
      .from(tournamentTeams)
      .where(eq(tournamentTeams.id, subjectId))
      .get();
    if (team) tellTournament(context, team.tournamentId);
  }
  if (kind === "player" && picture === "") await followPlayer(context, subjectId);
  if (kind === "player" && picture !== "" && env.AVATARS) await settlePicture(env.AVATARS, db, subjectId, picture);
}

/**
 * Updates the match pages with a player's evidence, adds restored tags to the directory's lists, and ends the player's
 * role as an organiser in tournaments whose host is across a block. Takes a suspended player out of all teams and
 * tournaments, and a player due for deletion out of those that they joined before they asked for deletion: the account
 * works as before until it is erased, so they may have joined others since. Once the account is erased, empties the
 * player's inbox room.
 */
async function followPlayer(context: FollowUpContext, userId: string): Promise<void> {
  const { db, env } = context;
  const now = new Date();
  const requestedAt = sql`(SELECT max(${auditLog.createdAt}) FROM ${auditLog}
    WHERE ${auditLog.userId} = ${userId} AND ${auditLog.action} = ${auditActions("deletion-scheduled")})`;
  const [disputed, account, leaver] = await Promise.all([
    listDisputed(db, userId),
    db.select({ id: users.id }).from(users).where(eq(users.id, userId)).get(),
    db
      .select({ joinedBy: sql<number>`iif(${isSuspended(now)}, ${FOREVER}, ${requestedAt})` })
      .from(users)
      .where(and(eq(users.id, userId), isDeactivated(now)))
      .get(),
    noteDepartures(db, userId, now),
    addTagFacets(db, userId),
  ]);
  for (const id of disputed) tellTournament(context, id);
  await settleAll([
    ...(account ? [] : [callRoom(() => env.INBOX_ROOMS.getByName(userId).forget())]),
    endRolesAcrossBlocks(context, userId, now),
    ...(leaver
      ? [
          leaveTeamsAndAnnounce(context, userId, now, leaver.joinedBy),
          leaveTournamentsAndAnnounce(context, userId, now, leaver.joinedBy),
        ]
      : []),
  ]);
}
