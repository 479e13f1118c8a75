import { sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { reportCases, reports } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { type ReportReason, URGENT_REASONS } from "#db/words/report-reasons";
import { notifyUrgentCase, resolveCaseNews, selectUrgentReaders } from "~/features/moderation/shared/staff-news.server";
import { tellModerators, tellUnread, userIdsOf } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { deliverDueEmails, enqueueEmailIf } from "~/platform/email/outbox.server";
import { recipientOf } from "~/platform/limits/recipient.server";
import { prepareUses } from "~/platform/limits/uses.server";
import { reportEmail } from "./emails";
import { isOpenCaseOf, openCase } from "./shared/open-case.server";
import { type Subject, selectSubject } from "./shared/subjects.server";

const c = alias(reportCases, "c");
const r = alias(reports, "r");
const s = sql.identifier("subject");

/** A report, as its form submits it. */
interface Report {
  id: string;
  reason: ReportReason;
  details: string | null;
}

/** The state of a sent report at the end of its transaction. */
interface Found {
  isTaken: number;
  /**
   * Whether the report opened its case, in this transaction or an earlier one; null if no report with this id, reporter
   * and text is stored.
   */
  hasOpened: number | null;
  isInCase: number;
}

/**
 * The sender of a report: a player, perhaps a moderator or admin, or a visitor with the name and address they entered,
 * if any.
 */
export type Reporter =
  | { userId: string; email: string; isStaff: boolean }
  | { userId: null; name: string | null; email: string | null };

/**
 * Reports a subject to the moderators, in one transaction: opens its case with a snapshot if it has none, adds the
 * report, and puts a confirmation into the outbox. If the case already has a report by this reporter, from this form or
 * another one, the new reason and details replace the old ones, except that missing details keep the old ones; sending
 * the same form twice changes nothing. Beyond the recipient's email limit, the report is stored without a confirmation,
 * so that nobody can stop someone else from reporting by entering their address. One of the `URGENT_REASONS` makes the
 * case urgent for good. The moderators who may decide it are notified when it becomes urgent. If a moderator reports
 * the subject, their news of the case is marked as read, because someone else has to decide it.
 * @param isShown whether the caller has just found that the reporter can see the subject. A subject that is gone or
 *   hidden by now can't be reported, but a report that was sent before still counts as sent
 * @returns `missing` if the subject doesn't exist, the reporter can't see it, or it is their own; `used` if the form's
 *   id belongs to another report, or to one with a different text in a case that has since been closed
 */
export async function sendReport(
  context: RequestContext,
  subject: Subject,
  { id, reason, details }: Report,
  reporter: Reporter,
  isShown: boolean,
): Promise<"sent" | "missing" | "used"> {
  const { db, now } = context;
  const at = now.getTime();
  const { userId, email: recipient } = reporter;
  const isStaff = reporter.userId !== null && reporter.isStaff;
  // A player's name and address stay in their account.
  const { name, email } = reporter.userId === null ? reporter : { name: null, email: null };
  const source = selectSubject(subject, userId);
  const isTaken = sql`EXISTS (SELECT 1 FROM ${reports} AS ${r} WHERE ${r.id} = ${id})`;
  const isByReporter =
    userId === null
      ? sql`(${r.reporterId} IS NULL AND ${r.reporterEmail} IS ${email} AND (${email} IS NOT NULL OR ${r.id} = ${id}))`
      : sql`${r.reporterId} = ${userId}`;
  const hasReported = sql`EXISTS (SELECT 1 FROM ${reports} AS ${r} WHERE ${r.caseId} = ${c.id} AND ${isByReporter})`;
  // Becomes false once `add` has stored the report.
  const isNew = sql`(NOT ${isTaken} AND EXISTS (
    SELECT 1 FROM ${reportCases} AS ${c} WHERE ${isOpenCaseOf(c, subject)} AND NOT ${hasReported}
  ) AND EXISTS (${source}))`;
  const hasNewWords = sql`EXISTS (
    SELECT 1 FROM ${reports} AS ${r} WHERE ${r.id} = ${id} AND ${r.caseId} = ${reportCases.id} AND ${isByReporter}
      AND (${r.reason} <> ${reason} OR ${r.details} IS NOT coalesce(${details}, ${r.details}))
  )`;
  const urgent = URGENT_REASONS.find((one) => one === reason);
  const newlyUrgent = sql`
    SELECT ${c.id} FROM ${reportCases} AS ${c} WHERE ${isOpenCaseOf(c, subject)} AND NOT ${c.isUrgent} AND EXISTS (
      SELECT 1 FROM ${reports} AS ${r} WHERE ${r.caseId} = ${c.id} AND ${isByReporter} AND ${r.reason} = ${reason}
    )`;
  const limit = recipient === null ? null : prepareUses(context, [["reportEmailTo", recipientOf(recipient)]]);
  const statements = {
    counts: limit?.counts,
    open: openCase(db, subject, sql`SELECT * FROM (${source}) WHERE NOT ${isTaken}`, now),
    // A report that replaces an earlier one isn't counted, but it is news to the moderators. So is a changed text.
    count: db.run(sql`
      UPDATE ${reportCases} SET ${bare(reportCases.reportCount)} = ${reportCases.reportCount} + ${isNew},
        ${bare(reportCases.updatedAt)} = ${at}
      WHERE ${isOpenCaseOf(reportCases, subject)} AND (NOT ${isTaken} OR ${hasNewWords}) AND EXISTS (${source})`),
    email:
      recipient !== null && limit !== null
        ? enqueueEmailIf(
            context,
            sql`${isNew} AND ${limit.isAllowed}`,
            reportEmail(recipient, subject.kind, userId === null),
          )
        : undefined,
    add: db.run(sql`
      INSERT INTO ${reports} ${columnsOf(
        reports,
        "id",
        "caseId",
        "reporterId",
        "reporterName",
        "reporterEmail",
        "reason",
        "details",
        "snapshot",
        "picture",
        "createdAt",
      )}
      SELECT ${id}, ${c.id}, ${userId}, ${name}, ${email}, ${reason}, ${details}, nullif(${s}.snapshot, ${c.snapshot}),
        nullif(${s}.picture, ${c.picture}), ${at}
      FROM ${reportCases} AS ${c}, (${source}) AS ${s} WHERE ${isOpenCaseOf(c, subject)}
      ON CONFLICT ${columnsOf(reports, "id")} DO UPDATE SET ${NEW_WORDS} WHERE ${IS_SAME_REPORT}
      ON CONFLICT ${columnsOf(reports, "caseId", "reporterId")} DO UPDATE SET ${NEW_WORDS}, ${NEW_VERSION}
      ON CONFLICT ${columnsOf(reports, "caseId", "reporterEmail")} DO UPDATE SET ${NEW_WORDS}, ${NEW_VERSION}`),
    // After `add`, so that the reporter isn't among those who may decide the case.
    news: urgent && notifyUrgentCase(db, newlyUrgent, subject.kind, urgent, now),
    urgent:
      urgent &&
      db.run(sql`UPDATE ${reportCases} SET ${bare(reportCases.isUrgent)} = 1
        WHERE ${reportCases.id} = (${newlyUrgent})`),
    resolved: isStaff
      ? resolveCaseNews(
          db,
          sql`(SELECT ${c.id} FROM ${reportCases} AS ${c} WHERE ${isOpenCaseOf(c, subject)} AND ${hasReported})`,
          now,
          sql`1`,
        )
      : undefined,
    // Lists the moderators with unread news, even if this transaction notified none of them: an earlier one may have
    // done so, and its response may have been lost.
    told:
      urgent &&
      db.all<{ userId: string }>(
        selectUrgentReaders(sql`SELECT ${c.id} FROM ${reportCases} AS ${c}
          WHERE ${isOpenCaseOf(c, subject)} AND ${hasReported}`),
      ),
    found: db.all<Found>(sql`
      SELECT ${isTaken} AS isTaken,
        (
          SELECT ${r.createdAt} = ${c.createdAt}
          FROM ${reports} AS ${r} JOIN ${reportCases} AS ${c} ON ${c.id} = ${r.caseId}
          WHERE ${r.id} = ${id} AND ${isByReporter} AND ${c.kind} = ${subject.kind} AND ${c.subjectId} = ${subject.id}
            AND ${r.reason} = ${reason} AND ${r.details} IS coalesce(${details}, ${r.details})
        ) AS hasOpened,
        EXISTS (SELECT 1 FROM ${reportCases} AS ${c} WHERE ${isOpenCaseOf(c, subject)} AND ${hasReported}) AS isInCase`),
  };
  const {
    told = [],
    found: [found],
  } = await transact(db, statements);
  if (found?.hasOpened) tellModerators(context);
  // Updates the reporter's tabs even if this transaction resolved nothing: an earlier one may have done so, and its
  // response may have been lost.
  tellUnread(context, ...userIdsOf(told), ...(isStaff ? [reporter.userId] : []));
  if (recipient !== null) context.defer(() => deliverDueEmails(context));
  if (found?.isTaken && found.hasOpened !== null) return "sent";
  if (!isShown) return "missing";
  if (found?.isTaken) return "used";
  return found?.isInCase ? "sent" : "missing";
}

const unlessMissing = (column: SQLiteColumn) => sql`${bare(column)} = coalesce(excluded.${bare(column)}, ${column})`;

/** Replaces the reason and details of a reporter's earlier report. Missing details leave the old ones in place. */
const NEW_WORDS = sql`${bare(reports.reason)} = excluded.${bare(reports.reason)}, ${unlessMissing(reports.details)}`;

/** Also replaces the version that the reporter saw, unless it is the case's. The same form shows the same version. */
const NEW_VERSION = sql`${unlessMissing(reports.snapshot)}, ${unlessMissing(reports.picture)}`;

/** Whether the form's id belongs to a report by the same reporter in the same case. */
const IS_SAME_REPORT = sql.join(
  [reports.caseId, reports.reporterId, reports.reporterEmail].map(
    (column) => sql`${column} IS excluded.${bare(column)}`,
  ),
  sql` AND `,
);
