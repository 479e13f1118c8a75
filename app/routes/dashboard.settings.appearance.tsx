import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { SettingsSection } from "~/features/settings/shared/settings-section";
import { privatePage } from "~/platform/pages/page-meta";
import { requireViewer } from "~/platform/session/guards.server";
import { ThemeSwitch } from "~/ui/page/theme-switch";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Appearance");

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(context, request);
  return null;
}

export default function AppearanceSettings() {
  return (
    <SettingsSection title="Appearance">
      <p className="mt-1 text-muted">The theme applies to this browser only. System follows your device's setting.</p>
      <ThemeSwitch className="mt-5 max-w-[360px]" />
    </SettingsSection>
  );
}
