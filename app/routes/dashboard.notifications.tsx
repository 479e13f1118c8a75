import type { MetaFunction } from "@remix-run/cloudflare";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { privatePage } from "~/platform/page-meta";
import { EmptyState } from "~/ui/empty-state";

export const meta: MetaFunction = () => privatePage("Notifications");

export default function NotificationsPage() {
  return (
    <DashboardPage title="Notifications">
      <EmptyState title="No notifications yet." />
    </DashboardPage>
  );
}
