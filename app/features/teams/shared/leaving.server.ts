import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts } from "#db/schema";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { announceDeparture } from "../actions.server";
import { withdrawRequest } from "../commands.server";
import { type Departure, leaveTeam } from "../departures.server";
import type { JoinState } from "../rules";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * Removes a suspended or deleted player from every team that has accepted them and whose session isn't over, and
 * notifies the teams' authors. Withdraws the player's unanswered requests.
 * @returns the departures, and the authors who may have lost news of such a request
 */
export async function leaveTeams(
  db: Database,
  userId: string,
  now: Date,
): Promise<{ departures: Departure[]; askedAuthors: string[] }> {
  const requests = await db.all<{ postId: string; state: JoinState }>(sql`
    SELECT ${r.postId} AS postId, ${r.state} AS state FROM ${joinRequests} AS ${r}
      JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
    WHERE ${r.userId} = ${userId} AND ${r.state} IN ('pending', 'accepted') AND ${p.sessionEndedAt} IS NULL`);
  const posts = (wanted: JoinState) => requests.flatMap(({ postId, state }) => (state === wanted ? postId : []));
  const [departures, withdrawn] = await Promise.all([
    Promise.all(posts("accepted").map((postId) => leaveTeam(db, postId, userId, now.getTime()))),
    Promise.all(posts("pending").map((postId) => withdrawRequest(db, postId, userId, now.getTime()))),
  ]);
  return {
    departures: departures.filter((departure) => departure.outcome === "gone"),
    askedAuthors: withdrawn.flatMap((request) => (request?.state === "withdrawn" ? request.authorId : [])),
  };
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
