import type { RequestContext } from "~/platform/context";
import type { FormFailure } from "~/platform/forms/forms.server";
import { tellUnread } from "~/platform/rooms/rooms.server";
import { type AskOutcome, requestToJoin, type Wish } from "./commands.server";
import { type JoinState, mayAsk } from "./rules";

/** Why a request was not taken, as the form says it. */
const REFUSALS: Record<Exclude<AskOutcome["outcome"], "asked">, FormFailure> = {
  missing: { status: 409, error: "This post was deleted meanwhile." },
  own: { status: 409, error: "This is your own post: your spot is taken already." },
  pending: { status: 409, error: "You have asked this post already. Its author has not answered yet." },
  accepted: { status: 409, error: "You are in this team already." },
  declined: { status: 409, error: "Your request was declined, so you can't ask this post again." },
  removed: { status: 409, error: "You were in this team before, so you can't ask this post again." },
  // The same words as for a message: who has blocked whom is nobody's business.
  blocked: { status: 403, error: "You can't write to this player." },
  full: { status: 409, error: "The last spot was taken meanwhile." },
  closed: { status: 409, error: "This post is closed, so nobody can join it any more." },
  used: { status: 409, error: "This form was used already. Open it again to ask once more." },
};

/**
 * Why a player can't ask a post for a spot, as far as its page knows; undefined when nothing speaks against it.
 * @param post.asked what became of an earlier request
 * @param post.hasBlocked whether the player has blocked its author, `isBlocked` whether the author has blocked the player
 */
export function whyNotJoin(post: {
  isOwn: boolean;
  isOpen: boolean;
  openSpots: number;
  asked: JoinState | null;
  hasBlocked: boolean;
  isBlocked: boolean;
}): FormFailure | undefined {
  if (post.isOwn) return REFUSALS.own;
  if (post.hasBlocked || post.isBlocked) return REFUSALS.blocked;
  if (post.asked && !mayAsk(post.asked)) return REFUSALS[post.asked as "pending" | "accepted" | "declined" | "removed"];
  if (post.openSpots <= 0) return REFUSALS.full;
  return post.isOpen ? undefined : REFUSALS.closed;
}

/** Asks a post for a spot; once that is stored, and after the answer, its author hears of it. */
export async function askToJoin(
  context: RequestContext,
  wish: Wish,
): Promise<{ ok: true } | ({ ok: false } & FormFailure)> {
  const asked = await requestToJoin(context.db, wish, context.now.getTime());
  if (asked.outcome !== "asked") return { ok: false, ...REFUSALS[asked.outcome] };
  tellUnread(context, asked.authorId);
  return { ok: true };
}
