import type { Format, ThirdPlace } from "#db/words/tournament-formats";

/** What players call them. */
export const FORMAT_NAMES: Record<Format, string> = {
  single_elimination: "Single elimination",
  double_elimination: "Double elimination",
  round_robin: "Round robin",
};

/** From so many teams on, third place is played for unless the host has said otherwise. */
export const TEAMS_FOR_THIRD_PLACE = 8;

/** Whether the losers of a single elimination's semi-finals meet. @param teams as many as start */
export const hasThirdPlace = (thirdPlace: ThirdPlace, teams: number): boolean =>
  thirdPlace === "yes" || (thirdPlace === "automatic" && teams >= TEAMS_FOR_THIRD_PLACE);

/** Teams of each group that go on to the play-offs, where there are several groups. */
export const QUALIFIED = 2;

/** The teams of a group, where one of so many is asked for: `groupCount` leaves no group of two. */
export const sayGroupSize = (size: number): string => (size < 5 ? "3 to 5" : `at most ${size}`);
