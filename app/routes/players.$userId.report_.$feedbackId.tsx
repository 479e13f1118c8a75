import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { handleReport, loadReport } from "~/features/reports/actions.server";
import { idParam } from "~/platform/request/params.server";
import "~/shell";

export { clientAction, meta, ReportPage as default } from "~/features/reports/report-page";

/** Returns the reported review, and the page to return to: the Profile tab if the review is of the viewer. */
function subjectOf({ params, context, request }: LoaderFunctionArgs) {
  const reviewedId = idParam(params, "userId", context, request);
  const id = idParam(params, "feedbackId", context, request);
  const closeTo = context.claim?.userId === reviewedId ? "/dashboard/profile" : `/players/${reviewedId}`;
  return [{ kind: "review", id, reviewedId }, closeTo] as const;
}

export const loader = (args: LoaderFunctionArgs) => loadReport(args, ...subjectOf(args));

export const action = (args: ActionFunctionArgs) => handleReport(args, ...subjectOf(args));
