import type { Database } from "#db/client";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { settleAll } from "~/platform/settle-all";
import { announceDeparture } from "../actions.server";
import { withdrawRequest } from "../commands.server";
import { type Departure, leaveTeam } from "../departures.server";
import type { JoinState } from "../rules";
import { selectCommitments } from "./commitments.server";

/** Called after each step of `leaveTeams`, because a later step may fail. */
interface Listener {
  departed: (departure: Departure) => void;
  /** The author may have lost news of the withdrawn request. */
  withdrew: (authorId: string) => void;
}

/**
 * Removes a suspended or deleted player from every team that has accepted them and whose session isn't over, and
 * notifies the teams' authors. Withdraws the player's unanswered requests; if an author has just accepted one, the
 * player leaves that team. If a step fails, the others are still done, and then it throws.
 */
export async function leaveTeams(db: Database, userId: string, now: Date, listener?: Listener): Promise<void> {
  const commitments = await db.all<{ postId: string; state: JoinState }>(selectCommitments(userId));
  const leave = async (postId: string) => {
    const departure = await leaveTeam(db, postId, userId, now.getTime());
    if (departure.outcome === "gone") listener?.departed(departure);
  };
  const withdraw = async (postId: string) => {
    const request = await withdrawRequest(db, postId, userId, now.getTime());
    if (request?.state === "accepted") await leave(postId);
    if (request?.state === "withdrawn") listener?.withdrew(request.authorId);
  };
  await settleAll(commitments.map(({ postId, state }) => (state === "accepted" ? leave : withdraw)(postId)));
}

/** Calls `leaveTeams`, and updates the other players' open tabs. */
export const leaveTeamsAndAnnounce = (
  context: Parameters<typeof announceDeparture>[0],
  userId: string,
  now: Date,
): Promise<void> =>
  leaveTeams(context.db, userId, now, {
    departed: (departure) => announceDeparture(context, departure),
    withdrew: (authorId) => tellUnread(context, authorId),
  });

/** Calls `leaveTeamsAndAnnounce` after the response. */
export function leaveTeamsLater(context: RequestContext, userId: string): void {
  context.defer(() => leaveTeamsAndAnnounce(context, userId, context.now));
}
