import { asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isCaseShownTo } from "#db/cases";
import type { Database } from "#db/client";
import {
  caseFindings,
  caseNotes,
  decisions,
  reportCases,
  reports,
  restrictions,
  type Snapshot,
  users,
} from "#db/schema";
import { decisionActions } from "#db/sql";
import { DECISION_ACTIONS } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import { type ReportReason, URGENT_REASONS } from "#db/words/report-reasons";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import type { StaffRole } from "#db/words/staff-roles";
import { nameOf } from "~/features/players/shared/name.server";
import { selectCurrentSubject } from "~/features/reports/shared/subjects.server";
import { DAY } from "~/platform/dates/durations";
import type { DecidedCase } from "../decisions/decision";
import { findsFault } from "../rules";
import { digestEvidence } from "../shared/evidence-digest.server";
import { hasReported, isReviewOf } from "../shared/involvement.server";
import { laterEvidence } from "../shared/later-evidence.server";
import { latestDecision, selectStanding } from "../shared/latest-decision.server";
import type { LaterEvidence } from "../shared/statement";

const c = alias(reportCases, "c");
const counted = alias(reportCases, "counted");
const d = alias(decisions, "d");
const p = alias(users, "p");
const r = alias(reports, "r");
const sent = alias(reports, "sent");

/** Maximum number of reports, of notes, of decisions and of findings that a case shows. */
const SHOWN = 100;
/** Maximum number of other cases and decisions about the player that a case shows. */
const OTHERS_SHOWN = 10;
/** Number of a player's latest cases or reports that their record counts. */
const COUNTED = 50;

/**
 * Counts of a player's latest cases, up to `COUNTED`: either those about the player or those that they reported.
 * `decided` counts the closed ones, and `upheld` those with a standing decision that found a fault.
 */
export interface TrackRecord {
  total: number;
  decided: number;
  upheld: number;
}

/** True for a case with a standing decision that found a fault. @param caseId as an SQL expression */
const isUpheld = (caseId: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${d} WHERE ${d.caseId} = ${caseId} AND ${d.undoneBy} IS NULL
    AND ${d.action} IN (${decisionActions(...DECISION_ACTIONS.filter(findsFault))})
)`;

/** Reads the record of a player's cases, as JSON. @param source selects columns `id` and `state` of cases */
const recordOf = (source: SQL): SQL => sql`(
  SELECT json_object('total', count(*), 'decided', coalesce(sum(one.state = 'closed'), 0),
    'upheld', coalesce(sum(${isUpheld(sql`one.id`)}), 0))
  FROM (${source} LIMIT ${COUNTED}) AS one
)`;

/** The record of the cases about a player. */
const recordAbout = (userId: SQL): SQL =>
  recordOf(sql`SELECT ${counted.id} AS id, ${counted.state} AS state FROM ${reportCases} AS ${counted}
    WHERE ${counted.playerId} = ${userId} ORDER BY ${counted.id} DESC`);

/** The record of a player's own reports. */
const recordBy = (userId: SQL): SQL =>
  recordOf(sql`SELECT ${counted.id} AS id, ${counted.state} AS state FROM ${reports} AS ${sent}
    JOIN ${reportCases} AS ${counted} ON ${counted.id} = ${sent.caseId} WHERE ${sent.reporterId} = ${userId} ORDER BY sent.rowid DESC`);

/** True for a report that makes its case urgent. */
const isUrgent = sql`${r.reason} IN ${URGENT_REASONS}`;

/**
 * Selects the reports that a case shows: the urgent ones, then those from the day before the case last changed, then
 * others. Doesn't sort them, because no index has their times. If few are urgent, all of the case's reports are read.
 */
function selectShownReports(id: string): SQL {
  const isRecent = sql`${r.createdAt} > (
    SELECT ${c.updatedAt} - ${DAY} FROM ${reportCases} AS ${c} WHERE ${c.id} = ${id}
  )`;
  const select = (condition: SQL) => sql`SELECT * FROM ${reports} AS ${r} WHERE ${r.caseId} = ${id} AND ${condition}`;
  return sql`${select(isUrgent)} UNION ALL ${select(sql`NOT ${isUrgent} AND ${isRecent}`)}
    UNION ALL ${select(sql`NOT ${isUrgent} AND NOT ${isRecent}`)} LIMIT ${SHOWN}`;
}

/** Sorts reports: the urgent ones first, then the latest. */
const inOrder = (one: { isUrgent: number; createdAt: number }, other: typeof one): number =>
  other.isUrgent - one.isUrgent || other.createdAt - one.createdAt;

/** A case with its player, as its page shows it. */
interface CaseRow {
  id: string;
  kind: ReportKind;
  subjectId: string;
  playerId: string | null;
  state: "open" | "closed";
  reportCount: number;
  isUrgent: number;
  isFlagged: number;
  isForAdmin: number;
  assignedTo: string | null;
  assignee: string | null;
  snapshot: string;
  picture: string | null;
  createdAt: number;
  /** Null if the account is gone. */
  player: string | null;
  /** The reviewed player's name in the case of a review; null if the account is gone. */
  reviewed: string | null;
  role: StaffRole | null;
  suspendedAt: number | null;
  suspendedUntil: number | null;
  /** Whether the moderator has reported the case, and whether it is about a review of them. */
  hasReported: number;
  isReviewed: number;
  about: string;
  by: string;
}

/** Finds the facts about a case that a decision needs; undefined if this moderator can see no such case. */
export async function findDecidedCase(
  db: Database,
  caseId: string,
  moderatorId: string | null,
): Promise<DecidedCase | undefined> {
  const { id, kind, subjectId, playerId, isFlagged, reportCount, snapshot, picture } = c;
  const later = laterEvidence(sql`${caseId}`);
  return db
    .select({ id, kind, subjectId, playerId, isFlagged, reportCount, snapshot, picture, later })
    .from(c)
    .where(sql`${id} = ${caseId} AND ${isCaseShownTo(moderatorId, c)}`)
    .get();
}

/** Finds the facts about a case that the decision form shows; undefined if this moderator can see no such case. */
export async function findOverview(db: Database, id: string, moderatorId: string) {
  const [row] = await db.all<{
    kind: ReportKind;
    snapshot: string;
    picture: string | null;
    later: string;
    player: string | null;
    latest: string | null;
    evidence: string;
  }>(sql`
    SELECT ${c.kind} AS kind, ${c.snapshot} AS snapshot, ${c.picture} AS picture, ${laterEvidence(sql`${id}`)} AS later,
      ${nameOf(sql`${c.playerId}`)} AS player, ${latestDecision("id", c.id)} AS latest,
      ${digestEvidence(c)} AS evidence
    FROM ${reportCases} AS ${c} WHERE ${c.id} = ${id} AND ${isCaseShownTo(moderatorId, c)}`);
  return (
    row && {
      ...row,
      snapshot: JSON.parse(row.snapshot) as Snapshot,
      later: JSON.parse(row.later) as LaterEvidence[],
    }
  );
}

/** Finds the decision that `undo` would reverse; undefined if none stands. */
export const findStandingDecision = (db: Database, caseId: string) =>
  db
    .select()
    .from(decisions)
    .where(sql`${decisions.id} = (${selectStanding(sql`${caseId}`)})`)
    .get();

/**
 * Finds the key of a case's picture; null if it has none, or if this moderator can see no such case.
 * @param reportId selects the picture that the sender of this report saw; null for the case's own
 */
export async function findReportedPicture(
  db: Database,
  id: string,
  reportId: string | null,
  moderatorId: string,
): Promise<string | null> {
  const picture =
    reportId === null
      ? sql`${c.picture}`
      : sql`(SELECT ${r.picture} FROM ${reports} AS ${r} WHERE ${r.id} = ${reportId} AND ${r.caseId} = ${c.id})`;
  const [row] = await db.all<{ picture: string | null }>(sql`
    SELECT ${picture} AS picture FROM ${reportCases} AS ${c} WHERE ${c.id} = ${id} AND ${isCaseShownTo(moderatorId, c)}`);
  return row?.picture ?? null;
}

/**
 * Finds a case with everything on its page, in one round trip; undefined if this moderator can see no such case.
 * @param moderatorId null for an operator
 */
export async function findCasePage(db: Database, id: string, moderatorId: string | null) {
  // A moderator who sent a report doesn't see their own record: it would count the cases about them, which they don't
  // see.
  const hasNoRecord = sql`${r.reporterId} IS NULL OR ${r.reporterId} IS ${moderatorId}`;
  const player = sql`(SELECT ${c.playerId} FROM ${reportCases} AS ${c} WHERE ${c.id} = ${id})`;
  const [[found], [present], reported, decided, earlier, others, limits, notes, findings] = await Promise.all([
    db.all<CaseRow>(sql`
      SELECT ${c.id} AS id, ${c.kind} AS kind, ${c.subjectId} AS subjectId, ${c.playerId} AS playerId,
        ${c.state} AS state, ${c.reportCount} AS reportCount, ${c.isUrgent} AS isUrgent, ${c.isFlagged} AS isFlagged,
        ${c.isForAdmin} AS isForAdmin, ${c.assignedTo} AS assignedTo, ${nameOf(sql`${c.assignedTo}`)} AS assignee,
        ${c.snapshot} AS snapshot, ${c.picture} AS picture, ${c.createdAt} AS createdAt,
        ${nameOf(sql`${c.playerId}`)} AS player,
        ${nameOf(sql`json_extract(${c.snapshot}, '$.aboutId')`)} AS reviewed, ${p.role} AS role, ${p.suspendedAt} AS suspendedAt,
        ${p.suspendedUntil} AS suspendedUntil, ${hasReported(moderatorId, c)} AS hasReported,
        ${isReviewOf(moderatorId, c)} AS isReviewed, ${recordAbout(sql`${c.playerId}`)} AS about,
        ${recordBy(sql`${c.playerId}`)} AS by
      FROM ${reportCases} AS ${c} LEFT JOIN ${users} AS ${p} ON ${p.id} = ${c.playerId}
      WHERE ${c.id} = ${id} AND ${isCaseShownTo(moderatorId, c)}`),
    db.all<{ snapshot: string; picture: string | null }>(selectCurrentSubject(id)),
    db.all<{
      id: string;
      reporterId: string | null;
      reporter: string | null;
      reason: ReportReason;
      isUrgent: number;
      details: string | null;
      snapshot: string | null;
      picture: string | null;
      createdAt: number;
      about: string | null;
      by: string | null;
    }>(sql`
      SELECT ${r.id} AS id, ${r.reporterId} AS reporterId,
        coalesce(${nameOf(sql`${r.reporterId}`)}, ${r.reporterName}) AS reporter, ${r.reason} AS reason,
        ${isUrgent} AS isUrgent, ${r.details} AS details, ${r.snapshot} AS snapshot, ${r.picture} AS picture,
        ${r.createdAt} AS createdAt,
        iif(${hasNoRecord}, NULL, ${recordAbout(sql`${r.reporterId}`)}) AS about,
        iif(${hasNoRecord}, NULL, ${recordBy(sql`${r.reporterId}`)}) AS by
      FROM (${selectShownReports(id)}) AS ${r}`),
    db.select().from(decisions).where(eq(decisions.caseId, id)).orderBy(desc(decisions.id)).limit(SHOWN),
    db
      .select()
      .from(decisions)
      .where(sql`${decisions.playerId} = ${player} AND ${decisions.caseId} <> ${id}`)
      .orderBy(desc(decisions.id))
      .limit(OTHERS_SHOWN),
    db.all<{ id: string; kind: ReportKind; state: "open" | "closed"; reportCount: number; createdAt: number }>(sql`
      SELECT ${counted.id} AS id, ${counted.kind} AS kind, ${counted.state} AS state,
        ${counted.reportCount} AS reportCount, ${counted.createdAt} AS createdAt
      FROM ${reportCases} AS ${counted} WHERE ${counted.playerId} = ${player} AND ${counted.id} <> ${id}
      ORDER BY ${counted.id} DESC LIMIT ${OTHERS_SHOWN}`),
    db
      .select({ scope: restrictions.scope, until: restrictions.until })
      .from(restrictions)
      .where(sql`${restrictions.userId} = ${player}`),
    db.select().from(caseNotes).where(eq(caseNotes.caseId, id)).orderBy(asc(caseNotes.id)).limit(SHOWN),
    db
      .select({
        field: caseFindings.field,
        finding: caseFindings.finding,
        matches: caseFindings.matches,
        snapshot: caseFindings.snapshot,
      })
      .from(caseFindings)
      .where(eq(caseFindings.caseId, id))
      .limit(SHOWN),
  ]);
  if (!found) return undefined;
  // Snapshots hold the reviewed player's id, not the name, because they outlive the account. Old ones may still hold a
  // name, which isn't shown.
  const withName = (snapshot: Snapshot): Snapshot =>
    snapshot.aboutId === undefined ? snapshot : { ...snapshot, about: found.reviewed };
  const parse = (snapshot: string) => withName(JSON.parse(snapshot) as Snapshot);
  return {
    ...found,
    snapshot: parse(found.snapshot),
    about: JSON.parse(found.about) as TrackRecord,
    by: JSON.parse(found.by) as TrackRecord,
    present: present ? { snapshot: parse(present.snapshot), picture: present.picture } : null,
    reports: reported.sort(inOrder).map((report) => ({
      ...report,
      snapshot: report.snapshot === null ? null : parse(report.snapshot),
      about: report.about === null ? null : (JSON.parse(report.about) as TrackRecord),
      by: report.by === null ? null : (JSON.parse(report.by) as TrackRecord),
    })),
    decisions: decided,
    earlier,
    others,
    limits: limits as { scope: RestrictionScope; until: Date }[],
    notes,
    findings: findings.map(({ snapshot, ...finding }) => ({ ...finding, snapshot: snapshot && withName(snapshot) })),
  };
}

/** The data of a case's page, as read from the database. */
export type FoundCasePage = NonNullable<Awaited<ReturnType<typeof findCasePage>>>;
