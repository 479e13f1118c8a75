import { DAY } from "~/platform/dates/durations";
import type { SearchParams } from "~/platform/search-params/search-params";

/** A comment holds at most so many characters. */
export const MAX_COMMENT_LENGTH = 1_000;

/** Feedback is revealed so long after it was given, if the other player gives none before. Milliseconds. */
export const REVEALED_AFTER = 7 * DAY;
/** A player can give the same player feedback once in this time. Milliseconds. */
export const AGAIN_AFTER = 14 * DAY;

export const RATINGS = [1, 2, 3, 4, 5] as const;

export type Stars = (typeof RATINGS)[number];

/** What each number of stars means, as the form says it. */
export const RATING_WORDS: Record<Stars, string> = {
  1: "I would not play with them again.",
  2: "It was hard going.",
  3: "It was fine.",
  4: "Good to play with.",
  5: "I would play with them any time.",
};

/** What can be said for a player with a tick, in the order of the form. */
export const FEEDBACK_TAGS = [
  "calls clearly",
  "keeps calm",
  "friendly",
  "plays for the team",
  "on time",
  "explains well",
] as const;

export type FeedbackTag = (typeof FEEDBACK_TAGS)[number];

/** What one player has said of another, by their own hand. */
export interface OwnFeedback {
  id: string;
  rating: Stars;
  comment: string | null;
  tags: FeedbackTag[];
  /** Milliseconds since 1970. */
  createdAt: number;
  /** When it is revealed at the latest. */
  dueAt: number;
  /** Null while it is hidden, and can be changed. */
  revealedAt: number | null;
}

/**
 * Where a player stands with another: `give` it, `edit` what was given, or `wait`, because what was given is revealed and
 * the next is not due yet.
 * @param last what they gave last; null when that is nothing
 * @param asked when they were asked for it; what was given since has answered that, however long ago it is
 */
export function nextStep(last: OwnFeedback | null, now: number, asked = Number.POSITIVE_INFINITY) {
  if (last === null) return "give";
  if (last.revealedAt === null) return "edit";
  return last.createdAt > now - AGAIN_AFTER || last.createdAt >= asked ? "wait" : "give";
}

/** Reviews on one page of the list. */
export const REVIEWS_PAGE = 10;

/** Which page of a player's reviews the address of their page shows. */
export const REVIEW_LIST = {
  cursor: { kind: "cursor", by: "number", names: { after: "reviews", upTo: "reviews-upto" } },
} satisfies SearchParams;
