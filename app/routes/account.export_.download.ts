import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { downloadData } from "~/features/account/export/actions.server";
import { restrictedAddress } from "~/features/account/rules";
import { requireRestrictedRecentSignIn } from "~/platform/session/guards.server";

const PAGE = restrictedAddress("export");

/** The file is sent in response to a POST only: GET redirects to the page with the button. */
export const loader = () => redirect(PAGE);

export const action = (args: ActionFunctionArgs) => downloadData(args, PAGE, requireRestrictedRecentSignIn);
