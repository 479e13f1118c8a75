import type { TournamentState } from "#db/words/tournament-states";
import { MINUTE } from "~/platform/dates/durations";
import { MAX_CENTS } from "./money";

/** What is needed to say where a tournament stands. */
export interface Schedule {
  state: TournamentState;
  registrationDeadline: Date;
  tournamentDate: Date;
  checkInMinutes: number;
}

/**
 * Where a tournament stands:
 * - `registration`: teams may register
 * - `closed`: no longer, and it has not begun
 * - the others are its state
 */
type Phase = "registration" | "closed" | "running" | "finished" | "cancelled";

export function phaseOf({ state, registrationDeadline }: Pick<Schedule, "state" | "registrationDeadline">, now: Date) {
  if (state !== "open") return state satisfies Phase;
  return now < registrationDeadline ? "registration" : "closed";
}

/**
 * When teams may begin to check in: so long before the date, but not while others still register. Null where nobody has to.
 */
export function checkInOpensAt({
  tournamentDate,
  registrationDeadline,
  checkInMinutes,
}: Omit<Schedule, "state">): Date | null {
  if (checkInMinutes === 0) return null;
  return new Date(Math.max(tournamentDate.getTime() - checkInMinutes * MINUTE, registrationDeadline.getTime()));
}

/** Whether teams check in at this moment. Beyond the date, too, until somebody starts: who is late is better than nobody. */
export function isCheckInOpen(schedule: Schedule, now: Date): boolean {
  const opensAt = checkInOpensAt(schedule);
  return schedule.state === "open" && opensAt !== null && opensAt <= now;
}

/**
 * What its host may change of a tournament:
 * - `everything`: nobody has registered yet
 * - `harmless`: some have, and what they signed up for stays
 * - `words`: it has begun; only what explains it
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

/** The most that all places together can bring in, in cents. */
export const allFees = ({ entryFee, teamSize, maxParticipants }: Fees): number => entryFee * teamSize * maxParticipants;

/** What is needed to tell what fees come together. The fee is per player. */
export interface Fees {
  entryFee: number;
  teamSize: number;
  maxParticipants: number;
}

/** Riot's conditions for entry fees: so many can take part, and this part of the fees goes to prizes. */
export const MIN_PLAYERS_WITH_FEE = 20;
const PRIZE_SHARE = { parts: 7, of: 10 } as const;

/** The least that the prize pool has to be, in cents, so that Riot's part of all fees goes there. */
export const leastPrize = (fees: Fees): number => Math.ceil((allFees(fees) * PRIZE_SHARE.parts) / PRIZE_SHARE.of);

/** Which field stands against Riot's conditions for entry fees; null where none does, as where nobody pays. */
export function feeProblem(fees: Fees & { prizePool: number }): "entryFee" | "maxParticipants" | "prizePool" | null {
  if (fees.entryFee === 0) return null;
  if (fees.maxParticipants * fees.teamSize < MIN_PLAYERS_WITH_FEE) return "maxParticipants";
  const least = leastPrize(fees);
  if (least > MAX_CENTS) return "entryFee";
  return fees.prizePool < least ? "prizePool" : null;
}
