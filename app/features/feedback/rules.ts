import { DAY } from "~/platform/dates/durations";
import type { SearchParams } from "~/platform/search-params/search-params";

/** Maximum number of characters in a comment. */
export const MAX_COMMENT_LENGTH = 1_000;

/** The time after which feedback is revealed even if the other player gives none, in milliseconds. */
export const REVEALED_AFTER = 7 * DAY;
/** The time before a player can give the same player feedback again, in milliseconds. */
export const AGAIN_AFTER = 14 * DAY;

export const RATINGS = [1, 2, 3, 4, 5] as const;

export type Stars = (typeof RATINGS)[number];

/** The meaning of each number of stars, as the form shows it. */
export const RATING_WORDS: Record<Stars, string> = {
  1: "I wouldn't play with them again.",
  2: "It was hard going.",
  3: "It was fine.",
  4: "Good to play with.",
  5: "I'd play with them any time.",
};

/** The positive points to tick, in the order of the form. */
export const FEEDBACK_TAGS = [
  "calls clearly",
  "keeps calm",
  "friendly",
  "plays for the team",
  "on time",
  "explains well",
] as const;

export type FeedbackTag = (typeof FEEDBACK_TAGS)[number];

/** A player's own feedback for another player. */
export interface OwnFeedback {
  id: string;
  rating: Stars;
  comment: string | null;
  tags: FeedbackTag[];
  /** Milliseconds since 1970. */
  createdAt: number;
  /** When it was given or last changed, in milliseconds since 1970. */
  updatedAt: number;
  /** When the feedback is revealed at the latest, in milliseconds since 1970. */
  dueAt: number;
  /** Null until the feedback is revealed. */
  revealedAt: number | null;
  /** Whether moderators have hidden it. If so, nobody sees it, even after it is revealed. */
  isHidden: boolean;
}

/** Whether a player can still change feedback that they have given. */
export const mayChange = ({ revealedAt, isHidden }: OwnFeedback): boolean => revealedAt === null && !isHidden;

/**
 * Returns the next step for a player's feedback to another: `give` it, `edit` it until it is revealed, or `wait` if it
 * is revealed or hidden by moderators, and they can't give the next yet.
 * @param last their latest feedback; null if there is none
 * @param askedAt when the player was asked for feedback, in milliseconds since 1970. Feedback given since then counts
 *   as the answer, regardless of its age
 */
export function nextStep(last: OwnFeedback | null, now: number, askedAt = Number.POSITIVE_INFINITY) {
  if (last === null) return "give";
  if (mayChange(last)) return "edit";
  return last.createdAt > now - AGAIN_AFTER || last.createdAt >= askedAt ? "wait" : "give";
}

/** Reviews per page. */
export const REVIEWS_PER_PAGE = 10;

/** The search parameters that name a page of reviews, in the address of the reviewed player's page. */
export const REVIEW_LIST = {
  cursor: { kind: "cursor", by: "number", names: { after: "reviews", upTo: "reviews-upto" } },
} satisfies SearchParams;
