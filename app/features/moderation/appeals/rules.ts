import type { DecisionAction } from "#db/words/decision-actions";
import { DAY } from "~/platform/dates/durations";
import { isAppealable } from "../statement/words";

/**
 * How long a decision can be appealed, in milliseconds: six months, as the Digital Services Act (Article 20) demands at
 * least.
 */
export const APPEAL_PERIOD = 184 * DAY;

/** The most characters of an appeal. */
export const MAX_APPEAL_LENGTH = 2_000;

/** Whether a decision's player could still appeal it, if they haven't yet. */
export const mayStillAppeal = (
  { action, createdAt, undoneBy }: { action: DecisionAction; createdAt: Date; undoneBy: string | null },
  now: Date,
): boolean => isAppealable(action) && undoneBy === null && now.getTime() - createdAt.getTime() < APPEAL_PERIOD;
