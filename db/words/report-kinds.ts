/** The kinds of user-written content that can be reported; `player` is a profile with its name and picture. */
export const REPORT_KINDS = ["post", "player", "message", "review", "team", "tournament"] as const;

export type ReportKind = (typeof REPORT_KINDS)[number];
