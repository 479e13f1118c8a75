import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { downloadData } from "~/features/account/export/actions.server";
import { settingsAddress } from "~/features/settings/subjects";
import { requireRecentSignIn } from "~/platform/session/guards.server";

const PAGE = settingsAddress("export");

/** The file is sent in response to a POST only: GET redirects to the page with the button. */
export const loader = () => redirect(PAGE);

export const action = (args: ActionFunctionArgs) => downloadData(args, PAGE, requireRecentSignIn);
