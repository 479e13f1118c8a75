/**
 * The reasons for a report. `REPORT_FORMS` in `app/features/reports/rules.ts` says which of them the form for each kind
 * of subject offers.
 */
export const REPORT_REASONS = [
  "harassment",
  "hate",
  "threats",
  "sexual",
  "intimate",
  "child-abuse",
  "illegal",
  "cheating",
  "spam",
  "other",
] as const;

export type ReportReason = (typeof REPORT_REASONS)[number];

/** The reasons that make a case urgent. */
export const URGENT_REASONS = ["threats", "intimate", "child-abuse"] as const satisfies ReportReason[];

export type UrgentReason = (typeof URGENT_REASONS)[number];
