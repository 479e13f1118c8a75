import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { reports } from "#db/schema";
import { bare } from "#db/sql";

/**
 * Builds the statement that removes the reporter from reports that were sent from an address without an account.
 * Deleting an account unlinks the reports sent from it.
 */
export const forgetReporter = (db: Database, email: string, condition: SQL) =>
  db.run(sql`
    UPDATE ${reports} SET ${bare(reports.reporterName)} = NULL, ${bare(reports.reporterEmail)} = NULL
    WHERE ${reports.reporterEmail} = ${email} AND ${condition}`);
