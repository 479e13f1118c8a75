import type { Database } from "#db/client";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { announceDeparture } from "../actions.server";
import { withdrawRequest } from "../commands.server";
import { type Departure, leaveTeam } from "../departures.server";
import type { JoinState } from "../rules";
import { selectCommitments } from "./commitments.server";

/**
 * Removes a suspended or deleted player from every team that has accepted them and whose session isn't over, and
 * notifies the teams' authors. Withdraws the player's unanswered requests; if an author has just accepted one, the
 * player leaves that team.
 * @returns the departures, and the authors who may have lost news of such a request
 */
export async function leaveTeams(
  db: Database,
  userId: string,
  now: Date,
): Promise<{ departures: Departure[]; askedAuthors: string[] }> {
  const commitments = await db.all<{ postId: string; state: JoinState }>(selectCommitments(userId));
  const departures: Departure[] = [];
  const askedAuthors: string[] = [];
  const leave = async (postId: string) => {
    const departure = await leaveTeam(db, postId, userId, now.getTime());
    if (departure.outcome === "gone") departures.push(departure);
  };
  const withdraw = async (postId: string) => {
    const request = await withdrawRequest(db, postId, userId, now.getTime());
    if (request?.state === "accepted") await leave(postId);
    if (request?.state === "withdrawn") askedAuthors.push(request.authorId);
  };
  await Promise.all(commitments.map(({ postId, state }) => (state === "accepted" ? leave : withdraw)(postId)));
  return { departures, askedAuthors };
}

/** Calls `leaveTeams`, and updates the other players' open tabs. */
export async function leaveTeamsAndAnnounce(
  context: Parameters<typeof announceDeparture>[0],
  userId: string,
  now: Date,
): Promise<void> {
  const { departures, askedAuthors } = await leaveTeams(context.db, userId, now);
  for (const departure of departures) announceDeparture(context, departure);
  tellUnread(context, ...askedAuthors);
}

/** Calls `leaveTeamsAndAnnounce` after the response. */
export function leaveTeamsLater(context: RequestContext, userId: string): void {
  context.defer(() => leaveTeamsAndAnnounce(context, userId, context.now));
}
