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

/** All settings that there are, and beside them the one that is open. */
function Frame({ children }: { children: ReactNode }) {
  const path = useLocation().pathname.replace(/\/+$/, "");
  const current = SETTINGS.find(({ word }) => `${path}/`.startsWith(`${settingsAddress(word)}/`));
  return (
    <DashboardPage title="Settings">
      <SettingsFrame current={current?.word ?? null}>{children}</SettingsFrame>
    </DashboardPage>
  );
}
