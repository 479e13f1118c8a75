/** The parts of a tournament's bracket; each match belongs to one. */
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
