import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { decisions } from "#db/schema";
import { MINUTE } from "~/platform/dates/durations";
import { latestDecision } from "../shared/latest-decision.server";
import { idOf, type ModerationActor, recordedName } from "../shared/log.server";
import { type DecisionOutcome, decide, isSame, last } from "./decide.server";
import type { DecidedCase, NewDecision } from "./decision";

/*
 * Decisions at the command line. A command has no form that tells a second try from another decision, so an operator
 * whose first try got no answer must be able to type it again.
 */

/** The time within which the same command is a second try, in milliseconds. */
const REPEATED_WITHIN = 10 * MINUTE;

/**
 * Selects the id of the decision that an operator has made by the same command a moment ago.
 * @param which SQL condition on the decision, as `last`
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
      AND ${last.decidedBy} IS ${idOf(actor)} AND ${last.decider} = ${recordedName(actor)}`;
};

/** Decides a case as `decide` does, but once if the same command comes again. */
export async function decideByCommand(
  context: Parameters<typeof decide>[0] & { db: Database },
  actor: ModerationActor,
  theCase: DecidedCase,
  decision: NewDecision,
): Promise<DecisionOutcome | { outcome: "repeated"; id: string }> {
  const isLatest = sql`${last.caseId} = ${theCase.id} AND ${last.id} = ${latestDecision("id", last.caseId)}`;
  const repeated = selectRepeated(isLatest, actor, decision, context.now);
  const condition = sql`NOT EXISTS (${repeated})`;
  const outcome = await decide(context, actor, theCase, decision, { condition });
  if (outcome.outcome === "decided") return outcome;
  const [same] = await context.db.all<{ id: string }>(repeated);
  return same ? { outcome: "repeated", id: same.id } : outcome;
}
