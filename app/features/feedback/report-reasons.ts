import type { ReportReason } from "#db/words/report-reasons";

/**
 * Reasons for reporting a review, the most likely first: the reasons for players and messages that also fit reviews.
 */
export const REVIEW_REPORT_REASONS = [
  "other",
  "harassment",
  "hate",
  "threats",
  "spam",
] as const satisfies ReportReason[];

/** The reasons as the form shows them. */
export const REVIEW_REPORT_WORDS: Record<(typeof REVIEW_REPORT_REASONS)[number], string> = {
  other: "Untrue or unfair",
  harassment: "Insults or harassment",
  hate: "Hate speech",
  threats: "Threats",
  spam: "Spam or scams",
};
