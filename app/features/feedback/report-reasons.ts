import type { ReportReason } from "#db/words/report-reasons";

/** Why a review can be reported, the likeliest first: those of players and messages that also fit a review. */
export const REVIEW_REPORT_REASONS = [
  "other",
  "harassment",
  "hate",
  "threats",
  "spam",
] as const satisfies ReportReason[];

/** The reasons as the form says them. */
export const REVIEW_REPORT_WORDS: Record<(typeof REVIEW_REPORT_REASONS)[number], string> = {
  other: "Untrue or unfair",
  harassment: "Insults or harassment",
  hate: "Hate speech",
  threats: "Threats",
  spam: "Spam or scams",
};
