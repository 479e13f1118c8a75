import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { validate as isUuid } from "uuid";
import { handleChatReport, loadChatReport } from "~/features/reports/actions.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

/** The address may name a message, too: `?message=`. */
function placeOf({ params, context, request }: LoaderFunctionArgs) {
  const conversation = idParam(params, "conversationId", context, request);
  const messageId = new URL(request.url).searchParams.get("message")?.toLowerCase() ?? null;
  if (messageId !== null && !isUuid(messageId)) notFound(context, request);
  return { conversation, messageId, here: `/dashboard/messages/${conversation}`, elsewhere: "/dashboard/messages" };
}

export const loader = (args: LoaderFunctionArgs) => loadChatReport(args, placeOf(args));

export const action = (args: ActionFunctionArgs) => handleChatReport(args, placeOf(args));
