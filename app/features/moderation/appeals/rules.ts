import type { DecisionAction } from "#db/words/decision-actions";
import { DAY } from "~/platform/dates/durations";
import { isAppealable } from "../shared/statement";

/**
 * The time in which a decision can be appealed, in milliseconds: six months, the minimum under Article 20 of the
 * Digital Services Act.
 */
export const APPEAL_PERIOD = 184 * DAY;

/** Maximum number of characters of an appeal, and of the answer to it. */
export const MAX_APPEAL_LENGTH = 2_000;
export const MAX_ANSWER_LENGTH = 2_000;

/** Why an appeal was not sent: there is another one already, the decision was undone, or the time for it is over. */
export type AppealRefusal = "appealed" | "undone" | "late";

export const APPEAL_REFUSALS: Record<AppealRefusal, string> = {
  appealed: "You've already appealed this decision.",
  undone: "This decision has been undone, so there's nothing left to appeal.",
  late: "This decision is more than six months old, so it can't be appealed any more.",
};

/**
 * The outcome of answering an appeal. The answer is refused if the appeal has one already, if it is against the actor's
 * own decision, if the case is about the actor or something they reported, if the case is beyond the actor's role, if
 * it rejects an appeal against a decision that was undone, or if the actor can see no such appeal.
 */
export type AppealOutcome =
  | "answered"
  | "answered-before"
  | "own-decision"
  | "own-case"
  | "out-of-reach"
  | "undone"
  | "missing";

/** Why an appeal was not answered. */
export const ANSWER_REFUSALS: Record<Exclude<AppealOutcome, "answered" | "missing">, string> = {
  "answered-before": "Someone has already answered this appeal.",
  "own-decision": "You can't answer an appeal against your own decision.",
  "own-case": "You can't answer an appeal in your own case, or about something you reported.",
  "out-of-reach": "This appeal is waiting for an admin, or for an operator at the command line.",
  undone: "This decision no longer stands, so it can't be upheld. Grant the appeal to close it.",
};

/** Whether a decision's player could still appeal it, if they haven't yet. */
export const mayStillAppeal = (
  { action, createdAt, undoneBy }: { action: DecisionAction; createdAt: Date; undoneBy: string | null },
  now: Date,
): boolean => isAppealable(action) && undoneBy === null && now.getTime() - createdAt.getTime() < APPEAL_PERIOD;
