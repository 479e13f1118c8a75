import { and, asc, eq, getTableColumns } from "drizzle-orm";
import { reportCases, reports } from "../../db/schema";
import type { ReportKind } from "../../db/words/report-kinds";
import type { TestApp } from "../support/app";

/** Test helpers for the reports of an app. */
export function reportsIn(app: TestApp) {
  const { kind, subjectId, playerId, state, reportCount, snapshot, picture } = reportCases;
  const select = () =>
    app.db
      .select({
        ...getTableColumns(reports),
        ...{ kind, subjectId, playerId, state, reportCount, snapshot, picture },
        ownSnapshot: reports.snapshot,
        ownPicture: reports.picture,
      })
      .from(reports)
      .innerJoin(reportCases, eq(reportCases.id, reports.caseId));
  return {
    /** A player's reports, each with its case. */
    reportsBy: (userId: string) => select().where(eq(reports.reporterId, userId)).orderBy(asc(reports.id)),
    /** The reports of one thing, each with its case. */
    reportsOf: (of: ReportKind, id: string) =>
      select()
        .where(and(eq(kind, of), eq(subjectId, id)))
        .orderBy(asc(reports.createdAt)),
    /** The cases of one thing. */
    casesOf: (of: ReportKind, id: string) =>
      app.db
        .select()
        .from(reportCases)
        .where(and(eq(kind, of), eq(subjectId, id))),
  };
}
