/**
 * The kinds of notifications, in the order of the settings page. Each has a file in `app/features/notifications/kinds`
 * with its wording and its link.
 */
export const NEWS_KINDS = [
  "message",
  "contact",
  "join-request",
  "join-accepted",
  "join-declined",
  "team-change",
  "feedback",
  "post-expiring",
  "tournament-invitation",
  "tournament-team",
  "tournament-captain",
  "tournament-place",
  "tournament-withdrawn",
  "tournament-check-in",
  "tournament-registered",
  "tournament-due",
  "tournament-organiser",
  "match-ready",
  "match-report",
  "match-result",
  "match-dispute",
  "tournament-finished",
  "tournament-cancelled",
  "feedback-received",
  "riot-claim",
  "report-answered",
  "case-urgent",
  "case-waiting",
] as const;

export type NewsKind = (typeof NEWS_KINDS)[number];

/** The kinds that only moderators and admins get. They can't be turned off. */
export const STAFF_KINDS = ["case-urgent", "case-waiting"] as const satisfies NewsKind[];

export type StaffKind = (typeof STAFF_KINDS)[number];
