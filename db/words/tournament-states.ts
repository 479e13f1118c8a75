/**
 * - `open`: announced; teams register until the deadline, and check in before the start if there is a check-in
 * - `running`: the bracket is drawn
 * - `finished`, `cancelled`: over
 */
export const TOURNAMENT_STATES = ["open", "running", "finished", "cancelled"] as const;

export type TournamentState = (typeof TOURNAMENT_STATES)[number];
