import type { Format, ThirdPlace } from "#db/words/tournament-formats";

/** The names that players use for the formats. */
export const FORMAT_NAMES: Record<Format, string> = {
  single_elimination: "Single elimination",
  double_elimination: "Double elimination",
  round_robin: "Round robin",
};

/** With this many teams or more, third place is played for unless the host has chosen otherwise. */
export const TEAMS_FOR_THIRD_PLACE = 8;

/** Whether the losers of a single elimination's semi-finals meet. @param teams the number of teams that start */
export const hasThirdPlace = (thirdPlace: ThirdPlace, teams: number): boolean =>
  thirdPlace === "yes" || (thirdPlace === "automatic" && teams >= TEAMS_FOR_THIRD_PLACE);

/** How many teams of each group go on to the play-offs, if there are several groups. */
export const QUALIFIED = 2;

/** Says how large groups may be if the host has chosen `size`. `groupCount` leaves no group of two. */
export const sayGroupSize = (size: number): string => (size < 5 ? "3 to 5" : `at most ${size}`);
