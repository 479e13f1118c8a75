import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { restrictedAddress } from "~/features/account/rules";
import { isRecent, requireRestrictedViewer } from "~/platform/session/guards.server";
import "~/shell";

export { ExportPage as default, meta } from "~/features/account/export/export-page";

/** Loads the page `Your Data` for players whose account is suspended; all others have it in the settings. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireRestrictedViewer(context, request);
  return { isRecent: isRecent(viewer, context.now), page: restrictedAddress("export") };
}
