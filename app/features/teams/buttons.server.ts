import type { RequestContext } from "~/platform/context";
import type { Toast } from "~/platform/pages/toast";
import { tellConversation, tellUnread } from "~/platform/rooms/rooms.server";
import {
  acceptRequest,
  type Departure,
  declineRequest,
  leaveTeam,
  removeMember,
  withdrawRequest,
} from "./commands.server";
import type { JoinState } from "./rules";
import type { TeamButton } from "./schema";

/** How pressing a button went. `missing`: there is nothing of this player's here to press it on. */
export type Pressed =
  | { outcome: "done"; toast: Omit<Toast, "id"> }
  | { outcome: "refused"; status: number; error: string }
  | { outcome: "missing" };

const done = (title: string, description?: string): Pressed => ({
  outcome: "done",
  toast: { kind: "success", title, ...(description && { description }) },
});
const refused = (error: string, status = 409): Pressed => ({ outcome: "refused", status, error });

/** Does what a button of a team asks for, and tells those whom it concerns once it is stored, after the answer. */
export async function pressTeamButton(
  context: RequestContext,
  button: TeamButton,
  postId: string,
  userId: string,
): Promise<Pressed> {
  switch (button.intent) {
    case "accept":
      return accept(context, { requestId: button.request, postId, authorId: userId });
    case "decline":
      return decline(context, { requestId: button.request, postId, authorId: userId });
    case "remove": {
      const answer = { requestId: button.request, postId, authorId: userId };
      const departure = await removeMember(context.db, answer, context.now.getTime());
      if (!departure) return { outcome: "missing" };
      tellDeparture(context, departure);
      return done(`${departure.name} is out of your team`, afterDeparture(departure, "The post is in the list again."));
    }
    case "leave": {
      const departure = await leaveTeam(context.db, postId, userId, context.now.getTime());
      if (!departure) return { outcome: "missing" };
      tellDeparture(context, departure);
      return done("You have left the team", afterDeparture(departure, "Its spot is open again."));
    }
    case "withdraw":
      return withdraw(context, postId, userId);
    default:
      return button satisfies never;
  }
}

interface OneAnswer {
  requestId: string;
  postId: string;
  authorId: string;
}

async function accept(context: RequestContext, answer: OneAnswer): Promise<Pressed> {
  const accepted = await acceptRequest(context.db, answer, context.now.getTime());
  switch (accepted.outcome) {
    case "accepted":
      tellConversation(context, accepted.conversationId, { type: "changed" });
      tellUnread(context, ...accepted.told);
      return accepted.isFull
        ? done(`${accepted.name} is in. Your team is complete`, "The post has closed itself.")
        : done(`${accepted.name} is in your team`, "You find each other below, and in the chat.");
    case "missing":
      return { outcome: "missing" };
    case "answered":
      return refused(SETTLED[accepted.state]?.(accepted.name) ?? "This request is not there any more.");
    case "full":
      return refused("Your team is complete: the last spot went to somebody else a moment ago.");
    case "closed":
      return refused("This post is closed, so nobody can join it any more.");
    case "blocked":
      return refused("You can't write to this player.", 403);
    default:
      return accepted satisfies never;
  }
}

async function decline(context: RequestContext, answer: OneAnswer): Promise<Pressed> {
  const request = await declineRequest(context.db, answer, context.now.getTime());
  if (!request) return { outcome: "missing" };
  if (request.state !== "declined") {
    return refused(SETTLED[request.state]?.(request.name) ?? "This request is not there any more.");
  }
  tellUnread(context, ...request.told);
  return done(`${request.name} is declined`, "They are told, without a reason.");
}

async function withdraw(context: RequestContext, postId: string, userId: string): Promise<Pressed> {
  const request = await withdrawRequest(context.db, postId, userId, context.now.getTime());
  switch (request?.state) {
    case undefined:
      return { outcome: "missing" };
    case "withdrawn":
      tellUnread(context, request?.authorId as string);
      return done("Request taken back");
    case "accepted":
      return refused("You were accepted a moment ago. You can leave the team instead.");
    default:
      return refused("Your request was answered already.");
  }
}

/** What had become of a request before the author answered it. */
const SETTLED: Partial<Record<JoinState, (name: string) => string>> = {
  accepted: (name) => `${name} is in your team already. You can remove them instead.`,
  declined: (name) => `You have declined ${name} already.`,
  lapsed: (name) => `${name} has been told that there was no spot. They can ask again.`,
  withdrawn: (name) => `${name} has taken the request back.`,
};

const afterDeparture = ({ isOpen }: Departure, words: string) => (isOpen ? words : undefined);

/** Has the open tabs of whom it concerns show that somebody has gone. */
export function tellDeparture(context: RequestContext, { conversationId, playerId, told }: Departure): void {
  // Everyone in the room comes in again; who has left does not.
  if (conversationId) tellConversation(context, conversationId, { type: "changed" });
  // What the conversation had left unread is gone with it.
  tellUnread(context, ...new Set([playerId, ...told]));
}
