import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { decisions } from "#db/schema";
import { decisionActions } from "#db/sql";

const latest = alias(decisions, "latest");
const next = alias(decisions, "next");
const standing = alias(decisions, "standing");

/**
 * Reads a column of a case's latest decision, the one that no other decision follows; NULL if there is none. The
 * largest id isn't always the latest: ids made within a millisecond are in random order, and clocks differ.
 * @param caseId the column that holds the case's id
 */
export const latestDecision = (column: "id" | "action", caseId: SQLiteColumn): SQL => sql`(
  SELECT ${latest[column]} FROM ${decisions} AS ${latest} WHERE ${latest.caseId} = ${caseId} AND NOT EXISTS (
    SELECT 1 FROM ${decisions} AS ${next} WHERE ${next.caseId} = ${latest.caseId} AND ${next.follows} = ${latest.id}
  )
)`;

/**
 * Selects the id of the decision that `undo` reverses: the latest standing decision of a case.
 * @param caseId as an SQL expression
 * @param id the id of a particular decision, if that one is to be undone
 */
export const selectStanding = (caseId: SQL, id?: string): SQL => sql`
  SELECT ${standing.id} FROM ${decisions} AS ${standing}
  WHERE ${standing.caseId} = ${caseId} AND ${standing.undoneBy} IS NULL AND ${standing.action} <> ${decisionActions("undo")}
    ${id === undefined ? sql`` : sql`AND ${standing.id} = ${id}`}
  ORDER BY ${standing.id} DESC LIMIT 1`;
