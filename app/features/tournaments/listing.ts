/** The reasons that keep a host's tournaments off the lists. */
export type ListingGap = "riot" | "email";

/** The step that closes each gap, and the page for it. */
export const GAP_STEPS = {
  riot: { to: "/dashboard/profile#account-verification", step: "verify your Riot account" },
  email: { to: "/dashboard/settings/email", step: "confirm your email address" },
} as const satisfies Record<ListingGap, { to: string; step: string }>;

/** Returns the steps that close a host's gaps, worded as part of a sentence. */
export const sayGaps = (gaps: readonly ListingGap[]): string => gaps.map((gap) => GAP_STEPS[gap].step).join(" and ");
