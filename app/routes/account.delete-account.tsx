import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { changeDeletion, loadDeletion } from "~/features/account/actions.server";
import { restrictedAddress } from "~/features/account/rules";
import { requireRestrictedRecentSignIn, requireRestrictedViewer } from "~/platform/session/guards.server";
import "~/shell";

export { clientAction, DeletionPage as default, meta } from "~/features/account/deletion-page";

const PAGE = restrictedAddress("delete-account");

/** The page of the settings, for players whose account is suspended. */
export const loader = async ({ request, context }: LoaderFunctionArgs) =>
  loadDeletion(context, await requireRestrictedViewer(context, request), {
    page: PAGE,
    exportPage: restrictedAddress("export"),
  });

export const action = (args: ActionFunctionArgs) =>
  changeDeletion(args, {
    page: PAGE,
    home: restrictedAddress("decisions"),
    find: requireRestrictedViewer,
    findRecent: requireRestrictedRecentSignIn,
  });
