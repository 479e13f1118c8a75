import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { settingsAddress } from "~/features/settings/subjects";
import { isRecent, requireViewer } from "~/platform/session/guards.server";
import "~/shell";

export { ExportPage as default, meta } from "~/features/account/export/export-page";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  return { isRecent: isRecent(viewer, context.now), page: settingsAddress("export") };
}
