import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { appeals, decisions, reportCases, users } from "#db/schema";
import { nameOf } from "~/features/players/shared/name.server";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { laterEvidence } from "../shared/later-evidence.server";
import { isActing } from "../shared/log.server";

const peer = alias(users, "peer");

/** Maximum number of appeals on a page of the queue. */
const APPEALS_SHOWN = 25;
/** Maximum number of characters that the queue shows of an appeal. */
const EXCERPT = 300;

/** The columns of an appeal that both the queue and the appeal's own page show. */
const appealColumns = {
  id: appeals.id,
  createdAt: appeals.createdAt,
  decisionId: decisions.id,
  caseId: decisions.caseId,
  kind: decisions.kind,
  subjectId: decisions.subjectId,
  action: decisions.action,
  scopes: decisions.scopes,
  until: decisions.until,
  playerId: decisions.playerId,
  player: nameOf(sql`${decisions.playerId}`).as("player"),
  decider: decisions.decider,
  decidedBy: decisions.decidedBy,
};

/** Lists a page of the unanswered appeals, oldest first. */
export async function listWaitingAppeals(db: Database, cursor: Cursor | null) {
  const { id, words, outcome, decisionId } = appeals;
  const walk = planWalk(cursor, { id }, "asc");
  const found = await db
    .select({ ...appealColumns, excerpt: sql<string>`substr(${words}, 1, ${EXCERPT})` })
    .from(appeals)
    .innerJoin(decisions, eq(decisions.id, decisionId))
    .where(and(isNull(outcome), walk.from))
    .orderBy(...walk.orderBy)
    .limit(APPEALS_SHOWN + 1);
  return pageOf({ found, end: null }, APPEALS_SHOWN, cursor, (appeal) => ({
    key: null,
    id: appeal.id,
  })) satisfies Page<unknown>;
}

/** Counts the unanswered appeals, up to 100. */
export async function countWaitingAppeals(db: Database): Promise<number> {
  const { waiting } = await db.get<{ waiting: number }>(sql`SELECT count(*) AS waiting FROM (
    SELECT 1 FROM ${appeals} WHERE ${appeals.outcome} IS NULL LIMIT 100
  )`);
  return waiting;
}

/** Finds an appeal with its decision and the case's snapshot; undefined if there is no such appeal. */
export const findAppeal = (db: Database, appealId: string) =>
  db
    .select({
      ...appealColumns,
      words: appeals.words,
      outcome: appeals.outcome,
      answer: appeals.answer,
      answerer: appeals.answerer,
      answeredAt: appeals.answeredAt,
      rule: decisions.rule,
      reason: decisions.reason,
      isFlagged: decisions.isFlagged,
      decidedAt: decisions.createdAt,
      undoneBy: decisions.undoneBy,
      /** Null once the case is deleted. */
      snapshot: reportCases.snapshot,
      picture: reportCases.picture,
      later: laterEvidence(sql`${decisions.caseId}`, sql`${decisions.createdAt}`),
    })
    .from(appeals)
    .innerJoin(decisions, eq(decisions.id, appeals.decisionId))
    .leftJoin(reportCases, eq(reportCases.id, decisions.caseId))
    .where(eq(appeals.id, appealId))
    .get();

/** An appeal as moderators see it. */
export type FoundAppeal = NonNullable<Awaited<ReturnType<typeof findAppeal>>>;

/** Whether anyone else could answer an appeal against a moderator's decision. */
export async function hasOtherModerator(db: Database, now: Date, moderatorId: string): Promise<boolean> {
  const [row] = await db.all<{ has: number }>(sql`SELECT EXISTS (
    SELECT 1 FROM ${users} AS ${peer} WHERE ${isActing(peer, now)} AND ${peer.id} <> ${moderatorId}
  ) AS has`);
  return row?.has === 1;
}
