import type { Format, ThirdPlace } from "#db/words/tournament-formats";

/** The names that players use for the formats. */
export const FORMAT_NAMES: Record<Format, string> = {
  single_elimination: "Single elimination",
  double_elimination: "Double elimination",
  round_robin: "Round robin",
};

/** Number of teams from which there is a third-place match by default. */
export const TEAMS_FOR_THIRD_PLACE = 8;

/** Whether the losers of a single elimination's semi-finals meet. @param teams the number of teams that start */
export const hasThirdPlace = (thirdPlace: ThirdPlace, teams: number): boolean =>
  thirdPlace === "yes" || (thirdPlace === "automatic" && teams >= TEAMS_FOR_THIRD_PLACE);

/** Number of teams of each group that advance to the play-offs, if there are several groups. */
export const QUALIFIED = 2;

/**
 * Describes the sizes that groups can have if the host chose `size`. Teams left over by groups of three or four join
 * other groups, which then hold up to five (`groupCount`).
 */
export const sayGroupSize = (size: number): string => (size < 5 ? "3 to 5" : `at most ${size}`);
