import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { notifications, reportCases, users } from "#db/schema";
import { newsKinds } from "#db/sql";
import { STAFF_KINDS } from "#db/words/news-kinds";
import type { ReportKind } from "#db/words/report-kinds";
import type { UrgentReason } from "#db/words/report-reasons";
import { notify, resolveOutdated } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { DAY } from "~/platform/dates/durations";
import { maySettleAs } from "./settling.server";

/* News for moderators and admins: an urgent case, and cases that have waited for a day. */

const c = alias(reportCases, "c");
const oldest = alias(reportCases, "oldest");
const staff = alias(users, "staff");
const told = alias(notifications, "told");

/** The subject of the notification that cases are waiting. */
export const QUEUE_NEWS = subjectOf("queue", "open");

/** The number of oldest open cases that `notifyWaitingCases` searches for one that a moderator may decide. */
const SEARCHED = 100;

/** True if the oldest open case has waited for a day. */
const hasWaited = (now: Date): SQL => sql`coalesce((
    SELECT ${oldest.createdAt} FROM ${reportCases} AS ${oldest} WHERE ${oldest.state} = 'open'
    ORDER BY ${oldest.id} LIMIT 1
  ) <= ${now.getTime() - DAY}, 0)`;

/**
 * Builds the statement that announces an urgent case to everyone who may decide it.
 * @param theCase `SELECT id` of the case if it is about to become urgent; empty otherwise
 */
export const notifyUrgentCase = (db: Database, theCase: SQL, kind: ReportKind, reason: UrgentReason, now: Date) =>
  notify(db, {
    kind: "case-urgent",
    subject: subjectSql("case", sql`to_tell.case_id`),
    data: sql`json_object('kind', ${kind}, 'reason', ${reason})`,
    recipients: sql`
      SELECT ${staff.id} AS user_id, ${c.id} AS case_id FROM ${reportCases} AS ${c}, ${users} AS ${staff}
      WHERE ${c.id} = (${theCase}) AND ${staff.role} IS NOT NULL AND ${maySettleAs(staff, now, c)}`,
    now: now.getTime(),
  });

/** `SELECT userId` of those who have unread news of an urgent case. @param theCase `SELECT id` of the case */
export const selectUrgentReaders = (theCase: SQL): SQL => sql`
  SELECT ${told.userId} AS userId FROM ${users} AS ${staff} JOIN ${notifications} AS ${told}
    ON ${told.userId} = ${staff.id} AND ${told.kind} = ${newsKinds("case-urgent")}
    AND ${told.subject} = ${subjectSql("case", sql`(${theCase})`)}
  WHERE ${staff.role} IS NOT NULL AND ${told.readAt} IS NULL`;

/**
 * Notifies moderators if one of the oldest cases has waited for a day and they may decide it, unless they were told so
 * in the last 24 hours. Called by the cron job.
 */
export const notifyWaitingCases = (db: Database, now: Date) =>
  notify(db, {
    kind: "case-waiting",
    subject: QUEUE_NEWS,
    data: sql`'{}'`,
    recipients: sql`
      SELECT ${staff.id} AS user_id FROM ${users} AS ${staff}
      WHERE ${staff.role} IS NOT NULL AND ${hasWaited(now)}
        AND NOT EXISTS (SELECT 1 FROM ${notifications} AS ${told} WHERE ${told.userId} = ${staff.id}
          AND ${told.kind} = ${newsKinds("case-waiting")} AND ${told.subject} = ${QUEUE_NEWS}
          AND ${told.createdAt} > ${now.getTime() - DAY})
        AND EXISTS (
          SELECT 1 FROM (SELECT * FROM ${reportCases} WHERE ${reportCases.state} = 'open'
            ORDER BY ${reportCases.id} LIMIT ${SEARCHED}) AS ${c}
          WHERE ${c.createdAt} <= ${now.getTime() - DAY} AND ${maySettleAs(staff, now, c)}
        )`,
    now: now.getTime(),
  });

/**
 * Builds the statement that marks the news about a case as read: for everyone if the case is now closed, otherwise for
 * those who may no longer decide it. If no open case has waited for a day, it also marks their
 * notification that cases are waiting as read. Run it after the statements that close the case, hand it over or add a
 * moderator's report.
 * @param caseId the case; as an SQL expression, it may find none
 * @param condition SQL condition that these statements took effect
 */
export const resolveCaseNews = (db: Database, caseId: string | SQL, now: Date, condition: SQL) =>
  resolveOutdated(
    db,
    sql`${notifications.userId} IN (
        SELECT ${staff.id} FROM ${reportCases} AS ${c}, ${users} AS ${staff}
        WHERE ${c.id} = ${caseId} AND ${staff.role} IS NOT NULL
          AND (${c.state} = 'closed' OR NOT ${maySettleAs(staff, now, c)})
      )
      AND ${notifications.subject} IN (${subjectSql("case", sql`${caseId}`)}, iif(${hasWaited(now)}, NULL, ${QUEUE_NEWS}))
      AND ${condition}`,
    now.getTime(),
  );

/**
 * Builds the statement for an admin who becomes a moderator: it marks their news of cases handed to the admins as read.
 */
export const resolveAdminNews = (db: Database, userId: string, now: Date, condition: SQL) =>
  resolveOutdated(
    db,
    sql`${notifications.userId} = ${userId} AND ${notifications.subject} IN (
        SELECT ${subjectSql("case", c.id)} FROM ${reportCases} AS ${c}
        WHERE ${c.state} = 'open' AND ${c.isForAdmin} = 1
      ) AND ${condition}`,
    now.getTime(),
  );

/** Builds the statement that deletes all staff notifications (`STAFF_KINDS`) of a player who loses their role. */
export const forgetStaffNews = (db: Database, userId: string, condition: SQL) =>
  db.run(sql`DELETE FROM ${notifications} WHERE ${notifications.userId} = ${userId}
    AND ${notifications.kind} IN (${newsKinds(...STAFF_KINDS)}) AND ${condition}`);
