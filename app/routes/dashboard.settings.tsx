import { Outlet, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { SettingsFrame } from "~/features/settings/settings-frame";
import { SETTINGS, settingsAddress } from "~/features/settings/subjects";
import { FrameError } from "~/ui/page/error-pages";
import "~/shell";

export default function Settings() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function ErrorBoundary() {
  return (
    <Frame>
      <div className="border-t-2 border-text pt-4">
        <FrameError />
      </div>
    </Frame>
  );
}

/** The list of all settings, and the open one beside it. */
function Frame({ children }: { children: ReactNode }) {
  const path = useLocation().pathname.replace(/\/+$/, "");
  const current = SETTINGS.find(({ slug }) => `${path}/`.startsWith(`${settingsAddress(slug)}/`));
  return (
    <DashboardPage title="Settings">
      <SettingsFrame current={current?.slug ?? null}>{children}</SettingsFrame>
    </DashboardPage>
  );
}
