import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { handleReport, loadReport } from "~/features/reports/actions.server";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function subjectOf({ params, context, request }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const id = idParam(params, "teamId", context, request);
  return [{ kind: "team", id, tournamentId }, `/tournaments/${tournamentId}/teams/${id}`] as const;
}

export const loader = (args: LoaderFunctionArgs) => loadReport(args, ...subjectOf(args));

export const action = (args: ActionFunctionArgs) => handleReport(args, ...subjectOf(args));
