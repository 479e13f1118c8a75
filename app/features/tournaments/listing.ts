/** The reasons that keep a host's tournaments off the lists. */
export type ListingGap = "riot" | "email";

/** The step that removes each of these gaps, and the page for it. */
export const GAP_STEPS = {
  riot: { to: "/dashboard/profile#account-verification", step: "verify your Riot account" },
  email: { to: "/dashboard/settings/email", step: "confirm your email address" },
} as const satisfies Record<ListingGap, { to: string; step: string }>;

/** Returns the steps that remove a host's gaps, as part of a sentence. */
export const sayGaps = (gaps: readonly ListingGap[]): string => gaps.map((gap) => GAP_STEPS[gap].step).join(" and ");
