import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { reports } from "#db/schema";
import { bare } from "#db/sql";

/**
 * Builds the statement that removes the reporter from reports that a visitor without an account sent under an email
 * address. Reports sent from an account are unlinked when the account is deleted.
 */
export const forgetReporter = (db: Database, email: string, condition: SQL) =>
  db.run(sql`
    UPDATE ${reports} SET ${bare(reports.reporterName)} = NULL, ${bare(reports.reporterEmail)} = NULL
    WHERE ${reports.reporterEmail} = ${email} AND ${condition}`);
