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

/** Holds while an appeal waits that is about the thing of an original `old`. */
const isAppealed = sql`EXISTS (
  SELECT 1 FROM ${reportCases} AS ${c} JOIN ${decisions} AS ${d} ON ${d.caseId} = ${c.id}
  JOIN ${appeals} AS ${a} ON ${a.decisionId} = ${d.id}
  WHERE ${c.kind} = ${old.kind} AND ${c.subjectId} = ${old.subjectId} AND ${a.outcome} IS NULL
)`;

/**
 * Deletes the originals of things that were hidden and not restored, once the decision can't be appealed any more and no
 * appeal waits; called by the cron job. The things stay hidden. What `expireOriginal` has left of an erased player goes
 * at once.
 * @param limit the most originals in one run
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
