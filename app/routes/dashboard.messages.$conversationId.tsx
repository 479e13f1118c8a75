import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useActionData, useLoaderData } from "@remix-run/react";
import { takeMessage } from "~/features/messages/compose.server";
import { parseSeq } from "~/features/messages/cursor";
import { loadThread, takeForRead } from "~/features/messages/load-thread.server";
import { Thread } from "~/features/messages/thread";
import type { FormReply } from "~/platform/forms";
import { notFound } from "~/platform/not-found.server";
import { privatePage } from "~/platform/page-meta";
import { idParam } from "~/platform/params.server";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { keepUnderDialog } from "~/ui/dialogs";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `${data.head.name} · Chat` : "Chat");

export const shouldRevalidate = keepUnderDialog;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const before = parseSeq(new URL(request.url).searchParams.get("before"));
  const userId = await claimedUserId(context, request);
  const [thread] = await Promise.all([loadThread(context, id, userId, before), requireViewer(context, request)]);
  if (!thread) notFound(context, request);
  takeForRead(context, thread);
  return thread;
}

/** Sends a message without JavaScript; with it, `conversations.$conversationId.messages` does. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  return takeMessage(context, request, await request.formData(), {
    conversation: id,
    here: `/dashboard/messages/${id}`,
  });
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
