import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { sendToConversation } from "~/features/messages/actions.server";
import { parseSeq } from "~/features/messages/list/cursor";
import { isMember, listMessages, listMessagesAfter } from "~/features/messages/queries.server";
import { threadMessageSchema } from "~/features/messages/schema";
import { markReadLater } from "~/features/messages/thread/load-thread.server";
import { isDatabaseUnavailable } from "~/platform/database";
import { refusalOf } from "~/platform/forms/answer-form.server";
import type { FormFailure } from "~/platform/forms/forms.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { idParam } from "~/platform/request/params.server";

/*
 * The thread's JSON requests: loading messages after or before a given one, and sending. Without JavaScript, the page
 * at /dashboard/messages/:conversationId does all of this.
 */

const SIGNED_OUT = { status: 401, error: "Your session has ended. Sign in in another tab, then try again." };
const NOT_THERE = { status: 404, error: "This conversation no longer exists." };

const refuse = ({ status, error }: FormFailure) => Response.json({ error }, { status });

/**
 * `?after=N` loads newer messages, and with `&seen` marks them as read; `?before=N` loads older ones. With
 * `&viewerId=ID`, anyone but that player gets a 401. Other players' conversations return 404.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const { searchParams } = new URL(request.url);
  const after = parseSeq(searchParams.get("after"));
  const userId = context.claim?.userId;
  const viewerId = searchParams.get("viewerId");
  // The request may be about unsent messages of a player who is no longer signed in here.
  if (!userId || (viewerId && viewerId !== userId)) return refuse(SIGNED_OUT);
  const [viewer, isOwn, page] = await Promise.all([
    context.viewer(),
    isMember(context.db, id, userId),
    after === null
      ? listMessages(context, id, userId, { before: parseSeq(searchParams.get("before")), shown: null })
      : listMessagesAfter(context, id, userId, after).then((messages) => ({ messages, hasOlder: false })),
  ]);
  if (!viewer) return refuse(SIGNED_OUT);
  if (!isOwn) return refuse(NOT_THERE);
  const last = page.messages.at(-1);
  if (searchParams.has("seen") && after !== null && last) markReadLater(context, id, userId, last.seq);
  return Response.json(page);
}

/** Stores a message and returns it as stored. Sending the same id and text again gets the same response. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const submission = parseWithZod(await request.formData(), { schema: threadMessageSchema });
  try {
    if (submission.status !== "success") {
      if (!(await context.viewer())) return refuse(await refusalOf(context, SIGNED_OUT));
      const errors = Object.values(submission.error ?? {}).flatMap((messages) => messages ?? []);
      return refuse({ status: 400, error: errors[0] ?? "This message can't be sent." });
    }
    const { senderId, ...message } = submission.value;
    // The message's author is no longer signed in here, but another player may be.
    if (senderId && senderId !== context.claim?.userId) return refuse(SIGNED_OUT);
    const result = await sendToConversation(context, message, id);
    if (!result.viewer) return refuse(await refusalOf(context, SIGNED_OUT));
    const { limit, sent } = result;
    if (!limit.allowed) {
      context.retryAfter = limit.retryAfter;
      return refuse(tooManyTries(limit.retryAfter));
    }
    return sent.ok ? Response.json({ message: sent.message }) : refuse(sent);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    context.log.error("The database is unavailable", error);
    return refuse({ status: 503, error: "Lineup can't reach its database right now." });
  }
}
