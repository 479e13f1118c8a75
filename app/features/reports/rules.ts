import type { ReportKind } from "#db/words/report-kinds";
import { REPORT_REASONS, type ReportReason } from "#db/words/report-reasons";
import { DAY } from "~/platform/dates/durations";

/** How long a closed case keeps its snapshot, in milliseconds. It is kept longer while an appeal needs it. */
export const CASE_RETENTION = 90 * DAY;

/** The reason that lets visitors report without a name and an email address (Digital Services Act, Article 16). */
export const ANONYMOUS_REASON: ReportReason = "child-abuse";

/** The form's label for each reason. */
export const REASON_WORDS: Record<ReportReason, string> = {
  harassment: "Insults or harassment",
  hate: "Hate speech",
  threats: "Threats",
  sexual: "Sexual content",
  intimate: "Intimate pictures without consent",
  "child-abuse": "Child abuse",
  illegal: "Illegal content",
  cheating: "Cheating or boosting",
  spam: "Spam or scams",
  other: "Something else",
};

interface ReportForm {
  /** The kind of subject, in the sentence "your report of …". */
  words: string;
  /** The reasons to choose from, in the order of the form. */
  reasons: readonly ReportReason[];
  /** Labels that differ from `REASON_WORDS`. */
  labels?: Partial<Record<ReportReason, string>>;
  /** Maximum number of characters of the details. */
  maxDetails: number;
}

const reasonsBesides = (...left: ReportReason[]) => REPORT_REASONS.filter((reason) => !left.includes(reason));

/** The form for each kind of subject. */
export const REPORT_FORMS: Record<ReportKind, ReportForm> = {
  post: { words: "a post", reasons: REPORT_REASONS, maxDetails: 2_000 },
  player: { words: "a player", reasons: REPORT_REASONS, maxDetails: 2_000 },
  message: { words: "a message", reasons: REPORT_REASONS, maxDetails: 2_000 },
  review: {
    words: "a review",
    // The most likely reason comes first.
    reasons: ["other", ...reasonsBesides("cheating", "other")],
    labels: { other: "Untrue or unfair" },
    maxDetails: 1_000,
  },
  team: { words: "a team", reasons: reasonsBesides("cheating"), maxDetails: 2_000 },
  tournament: { words: "a tournament", reasons: REPORT_REASONS, maxDetails: 2_000 },
};

/** Returns the reasons that the form for a kind of subject offers, each with its label. */
export function reasonChoices(kind: ReportKind): [ReportReason, string][] {
  const { reasons, labels } = REPORT_FORMS[kind];
  return reasons.map((reason) => [reason, labels?.[reason] ?? REASON_WORDS[reason]]);
}

/** Says who learns of a report. @param name the reported player's name; null if there is no player who could be told */
export const whoIsTold = (name: string | null): string =>
  name === null ? "Our moderators will read it." : `Our moderators will read it. ${name} won't be told.`;
