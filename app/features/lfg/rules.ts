import { HOUR, MINUTE } from "~/platform/dates/durations";
import { foldForSearch } from "~/platform/lists/search-text";

/** A post closes by itself after 24 hours (specification, section 9). */
export const POST_LIFETIME = 24 * HOUR;
/** A player may have so many posts open at once: a duo and a five-stack side by side. */
export const MAX_OPEN_POSTS = 3;
/** A post may be put back on top once in 30 minutes. */
export const BUMP_INTERVAL = 30 * MINUTE;
/** An author hears that a post closes this long before it does. */
export const CLOSES_SOON = HOUR;
export const MAX_TITLE_LENGTH = 100;
export const MAX_MESSAGE_LENGTH = 1_000;
export const PLAYERS_NEEDED = [1, 2, 3, 4] as const;

/** Whether others still see the post in the list. */
export function isOpen(post: { isActive: boolean; expiresAt: Date }, now: Date): boolean {
  return post.isActive && post.expiresAt > now;
}

/** Whether a post that closed itself with its last spot opens again when one is freed (`vacate` in `teams/commands.server.ts`). */
export function opensAgain(
  post: {
    isActive: boolean;
    filledAt: Date | null;
    closedAt: Date | null;
    sessionEndedAt: Date | null;
    expiresAt: Date;
  },
  now: Date,
): boolean {
  const { isActive, filledAt, closedAt, sessionEndedAt, expiresAt } = post;
  return !isActive && filledAt !== null && closedAt === null && sessionEndedAt === null && expiresAt > now;
}

/** Whether its author can open a post again that they have closed, or undo that a complete one stays closed. */
export function canReopen(
  post: { closedAt: Date | null; sessionEndedAt: Date | null; expiresAt: Date },
  now: Date,
): boolean {
  return post.closedAt !== null && post.sessionEndedAt === null && post.expiresAt > now;
}

/** The search text of a post. */
export const searchTextOf = (post: { title: string; message: string | null }) =>
  foldForSearch(`${post.title} ${post.message ?? ""}`);
