import type { joinRequests } from "#db/schema";
import { HOUR } from "~/platform/dates/durations";

/** A request to join says at most so many characters. */
export const MAX_NOTE_LENGTH = 200;
/** How long a team is taken to play after its last spot was filled, in milliseconds. */
export const SESSION_LENGTH = 2 * HOUR;

export type JoinState = typeof joinRequests.$inferSelect.state;

/**
 * In these states a player may ask a post again: they took the request back, left by themselves, or got no answer before
 * the team was full or the post ended. Whom the author has declined or removed may not: once no is no.
 */
export const RENEWABLE = ["withdrawn", "left", "lapsed"] as const satisfies readonly JoinState[];

/** Whether a player may ask to join, as far as what they asked before goes; null when that is nothing. */
export const mayAsk = (before: JoinState | null): boolean =>
  before === null || (RENEWABLE as readonly JoinState[]).includes(before);

/** An open post of one of two players, and what became of the other's request to join it; null where there is none. */
export interface AskedPost {
  id: string;
  asked: JoinState | null;
}

/**
 * Where two players can team up, seen by one of them: where one has asked the other already, else on the other's post,
 * else on one's own. Several posts of the other's are for the viewer to choose from, on that player's page.
 * @param posts the open posts of both, newest first
 * @returns an address; null where neither looks for players
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
