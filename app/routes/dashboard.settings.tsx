import { Outlet, useLocation } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { SETTINGS, settingsAddress } from "~/features/settings/subjects";
import { Tabs } from "~/ui/tabs";

/** The frame of all settings: their tabs, and the one that is open. Where none is, the page lists them itself. */
export default function Settings() {
  const path = useLocation().pathname.replace(/\/+$/, "");
  const tabs = SETTINGS.map(({ word, name }) => {
    const to = settingsAddress(word);
    return { to, name, current: path === to || path.startsWith(`${to}/`) };
  });
  return (
    <DashboardPage title="Settings">
      {tabs.some(({ current }) => current) && <Tabs label="Settings" tabs={tabs} />}
      <Outlet />
    </DashboardPage>
  );
}
