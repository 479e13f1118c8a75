import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { handlePlayerReport, loadReport } from "~/features/reports/actions.server";
import { matchAddress } from "~/features/tournaments/match/match-page.server";
import { idParam } from "~/platform/request/params.server";
import { requireViewer } from "~/platform/session/guards.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function subjectOf({ params, context, request }: LoaderFunctionArgs) {
  const { tournamentId, matchId, here } = matchAddress(params, context, request);
  const id = idParam(params, "userId", context, request);
  return [{ kind: "player", id, match: { tournamentId, matchId } }, here] as const;
}

export async function loader(args: LoaderFunctionArgs) {
  const [, page] = await Promise.all([requireViewer(args.context, args.request), loadReport(args, ...subjectOf(args))]);
  return page;
}

export const action = (args: ActionFunctionArgs) => handlePlayerReport(args, ...subjectOf(args));
