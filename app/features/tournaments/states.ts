import type { TournamentState } from "#db/words/tournament-states";

/** The label on a tournament's badge. */
export const STATE_WORDS = {
  open: "Coming Soon",
  running: "Live",
  finished: "Finished",
  cancelled: "Cancelled",
} as const satisfies Record<TournamentState, string>;
