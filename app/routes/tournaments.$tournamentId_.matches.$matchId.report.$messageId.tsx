import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { handleChatReport, loadChatReport } from "~/features/reports/actions.server";
import { matchAddress } from "~/features/tournaments/match/match-page.server";
import { chatOf } from "~/features/tournaments/match/queries.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function placeOf({ params, context, request }: LoaderFunctionArgs) {
  const { tournamentId, matchId, here } = matchAddress(params, context, request);
  const messageId = idParam(params, "messageId", context, request);
  return { conversation: chatOf(tournamentId, matchId), messageId, here, elsewhere: here };
}

export const loader = (args: LoaderFunctionArgs) => loadChatReport(args, placeOf(args));

export const action = (args: ActionFunctionArgs) => handleChatReport(args, placeOf(args));
