import { useParams } from "@remix-run/react";
import type { ComponentProps } from "react";
import { useUnread } from "~/features/notifications/shared/unread-context";
import { useInbox } from "~/features/notifications/shared/use-inbox";
import { DashboardHeader } from "./dashboard-header";

/** The header with the viewer's unread totals as they are now. Belongs into an `UnreadProvider`. */
export function ViewerHeader(
  viewer: Pick<ComponentProps<typeof DashboardHeader>, "name" | "letter" | "avatarId" | "verified">,
) {
  const { messages, notifications } = useUnread();
  useInbox(useParams().conversationId ?? null);
  return <DashboardHeader {...viewer} unread={notifications} unreadMessages={messages} />;
}
