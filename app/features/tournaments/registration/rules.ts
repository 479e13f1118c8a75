import type { TournamentState } from "#db/words/tournament-states";
import { sayRankRange } from "~/game/rank-range";
import { type Rank, rankPosition } from "~/game/ranks";
import { checkInOpensAt, type Schedule } from "../rules";

export const MAX_TEAM_NAME_LENGTH = 40;
/** Maximum number of characters in the note of a player looking for a team. */
export const MAX_NOTE_LENGTH = 200;
/** Maximum number of substitutes in a team. */
export const SUBSTITUTES = 2;
/** The most teams on a waiting list, all of which the list of teams shows. */
export const WAITING_TEAMS = 100;
/** Maximum number of players that a captain may invite at a time, and of open invitations. */
export const INVITED_AT_ONCE = 10;
export const INVITATIONS_OPEN = 20;

/** The states of a team: with a spot, on the waiting list, or absent because it didn't check in. */
type TeamState = "entered" | "waiting" | "absent";

/** Returns the maximum number of players in a team. Solo players have no substitutes. */
export const rosterLimit = (teamSize: number): number => (teamSize === 1 ? 1 : teamSize + SUBSTITUTES);

/** The eligible ranks; null for no limit. */
export interface RankLimits {
  minRank: Rank | null;
  maxRank: Rank | null;
}

/** "Silver 1 to Diamond 3", "Immortal 1 and up", "Gold 3 and below". */
export const sayLimits = ({ minRank, maxRank }: RankLimits): string => sayRankRange(minRank, maxRank) ?? "any rank";

/** Why a player can't play in a tournament. */
export type Obstacle = "unverified" | "no-rank" | "rank";

/** A player who can't play in a tournament, with everything needed to explain why. */
export interface Ineligibility {
  obstacle: Obstacle;
  rank: Rank | null;
  limits: RankLimits;
}

/** Returns the obstacle in a player's account that keeps them from a tournament; null if they may play. */
export function obstacleOf(
  { isVerified, rank }: { isVerified: boolean; rank: Rank | null },
  { minRank, maxRank }: RankLimits,
): Obstacle | null {
  if (!isVerified) return "unverified";
  if (!minRank && !maxRank) return null;
  if (!rank) return "no-rank";
  const position = rankPosition(rank);
  const isIn = (!minRank || position >= rankPosition(minRank)) && (!maxRank || position <= rankPosition(maxRank));
  return isIn ? null : "rank";
}

/**
 * The moment until which a captain can withdraw a team: the opening of check-in, or the tournament's date if it has no
 * check-in.
 */
const withdrawsUntil = (schedule: Omit<Schedule, "state">): Date => checkInOpensAt(schedule) ?? schedule.tournamentDate;

/**
 * Whether a captain may withdraw their team; the SQL in `withdraw.server.ts` follows the same rule. A waiting team may
 * be withdrawn until the tournament starts.
 */
export const mayWithdraw = (schedule: Schedule, team: TeamState, now: Date): boolean =>
  schedule.state === "open" && (team === "waiting" || now < withdrawsUntil(schedule));

/**
 * Whether an organiser may disqualify a team, or undo that. Only the tournament's room knows whether the team still has
 * a match to play.
 */
export const mayDisqualify = (
  tournament: TournamentState,
  { state, disqualification }: { state: TeamState; disqualification: string | null },
): boolean =>
  state === "entered" && (tournament === "running" || (tournament === "finished" && disqualification !== null));

/** "2 players short", "1 player short". */
export const sayMissing = (players: number): string => `${players} ${players === 1 ? "player" : "players"} short`;
