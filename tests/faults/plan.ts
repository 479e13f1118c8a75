import fc from "fast-check";

/*
 * The plan of a run: what players do, and what fails while they do it. Numbers refer to things by their place in lists,
 * so a seed gives the same plan although each run makes new ids. The timing is not part of it.
 */

export const ACTIONS = [
  "message",
  "read",
  "post",
  "close",
  "ask",
  "answer",
  "leave",
  "rate",
  "report",
  "dismiss",
  "register",
  "withdraw",
  "score",
  "verify",
] as const;

export const FAULTS = [
  "kill the Worker",
  "deploy",
  "cut connections",
  "freeze the database",
  "restart the database",
  "slow database",
  "database away",
  "half answers",
  "locked database",
  "no email",
  "no push",
  "clock",
] as const;

export interface Action {
  kind: (typeof ACTIONS)[number];
  /** The acting player's place in the list of players. */
  player: number;
  /** The target's place in the list of things of its kind. */
  choice: number;
}

export interface Fault {
  kind: (typeof FAULTS)[number];
  /** Milliseconds from the round's beginning. */
  after: number;
  /** Milliseconds until it is over, for those that last. */
  lasts: number;
  /** Whether it waits for the next write on its way to the database. */
  isMidWrite: boolean;
}

/** Actions that begin together, and at most one fault among them. */
export interface Round {
  actions: Action[];
  fault: Fault | null;
}

const number = fc.nat({ max: 1_000 });

const action = fc.record({
  // Half of what players do is writing.
  kind: fc.oneof(
    { weight: 1, arbitrary: fc.constant("message" as const) },
    { weight: 1, arbitrary: fc.constantFrom(...ACTIONS) },
  ),
  player: number,
  choice: number,
});

const fault = fc.record({
  kind: fc.constantFrom(...FAULTS),
  after: fc.nat({ max: 400 }),
  lasts: fc.integer({ min: 200, max: 2_500 }),
  isMidWrite: fc.boolean(),
});

const round: fc.Arbitrary<Round> = fc.record({
  actions: fc.array(action, { minLength: 6, maxLength: 14, size: "max" }),
  fault: fc.option(fault, { freq: 3 }),
});

/** The approximate length of a round, in seconds. */
const ROUND_SECONDS = 2;

/** Returns how many rounds take about this many minutes. */
export const roundsIn = (minutes: number): number => Math.max(1, Math.round((minutes * 60) / ROUND_SECONDS));

/** Plans a run. A longer plan of the same seed begins with the shorter one. */
export const planRun = (seed: number, rounds: number): Round[] => fc.sample(round, { seed, numRuns: rounds });

/** Describes a round in one line, for the log of a run. */
export const sayRound = ({ actions, fault }: Round): string =>
  `${actions.map(({ kind }) => kind).join(" ")}${fault ? ` | ${fault.kind}` : ""}`;
