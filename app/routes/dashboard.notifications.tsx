import type { MetaFunction } from "@remix-run/cloudflare";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { EmptyState } from "~/ui/empty-state";

export const meta: MetaFunction = () => [{ title: "Notifications · Lineup" }];

export default function NotificationsPage() {
  return (
    <DashboardPage title="Notifications">
      <EmptyState title="No notifications yet." />
    </DashboardPage>
  );
}
