import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loadReport, takeReport } from "~/features/reports/actions.server";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function placeOf({ params, context, request }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const id = idParam(params, "teamId", context, request);
  return [{ kind: "team", id, tournamentId }, `/tournaments/${tournamentId}/teams/${id}`] as const;
}

export const loader = (args: LoaderFunctionArgs) => loadReport(args, ...placeOf(args));

export const action = (args: ActionFunctionArgs) => takeReport(args, ...placeOf(args));
