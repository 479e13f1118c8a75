import { sessionEnd } from "~/features/teams/rules";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import { foldForSearch } from "~/platform/lists/search-text";

/** A post closes automatically after 24 hours (specification, section 9). */
export const POST_LIFETIME = 24 * HOUR;
/** The most open posts that a player may have: enough to look for a duo and a five-stack at the same time. */
export const MAX_OPEN_POSTS = 3;
/** The shortest time between two bumps of a post. */
export const BUMP_INTERVAL = 30 * MINUTE;
/** A bump this soon after another, in milliseconds, counts as the same press of the button. */
export const SAME_BUMP_WITHIN = 10_000;
/** Authors are warned about a closing post once no more than this time is left. */
export const CLOSING_NOTICE = HOUR;
export const MAX_TITLE_LENGTH = 100;
export const MAX_MESSAGE_LENGTH = 1_000;
export const PLAYERS_NEEDED = [1, 2, 3, 4] as const;

// `shared/post-state.server.ts` has the same three states as SQL conditions.

/** Whether others see the post in the list. */
export function isOpen(post: { isActive: boolean; expiresAt: Date }, now: Date): boolean {
  return post.isActive && post.expiresAt > now;
}

/**
 * Whether a post that closed because its last spot was taken opens again when a spot is freed (`freeSpot` in
 * `teams/departures.server.ts`).
 */
export function opensAgain(
  post: {
    isActive: boolean;
    filledAt: Date | null;
    closedAt: Date | null;
    sessionEndedAt: Date | null;
    expiresAt: Date;
    hiddenAt: Date | null;
  },
  now: Date,
): boolean {
  const { isActive, filledAt, closedAt, sessionEndedAt, expiresAt, hiddenAt } = post;
  return (
    hiddenAt === null &&
    !isActive &&
    filledAt !== null &&
    closedAt === null &&
    sessionEndedAt === null &&
    expiresAt > now
  );
}

/**
 * Whether a post's author can reopen the post after closing it. If the team is complete, a reopened post returns to the
 * list only when someone leaves.
 */
export function canReopen(
  post: { closedAt: Date | null; sessionEndedAt: Date | null; expiresAt: Date; hiddenAt: Date | null },
  now: Date,
): boolean {
  return post.hiddenAt === null && post.closedAt !== null && post.sessionEndedAt === null && post.expiresAt > now;
}

/**
 * Returns when it becomes too late to reopen a post that its author has closed: at the end of its 24 hours or, if it
 * has a team, at the end of the team's session if that is earlier.
 */
export function reopenableUntil(
  post: { takenSpots: number; filledAt: Date | null; closedAt: Date | null; expiresAt: Date },
  now: Date,
): Date {
  const { takenSpots, filledAt, closedAt, expiresAt } = post;
  if (takenSpots === 0) return expiresAt;
  const ends = sessionEnd({
    filledAt: filledAt?.getTime() ?? null,
    closedAt: (closedAt ?? now).getTime(),
    expiresAt: expiresAt.getTime(),
  });
  return new Date(Math.min(ends, expiresAt.getTime()));
}

/** Returns the text of a post that searches look through. */
export const searchTextOf = (post: { title: string; message: string | null }) =>
  foldForSearch(`${post.title} ${post.message ?? ""}`);
