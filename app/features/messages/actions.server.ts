import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data } from "@remix-run/cloudflare";
import type * as z from "zod";
import { uuidv7 } from "#db/ids";
import { CANT_WRITE } from "~/features/blocks/rules";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import { tooManyTries } from "~/platform/limits/refusal";
import type { RateLimitVerdict } from "~/platform/limits/uses.server";
import type { Viewer } from "~/platform/session/viewer";
import { contactAuthor, contactPlayer, sendMessage } from "./commands.server";
import { CONTACT_UNEXPLAINED } from "./contact/client-action";
import { type ThreadMessage, UNEXPLAINED } from "./rules";
import { messageSchema } from "./schema";
import type { ConversationRef } from "./shared/membership.server";
import { tellConversation } from "./shared/tell-conversation.server";
import type { SendOutcome } from "./store-message.server";

const SEND_FAILED = "Error sending message";

/** The refusal when a player has limited who may message them (`takesMessagesFrom`). */
export const UNWANTED = "This player doesn't take messages from players they don't know.";

/** The text of the toast for visitors who would contact someone (specification, section 6). */
export const SIGN_IN_TO_CONTACT = "Please sign in to contact other players.";

/** The form's error for each reason why a message was not sent. */
const FAILURES: Record<Exclude<SendOutcome["outcome"], "sent" | "used" | "limited">, FormFailure> = {
  missing: { status: 404, error: "This conversation no longer exists." },
  blocked: { status: 403, error: CANT_WRITE },
  gone: { status: 410, error: "This player's account is gone, so nobody would read your message." },
  unwanted: { status: 403, error: UNWANTED },
  unanswered: { status: 403, error: "This player hasn't answered you yet. You can write more once they do." },
  // If the post was deleted, the open page keeps the typed text; without JavaScript there is no page to show it on.
  "post-closed": { status: 409, error: "This post has closed, so your message wasn't sent." },
};

/** The browser restored the form after going back, and a different message was already sent from it. */
const USED = { status: 409, error: "This form has already sent a message. Send again to send this one, too." };

type Sent = { ok: true; conversationId: string; message: ThreadMessage } | ({ ok: false } & FormFailure);

type MessageForm = z.output<typeof messageSchema>;

/** A valid form, its sender, and the result of `alongside`. */
interface Contact<Found> {
  value: MessageForm;
  viewer: Viewer;
  found: Found;
}

/**
 * Handles the form of a dialog that contacts a player outside a thread.
 * @param dialog.to returns the page to redirect to once the message is sent
 * @param dialog.alongside as for `answerForm`, to find the post that the message is about
 * @param dialog.send sends the message, and returns the reason if it was not sent
 */
export const answerContact = <Found = undefined>(
  args: ActionFunctionArgs,
  {
    to,
    alongside,
    send,
  }: {
    to: (found: Found) => string;
    alongside?: () => Promise<Found>;
    send: (contact: Contact<Found>) => Promise<FormFailure | null>;
  },
) =>
  answerForm<typeof messageSchema, Found>(args, {
    schema: messageSchema,
    failed: SEND_FAILED,
    unexplained: CONTACT_UNEXPLAINED,
    limit: ["message", "contact", "messagePerAddress", "contactPerAddress"],
    signedOut: {
      status: 401,
      error: "Please sign in in another tab to contact other players, then send this again.",
      toastTitle: "Authentication required",
      toastText: SIGN_IN_TO_CONTACT,
    },
    ...(alongside && { alongside }),
    run: async (contact) =>
      (await send(contact)) ?? {
        to: to(contact.found),
        title: "Message sent!",
        description: "Check the Messages tab to continue the conversation.",
      },
  });

/**
 * Sends a form's message to a post's author, in the conversation of the two, which is created if there is none. The
 * rooms are notified after the response, once the message is stored.
 * @param to.authorId undefined if the post is gone: see `contactAuthor`
 * @returns the reason if the message was not sent, else null
 */
export async function sendToAuthor(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  to: { postId: string; authorId: string | undefined },
): Promise<FormFailure | null> {
  const outgoing = { id, senderId, content: message, ...to };
  const sent = await finishSending(context, await contactAuthor(context, outgoing));
  return sent.ok ? null : sent;
}

/** Sends a form's message to a player directly, not about a post; otherwise like `sendToAuthor`. */
export async function sendToPlayer(
  context: RequestContext,
  { id, message }: MessageForm,
  senderId: string,
  playerId: string,
): Promise<FormFailure | null> {
  const outgoing = { id, senderId, content: message, playerId };
  const sent = await finishSending(context, await contactPlayer(context, outgoing));
  return sent.ok ? null : sent;
}

/**
 * Handles the form under a thread (`Composer`) when it is submitted without JavaScript. One round trip. If it is
 * refused, the page shows the text again, even if the player can't open the conversation any more.
 * @param place.here the path of the page that shows the thread, to redirect to
 */
export async function handleMessageForm(
  args: ActionFunctionArgs,
  form: FormData,
  { conversation, here }: { conversation: ConversationRef; here: string },
) {
  const { context } = args;
  if (form.get("intent") === "look") {
    // Renders the page again, with new messages and the half-written text.
    const { payload } = parseWithZod(form, { schema: messageSchema });
    return answerButton(args, { run: async () => data({ result: { initialValue: payload } }) });
  }
  return answerForm(args, {
    schema: messageSchema,
    form,
    failed: SEND_FAILED,
    unexplained: UNEXPLAINED,
    alongside: (claim, value) => (value ? sendMessage(context, claim, value, conversation) : undefined),
    async run({ found: { limit, outcome } }) {
      if (!limit.allowed) return tooManyTries(limit.retryAfter);
      const sent = await finishSending(context, outcome);
      return sent.ok ? { to: here } : sent;
    },
  });
}

/**
 * Sends a form's message to a conversation, in one round trip. The rooms are notified after the response, once the
 * message is stored.
 * @returns the viewer, or null if they are signed out or suspended; the limit's verdict; and the result of sending,
 *   which is meaningful only if the limit allowed it
 */
export async function sendToConversation(
  context: RequestContext,
  message: MessageForm,
  conversationId: ConversationRef,
): Promise<{ viewer: null } | { viewer: Viewer; limit: RateLimitVerdict; sent: Sent }> {
  const { claim } = context;
  if (!claim) return { viewer: null };
  const [viewer, { limit, outcome }] = await Promise.all([
    context.viewer(),
    sendMessage(context, claim, message, conversationId),
  ]);
  return viewer ? { viewer, limit, sent: await finishSending(context, outcome) } : { viewer };
}

async function finishSending(context: RequestContext, sent: SendOutcome): Promise<Sent> {
  if (sent.outcome === "limited") return { ok: false, ...(await refuseLimited(context, sent)) };
  if (sent.outcome === "used") return { ok: false, ...USED, renewed: { id: uuidv7(context.now.getTime()) } };
  if (sent.outcome !== "sent") return { ok: false, ...FAILURES[sent.outcome] };
  const { members } = sent;
  const ids = (some: typeof members) => some.map(({ userId }) => userId);
  const [listening, deaf] = [members.filter((one) => !one.hasBlocked), members.filter((one) => one.hasBlocked)];
  const frame = { type: "message", message: sent.message } as const;
  tellConversation(context, sent.conversationId, frame, {
    to: ids(listening),
    hiddenFrom: ids(deaf),
    ...(sent.isFirstAnswer && { firstAnswer: { readSeq: sent.readSeq } }),
  });
  tellInboxes(context, listening, { conversationId: sent.conversationId });
  return { ok: true, conversationId: sent.conversationId, message: sent.message };
}
