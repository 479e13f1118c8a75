import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { appeals, decisions } from "#db/schema";
import { bare } from "#db/sql";

/** Stands in place of the words of an answered appeal whose player's account is erased. */
export const FORGOTTEN_WORDS = "Removed with the account.";

/**
 * Builds the statement that removes a player's words from their answered appeals. One that waits keeps them until it is
 * answered.
 */
export const forgetAppeals = (db: Database, playerId: string, condition: SQL) =>
  db.run(sql`UPDATE ${appeals} SET ${bare(appeals.words)} = ${FORGOTTEN_WORDS}
    WHERE ${appeals.outcome} IS NOT NULL AND ${condition} AND ${appeals.decisionId} IN (
      SELECT ${decisions.id} FROM ${decisions} WHERE ${decisions.playerId} = ${playerId}
    )`);
