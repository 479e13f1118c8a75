import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { userFeedback } from "#db/schema";
import { recountScores } from "../scores.server";
import { isShown } from "./visible-reviews.server";

const again = alias(userFeedback, "again");
const given = alias(userFeedback, "given");
const received = alias(userFeedback, "received");

/**
 * Lists the players whose score for sorting may change when a player's account is erased: those whom the erased player,
 * or one of that player's reviewers, has reviewed more than once. The erased player's own reviews lose their author, so
 * each counts by itself. A reviewer may now exchange reviews with only one other player, and then all of the reviewer's
 * reviews of that player count as one (`recountScores`).
 */
export async function listPlayersToRecount(db: Database, userId: string): Promise<string[]> {
  const rows = await db.all<{ player: string }>(sql`
    SELECT ${given.reviewedId} AS player
    FROM (
      SELECT ${userId} AS reviewer
      UNION ALL SELECT ${received.reviewerId} FROM ${userFeedback} AS ${received}
      WHERE ${received.reviewedId} = ${userId} AND ${isShown}
    ) AS affected
    CROSS JOIN ${userFeedback} AS ${given} ON ${given.reviewerId} = affected.reviewer AND ${isShown}
    WHERE ${given.reviewedId} <> ${userId} AND EXISTS (
      SELECT 1 FROM ${userFeedback} AS ${again} WHERE ${again.reviewerId} = ${given.reviewerId}
        AND ${again.reviewedId} = ${given.reviewedId} AND ${again.id} <> ${given.id} AND ${isShown}
    )`);
  return [...new Set(rows.map(({ player }) => player))];
}

/** Builds the statements that recount these players' scores. Run them after the deletion, in its transaction. */
export const recountAfterErasure = (db: Database, players: readonly string[]) =>
  players.length === 0
    ? undefined
    : recountScores(db, sql`SELECT value AS player FROM json_each(${JSON.stringify(players)})`);
