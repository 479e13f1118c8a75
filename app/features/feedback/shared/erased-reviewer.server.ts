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
 * Lists the players whose score for sorting may change when a player's account is erased: those whom the player, or one
 * of the player's reviewers, has reviewed more than once. The player's own reviews lose their author, so each counts by
 * itself; a reviewer may be left with one other player alone (`recountScores`).
 */
export async function listScoresOfErasure(db: Database, userId: string): Promise<string[]> {
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

/** Builds the statements that recount these players. They belong in the erasing transaction, after the deletion. */
export const recountAfterErasure = (db: Database, players: readonly string[]) =>
  players.length === 0
    ? undefined
    : recountScores(db, sql`SELECT value AS player FROM json_each(${JSON.stringify(players)})`);
