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

/** A player of a team whom something keeps from the tournament. */
export interface Misfit {
  name: string;
  obstacle: Obstacle;
  rank: Rank | null;
}

/** Who of a team doesn't fit, and what is asked for: "This tournament is for up to Gold 3. miravel is Diamond 1." */
export function sayMisfits(misfits: readonly Misfit[], limits: RankLimits): string {
  const unverified = misfits.filter(({ obstacle }) => obstacle === "unverified").map(({ name }) => name);
  const others = misfits.filter(({ obstacle }) => obstacle !== "unverified");
  return [
    unverified.length > 0 &&
      `Tournaments are for verified accounts, and ${unverified.join(" and ")} ${unverified.length === 1 ? "has" : "have"} none any more.`,
    others.length > 0 && `This tournament is for ${sayLimits(limits)}.`,
    ...others.map(({ name, rank }) => (rank ? `${name} is ${rank}.` : `${name} says no rank.`)),
  ]
    .filter(Boolean)
    .join(" ");
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
