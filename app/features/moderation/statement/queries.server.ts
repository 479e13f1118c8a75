import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isSuspended } from "#db/accounts";
import type { Database } from "#db/client";
import { decisions, reportCases, reports, users } from "#db/schema";
import { decisionActions } from "#db/sql";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { findLimits, type OwnDecision, selectStatements } from "../shared/own-decisions.server";
import { APPEALABLE_ACTIONS, TOLD_ACTIONS } from "../shared/statement";

const acted = alias(decisions, "acted");

/** Maximum number of decisions on a page, and of reports. */
const DECISIONS_SHOWN = 20;
const REPORTS_SHOWN = 20;

const { id, action } = decisions;

/** Lists a page of the decisions about a player, newest first. */
export async function listOwnDecisions(
  db: Database,
  playerId: string,
  cursor: Cursor | null,
): Promise<Page<OwnDecision>> {
  const walk = planWalk(cursor, { id });
  const found = await selectStatements(db)
    .where(and(eq(decisions.playerId, playerId), inArray(action, TOLD_ACTIONS), walk.from))
    .orderBy(...walk.orderBy)
    .limit(DECISIONS_SHOWN + 1);
  return pageOf({ found, end: null }, DECISIONS_SHOWN, cursor, (decision) => ({ key: null, id: decision.id }));
}

/** Finds a decision that a player is told of; undefined if there is none with this id. */
export const findOwnDecision = (db: Database, playerId: string, decisionId: string): Promise<OwnDecision | undefined> =>
  selectStatements(db)
    .where(and(eq(id, decisionId), eq(decisions.playerId, playerId), inArray(action, TOLD_ACTIONS)))
    .get();

/** Finds a player's suspension and limits in force. */
export async function findStanding(db: Database, playerId: string, now: Date) {
  const [account, limits] = await Promise.all([
    db
      .select({
        isSuspended: isSuspended(now).mapWith(Boolean),
        until: users.suspendedUntil,
        reason: users.suspendedReason,
        deletionDueAt: users.deletionDueAt,
      })
      .from(users)
      .where(eq(users.id, playerId))
      .get(),
    findLimits(db, playerId, now),
  ]);
  return { suspension: account?.isSuspended ? account : null, limits };
}

/** True for a report whose case has a decision against its player that satisfies a condition. */
const hasActed = (condition: SQL) =>
  sql<boolean>`EXISTS (
    SELECT 1 FROM ${decisions} AS ${acted} WHERE ${acted.caseId} = ${reportCases.id}
      AND ${acted.action} IN (${decisionActions(...APPEALABLE_ACTIONS)}) AND ${condition}
  )`.mapWith(Boolean);

/** Lists a player's latest reports, each with its outcome. */
export const listOwnReports = (db: Database, playerId: string) =>
  db
    .select({
      id: reports.id,
      kind: reportCases.kind,
      createdAt: reports.createdAt,
      isOpen: sql<boolean>`${reportCases.state} = 'open'`.mapWith(Boolean),
      hasActed: hasActed(sql`${acted.undoneBy} IS NULL`),
      hasTakenBack: hasActed(sql`${acted.undoneBy} IS NOT NULL`),
    })
    .from(reports)
    .innerJoin(reportCases, eq(reportCases.id, reports.caseId))
    .where(eq(reports.reporterId, playerId))
    // Matches the order of the index on the reporter.
    .orderBy(sql`reports.rowid DESC`)
    .limit(REPORTS_SHOWN);
