import type { TournamentState } from "#db/words/tournament-states";
import { type Ineligibility, rosterLimit, sayLimits } from "./rules";

/** The reason for a refusal, as shown by a form or a button. */
export interface Refused {
  status: number;
  error: string;
  field?: string;
  /** The page where the player can resolve it. */
  next?: { to: string; label: string };
}

const PROFILE = "/dashboard/profile";

/** Explains why a player can't play in a tournament, and where they can change that. */
export function refuseObstacle({ obstacle, rank, limits }: Ineligibility): Refused {
  switch (obstacle) {
    case "unverified":
      return {
        status: 409,
        error: "You need a verified account to play in tournaments. Verify your Riot account first.",
        next: { to: `${PROFILE}#account-verification`, label: "Verify your Riot account" },
      };
    case "no-rank":
      return {
        status: 409,
        error: `This tournament is for ${sayLimits(limits)}. Set your rank to register.`,
        next: { to: PROFILE, label: "Set your rank" },
      };
    case "rank":
      return { status: 409, error: `This tournament is for ${sayLimits(limits)}. You're ${rank}.` };
    default:
      return obstacle satisfies never;
  }
}

/** A player of a team who isn't eligible for the tournament. */
export interface IneligiblePlayer extends Ineligibility {
  name: string;
}

/** Names the ineligible players: "This tournament is for verified accounts, Gold 3 and below. miravel is Diamond 1." */
export const sayIneligible = (players: readonly [IneligiblePlayer, ...IneligiblePlayer[]]): string =>
  [
    `This tournament is for verified accounts, ${sayLimits(players[0].limits)}.`,
    ...players.map(({ name, obstacle, rank }) =>
      obstacle === "unverified"
        ? `${name} isn't verified any more.`
        : `${name} ${rank ? `is ${rank}` : "has no rank set"}.`,
    ),
  ].join(" ");

export const NOT_OPEN: Refused = {
  status: 409,
  error: "This tournament has started or is over, so its teams can't change.",
};

export const TEAM_FULL: Refused = { status: 409, error: "This team is full, substitutes included." };

/** Says why nobody can join a team any more; null if players still can. @param members the number of its players */
export function sayClosed(
  { state, isHidden, teamSize }: { state: TournamentState; isHidden: boolean; teamSize: number },
  members: number,
): string | null {
  if (isHidden) return "This tournament is hidden, so its teams can't change.";
  if (state !== "open") return NOT_OPEN.error;
  return members < rosterLimit(teamSize) ? null : TEAM_FULL.error;
}

/** @param page the team's page, to link to */
export const alreadyIn = (team: string, page?: string): Refused => ({
  status: 409,
  error: `You're already in this tournament, with “${team}”.`,
  ...(page && { next: { to: page, label: "Go to Your Team" } }),
});

export const alreadyInSome: Refused = { status: 409, error: "You're already in a team in this tournament." };

export const ONLY_CAPTAIN_WITHDRAWS = "Only a team's captain can withdraw it.";
export const TOO_LATE_TO_WITHDRAW = "It's too late to withdraw on your own. Ask the organisers.";
export const WAITING_LIST_MOVES = "The waiting list moves up by itself.";
