import type { Submission } from "@conform-to/react";
import type { RequestContext } from "~/platform/context";
import type { FormFailure } from "~/platform/forms.server";
import { countUse } from "~/platform/rate-limit.server";
import { tellConversation, tellInboxes } from "~/platform/rooms.server";
import { contactAuthor, markRead, type SendOutcome, sendMessage } from "./commands.server";
import type { ThreadMessage } from "./rules";

export const SEND_FAILED = "Error sending message";

/** Why nothing was sent, as the form says it. */
const FAILURES: Record<Exclude<SendOutcome["outcome"], "sent">, FormFailure> = {
  missing: { status: 404, error: "This conversation is not there any more." },
  blocked: { status: 403, error: "You can't write to this player." },
  gone: { status: 410, error: "This player's account is gone, so nobody would read this." },
  "post-closed": { status: 409, error: "This post was closed meanwhile, so your message was not sent." },
};

export type Sent = { ok: true; conversationId: string; message: ThreadMessage } | ({ ok: false } & FormFailure);

type MessageForm = Extract<Submission<{ id: string; message: string }>, { status: "success" }>["value"];

/**
 * Sends what a form holds: to a conversation, or to the author of a post. Two round trips at most; once it is stored, and
 * after the answer, the rooms are told.
 */
export async function send(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  to: { conversationId: string } | { postId: string; authorId: string },
): Promise<Sent> {
  const now = context.now.getTime();
  const outgoing = { id, senderId, content: message };
  const sent =
    "postId" in to
      ? await contactAuthor(context.db, { ...outgoing, ...to }, now)
      : await sendMessage(context.db, { ...outgoing, ...to }, now);
  if (sent.outcome !== "sent") return { ok: false, ...FAILURES[sent.outcome] };
  tellConversation(context, sent.conversationId, { type: "message", message: sent.message });
  tellInboxes(context, sent.unread, sent.conversationId);
  return { ok: true, conversationId: sent.conversationId, message: sent.message };
}

/** Counts a message against the sender's limit. Rides along with the session check. */
export const countMessage = (context: RequestContext, userId: string) => countUse(context, "message", userId);

/** Takes a conversation for read, after the response: a read mark is the one thing that reading may write. */
export function markReadLater(context: RequestContext, conversationId: string, userId: string, seq: number): void {
  if (context.isPrefetch) return;
  context.defer(async () => {
    const totals = await markRead(context.db, conversationId, userId, seq, context.now.getTime());
    if (!totals) return;
    tellConversation(context, conversationId, { type: "read", userId, seq });
    tellInboxes(context, [totals]);
  });
}
