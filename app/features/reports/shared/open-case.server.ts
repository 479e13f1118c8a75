import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { reportCases } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { ReportKind } from "#db/words/report-kinds";

const s = sql.identifier("subject");

/** Builds the condition for the open case of a subject. @param cases the query's name for `report_cases` */
export const isOpenCaseOf = (
  cases: { kind: SQLiteColumn; subjectId: SQLiteColumn; state: SQLiteColumn },
  { kind, id }: { kind: ReportKind; id: string },
): SQL => sql`(${cases.kind} = ${kind} AND ${cases.subjectId} = ${id} AND ${cases.state} = 'open')`;

/**
 * Builds the statement that opens a subject's case. A case that is open already keeps its snapshot.
 * @param source `SELECT writer, picture, snapshot` of the subject, as `selectSubject` builds it. If it finds no row, no
 *   case is opened
 * @param isFlagged whether our checks put the case on the queue. A case that is already open becomes flagged as well
 */
export function openCase(
  db: Database,
  { kind, id }: { kind: ReportKind; id: string },
  source: SQL,
  now: Date,
  isFlagged = false,
) {
  const at = now.getTime();
  const orElse = isFlagged
    ? sql`UPDATE SET ${bare(reportCases.isFlagged)} = 1, ${bare(reportCases.updatedAt)} = ${at}
        WHERE ${reportCases.isFlagged} = 0`
    : sql`NOTHING`;
  return db.run(sql`
    INSERT INTO ${reportCases} ${columnsOf(
      reportCases,
      "id",
      "kind",
      "subjectId",
      "playerId",
      "isFlagged",
      "snapshot",
      "picture",
      "createdAt",
      "updatedAt",
    )}
    SELECT ${uuidv7(at)}, ${kind}, ${id}, ${s}.writer, ${isFlagged ? 1 : 0}, ${s}.snapshot, ${s}.picture, ${at}, ${at}
    FROM (${source}) AS ${s} WHERE 1
    ON CONFLICT ${columnsOf(reportCases, "kind", "subjectId")} WHERE state = 'open' DO ${orElse}`);
}
