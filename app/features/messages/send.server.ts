import type { Submission } from "@conform-to/react";
import { sql } from "drizzle-orm";
import { uuidv7 } from "#db/ids";
import type { RequestContext } from "~/platform/context";
import type { FormFailure } from "~/platform/forms/forms.server";
import { countUse, isWithinLimit, type RateLimitVerdict } from "~/platform/limits/rate-limit.server";
import { tellConversation, tellInboxes } from "~/platform/rooms/rooms.server";
import { isSessionOpen, type Viewer } from "~/platform/session/session.server";
import { contactAuthor, contactPlayer, markRead, type SendOutcome, sendMessage } from "./commands.server";
import type { ConversationRef } from "./queries.server";
import type { ThreadMessage } from "./rules";

export const SEND_FAILED = "Error sending message";

export const POST_CLOSED: FormFailure = {
  status: 409,
  error: "This post was closed meanwhile, so your message was not sent.",
};

/** Contacting a player needs a session and there is none any more; the toast is the specification's (section 6). */
export const CONTACT_SIGNED_OUT: FormFailure = {
  status: 401,
  error: "Please sign in in another tab to contact other players, then send this again.",
  toastText: "Please sign in to contact other players.",
};

/** Why nothing was sent, as the form says it. */
const FAILURES: Record<Exclude<SendOutcome["outcome"], "sent" | "used">, FormFailure> = {
  missing: { status: 404, error: "This conversation is not there any more." },
  blocked: { status: 403, error: "You can't write to this player." },
  gone: { status: 410, error: "This player's account is gone, so nobody would read this." },
  "post-closed": POST_CLOSED,
};

/** A page that was gone back to: its form has sent other words already. */
const USED = { status: 409, error: "This form has sent something already. Send again to send this, too." };

export type Sent = { ok: true; conversationId: string; message: ThreadMessage } | ({ ok: false } & FormFailure);

type MessageForm = Extract<Submission<{ id: string; message: string }>, { status: "success" }>["value"];

/**
 * Answers a post with what a form holds: begins a conversation, or goes on in it. Once it is stored, and after the
 * answer, the rooms are told.
 */
export async function sendToAuthor(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  to: { postId: string; authorId: string },
): Promise<Sent> {
  const outgoing = { id, senderId, content: message, ...to };
  return tell(context, await contactAuthor(context.db, outgoing, context.now.getTime()));
}

/** Writes to a player what a form holds, about no post; else as `sendToAuthor`. */
export async function sendToPlayer(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  playerId: string,
): Promise<Sent> {
  const outgoing = { id, senderId, content: message, playerId };
  return tell(context, await contactPlayer(context.db, outgoing, context.now.getTime()));
}

/**
 * Sends what a form holds to a conversation, in one round trip: the session check, the limit and the store leave
 * together, and the store looks at the other two by itself. Once it is stored, and after the answer, the rooms are told.
 * @returns who is signed in, the limit's verdict, and how sending went, which counts only if the first two are good
 */
export async function sendToConversation(
  context: RequestContext,
  { id, message }: MessageForm,
  conversationId: ConversationRef,
): Promise<{ viewer: null } | { viewer: Viewer; limit: RateLimitVerdict; sent: Sent }> {
  const { db, env, now, claim } = context;
  if (!claim) return { viewer: null };
  const { userId: senderId } = claim;
  const guard = sql`${isSessionOpen(claim, now)} AND ${isWithinLimit(env, "message", senderId)}`;
  const outgoing = { id, senderId, content: message, conversationId };
  // In this order: what the guard looks at is there when the store comes.
  const [viewer, limit, outcome] = await Promise.all([
    context.viewer(),
    countUse(context, "message", senderId),
    sendMessage(db, outgoing, now.getTime(), guard),
  ]);
  return viewer ? { viewer, limit, sent: tell(context, outcome) } : { viewer };
}

function tell(context: RequestContext, sent: SendOutcome): Sent {
  if (sent.outcome === "used") return { ok: false, ...USED, renewed: { id: uuidv7(context.now.getTime()) } };
  if (sent.outcome !== "sent") return { ok: false, ...FAILURES[sent.outcome] };
  const members = sent.unread.map(({ userId }) => userId);
  tellConversation(context, sent.conversationId, { type: "message", message: sent.message }, members);
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
