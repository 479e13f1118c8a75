import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { handleChatReport, loadChatReport } from "~/features/reports/actions.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function placeOf({ params, context, request }: LoaderFunctionArgs) {
  const conversation = idParam(params, "conversationId", context, request);
  const messageId = idParam(params, "messageId", context, request);
  return { conversation, messageId, here: `/dashboard/messages/${conversation}`, elsewhere: "/dashboard/messages" };
}

export const loader = (args: LoaderFunctionArgs) => loadChatReport(args, placeOf(args));

export const action = (args: ActionFunctionArgs) => handleChatReport(args, placeOf(args));
