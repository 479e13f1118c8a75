import { and, desc, eq, getTableColumns, gt, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { appeals, decisions, reportCases, restrictions } from "#db/schema";
import { laterEvidence } from "./later-evidence.server";
import { TOLD_ACTIONS } from "./statement";

const { id, kind, action, rule, reason, scopes, until, isFlagged, createdAt, undoneBy } = decisions;
const statement = { id, kind, action, rule, reason, scopes, until, isFlagged, createdAt, undoneBy };
const { words, outcome, answer, answeredAt } = getTableColumns(appeals);

/** Selects decisions as shown to their player, each with the thing as it was reported and the player's appeal. */
export const selectStatements = (db: Database) =>
  db
    .select({
      ...statement,
      /** Null once the case is deleted; so are its picture and its number of reports. */
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

/** A decision as shown to its player. Names neither the moderator nor the reporters. */
export type OwnDecision = Awaited<ReturnType<typeof selectStatements>>[number];

/** Reads the decisions about a player, newest first, starting after the given one if any. */
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

/** Finds a player's current limits. */
export const findLimits = (db: Database, playerId: string, now: Date) =>
  db
    .select({ scope: restrictions.scope, until: restrictions.until })
    .from(restrictions)
    .where(and(eq(restrictions.userId, playerId), gt(restrictions.until, now)))
    .orderBy(restrictions.scope);
