import { Outlet, useLocation } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { SettingsFrame } from "~/features/settings/settings-frame";
import { SETTINGS, settingsAddress } from "~/features/settings/subjects";

/** The frame of all settings: which there are, and beside them the one that is open. */
export default function Settings() {
  const path = useLocation().pathname.replace(/\/+$/, "");
  const current = SETTINGS.find(({ word }) => `${path}/`.startsWith(`${settingsAddress(word)}/`));
  return (
    <DashboardPage title="Settings">
      <SettingsFrame current={current?.word ?? null}>
        <Outlet />
      </SettingsFrame>
    </DashboardPage>
  );
}
