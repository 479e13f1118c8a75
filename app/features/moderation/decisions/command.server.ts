import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { decisions } from "#db/schema";
import { MINUTE } from "~/platform/dates/durations";
import { idOf, type ModerationActor, recordedName } from "../shared/log.server";
import { type DecisionOutcome, decide, isSame, last } from "./decide.server";
import type { DecidedCase, NewDecision } from "./decision";

/*
 * Decisions at the command line. A command has no form that tells a second try from another decision, so an operator
 * whose first try got no response must be able to type the command again.
 */

const newer = alias(decisions, "newer");

/** The time within which the same command is a second try, in milliseconds. */
const REPEATED_WITHIN = 10 * MINUTE;

/**
 * Selects the id of the decision that the operator has made by the same command within `REPEATED_WITHIN`.
 * @param which a further SQL condition on the decision, whose alias is `last`
 */
export const selectRepeated = (which: SQL, actor: ModerationActor, decision: NewDecision, now: Date): SQL => {
  const { until } = decision;
  // `--until` is a moment, or a time from now.
  const hasSameEnd = until
    ? sql`(${last.until} = ${until.getTime()} OR ${last.until} - ${last.createdAt} = ${until.getTime() - now.getTime()})`
    : sql`${last.until} IS NULL`;
  return sql`
    SELECT ${last.id} AS id FROM ${decisions} AS ${last} WHERE ${which} AND ${isSame(decision)} AND ${hasSameEnd}
      AND ${last.createdAt} > ${now.getTime() - REPEATED_WITHIN}
      AND ${isBy(last, actor)}`;
};

/** True for a decision of this operator. */
const isBy = (decision: Record<"decidedBy" | "decider", SQLiteColumn>, actor: ModerationActor): SQL =>
  sql`${decision.decidedBy} IS ${idOf(actor)} AND ${decision.decider} = ${recordedName(actor)}`;

/** Decides a case as `decide` does, but only once if the same command is repeated. */
export async function decideByCommand(
  context: Parameters<typeof decide>[0] & { db: Database },
  actor: ModerationActor,
  theCase: DecidedCase,
  decision: NewDecision,
): Promise<DecisionOutcome> {
  // The operator's own last decision: a colleague may have decided the case since.
  const isOwnLast = sql`${last.caseId} = ${theCase.id} AND NOT EXISTS (
    SELECT 1 FROM ${decisions} AS ${newer} WHERE ${newer.caseId} = ${last.caseId} AND ${isBy(newer, actor)}
      AND ${newer.createdAt} > ${last.createdAt}
  )`;
  const repeated = selectRepeated(isOwnLast, actor, decision, context.now);
  const condition = sql`NOT EXISTS (${repeated})`;
  const outcome = await decide(context, actor, theCase, decision, { condition });
  if (outcome.outcome === "decided") return outcome;
  const [same] = await context.db.all<{ id: string }>(repeated);
  return same ? { outcome: "repeated", id: same.id } : outcome;
}
