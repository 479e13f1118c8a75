/** A team's disqualification. */
export interface Disqualification {
  /** Milliseconds since 1970. */
  at: number;
  /** The number of other teams still in the tournament; the disqualified team's final place comes after theirs. */
  left: number;
  /** Shown to the team and the organisers. */
  reason: string;
}
