import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useParams } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { ConversationList } from "~/features/messages/conversation-list";
import { parseConversationCursor, parseConversationSearch } from "~/features/messages/cursor";
import { presentConversation } from "~/features/messages/present.server";
import { listConversations } from "~/features/messages/queries.server";
import { privatePage } from "~/platform/page-meta";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { keepUnderDialog } from "~/ui/dialogs";

export const meta: MetaFunction = () => privatePage("Chat");

export const shouldRevalidate = keepUnderDialog;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const search = parseConversationSearch(searchParams);
  const cursor = parseConversationCursor(searchParams);
  const userId = await claimedUserId(context, request);
  const [page] = await Promise.all([
    listConversations(context.db, userId, { search, cursor, now: context.now.getTime() }),
    requireViewer(context, request),
  ]);
  return {
    conversations: page.conversations.map((conversation) => presentConversation(conversation, context)),
    next: page.next,
    cutShort: page.cutShort,
    isFirstPage: cursor === null,
    search,
  };
}

export default function MessagesTab() {
  const list = useLoaderData<typeof loader>();
  const { conversationId } = useParams();
  return (
    <DashboardPage title="Chat">
      <div className="chat" data-open={conversationId ? "" : undefined}>
        <nav aria-label="Conversations" className="chat-list">
          <ConversationList {...list} selectedId={conversationId} />
        </nav>
        <div className="chat-thread">
          <Outlet />
        </div>
      </div>
    </DashboardPage>
  );
}
