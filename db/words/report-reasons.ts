/**
 * The reasons for a report. Each kind of subject offers some of them: `REPORT_FORMS` in
 * `app/features/reports/rules.ts`.
 */
export const REPORT_REASONS = [
  "harassment",
  "hate",
  "threats",
  "sexual",
  "child-abuse",
  "illegal",
  "cheating",
  "spam",
  "other",
] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];
