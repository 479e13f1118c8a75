import type { TournamentState } from "#db/words/tournament-states";
import { MINUTE } from "~/platform/dates/durations";
import { MAX_CENTS } from "./money";

/** The values that determine a tournament's phase. */
export interface Schedule {
  state: TournamentState;
  registrationDeadline: Date;
  tournamentDate: Date;
  checkInMinutes: number;
}

/**
 * A tournament's phase:
 * - `registration`: teams may register
 * - `closed`: registration has ended, and the tournament hasn't started
 * - the others equal its state
 */
type Phase = "registration" | "closed" | "running" | "finished" | "cancelled";

export function phaseOf({ state, registrationDeadline }: Pick<Schedule, "state" | "registrationDeadline">, now: Date) {
  if (state !== "open") return state satisfies Phase;
  return now < registrationDeadline ? "registration" : "closed";
}

/**
 * Returns when check-in opens: the chosen number of minutes before the date, but not before registration closes. Null
 * if the tournament has no check-in.
 */
export function checkInOpensAt({
  tournamentDate,
  registrationDeadline,
  checkInMinutes,
}: Omit<Schedule, "state">): Date | null {
  if (checkInMinutes === 0) return null;
  return new Date(Math.max(tournamentDate.getTime() - checkInMinutes * MINUTE, registrationDeadline.getTime()));
}

/**
 * Whether teams can check in now. Check-in stays open after the date until an organiser starts the
 * tournament: a late team is better than none.
 */
export function isCheckInOpen(schedule: Schedule, now: Date): boolean {
  const opensAt = checkInOpensAt(schedule);
  return schedule.state === "open" && opensAt !== null && opensAt <= now;
}

/**
 * The part of a tournament that its organisers may still edit:
 * - `everything`: no team has registered yet
 * - `harmless`: teams have registered, so the terms they signed up for stay
 * - `words`: it has started, so only its explanatory texts
 * - `nothing`: it is over
 */
export type EditScope = "everything" | "harmless" | "words" | "nothing";

export function editScope({
  state,
  currentParticipants,
}: {
  state: TournamentState;
  currentParticipants: number;
}): EditScope {
  if (state === "open") return currentParticipants === 0 ? "everything" : "harmless";
  return state === "running" ? "words" : "nothing";
}

/** The sum of all fees with every spot taken, in cents. */
export const allFees = ({ entryFee, teamSize, maxParticipants }: Fees): number => entryFee * teamSize * maxParticipants;

/** The values that determine the sum of fees. The fee is per player. */
export interface Fees {
  entryFee: number;
  teamSize: number;
  maxParticipants: number;
}

/**
 * Riot's conditions for entry fees: a minimum number of players, and a minimum share of the fees that goes to prizes.
 */
export const MIN_PLAYERS_WITH_FEE = 20;
const PRIZE_SHARE = { parts: 7, of: 10 } as const;

/** The lowest prize pool, in cents, that meets Riot's required share of all fees. */
export const leastPrize = (fees: Fees): number => Math.ceil((allFees(fees) * PRIZE_SHARE.parts) / PRIZE_SHARE.of);

/** Returns the field that violates Riot's conditions for entry fees; null if none does or if there is no fee. */
export function feeProblem(fees: Fees & { prizePool: number }): "entryFee" | "maxParticipants" | "prizePool" | null {
  if (fees.entryFee === 0) return null;
  if (fees.maxParticipants * fees.teamSize < MIN_PLAYERS_WITH_FEE) return "maxParticipants";
  const least = leastPrize(fees);
  if (least > MAX_CENTS) return "entryFee";
  return fees.prizePool < least ? "prizePool" : null;
}
