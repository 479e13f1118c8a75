import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  appeals,
  caseFindings,
  caseNotes,
  decisions,
  reportCases,
  reports,
  upheldSuspensions,
  users,
} from "#db/schema";
import { bare, decisionActions } from "#db/sql";
import { transact } from "#db/statements";
import { notePictures } from "~/features/follow-ups/shared/note.server";
import { CASE_RETENTION } from "~/features/reports/rules";
import { subjectExists } from "~/features/reports/shared/subjects.server";
import { DAY } from "~/platform/dates/durations";
import { APPEAL_PERIOD } from "./appeals/rules";
import { DECISIONS_KEPT } from "./rules";
import { APPEALABLE_ACTIONS } from "./shared/statement";
import { isTraceOf } from "./shared/upheld.server";

const a = alias(appeals, "a");
const d = alias(decisions, "d");
const fresh = alias(reportCases, "fresh");
const known = alias(reportCases, "known");
const r = alias(reports, "r");
const shown = alias(reportCases, "shown");
const u = alias(users, "u");

/** The time until a case that can't be deleted yet is checked again, in milliseconds: a week. */
const RECHECK_INTERVAL = 7 * DAY;

/**
 * True for the cases whose decisions still count: a decision is in effect, an appeal is waiting, a rule was broken less
 * than three years ago, or moderators decided within the last 90 days.
 */
const counts = (now: Date): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${d} WHERE ${d.caseId} = ${reportCases.id} AND (
    ${d.createdAt} > ${now.getTime() - CASE_RETENTION}
    OR (${d.undoneBy} IS NULL AND ${d.action} IN (${decisionActions(...APPEALABLE_ACTIONS)})
      AND (${d.createdAt} > ${now.getTime() - DECISIONS_KEPT} OR ${hasEffect(now)}))
    OR EXISTS (SELECT 1 FROM ${appeals} AS ${a} WHERE ${a.decisionId} = ${d.id} AND ${a.outcome} IS NULL)
  )
)`;

/**
 * True for a decision `d` that hides something, or limits or suspends a player, at this moment. It is no longer true
 * once the thing is deleted, or the account is erased without a trace that upholds its suspension.
 */
const hasEffect = (now: Date): SQL => sql`iif(${d.action} = ${decisionActions("hide")},
  ${subjectExists({ kind: d.kind, id: d.subjectId })},
  ${d.action} IN (${decisionActions("limit", "suspend", "ban")})
    AND (${d.until} IS NULL OR ${d.until} > ${now.getTime()})
    AND (EXISTS (SELECT 1 FROM ${users} AS ${u} WHERE ${u.id} = ${d.playerId})
      OR EXISTS (SELECT 1 FROM ${upheldSuspensions} WHERE ${isTraceOf(d.playerId)})))`;

/**
 * True for the cases whose snapshot an appeal needs. Either an appeal is waiting, or one may still be sent: the player
 * has an account, and less than six months have passed.
 */
const isNeeded = (now: Date): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${d} LEFT JOIN ${appeals} AS ${a} ON ${a.decisionId} = ${d.id}
  WHERE ${d.caseId} = ${reportCases.id} AND iif(${a.id} IS NULL,
    ${d.undoneBy} IS NULL AND ${d.action} IN (${decisionActions(...APPEALABLE_ACTIONS)})
      AND ${d.createdAt} > ${now.getTime() - APPEAL_PERIOD}
      AND EXISTS (SELECT 1 FROM ${users} AS ${u} WHERE ${u.id} = ${d.playerId}),
    ${a.outcome} IS NULL)
)`;

/**
 * Empties cases that were closed 90 days ago and that no appeal needs: deletes their snapshots, pictures, reports,
 * findings and notes. If a case's decisions no longer count, deletes the case with its decisions and their appeals.
 * Otherwise its row stays, so that the decisions can be undone. Remaining cases are checked again every week. Called by
 * the cron job. `carryOutFollowUp` deletes the pictures afterwards.
 * @param limit maximum number of cases of each kind per run
 */
export async function deleteOldCases(db: Database, now: Date, limit: number): Promise<void> {
  const at = now.getTime();
  const closedBy = at - CASE_RETENTION;
  const due = await db.all<{ id: string }>(sql`
    SELECT id FROM (SELECT ${fresh.id} AS id FROM ${reportCases} AS ${fresh}
      WHERE ${fresh.closedAt} <= ${closedBy} AND ${fresh.dueAt} IS NULL ORDER BY ${fresh.closedAt} LIMIT ${limit})
    UNION ALL
    SELECT id FROM (SELECT ${known.id} AS id FROM ${reportCases} AS ${known}
      WHERE ${known.dueAt} <= ${at} ORDER BY ${known.dueAt} LIMIT ${limit})`);
  if (due.length === 0) return;
  // Someone may have reopened a case in the meantime.
  const isDue = sql`(${reportCases.id} IN (SELECT value FROM json_each(${JSON.stringify(due.map(({ id }) => id))}))
    AND ${reportCases.closedAt} <= ${closedBy})`;
  const isOver = sql`(${isDue} AND NOT ${isNeeded(now)})`;
  const ids = sql`(SELECT ${reportCases.id} FROM ${reportCases} WHERE ${isOver})`;
  // Only cases about a player have pictures.
  const pictures = sql`
    SELECT ${reportCases.subjectId} AS subject, ${reportCases.picture} AS picture FROM ${reportCases}
      WHERE ${isOver} AND ${reportCases.picture} IS NOT NULL
    UNION ALL SELECT ${shown.subjectId}, ${r.picture} FROM ${reports} AS ${r}
      JOIN ${reportCases} AS ${shown} ON ${shown.id} = ${r.caseId}
      WHERE ${r.caseId} IN ${ids} AND ${r.picture} IS NOT NULL`;
  await transact(db, {
    followUps: notePictures(db, pictures, now),
    reports: db.run(sql`DELETE FROM ${reports} WHERE ${reports.caseId} IN ${ids}`),
    findings: db.run(sql`DELETE FROM ${caseFindings} WHERE ${caseFindings.caseId} IN ${ids}`),
    notes: db.run(sql`DELETE FROM ${caseNotes} WHERE ${caseNotes.caseId} IN ${ids}`),
    decisions: db.run(sql`DELETE FROM ${decisions} WHERE ${decisions.caseId} IN (
      SELECT ${reportCases.id} FROM ${reportCases} WHERE ${isOver} AND NOT ${counts(now)}
    )`),
    deleted: db.run(sql`DELETE FROM ${reportCases} WHERE ${isOver} AND NOT ${counts(now)}`),
    emptied: db.run(sql`
      UPDATE ${reportCases} SET ${bare(reportCases.snapshot)} = '{}', ${bare(reportCases.picture)} = NULL
      WHERE ${isOver}`),
    looked: db.run(sql`UPDATE ${reportCases} SET ${bare(reportCases.dueAt)} = ${at + RECHECK_INTERVAL} WHERE ${isDue}`),
  });
}
