import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { reportCases, reports } from "#db/schema";

const c = alias(reportCases, "c");
const r = alias(reports, "r");

/**
 * Returns the bucket key under which a reported picture is kept once it is no longer its player's picture. `/avatars`
 * doesn't serve such keys.
 * @param avatarId as in `report_cases.picture`
 */
export const evidenceKey = (avatarId: string): string => `reported/${avatarId}`;

/** Builds the SQL condition that a case or a report shows a picture. */
export const isReportedPicture = (avatarId: string): SQL => sql`(
  EXISTS (SELECT 1 FROM ${reportCases} AS ${c} WHERE ${c.picture} = ${avatarId})
  OR EXISTS (SELECT 1 FROM ${reports} AS ${r} WHERE ${r.picture} = ${avatarId})
)`;
