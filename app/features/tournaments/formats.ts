/** The ways to play a tournament, as `brackets-manager` calls them. */
export const FORMATS = ["single_elimination", "double_elimination", "round_robin"] as const;

export type Format = (typeof FORMATS)[number];

/** What players call them. */
export const FORMAT_NAMES: Record<Format, string> = {
  single_elimination: "Single elimination",
  double_elimination: "Double elimination",
  round_robin: "Round robin",
};

/** The teams of a group, where one of so many is asked for: `groupCount` leaves no group of two. */
export const sayGroupSize = (size: number): string => (size < 5 ? "3 to 5" : `at most ${size}`);
