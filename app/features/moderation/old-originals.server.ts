import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { appeals, decisions, hiddenOriginals, reportCases } from "#db/schema";
import { hiddenKey } from "~/features/players/shared/hidden-picture.server";
import { APPEAL_PERIOD } from "./appeals/rules";

const a = alias(appeals, "a");
const c = alias(reportCases, "c");
const d = alias(decisions, "d");
const old = alias(hiddenOriginals, "old");

/** Holds while an appeal about the thing of the original `old` is waiting. */
const isAppealed = sql`EXISTS (
  SELECT 1 FROM ${reportCases} AS ${c} JOIN ${decisions} AS ${d} ON ${d.caseId} = ${c.id}
  JOIN ${appeals} AS ${a} ON ${a.decisionId} = ${d.id}
  WHERE ${c.kind} = ${old.kind} AND ${c.subjectId} = ${old.subjectId} AND ${a.outcome} IS NULL
)`;

/**
 * Deletes the originals of hidden things once the decision can no longer be appealed and no appeal is waiting; called
 * by the cron job. The things stay hidden. The remains that `expireOriginal` leaves of an erased player are deleted at
 * once.
 * @param limit maximum number of originals per run
 * @returns the keys of their pictures in the bucket
 */
export async function deleteOldOriginals(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db.all<{ avatarId: string | null }>(sql`
    DELETE FROM ${hiddenOriginals} WHERE (${hiddenOriginals.kind}, ${hiddenOriginals.subjectId}) IN (
      SELECT ${old.kind}, ${old.subjectId} FROM ${hiddenOriginals} AS ${old}
      WHERE ${old.createdAt} <= ${now.getTime() - APPEAL_PERIOD} AND (${old.createdAt} = 0 OR NOT ${isAppealed})
      ORDER BY ${old.createdAt} LIMIT ${limit}
    ) RETURNING json_extract(${hiddenOriginals.original}, '$.avatarId') AS avatarId`);
  return rows.flatMap(({ avatarId }) => (avatarId === null ? [] : [hiddenKey(avatarId)]));
}
