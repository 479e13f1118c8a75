import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { appeals, decisions } from "#db/schema";
import { bare } from "#db/sql";

/** Replaces the text of an answered appeal once its player's account is erased. */
export const FORGOTTEN_WORDS = "Removed with the account.";

/**
 * Builds the statement that removes a player's words from their answered appeals. A waiting appeal keeps them until it
 * is answered.
 */
export const forgetAppeals = (db: Database, playerId: string, condition: SQL) =>
  db.run(sql`UPDATE ${appeals} SET ${bare(appeals.words)} = ${FORGOTTEN_WORDS}
    WHERE ${appeals.outcome} IS NOT NULL AND ${condition} AND ${appeals.decisionId} IN (
      SELECT ${decisions.id} FROM ${decisions} WHERE ${decisions.playerId} = ${playerId}
    )`);
