import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { postIdOf } from "~/features/lfg/params.server";
import { wayBack } from "~/features/lfg/way-back";
import { handleReport, loadReport } from "~/features/reports/actions.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

function subjectOf({ params, context, request }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const { page } = wayBack(id, new URL(request.url));
  return [{ kind: "post", id }, page] as const;
}

export const loader = (args: LoaderFunctionArgs) => loadReport(args, ...subjectOf(args));

export const action = (args: ActionFunctionArgs) => handleReport(args, ...subjectOf(args));
