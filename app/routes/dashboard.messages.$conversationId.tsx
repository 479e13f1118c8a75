import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { data, redirect } from "@remix-run/cloudflare";
import { Outlet, useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { parseSeq } from "~/features/messages/cursor";
import { presentHead } from "~/features/messages/present.server";
import { findConversation, listMessages } from "~/features/messages/queries.server";
import { UNEXPLAINED } from "~/features/messages/rules";
import { messageSchema } from "~/features/messages/schema";
import { markReadLater, SEND_FAILED, sendToConversation } from "~/features/messages/send.server";
import { Thread } from "~/features/messages/thread";
import type { FormReply } from "~/platform/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms.server";
import { notFound } from "~/platform/not-found.server";
import { privatePage } from "~/platform/page-meta";
import { idParam } from "~/platform/params.server";
import { tooManyTries } from "~/platform/rate-limit.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { keepUnderDialog } from "~/ui/dialogs";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `${data.head.name} · Chat` : "Chat");

export const shouldRevalidate = keepUnderDialog;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const before = parseSeq(new URL(request.url).searchParams.get("before"));
  const userId = await claimedUserId(context, request);
  const [head, page] = await Promise.all([
    findConversation(context.db, id, userId, context.now),
    listMessages(context.db, id, userId, before),
    requireViewer(context, request),
  ]);
  if (!head) notFound(context, request);
  const isOlderPage = before !== null && before <= head.lastSeq;
  if (!isOlderPage && head.lastReadSeq < head.lastSeq) markReadLater(context, id, userId, head.lastSeq);
  return {
    head: presentHead(head, context),
    viewerId: userId,
    messages: page.messages,
    hasOlder: page.hasOlder,
    isOlderPage,
    nextId: uuidv7(context.now.getTime()),
    timeZone: context.timeZone,
    now: context.now.getTime(),
  };
}

/** Sends a message without JavaScript; with it, `conversations.$conversationId.messages` does. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const form = await request.formData();
  const submission = parseWithZod(form, { schema: messageSchema });
  if (form.get("intent") === "look") {
    // The page again with what is new, and with what was half written.
    await requireViewer(context, request);
    return data({ result: { initialValue: submission.payload } });
  }
  return orDatabaseAway(
    context,
    submission,
    SEND_FAILED,
    async () => {
      if (submission.status !== "success") {
        return refuseForm(context, submission, SEND_FAILED, (await context.viewer()) ? undefined : SIGNED_OUT);
      }
      const result = await sendToConversation(context, submission.value, id);
      if (!result.viewer) return refuseForm(context, submission, SEND_FAILED, SIGNED_OUT);
      const { limit, sent } = result;
      if (!limit.allowed) return refuseForm(context, submission, SEND_FAILED, tooManyTries(limit.retryAfter));
      if (!sent.ok)
        return sent.status === 404 ? notFound(context, request) : refuseForm(context, submission, SEND_FAILED, sent);
      return redirect(`/dashboard/messages/${id}`, 303);
    },
    UNEXPLAINED,
  );
}

export default function ConversationPage() {
  const thread = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <>
      <Thread key={thread.head.id} {...thread} reply={reply} />
      <Outlet />
    </>
  );
}
