/** The reasons for reporting a player. */
export const REPORT_REASONS = ["harassment", "hate", "threats", "cheating", "spam", "other"] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];
