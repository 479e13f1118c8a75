import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import { sql } from "drizzle-orm";
import type * as z from "zod";
import { uuidv7 } from "#db/ids";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { answerButton, answerForm, type Done } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import { countUse, isWithinLimit, type RateLimitVerdict } from "~/platform/limits/rate-limit.server";
import { isSessionOpen } from "~/platform/session/session.server";
import type { SessionClaim, Viewer } from "~/platform/session/viewer";
import { contactAuthor, contactPlayer, type SendOutcome, sendMessage } from "./commands.server";
import type { ConversationRef } from "./queries.server";
import { type ThreadMessage, UNEXPLAINED } from "./rules";
import { messageSchema } from "./schema";
import { tellConversation } from "./shared/tell-conversation.server";

export const SEND_FAILED = "Error sending message";

export const POST_CLOSED: FormFailure = {
  status: 409,
  error: "This post was closed meanwhile, so your message was not sent.",
};

/** Contacting a player needs a session and there is none any more; the toast is the specification's (section 6). */
export const CONTACT_SIGNED_OUT: FormFailure = {
  status: 401,
  error: "Please sign in in another tab to contact other players, then send this again.",
  toastTitle: "Authentication required",
  toastText: "Please sign in to contact other players.",
};

/** The limits of a message that may begin a conversation. */
export const CONTACT_LIMITS = ["message", "contact"] as const;

/** The toast once a player was written to from outside of a thread. */
export const CONTACTED = {
  title: "Message sent!",
  description: "Check the Messages tab to continue the conversation.",
} satisfies Done;

/** Why nothing was sent, as the form says it. */
const FAILURES: Record<Exclude<SendOutcome["outcome"], "sent" | "used">, FormFailure> = {
  missing: { status: 404, error: "This conversation is not there any more." },
  blocked: { status: 403, error: "You can't write to this player." },
  gone: { status: 410, error: "This player's account is gone, so nobody would read this." },
  "post-closed": POST_CLOSED,
};

/** A page that was gone back to: its form has sent other words already. */
const USED = { status: 409, error: "This form has sent something already. Send again to send this, too." };

type Sent = { ok: true; conversationId: string; message: ThreadMessage } | ({ ok: false } & FormFailure);

type MessageForm = z.output<typeof messageSchema>;

/**
 * Answers a post with a form's message: begins a conversation, or goes on in it. Once it is stored, and after the answer,
 * the rooms are told.
 * @returns why nothing was sent, or null
 */
export async function sendToAuthor(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  to: { postId: string; authorId: string },
): Promise<FormFailure | null> {
  const outgoing = { id, senderId, content: message, ...to };
  const sent = tell(context, await contactAuthor(context.db, outgoing, context.now.getTime()));
  return sent.ok ? null : sent;
}

/** Writes a form's message to a player, about no post; else as `sendToAuthor`. */
export async function sendToPlayer(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  playerId: string,
): Promise<FormFailure | null> {
  const outgoing = { id, senderId, content: message, playerId };
  const sent = tell(context, await contactPlayer(context.db, outgoing, context.now.getTime()));
  return sent.ok ? null : sent;
}

/**
 * Answers the form under a thread (`Composer`), as it comes without JavaScript, in one round trip.
 * @param place.here the page that the thread stands on: there it goes back to
 */
export async function takeMessage(
  args: ActionFunctionArgs,
  form: FormData,
  { conversation, here }: { conversation: ConversationRef; here: string },
) {
  const { context } = args;
  if (form.get("intent") === "look") {
    // The page again with what is new, and with what was half written.
    const { payload } = parseWithZod(form, { schema: messageSchema });
    return answerButton(args, { run: async () => data({ result: { initialValue: payload } }) });
  }
  return answerForm(args, {
    schema: messageSchema,
    form,
    failed: SEND_FAILED,
    unexplained: UNEXPLAINED,
    limit: "message",
    alongside: (_, value) => (value ? store(context, value, conversation) : undefined),
    async run({ found }) {
      const sent = tell(context, found);
      if (sent.ok) return { to: here };
      return sent.status === 404 ? "missing" : sent;
    },
  });
}

/**
 * Sends a form's message to a conversation, in one round trip. Once it is stored, and after the answer, the rooms are told.
 * @returns who is signed in, the limit's verdict, and how sending went, which counts only if the first two are good
 */
export async function sendToConversation(
  context: RequestContext,
  message: MessageForm,
  conversationId: ConversationRef,
): Promise<{ viewer: null } | { viewer: Viewer; limit: RateLimitVerdict; sent: Sent }> {
  if (!context.claim) return { viewer: null };
  const [viewer, limit, outcome] = await Promise.all([
    context.viewer(),
    countUse(context, "message", context.claim.userId),
    store(context, message, conversationId),
  ]);
  return viewer ? { viewer, limit, sent: tell(context, outcome) } : { viewer };
}

/**
 * Stores a message of the player whom the cookie claims, if the session is open and the limit isn't used up. Must be asked
 * for right after the session check and the count, so that the three leave together in this order.
 */
function store({ db, env, now, claim }: RequestContext, { id, message }: MessageForm, conversationId: ConversationRef) {
  const { userId: senderId } = claim as SessionClaim;
  const guard = sql`${isSessionOpen(claim as SessionClaim, now)} AND ${isWithinLimit(env, "message", senderId)}`;
  return sendMessage(db, { id, senderId, content: message, conversationId }, now.getTime(), guard);
}

function tell(context: RequestContext, sent: SendOutcome): Sent {
  if (sent.outcome === "used") return { ok: false, ...USED, renewed: { id: uuidv7(context.now.getTime()) } };
  if (sent.outcome !== "sent") return { ok: false, ...FAILURES[sent.outcome] };
  const members = sent.unread.map(({ userId }) => userId);
  tellConversation(context, sent.conversationId, { type: "message", message: sent.message }, members);
  tellInboxes(context, sent.unread, sent.conversationId);
  return { ok: true, conversationId: sent.conversationId, message: sent.message };
}
