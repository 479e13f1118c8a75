import type { Snapshot } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import type { RuleKey } from "../community-rules";
import type { LaterEvidence } from "../shared/statement";

/** The facts about a case, as read before it is decided. */
export interface DecidedCase {
  id: string;
  kind: ReportKind;
  subjectId: string;
  /** Null if the account was gone when the case was opened. */
  playerId: string | null;
  /** Whether a check of ours has put it on the queue. */
  isFlagged: boolean;
  /** How many reports it has; left out for an undo, for which nobody gets a statement of reasons. */
  reportCount?: number | null;
  /** The thing as it was reported; empty once the case is emptied. */
  snapshot: Snapshot;
  /** The key of its picture. Left out for an undo, like `later`. */
  picture?: string | null;
  /** The thing as later reporters saw it, and as checks of ours found it. */
  later?: readonly LaterEvidence[];
}

/** A decision, as its form submits it. */
export interface NewDecision {
  action: DecisionAction;
  /** The rule that was broken; null for decisions that find no fault. */
  rule: RuleKey | null;
  /** The player reads it. */
  reason: string;
  /** The actions that a limit forbids. */
  scopes?: readonly RestrictionScope[];
  /** The end of a limit or a suspension. */
  until?: Date;
  /** The decision that `undo` takes back; by default the latest one about the case that still stands. */
  undoes?: string;
  /** The case's latest decision as its moderator saw it, empty if there was none; null to follow whatever is latest. */
  seen: string | null;
}
