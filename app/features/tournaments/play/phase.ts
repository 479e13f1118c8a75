import type { TournamentState } from "#db/words/tournament-states";
import type { Side } from "#party/wire/tournament-commands";
import { MINUTE } from "~/platform/dates/durations";

/** The facts that determine a match's phase and options. */
export interface MatchFacts {
  tournament: TournamentState;
  state: "waiting" | "ready" | "reported" | "disputed" | "finished" | "bye" | "idle";
  /** Whether each side has checked in. */
  checkedIn: readonly [boolean, boolean];
  /** When check-in ends or, once both sides are there, when the result is due; null before the match's turn. */
  deadlineAt: Date | null;
  /** The side that reported; null if neither has. */
  reporter: Side | null;
}

/** The viewer's relation to a match. */
export interface Standpoint {
  /** The side that they play for; null if neither. */
  side: Side | null;
  isCaptain: boolean;
  isOrganiser: boolean;
}

/** A match's phase, in the words of its badge. */
export type Phase =
  | "Waiting for teams"
  | "Check-in"
  | "Playing now"
  | "Waiting for confirmation"
  | "Disputed"
  | "Finished"
  | "Bye"
  | "Not played"
  | "Cancelled";

export function phaseOfMatch({ tournament, state, checkedIn }: Omit<MatchFacts, "deadlineAt" | "reporter">): Phase {
  switch (state) {
    case "finished":
      return "Finished";
    case "bye":
      return "Bye";
    case "idle":
      return "Not played";
    default:
  }
  if (tournament === "cancelled") return "Cancelled";
  switch (state) {
    case "waiting":
      return "Waiting for teams";
    case "ready":
      return checkedIn.every(Boolean) ? "Playing now" : "Check-in";
    case "reported":
      return "Waiting for confirmation";
    default:
      return "Disputed";
  }
}

/** The actions currently available to a viewer in a match. */
export interface Options {
  /** Check their team in. */
  checkIn: boolean;
  /** Report the score, or change their own report. */
  report: boolean;
  /** Agree with the other captain's report. */
  confirm: boolean;
  /** Ask the organisers to decide. */
  dispute: boolean;
  /** Give the match to the other side. */
  forfeit: boolean;
  /** Win because the other side hasn't shown up. */
  claim: boolean;
  /** Decide it as an organiser. */
  decide: boolean;
  /** Undo the result as an organiser. */
  reopen: boolean;
}

/** Returns the actions that a page offers. The tournament's room checks each again (`decide` in `decide.ts`). */
export function optionsIn(match: MatchFacts, { side, isCaptain, isOrganiser }: Standpoint, now: Date): Options {
  const { tournament, state, checkedIn, deadlineAt, reporter } = match;
  const isRunning = tournament === "running";
  const isOpen = isRunning && (state === "ready" || state === "reported" || state === "disputed");
  const captain = isCaptain ? side : null;
  const [own, other] = side === 2 ? [checkedIn[1], checkedIn[0]] : checkedIn;
  const isReported = isOpen && state === "reported";
  const isReady = isOpen && state === "ready";
  return {
    checkIn: isReady && side !== null && !own,
    report: captain !== null && ((isReady && deadlineAt !== null) || (isReported && reporter === captain)),
    confirm: captain !== null && isReported && reporter !== captain,
    dispute: captain !== null && (isReady || isReported),
    // A captain who agrees with a report against their team confirms it instead.
    forfeit: captain !== null && isOpen && !isReported,
    claim: captain !== null && isReady && own && !other && deadlineAt !== null && deadlineAt <= now,
    decide: isOrganiser && isOpen,
    reopen: isOrganiser && state === "finished" && (isRunning || tournament === "finished"),
  };
}

/** The time that a report waits for the other captain before it counts, in milliseconds. */
const CONFIRMATION_TIME = 15 * MINUTE;

/**
 * Returns when a report counts. The other captain needn't answer before the tournament's date. All times here and below
 * are in milliseconds since 1970.
 */
export const answerBy = (tournamentDate: number, reportedAt: number): number =>
  Math.max(reportedAt, tournamentDate) + CONFIRMATION_TIME;

/**
 * Returns since when a report has waited for the other captain. A tournament that was hidden and is shown again gives
 * them the full time once more, from that moment on.
 */
export const askedSince = (tournamentDate: number, reportedAt: number, confirmBy: number): number =>
  confirmBy > answerBy(tournamentDate, reportedAt) ? confirmBy - CONFIRMATION_TIME : reportedAt;

/**
 * Maximum number of minutes that are counted down; a later moment is shown as a time. It can be much later, since
 * nobody needs to answer before a tournament's date.
 */
export const MAX_COUNTDOWN_MINUTES = 30;

/** Whole minutes until a moment, rounded up; 0 once it has passed. */
export const minutesLeft = (until: number, now: number): number => Math.max(0, Math.ceil((until - now) / MINUTE));
