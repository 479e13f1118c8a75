import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useLocation, useParams } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { ConversationList } from "~/features/messages/list/conversation-list";
import { findConversationPage } from "~/features/messages/list/list.server";
import { useLiveList } from "~/features/messages/list/use-live-list";
import { useUnread } from "~/features/notifications/shared/unread-context";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import chatStyles from "~/styles/chat.css";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: chatStyles }];

export const meta: MetaFunction = () => privatePage("Chat");

export const shouldRevalidate = keepUnderDialog;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [page] = await Promise.all([findConversationPage(context, userId, request), requireViewer(context, request)]);
  return page;
}

export default function MessagesTab() {
  const list = useLiveList(useLoaderData<typeof loader>(), useUnread().newsCount);
  const { conversationId } = useParams();
  const { search } = useLocation();
  return (
    <DashboardPage title="Chat">
      <div className="chat" data-open={conversationId ? "" : undefined}>
        <nav aria-label="Conversations" className="chat-list">
          <ConversationList {...list} selectedId={conversationId} isOlderPage={search.includes("before=")} />
        </nav>
        <div className="chat-thread">
          <Outlet />
        </div>
      </div>
    </DashboardPage>
  );
}
