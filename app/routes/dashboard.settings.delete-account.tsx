import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { changeDeletion, loadDeletion } from "~/features/account/actions.server";
import { settingsAddress } from "~/features/settings/subjects";
import { requireRecentSignIn, requireViewer } from "~/platform/session/guards.server";
import "~/shell";

export { clientAction, DeletionPage as default, meta } from "~/features/account/deletion-page";

const PAGE = settingsAddress("delete-account");

export const loader = async ({ request, context }: LoaderFunctionArgs) =>
  loadDeletion(
    context,
    { ...(await requireViewer(context, request)), isSuspended: false },
    { page: PAGE, exportPage: settingsAddress("export") },
  );

export const action = (args: ActionFunctionArgs) =>
  changeDeletion(args, {
    page: PAGE,
    home: "/dashboard",
    find: requireViewer,
    findRecent: requireRecentSignIn,
  });
