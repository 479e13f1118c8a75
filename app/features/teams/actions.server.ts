import { CANT_WRITE } from "~/features/blocks/rules";
import { tellPostLists } from "~/features/lfg/shared/tell-post-lists.server";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import type { Answer } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import { ownPath } from "~/platform/request/origin";
import {
  type AskOutcome,
  acceptRequest,
  declineRequest,
  type NewRequest,
  type RequestReply,
  requestToJoin,
  withdrawRequest,
} from "./commands.server";
import { type AnnouncedDeparture, type Departure, leaveTeam, removeMember } from "./departures.server";
import type { TeamRef } from "./room/membership.server";
import { type JoinState, mayAsk } from "./rules";
import type { TeamButton } from "./schema";

const done = (title: string, description?: string): Answer => ({ title, description });
const refused = (error: string, status = 409): Answer => ({ status, error });

/**
 * Handles a team's button. After the response, once the change is stored, updates the open tabs of the affected
 * players.
 */
export async function pressTeamButton(
  context: RequestContext,
  button: TeamButton,
  postId: string,
  userId: string,
): Promise<Answer> {
  switch (button.intent) {
    case "accept":
      return accept(context, {
        requestId: button.request,
        postId,
        authorId: userId,
        isSure: button.anyway !== undefined,
      });
    case "decline":
      return decline(context, { requestId: button.request, postId, authorId: userId });
    case "remove": {
      const reply = { requestId: button.request, postId, authorId: userId };
      const departure = await removeMember(context.db, reply, context.now.getTime());
      if (departure.outcome === "missing") return "missing";
      if (departure.outcome === "absent") {
        return refused(`${departure.name ?? "This player"} has already left your team.`);
      }
      announceDeparture(context, departure);
      return done(
        `${departure.name} is no longer in your team`,
        afterDeparture(departure, "Their spot is open again."),
      );
    }
    case "leave":
      return leave(context, postId, userId);
    case "withdraw":
      return withdraw(context, postId, userId);
    default:
      return button satisfies never;
  }
}

/**
 * Returns the page to return to if a team's button was pressed on a page other than the post's: a list or a player's
 * page, as named by the form. Without JavaScript the browser reloads that page and needs an anchor to scroll back to
 * the button; with JavaScript the page doesn't move.
 * @returns null if the form names no page of this site
 */
export function returnAfterButton(
  { isDocument }: RequestContext,
  form: FormData,
  button: TeamButton,
  postId: string,
): string | null {
  const path = ownPath(String(form.get("returnTo") ?? ""));
  if (path === null || !isDocument) return path;
  if (!("request" in button)) return `${path}#post-${postId}`;
  return `${path}#${path.startsWith("/players/") ? "asking" : "own-posts"}`;
}

/** The part of the reply that asks the author to confirm an acceptance. */
export interface AcceptReply {
  /** The request of a player who has blocked, or is blocked by, a member of the team. */
  toConfirm?: string;
}

async function accept(context: RequestContext, reply: RequestReply & { isSure: boolean }): Promise<Answer> {
  const accepted = await acceptRequest(context.db, reply, context.now.getTime());
  switch (accepted.outcome) {
    case "accepted":
      tellConversation(context, accepted.conversationId, { type: "changed" });
      tellUnread(context, reply.authorId, ...accepted.concerned);
      tellPostLists(context, reply.postId);
      return accepted.isFull
        ? done(`${accepted.name} is in. Your team is complete`, "Your post is closed now.")
        : done(`${accepted.name} is in your team`, "Say hi in team chat.");
    case "missing":
      return "missing";
    case "gone":
      return refused(GONE);
    case "answered":
      return refused(SETTLED[accepted.state]?.(accepted.name) ?? "This request no longer exists.");
    case "full":
      return refused("Your team is complete: someone else just got the last spot.");
    case "closed":
      return refused("This post is closed, so nobody can join it any more.");
    case "blocked":
      return refused(CANT_WRITE, 403);
    case "suspended":
      // Without the reason, which is between moderators and the player.
      return refused(`${accepted.name} can't join any more.`);
    case "apart":
      return {
        status: 409,
        toastTitle: `${accepted.name} isn't in your team yet`,
        error: "There's a block between this player and someone in your team. Accept them anyway, or decline.",
        more: { toConfirm: reply.requestId } satisfies AcceptReply,
      };
    default:
      return accepted satisfies never;
  }
}

async function decline(context: RequestContext, reply: RequestReply): Promise<Answer> {
  const request = await declineRequest(context.db, reply, context.now.getTime());
  if (request === "missing") return "missing";
  if (request === "gone") return refused(GONE);
  if (request.state !== "declined") {
    return refused(SETTLED[request.state]?.(request.name) ?? "This request no longer exists.");
  }
  tellUnread(context, reply.authorId, request.playerId);
  return done(`${request.name} was declined`, "We'll let them know, without a reason.");
}

/** Leaves a team. Updates open tabs as `pressTeamButton` does. */
export async function leave(context: RequestContext, team: TeamRef, userId: string): Promise<Answer> {
  const departure = await leaveTeam(context.db, team, userId, context.now.getTime());
  if (departure.outcome === "missing") return "missing";
  if (departure.outcome === "absent") return refused("You're no longer in this team.");
  announceDeparture(context, departure);
  return done("You've left the team", afterDeparture(departure, "Your spot is open again."));
}

async function withdraw(context: RequestContext, postId: string, userId: string): Promise<Answer> {
  const request = await withdrawRequest(context.db, postId, userId, context.now.getTime());
  switch (request?.state) {
    case undefined:
      return "missing";
    case "withdrawn":
      tellUnread(context, request?.authorId as string);
      return done("Request withdrawn");
    case "accepted":
      return refused("You've just been accepted. You can leave the team instead.");
    case "lapsed":
      return refused("The post closed before your request was answered.");
    default:
      return refused("Your request has already been answered.");
  }
}

/**
 * A request gets a new id when the player asks again, so that an author never answers a request that they haven't read.
 */
const GONE = "This request no longer exists. The player may have sent a new one.";

/** Explains why the author can no longer answer a request, by its current state. */
const SETTLED: Partial<Record<JoinState, (name: string) => string>> = {
  accepted: (name) => `${name} is already in your team. You can remove them instead.`,
  declined: (name) => `You've already declined ${name}.`,
  lapsed: (name) => `We've told ${name} there was no spot. They can ask again.`,
  withdrawn: (name) => `${name} has withdrawn the request.`,
};

const afterDeparture = ({ isOpen }: Departure, words: string) => (isOpen ? words : undefined);

/** Updates the open tabs of all affected players after someone has left a team. */
export function announceDeparture(
  context: Parameters<typeof tellUnread>[0],
  { postId, conversationId, playerId, recipientId }: AnnouncedDeparture,
): void {
  // All members in the room reconnect; the Worker refuses the player who has left.
  if (conversationId) tellConversation(context, conversationId, { type: "changed" });
  // The player's unread messages in that conversation no longer count, because they are no longer a member.
  tellUnread(context, playerId, recipientId);
  tellPostLists(context, postId);
}

/** The form's error for each reason why a request was refused. */
const REFUSALS: Record<Exclude<AskOutcome["outcome"], "asked" | "limited">, FormFailure> = {
  missing: { status: 409, error: "This post has been deleted." },
  own: { status: 409, error: "This is your own post. You already have a spot." },
  pending: { status: 409, error: "You've already asked to join. The author hasn't answered yet." },
  accepted: { status: 409, error: "You're already in this team." },
  declined: { status: 409, error: "Your request was declined, so you can't ask again." },
  removed: { status: 409, error: "You were in this team before, so you can't ask again." },
  blocked: { status: 403, error: CANT_WRITE },
  full: { status: 409, error: "The last spot was just taken." },
  closed: { status: 409, error: "This post is closed, so nobody can join it any more." },
  used: { status: 409, error: "This form was already used. Open it again to ask once more." },
};

/**
 * Explains why a player can't ask for a spot in a post, as far as its page knows; undefined if they can.
 * @param post.asked the state of an earlier request
 * @param post.hasBlocked whether the player has blocked its author, `isBlocked` whether the author has blocked the
 *   player
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

/** Asks for a spot in a post. After the response, once the request is stored, updates the author's open tabs. */
export async function askToJoin(context: RequestContext, wish: NewRequest): Promise<Answer> {
  const asked = await requestToJoin(context, wish);
  if (asked.outcome === "limited") return refuseLimited(context, asked);
  if (asked.outcome !== "asked") return REFUSALS[asked.outcome];
  tellUnread(context, asked.authorId);
  return done("Request sent!", "We'll let you know when they answer.");
}
