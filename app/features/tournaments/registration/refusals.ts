import type { Rank } from "~/features/game/ranks";
import { type Obstacle, type RankLimits, sayLimits } from "./rules";

/** Why something could not be done, as a form or a button says it. */
export interface Refused {
  status: number;
  error: string;
  field?: string;
  /** Where the player does something about it. */
  next?: { to: string; label: string };
}

const PROFILE = "/dashboard/profile";

/** Why a player can't play in a tournament, and where they change it. */
export function refuseObstacle({
  obstacle,
  rank,
  limits,
}: {
  obstacle: Obstacle;
  rank: Rank | null;
  limits: RankLimits;
}): Refused {
  switch (obstacle) {
    case "unverified":
      return {
        status: 409,
        error: "Tournaments are for verified accounts. Verify your Riot account first.",
        next: { to: `${PROFILE}#account-verification`, label: "Verify your Riot account" },
      };
    case "no-rank":
      return {
        status: 409,
        error: `This tournament is for ${sayLimits(limits)}. Say your rank in your profile first.`,
        next: { to: PROFILE, label: "Set your rank" },
      };
    case "rank":
      return { status: 409, error: `This tournament is for ${sayLimits(limits)}. You are ${rank}.` };
    default:
      return obstacle satisfies never;
  }
}

export const NOT_OPEN: Refused = {
  status: 409,
  error: "This tournament has begun or is over, so its teams stay as they are.",
};

export const alreadyIn = (team: string): Refused => ({
  status: 409,
  error: `You are in this tournament already, with “${team}”.`,
});

export const alreadyInSome: Refused = { status: 409, error: "You are in a team of this tournament already." };
