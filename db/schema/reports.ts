import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique, uniqueIndex } from "drizzle-orm/sqlite-core";
import { FINDINGS } from "../words/findings";
import { REPORT_KINDS } from "../words/report-kinds";
import { REPORT_REASONS } from "../words/report-reasons";
import { users } from "./accounts";
import { id, moment, oneOf } from "./columns";

const CASE_STATES = ["open", "closed"] as const;

/** The parts of a reported thing that its readers saw, by name: JSON that `selectSubject` writes. */
export type Snapshot = Record<string, unknown>;

/**
 * A case: everything that moderators need to know to decide about one reported thing. All reports of the thing belong
 * to its open case. A case has no foreign key to the thing or its player, so that it outlives both.
 */
export const reportCases = sqliteTable(
  "report_cases",
  {
    id: id(),
    kind: text("kind", { enum: REPORT_KINDS }).notNull(),
    subjectId: text("subject_id").notNull(),
    /** The player who wrote it; null if their account was gone already. */
    playerId: text("player_id"),
    state: text("state", { enum: CASE_STATES }).notNull().default("open"),
    reportCount: integer("report_count").notNull().default(0),
    /** Whether an automatic check put it here; people may have reported it as well. */
    isFlagged: integer("is_flagged", { mode: "boolean" }).notNull().default(false),
    /** The thing as it was when the case was opened, and a few messages before it. Holds no address and no token. */
    snapshot: text("snapshot", { mode: "json" }).$type<Snapshot>().notNull(),
    /** The key of the profile's picture at that moment; the bucket keeps the picture as long as a row names it. */
    picture: text("picture"),
    createdAt: moment("created_at").notNull(),
    /** When it was last reported, or when an automatic check first flagged it, whichever is later. */
    updatedAt: moment("updated_at").notNull(),
    closedAt: moment("closed_at"),
    /**
     * When the cron job next checks whether to delete snapshot, reports and notes, and later the row. Null until its
     * first check, 90 days after the case was closed.
     */
    dueAt: moment("due_at"),
    /** The assigned moderator; any other may still decide it. */
    assignedTo: text("assigned_to"),
    /** Whether a moderator has handed it to the admins. */
    isForAdmin: integer("is_for_admin", { mode: "boolean" }).notNull().default(false),
    /** Whether it has had a report with one of the `URGENT_REASONS`. */
    isUrgent: integer("is_urgent", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    uniqueIndex("report_cases_one_open").on(table.kind, table.subjectId).where(sql`state = 'open'`),
    index("report_cases_by_subject").on(table.kind, table.subjectId),
    index("report_cases_open").on(table.id).where(sql`state = 'open'`),
    // One index for each filter of the queue, in its order: urgent cases first.
    index("report_cases_open_by_urgency").on(sql`is_urgent DESC`, table.id).where(sql`state = 'open'`),
    index("report_cases_open_by_kind").on(table.kind, sql`is_urgent DESC`, table.id).where(sql`state = 'open'`),
    index("report_cases_open_flagged").on(sql`is_urgent DESC`, table.id).where(sql`state = 'open' AND is_flagged = 1`),
    index("report_cases_open_for_admin")
      .on(sql`is_urgent DESC`, table.id)
      .where(sql`state = 'open' AND is_for_admin = 1`),
    index("report_cases_open_by_reports").on(sql`report_count DESC`, table.id).where(sql`state = 'open'`),
    index("report_cases_assigned")
      .on(table.assignedTo, sql`is_urgent DESC`, table.id)
      .where(sql`state = 'open' AND assigned_to IS NOT NULL`),
    index("report_cases_by_player").on(table.playerId, sql`id DESC`).where(sql`player_id IS NOT NULL`),
    index("report_cases_newest_closed").on(sql`id DESC`).where(sql`state = 'closed'`),
    index("report_cases_closed").on(table.closedAt).where(sql`closed_at IS NOT NULL AND due_at IS NULL`),
    index("report_cases_due").on(table.dueAt).where(sql`due_at IS NOT NULL`),
    index("report_cases_by_picture").on(table.picture).where(sql`picture IS NOT NULL`),
    check("report_cases_kind", oneOf(table.kind, REPORT_KINDS)),
    check("report_cases_state", oneOf(table.state, CASE_STATES)),
    check("report_cases_closed_state", sql`(state = 'closed') = (closed_at IS NOT NULL)`),
    check("report_cases_snapshot", sql`length(snapshot) <= 65536`),
  ],
);

/** One person's report; one per person and case. */
export const reports = sqliteTable(
  "reports",
  {
    id: id(),
    caseId: text("case_id")
      .notNull()
      .references(() => reportCases.id, { onDelete: "cascade" }),
    /** Null for visitors without an account, and once the account is deleted. */
    reporterId: text("reporter_id").references(() => users.id, { onDelete: "set null" }),
    /** The name and address that a visitor has typed; they may leave both out of a report of child abuse. */
    reporterName: text("reporter_name"),
    reporterEmail: text("reporter_email"),
    reason: text("reason", { enum: REPORT_REASONS }).notNull(),
    /** The reporter's explanation. */
    details: text("details"),
    /** The thing as this reporter saw it, if it had changed since the case was opened. */
    snapshot: text("snapshot", { mode: "json" }).$type<Snapshot>(),
    /** The key of the picture that this reporter saw, if it is not the case's. */
    picture: text("picture"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    unique("reports_once").on(table.caseId, table.reporterId),
    unique("reports_once_by_email").on(table.caseId, table.reporterEmail),
    index("reports_by_reporter").on(table.reporterId),
    index("reports_by_email").on(table.reporterEmail).where(sql`reporter_email IS NOT NULL`),
    index("reports_by_picture").on(table.picture).where(sql`picture IS NOT NULL`),
    check("reports_reason", oneOf(table.reason, REPORT_REASONS)),
    check("reports_details", sql`details IS NULL OR length(details) BETWEEN 1 AND 2000`),
    check("reports_guest", sql`length(reporter_name) <= 100 AND length(reporter_email) <= 254`),
    check("reports_snapshot", sql`length(snapshot) <= 65536`),
  ],
);

/** A finding of the automatic checks in a flagged case: one row per rule and field. */
export const caseFindings = sqliteTable(
  "case_findings",
  {
    caseId: text("case_id")
      .notNull()
      .references(() => reportCases.id, { onDelete: "cascade" }),
    /** The part of the snapshot in which it was found. */
    field: text("field").notNull(),
    finding: text("finding", { enum: FINDINGS }).notNull(),
    /** The first five words or addresses that were found, as they were written. */
    matches: text("matches", { mode: "json" }).$type<string[]>().notNull(),
    /** The thing as it was checked, if it had changed since the case was opened. */
    snapshot: text("snapshot", { mode: "json" }).$type<Snapshot>(),
    foundAt: moment("found_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.caseId, table.field, table.finding] }),
    check("case_findings_finding", oneOf(table.finding, FINDINGS)),
    check("case_findings_matches", sql`length(matches) <= 4096`),
    check("case_findings_snapshot", sql`length(snapshot) <= 65536`),
  ],
);
