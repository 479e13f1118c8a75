import type { MetaFunction } from "@remix-run/cloudflare";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { privatePage } from "~/platform/page-meta";
import { EmptyState } from "~/ui/empty-state";

export const meta: MetaFunction = () => privatePage("Tournaments");

export default function TournamentsTab() {
  return (
    <DashboardPage title="Tournaments">
      <EmptyState title="No tournaments yet" />
    </DashboardPage>
  );
}
