import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts } from "#db/schema";
import { POST_LIFETIME } from "~/features/lfg/rules";
import { isOpenPost } from "~/features/lfg/shared/post-state.server";
import { type JoinState, mayAsk } from "../rules";

const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/** The state of a player's request to join someone else's open post, and the team's conversation if it has one. */
interface Standing {
  state: JoinState;
  conversationId: string | null;
}

/** A player's standing with a post, as pages show it. */
export interface StandingView {
  words: string;
  canWithdraw: boolean;
  /** The path of the team's chat; null outside the team. */
  chat: string | null;
}

/** The wording of the states that pages show. In all other states a player may ask as if for the first time. */
const WORDS: Partial<Record<JoinState, string>> = {
  pending: "Requested",
  accepted: "You're in",
  declined: "Declined",
  removed: "No longer in this team",
};

/** Presents a player's standing with a post; null if there is nothing to show. */
export function presentStanding({ state, conversationId }: Standing): StandingView | null {
  const words = WORDS[state];
  if (!words) return null;
  const chat = state === "accepted" && conversationId ? `/dashboard/messages/${conversationId}` : null;
  return { words, canWithdraw: state === "pending", chat };
}

/**
 * Whether a post can still have a spot for a player: they are waiting for an answer, or may ask.
 * @param asked the state of their request; null if there is none
 */
export const hasSpotFor = (asked: JoinState | null): boolean => asked === "pending" || mayAsk(asked);

/**
 * Reads a player's standing with all open posts, by the post's id. A request is younger than its post, and posts are
 * open for 24 hours, so only requests of the last 24 hours are read. The limit on requests bounds their number.
 */
export async function listStandings(db: Database, userId: string, now: Date): Promise<Map<string, Standing>> {
  const moment = now.getTime();
  const rows = await db.all<Standing & { postId: string }>(sql`
    SELECT ${r.postId} AS postId, ${r.state} AS state, ${p.conversationId} AS conversationId
    FROM ${joinRequests} AS ${r} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${r.postId}
    WHERE ${r.userId} = ${userId} AND ${r.state} IN ('pending', 'accepted', 'declined', 'removed')
      AND ${r.createdAt} > ${moment - POST_LIFETIME} AND ${isOpenPost(moment, p)}`);
  return new Map(rows.map(({ postId, ...standing }) => [postId, standing]));
}
