import { type Ineligibility, sayLimits } from "./rules";

/** Why something couldn't be done, as a form or a button shows it. */
export interface Refused {
  status: number;
  error: string;
  field?: string;
  /** Where the player can do something about it. */
  next?: { to: string; label: string };
}

const PROFILE = "/dashboard/profile";

/** Explains why a player can't play in a tournament, and where they can change it. */
export function refuseObstacle({ obstacle, rank, limits }: Ineligibility): Refused {
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
        error: `This tournament is for ${sayLimits(limits)}. Set your rank to register.`,
        next: { to: PROFILE, label: "Set your rank" },
      };
    case "rank":
      return { status: 409, error: `This tournament is for ${sayLimits(limits)}. You are ${rank}.` };
    default:
      return obstacle satisfies never;
  }
}

/** A player of a team who isn't eligible for the tournament. */
export interface IneligiblePlayer extends Ineligibility {
  name: string;
}

/** Names the ineligible players: "This tournament is for verified accounts, up to Gold 3. miravel is Diamond 1." */
export const sayIneligible = (players: readonly [IneligiblePlayer, ...IneligiblePlayer[]]): string =>
  [
    `This tournament is for verified accounts, ${sayLimits(players[0].limits)}.`,
    ...players.map(({ name, obstacle, rank }) =>
      obstacle === "unverified"
        ? `${name} is not verified any more.`
        : `${name} ${rank ? `is ${rank}` : "says no rank"}.`,
    ),
  ].join(" ");

export const NOT_OPEN: Refused = {
  status: 409,
  error: "This tournament has begun or is over, so its teams stay as they are.",
};

export const alreadyIn = (team: string): Refused => ({
  status: 409,
  error: `You are in this tournament already, with “${team}”.`,
});

export const alreadyInSome: Refused = { status: 409, error: "You are in a team of this tournament already." };

export const TOO_LATE_TO_WITHDRAW = "It is too late to withdraw by yourself: the organisers decide now. Write to them.";
export const WAITING_LIST_MOVES = "The waiting list moves up by itself.";
