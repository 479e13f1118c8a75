import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { decisions } from "#db/schema";
import { decisionActions } from "#db/sql";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ModerationActor } from "../shared/log.server";
import type { DecidedCase, NewDecision } from "./decision";

const undone = alias(decisions, "undone");

/** A decision that is being made. */
export interface MadeDecision {
  id: string;
  theCase: DecidedCase;
  decision: NewDecision;
  now: Date;
  actor: ModerationActor;
}

/** True if a decision has undone an earlier decision of its case with one of these actions. */
export const hasUndone = (
  { id, theCase }: Pick<MadeDecision, "id" | "theCase">,
  ...actions: DecisionAction[]
): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${undone}
  WHERE ${undone.caseId} = ${theCase.id} AND ${undone.undoneBy} = ${id}
    AND ${undone.action} IN (${decisionActions(...actions)})
)`;
