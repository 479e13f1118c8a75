import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { reportCases, reports } from "#db/schema";

const c = alias(reportCases, "c");
const r = alias(reports, "r");

/**
 * Returns the bucket's key of a reported picture that its player has replaced or removed. `/avatars` doesn't serve such
 * keys.
 * @param avatarId as in `report_cases.picture`
 */
export const evidenceKey = (avatarId: string): string => `reported/${avatarId}`;

/** Returns those of the given pictures that a case or a report shows. */
export async function listReportedPictures(db: Database, avatarIds: readonly string[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT value AS id FROM json_each(${JSON.stringify(avatarIds)})
    WHERE EXISTS (SELECT 1 FROM ${reportCases} AS ${c} WHERE ${c.picture} = value)
      OR EXISTS (SELECT 1 FROM ${reports} AS ${r} WHERE ${r.picture} = value)`);
  return rows.map(({ id }) => id);
}
