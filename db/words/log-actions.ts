import type { AuditAction } from "./audit-actions";
import type { DecisionAction } from "./decision-actions";

/** The entries of the moderation log: decisions, the work on cases, appeals, and what operators do to accounts. */
export type LogAction =
  | DecisionAction
  | AuditAction
  | "case-assigned"
  | "case-unassigned"
  | "note-added"
  | "appeal-granted"
  | "appeal-rejected"
  /** An operator freed the email address or Riot account of an account that was erased while suspended. */
  | "suspension-lifted";
