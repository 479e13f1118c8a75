import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useActionData, useLoaderData } from "@remix-run/react";
import { handleMessageForm } from "~/features/messages/actions.server";
import { parseThreadPlace } from "~/features/messages/list/cursor";
import { loadThread, markShownAsRead } from "~/features/messages/thread/load-thread.server";
import { Thread, ThreadBack } from "~/features/messages/thread/thread";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/session.server";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { FrameError } from "~/ui/page/error-pages";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data, error, matches }) =>
  error ? (matches[0]?.meta ?? []) : privatePage(data ? `${data.head.name} · Chat` : "Chat");

export const shouldRevalidate = keepUnderDialog;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [thread] = await Promise.all([
    loadThread(context, id, userId, parseThreadPlace(request.url)),
    requireViewer(context, request),
  ]);
  if (!thread) notFound(context, request);
  markShownAsRead(context, thread);
  return thread;
}

/** Sends a message without JavaScript; with it, `conversations.$conversationId.messages` does. */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "conversationId", context, request);
  return handleMessageForm(args, await request.formData(), { conversation: id, here: `/dashboard/messages/${id}` });
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

export function ErrorBoundary() {
  return (
    <section aria-label="Conversation" className="thread">
      <div className="thread-head md:hidden">
        <ThreadBack />
      </div>
      <div className="p-5">
        <FrameError />
      </div>
    </section>
  );
}
