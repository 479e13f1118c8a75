import type { MetaFunction } from "@remix-run/cloudflare";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { privatePage } from "~/platform/page-meta";
import { EmptyState } from "~/ui/empty-state";

export const meta: MetaFunction = () => privatePage("Chat");

export default function MessagesTab() {
  return (
    <DashboardPage title="Chat">
      <EmptyState title="No conversations yet." />
    </DashboardPage>
  );
}
