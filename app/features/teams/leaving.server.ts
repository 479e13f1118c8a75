import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { announceDeparture } from "./actions.server";
import { withdrawRequest } from "./commands.server";
import { type Departure, leaveTeam } from "./departures.server";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/**
 * Removes a suspended or deleted player from every team that has accepted them and whose session isn't over, and
 * notifies the teams' authors. Withdraws the player's unanswered requests.
 */
export async function leaveTeams(db: Database, userId: string, now: Date): Promise<Departure[]> {
  const requests = await db.all<{ postId: string; state: "pending" | "accepted" }>(sql`
    SELECT ${r.postId} AS postId, ${r.state} AS state FROM ${joinRequests} AS ${r}
      JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
    WHERE ${r.userId} = ${userId} AND ${r.state} IN ('pending', 'accepted') AND ${p.sessionEndedAt} IS NULL`);
  const departures = await Promise.all(
    requests.map(async ({ postId, state }) => {
      if (state === "accepted") return leaveTeam(db, postId, userId, now.getTime());
      await withdrawRequest(db, postId, userId, now.getTime());
    }),
  );
  return departures.filter((departure) => departure !== undefined);
}

/** Calls `leaveTeams`, and updates the other players' open tabs. */
export async function leaveTeamsAndAnnounce(
  context: Parameters<typeof announceDeparture>[0],
  userId: string,
  now: Date,
): Promise<void> {
  for (const departure of await leaveTeams(context.db, userId, now)) announceDeparture(context, departure);
}

/** Calls `leaveTeamsAndAnnounce` after the response. */
export function leaveTeamsLater(context: RequestContext, userId: string): void {
  context.defer(() => leaveTeamsAndAnnounce(context, userId, context.now));
}
