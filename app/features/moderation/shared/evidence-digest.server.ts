import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { caseFindings } from "#db/schema";

const found = alias(caseFindings, "found");

/**
 * Computes a digest that changes with each new or renewed report of a case, and with each finding of our checks.
 * @param theCase the query's name for `report_cases`
 */
export const digestEvidence = ({
  id,
  reportCount,
  updatedAt,
}: Record<"id" | "reportCount" | "updatedAt", SQLiteColumn>): SQL<string> => sql`(
  ${reportCount} || '.' || ${updatedAt} || '.' || coalesce((
    SELECT max(${found.foundAt}) FROM ${caseFindings} AS ${found} WHERE ${found.caseId} = ${id}
  ), 0)
)`;
