import type { TournamentState } from "#db/words/tournament-states";
import { type Rank, rankPosition } from "~/game/ranks";
import { checkInOpensAt, type Schedule } from "../rules";

export const MAX_TEAM_NAME_LENGTH = 40;
/** What a player says who looks for a team has at most so many characters. */
export const MAX_NOTE_LENGTH = 200;
/** Players that a team has besides those who play. */
export const SUBSTITUTES = 2;
/** Players whom a captain asks at once, and who may be asked at a time. */
export const INVITED_AT_ONCE = 10;
export const INVITATIONS_OPEN = 20;

/** A team that has a place, one that waits for a place, and one that did not come. */
type TeamState = "entered" | "waiting" | "absent";

/** The most players that a team has; who plays alone has no substitutes. */
export const rosterLimit = (teamSize: number): number => (teamSize === 1 ? 1 : teamSize + SUBSTITUTES);

/** The ranks that may play; null where there is no limit. */
export interface RankLimits {
  minRank: Rank | null;
  maxRank: Rank | null;
}

/** "Silver 1 to Diamond 3", "Immortal 1 and up", "up to Gold 3". */
export function sayLimits({ minRank, maxRank }: RankLimits): string {
  if (minRank && maxRank) return minRank === maxRank ? minRank : `${minRank} to ${maxRank}`;
  if (minRank) return `${minRank} and up`;
  return maxRank ? `up to ${maxRank}` : "any rank";
}

/** Why a player can't play in a tournament. */
export type Obstacle = "unverified" | "no-rank" | "rank";

/** A player who can't play in a tournament, and all that its words need. */
export interface Unfit {
  obstacle: Obstacle;
  rank: Rank | null;
  limits: RankLimits;
}

/** What keeps a player from a tournament, as far as their own account goes; null when that is nothing. */
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

/** Until when a team withdraws by itself: until check-in opens; where there is none, until the date. */
const withdrawsUntil = (schedule: Omit<Schedule, "state">): Date => checkInOpensAt(schedule) ?? schedule.tournamentDate;

/** Whether a team's captain withdraws it; the statement in `withdraw.server.ts` asks the same. A team that waits always may. */
export const mayWithdraw = (schedule: Schedule, team: TeamState, now: Date): boolean =>
  schedule.state === "open" && (team === "waiting" || now < withdrawsUntil(schedule));

/** Whether an organiser may disqualify a team, or take that back. The tournament's room knows whether it still has a match. */
export const mayDisqualify = (
  tournament: TournamentState,
  { state, disqualification }: { state: TeamState; disqualification: string | null },
): boolean =>
  state === "entered" && (tournament === "running" || (tournament === "finished" && disqualification !== null));

/** "2 players are missing", "1 player is missing". */
export const sayMissing = (players: number): string =>
  players === 1 ? "1 player is missing" : `${players} players are missing`;
