import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { reports, userFeedback } from "#db/schema";

const mine = alias(reports, "mine");
const review = alias(userFeedback, "review");

/** Columns of `report_cases`, or of a query's alias for it. */
export type CaseColumns = Record<"id" | "kind" | "subjectId" | "snapshot", SQLiteColumn>;

/** Whether a player has reported a case; never NULL. @param userId null for operators, who have no account */
export const hasReported = (userId: string | SQLWrapper | null, { id }: Pick<CaseColumns, "id">): SQL<number> =>
  userId === null
    ? sql`0`
    : sql`EXISTS (SELECT 1 FROM ${reports} AS ${mine} WHERE ${mine.caseId} = ${id} AND ${mine.reporterId} = ${userId})`;

/** Whether a case is about a review of a player, even if the review is gone; never NULL. */
export const isReviewOf = (
  userId: string | SQLWrapper | null,
  { kind, subjectId, snapshot }: CaseColumns,
): SQL<number> =>
  userId === null
    ? sql`0`
    : sql`(${kind} = ${"review"} AND (json_extract(${snapshot}, '$.aboutId') IS ${userId} OR EXISTS (
        SELECT 1 FROM ${userFeedback} AS ${review} WHERE ${review.id} = ${subjectId} AND ${review.reviewedId} = ${userId}
      )))`;
