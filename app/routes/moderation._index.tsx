import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { requireModerator } from "~/features/moderation/shared/require-moderator.server";
import { listOpenCases } from "~/features/reports/queries.server";
import { REPORT_FORMS } from "~/features/reports/rules";
import { showMoment } from "~/platform/dates/time";
import { privatePage } from "~/platform/pages/page-meta";
import { EmptyState } from "~/ui/empty-state";
import { RelativeTime } from "~/ui/relative-time";
import "~/shell";

/** The most cases that the page shows. */
const CASES_SHOWN = 50;

export const meta: MetaFunction = () => privatePage("Moderation");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const [, cases, clock] = await Promise.all([
    requireModerator(context, request),
    listOpenCases(context.db, CASES_SHOWN),
    context.clock(),
  ]);
  return {
    cases: cases.map(({ id, kind, player, reportCount, createdAt }) => ({
      id,
      title: `${REPORT_FORMS[kind].words}${player ? ` by ${player}` : ""}`,
      reportCount,
      opened: showMoment(createdAt, clock),
    })),
  };
}

export default function ModerationPage() {
  const { cases } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Moderation" />
      {cases.length === 0 && <EmptyState title="No cases wait." />}
      <ul className="max-w-[760px] border-t-2 border-text">
        {cases.map(({ id, title, reportCount, opened }) => (
          <li key={id} className="border-b border-line py-3.5">
            <p className="font-semibold wrap-anywhere first-letter:uppercase">{title}</p>
            <p className="text-meta text-muted">
              {reportCount} {reportCount === 1 ? "report" : "reports"}, opened{" "}
              <RelativeTime iso={opened.iso} ago={opened.ago} title={opened.exact} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
