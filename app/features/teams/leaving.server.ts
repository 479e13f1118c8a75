import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import type { RequestContext } from "~/platform/context";
import { tellDeparture } from "./actions.server";
import { type Departure, leaveTeam, withdrawRequest } from "./commands.server";

/**
 * Takes a player out of every team that has not played yet, and takes back what they have asked: their account withdraws.
 * Each team hears of it.
 */
export async function leaveTeams(db: Database, userId: string, now: Date): Promise<Departure[]> {
  const asked = await db.all<{ postId: string; state: "pending" | "accepted" }>(sql`
    SELECT r.post_id AS postId, r.state AS state FROM join_requests AS r JOIN lfg_posts AS p ON p.id = r.post_id
    WHERE r.user_id = ${userId} AND r.state IN ('pending', 'accepted') AND p.session_ended_at IS NULL`);
  const left = await Promise.all(
    asked.map(async ({ postId, state }) => {
      if (state === "accepted") return leaveTeam(db, postId, userId, now.getTime());
      await withdrawRequest(db, postId, userId, now.getTime());
    }),
  );
  return left.filter((departure) => departure !== undefined);
}

/** `leaveTeams` after the answer, which does not wait for it; open tabs of the others hear of it. */
export function leaveTeamsLater(context: RequestContext, userId: string): void {
  context.defer(async () => {
    for (const departure of await leaveTeams(context.db, userId, context.now)) tellDeparture(context, departure);
  });
}
