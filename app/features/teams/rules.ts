import type { joinRequests } from "#db/schema";
import { type Rank, rankPosition } from "~/game/ranks";
import type { Role } from "~/game/roles";
import { HOUR } from "~/platform/dates/durations";

/** Maximum number of characters of a request's note. */
export const MAX_NOTE_LENGTH = 200;
/** The time that a team is assumed to play after its last spot was filled, in milliseconds. */
export const SESSION_LENGTH = 2 * HOUR;

/**
 * Returns when a team's session ends: two hours after the last spot was taken; otherwise two hours after the author
 * closed the post to play with fewer players; otherwise when the post expires. `endSessions` has the same rule in SQL.
 * All times are in milliseconds since 1970.
 */
export const sessionEnd = (post: { filledAt: number | null; closedAt: number | null; expiresAt: number }): number => {
  const beganAt = post.filledAt ?? post.closedAt;
  return beganAt === null ? post.expiresAt : beganAt + SESSION_LENGTH;
};

export type JoinState = typeof joinRequests.$inferSelect.state;

/**
 * The states in which a player may ask again: they withdrew the request, left the team, or got no answer before the
 * team was full or the post ended. Players whom the author declined or removed may not.
 */
export const RENEWABLE = ["withdrawn", "left", "lapsed"] as const satisfies readonly JoinState[];

/** Whether a player may ask to join, given the state of their earlier request; null if there is none. */
export const mayAsk = (before: JoinState | null): boolean =>
  before === null || (RENEWABLE as readonly JoinState[]).includes(before);

/**
 * Says which of a post's requirements a player who asks to join doesn't meet: "Below Platinum 1. Would play Initiator,
 * not Controller." Empty if they meet both, or haven't said.
 */
export function sayMisfit(
  asker: { rank: Rank | null; role: Role | null },
  wanted: { requiredRank?: Rank | null | undefined; requiredRole?: Role | null | undefined },
): string {
  const isBelow = asker.rank && wanted.requiredRank && rankPosition(asker.rank) < rankPosition(wanted.requiredRank);
  const isOther = asker.role && wanted.requiredRole && asker.role !== wanted.requiredRole;
  return [
    isBelow ? `Below ${wanted.requiredRank}.` : "",
    isOther ? `Would play ${asker.role}, not ${wanted.requiredRole}.` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** An open post of one of two players, and the state of the other's request to join it; null if there is none. */
export interface AskedPost {
  id: string;
  asked: JoinState | null;
}

/**
 * Finds the page where a viewer can team up with another player: a post where one of them has already asked to join;
 * otherwise the other player's post; otherwise the viewer's own post. If the other player has several posts, the result
 * is their player page, where the viewer can choose one.
 * @param posts the open posts of both, newest first
 * @returns a path; null if neither has an open post
 */
export function whereToTeamUp(
  otherId: string,
  { theirs, own }: { theirs: readonly AskedPost[]; own: readonly AskedPost[] },
): string | null {
  const joining = theirs.find(({ asked }) => asked === "pending" || asked === "accepted");
  if (joining) return `/lfg/${joining.id}`;
  const asking = own.find(({ asked }) => asked === "pending");
  if (asking) return `/lfg/${asking.id}`;
  const [post, ...others] = theirs;
  if (others.length > 0) return `/players/${otherId}#open-posts`;
  if (post) return mayAsk(post.asked) ? `/lfg/${post.id}/join` : `/lfg/${post.id}`;
  return own[0] ? `/lfg/${own[0].id}` : null;
}
