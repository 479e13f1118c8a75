/** That a team was disqualified. */
export interface Disqualification {
  /** Milliseconds since 1970. */
  at: number;
  /** How many other teams were still in: its final place is behind theirs. */
  left: number;
  /** For the team and the organisers. */
  reason: string;
}
