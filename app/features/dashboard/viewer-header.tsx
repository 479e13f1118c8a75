import { useParams } from "@remix-run/react";
import { useUnread } from "~/features/notifications/unread-context";
import { useInbox } from "~/features/notifications/use-inbox";
import { DashboardHeader } from "~/ui/dashboard-header";

/** The header with the viewer's unread totals as they are now. Belongs into an `UnreadProvider`. */
export function ViewerHeader(viewer: { name: string; letter: string; avatarId: string | null; verified: boolean }) {
  const { messages, notifications } = useUnread();
  useInbox(useParams().conversationId ?? null);
  return <DashboardHeader {...viewer} unread={notifications} unreadMessages={messages} />;
}
