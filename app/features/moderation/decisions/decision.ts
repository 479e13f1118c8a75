import type { Snapshot } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import type { RuleKey } from "../community-rules";
import { REPORTED_BY_YOU, REVIEW_OF_YOU } from "../rules";
import type { LaterEvidence } from "../shared/statement";

/** The evidence of a case, as the statement of reasons quotes it. */
interface Evidence {
  /** Number of reports; null if unknown. */
  reportCount: number | null;
  /** The thing as it was reported; empty once the old case has been emptied. */
  snapshot: Snapshot;
  /** The key of its picture. */
  picture: string | null;
  /** The thing as later reporters saw it, and as our checks found it. */
  later: readonly LaterEvidence[];
}

/** In place of a case's evidence for an undo, which sends no statement of reasons. */
export const NO_EVIDENCE: Evidence = { reportCount: null, snapshot: {}, picture: null, later: [] };

/** The facts about a case, as read before it is decided. */
export interface DecidedCase extends Evidence {
  id: string;
  kind: ReportKind;
  subjectId: string;
  /** Null if the account was already gone when the case was opened. */
  playerId: string | null;
  /** Whether our checks put it on the queue. */
  isFlagged: boolean;
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
  /** The decision to undo, empty if the form named none; by default the latest standing decision of the case. */
  undoes?: string;
  /** The latest decision that the moderator saw, empty if there was none; null skips the check for a newer one. */
  seen: string | null;
  /** The reports and findings that the moderator saw, as `digestEvidence` computes them; omitted skips the check. */
  evidence?: string;
}

/** Why a decision was refused. Operators at the command line meet only the last four. */
export const DECISION_REFUSALS = {
  own: "You can't decide about yourself.",
  reported: REPORTED_BY_YOU,
  reviewed: REVIEW_OF_YOU,
  admin: "Only an operator can decide about an admin, at the command line.",
  "for-admin": "This case is waiting for an admin.",
  "undone-already": "That decision no longer stands. Check which one, if any, you would undo now.",
  gone: "The player's account is gone.",
  closed: "The case is already closed, or was handed over.",
  "not-hidden": "It isn't hidden, so there's nothing to restore.",
  "nothing-to-undo": "This case has no decision left to undo.",
};
