import type { MetaFunction } from "@remix-run/cloudflare";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { EmptyState } from "~/ui/empty-state";

export const meta: MetaFunction = () => [{ title: "Tournaments · Lineup" }];

export default function TournamentsTab() {
  return (
    <DashboardPage title="Tournaments">
      <EmptyState title="No tournaments yet" />
    </DashboardPage>
  );
}
