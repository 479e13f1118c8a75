/** The decisions that a moderator can make about a case. */
export const DECISION_ACTIONS = [
  "dismiss",
  "hide",
  "restore",
  "warn",
  "limit",
  "suspend",
  "ban",
  "hand-over",
  "undo",
] as const;

export type DecisionAction = (typeof DECISION_ACTIONS)[number];
