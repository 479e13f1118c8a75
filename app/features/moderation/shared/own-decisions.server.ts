import { and, desc, eq, getTableColumns, gt, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { appeals, decisions, reportCases, restrictions } from "#db/schema";
import { laterEvidence } from "./later-evidence.server";
import { TOLD_ACTIONS } from "./statement";

const { id, kind, action, rule, reason, scopes, until, isFlagged, createdAt, undoneBy } = decisions;
const statement = { id, kind, action, rule, reason, scopes, until, isFlagged, createdAt, undoneBy };
const { words, outcome, answer, answeredAt } = getTableColumns(appeals);

/** Selects decisions as their player is told them, each with the thing as it was reported and the player's appeal. */
export const selectStatements = (db: Database) =>
  db
    .select({
      ...statement,
      /** Null once the case is deleted, as are its picture and the number of its reports. */
      snapshot: reportCases.snapshot,
      picture: reportCases.picture,
      later: laterEvidence(sql`${decisions.caseId}`, sql`${decisions.createdAt}`),
      reportCount: reportCases.reportCount,
      /** Null if the player has not appealed. */
      appeal: { words, outcome, answer, answeredAt, createdAt: appeals.createdAt },
    })
    .from(decisions)
    .leftJoin(reportCases, eq(reportCases.id, decisions.caseId))
    .leftJoin(appeals, eq(appeals.decisionId, decisions.id));

/** A decision as its player is told it. Names neither the moderator nor who reported. */
export type OwnDecision = Awaited<ReturnType<typeof selectStatements>>[number];

/** Reads the decisions about a player after one of them, newest first; the first ones if it is left out. */
export const readOwnDecisions = (
  db: Database,
  playerId: string,
  after: string | undefined,
  limit: number,
): Promise<OwnDecision[]> =>
  selectStatements(db)
    .where(and(eq(decisions.playerId, playerId), inArray(action, TOLD_ACTIONS), after ? lt(id, after) : undefined))
    .orderBy(desc(id))
    .limit(limit);

/** Finds the limits of a player that have not ended. */
export const findLimits = (db: Database, playerId: string, now: Date) =>
  db
    .select({ scope: restrictions.scope, until: restrictions.until })
    .from(restrictions)
    .where(and(eq(restrictions.userId, playerId), gt(restrictions.until, now)))
    .orderBy(restrictions.scope);
