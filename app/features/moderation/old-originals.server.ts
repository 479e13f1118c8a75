import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { appeals, decisions, hiddenOriginals, reportCases } from "#db/schema";
import { transact } from "#db/statements";
import { notePictures } from "~/features/follow-ups/shared/note.server";
import { APPEAL_PERIOD } from "./appeals/rules";

const a = alias(appeals, "a");
const c = alias(reportCases, "c");
const d = alias(decisions, "d");
const old = alias(hiddenOriginals, "old");

/** True while an appeal is waiting about the thing to which the row `old` belongs. */
const isAppealed = sql`EXISTS (
  SELECT 1 FROM ${reportCases} AS ${c} JOIN ${decisions} AS ${d} ON ${d.caseId} = ${c.id}
  JOIN ${appeals} AS ${a} ON ${a.decisionId} = ${d.id}
  WHERE ${c.kind} = ${old.kind} AND ${c.subjectId} = ${old.subjectId} AND ${a.outcome} IS NULL
)`;

/**
 * Deletes the originals of hidden things once the decision can no longer be appealed and no appeal is waiting; called
 * by the cron job. `carryOutFollowUp` deletes the pictures among them afterwards. The things stay hidden.
 * @param limit maximum number of originals per run
 */
export async function deleteOldOriginals(db: Database, now: Date, limit: number): Promise<void> {
  const due = sql`(
    SELECT ${old.kind}, ${old.subjectId} FROM ${hiddenOriginals} AS ${old}
    WHERE ${old.createdAt} <= ${now.getTime() - APPEAL_PERIOD} AND NOT ${isAppealed}
    ORDER BY ${old.createdAt} LIMIT ${limit}
  )`;
  const isDue = sql`(${hiddenOriginals.kind}, ${hiddenOriginals.subjectId}) IN ${due}`;
  const picture = sql`json_extract(${hiddenOriginals.original}, '$.avatarId')`;
  await transact(db, {
    followUps: notePictures(
      db,
      sql`SELECT ${hiddenOriginals.subjectId} AS subject, ${picture} AS picture FROM ${hiddenOriginals}
        WHERE ${isDue} AND ${picture} IS NOT NULL`,
      now,
    ),
    deleted: db.run(sql`DELETE FROM ${hiddenOriginals} WHERE ${isDue}`),
  });
}
