/** The parts that a tournament can have; each match belongs to one. */
export const PARTS = [
  "bracket",
  "third-place",
  "winners",
  "losers",
  "grand-final",
  "group",
  "tie-break",
  "playoffs",
] as const;

export type Part = (typeof PARTS)[number];
