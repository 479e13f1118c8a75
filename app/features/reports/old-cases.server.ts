import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, reportCases, reports } from "#db/schema";
import { transact } from "#db/statements";
import { CASE_KEPT } from "./rules";
import { evidenceKey, listReportedPictures } from "./shared/reported-pictures.server";

const old = alias(reportCases, "old");
const r = alias(reports, "r");

/**
 * Deletes cases that were closed 90 days ago, with their reports; called by the cron job.
 * @param limit the most cases in one run
 * @returns the bucket's keys of their pictures that nothing needs any more
 */
export async function deleteOldCases(db: Database, now: Date, limit: number): Promise<string[]> {
  const due = sql`SELECT ${old.id} FROM ${reportCases} AS ${old}
    WHERE ${old.closedAt} <= ${now.getTime() - CASE_KEPT} ORDER BY ${old.closedAt} LIMIT ${limit}`;
  const { shown } = await transact(db, {
    shown: db.all<{ picture: string }>(sql`
      SELECT ${reportCases.picture} AS picture FROM ${reportCases}
        WHERE ${reportCases.id} IN (${due}) AND ${reportCases.picture} IS NOT NULL
      UNION ALL
      SELECT ${r.picture} FROM ${reports} AS ${r} WHERE ${r.caseId} IN (${due}) AND ${r.picture} IS NOT NULL`),
    deleted: db.run(sql`DELETE FROM ${reportCases} WHERE ${reportCases.id} IN (${due})`),
  });
  if (shown.length === 0) return [];
  const pictures = [...new Set(shown.map(({ picture }) => picture))];
  const [reported, worn] = await Promise.all([
    listReportedPictures(db, pictures),
    db.all<{ id: string }>(sql`SELECT ${profiles.avatarId} AS id FROM ${profiles}
      WHERE ${profiles.avatarId} IN (SELECT value FROM json_each(${JSON.stringify(pictures)}))`),
  ]);
  const isWorn = (picture: string) => worn.some(({ id }) => id === picture);
  // An operator's `erase` leaves a reported picture under its own key.
  return pictures
    .filter((picture) => !reported.includes(picture))
    .flatMap((picture) => [evidenceKey(picture), ...(isWorn(picture) ? [] : [picture])]);
}
