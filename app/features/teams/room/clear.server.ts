import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, teamDetails, teamReady } from "#db/schema";
import { PARTY_CODE } from "#db/words/team-details";
import type { TeamRef } from "./membership.server";

const left = alias(joinRequests, "left_behind");

/**
 * Builds the statements that clear the rooms of teams whose session is over.
 * @param posts `SELECT id` of their posts
 */
export const clearRooms = (db: Database, posts: SQL) => ({
  details: db.run(sql`DELETE FROM ${teamDetails} WHERE ${teamDetails.postId} IN (${posts})`),
  ready: db.run(sql`DELETE FROM ${teamReady} WHERE ${teamReady.postId} IN (${posts})`),
});

/**
 * Builds the statements that remove a player who has just left a team from its room: their `Ready`, the details they
 * set, and the party code, because they know it. If only the author is left, the statements clear the room. They belong
 * in the transaction in which the player leaves.
 * @param leaver `SELECT user_id` of the player; no row if nobody has left
 */
export function leaveRoom(db: Database, team: TeamRef, leaver: SQL) {
  const isEmpty = sql`NOT EXISTS (
    SELECT 1 FROM ${joinRequests} AS ${left} WHERE ${left.postId} = ${team} AND ${left.state} = 'accepted'
  )`;
  return {
    details: db.run(sql`
      DELETE FROM ${teamDetails} WHERE ${teamDetails.postId} = ${team} AND EXISTS (${leaver})
        AND (${teamDetails.kind} = ${PARTY_CODE} OR ${teamDetails.setBy} IN (${leaver}) OR ${isEmpty})`),
    ready: db.run(sql`
      DELETE FROM ${teamReady} WHERE ${teamReady.postId} = ${team} AND EXISTS (${leaver})
        AND (${teamReady.userId} IN (${leaver}) OR ${isEmpty})`),
  };
}
