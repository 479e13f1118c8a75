import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { loadReport, takeReport } from "~/features/reports/actions.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function placeOf({ params, context, request }: LoaderFunctionArgs) {
  const id = idParam(params, "userId", context, request);
  return [{ kind: "player", id }, `/players/${id}`] as const;
}

export const loader = (args: LoaderFunctionArgs) => loadReport(args, ...placeOf(args));

export const action = (args: ActionFunctionArgs) => takeReport(args, ...placeOf(args));
