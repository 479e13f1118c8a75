import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DecisionList } from "~/features/moderation/statement/decision-list";
import { presentDecision, presentReports, presentStanding } from "~/features/moderation/statement/present.server";
import { findStanding, listOwnDecisions, listOwnReports } from "~/features/moderation/statement/queries.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { pageLinks } from "~/platform/lists/keyset.server";
import { privatePage } from "~/platform/pages/page-meta";
import { readSearch, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireRestrictedViewer } from "~/platform/session/guards.server";
import { EmptyState } from "~/ui/empty-state";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { Pages } from "~/ui/pagination";
import { RelativeTime } from "~/ui/relative-time";
import "~/shell";

const HERE = "/account/decisions";
const LIST = { cursor: { kind: "cursor", by: "id" } } as const;

export const meta: MetaFunction = () => privatePage("Decisions");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const { db, now } = context;
  const { cursor } = readSearch(LIST, new URL(request.url).searchParams);
  const [, news, page, standing, reports, clock] = await Promise.all([
    requireRestrictedViewer(context, request),
    findUnreadNews(db, userId, subjectOf("reports", userId)),
    listOwnDecisions(db, userId, cursor),
    findStanding(db, userId, now),
    listOwnReports(db, userId),
    context.clock(),
  ]);
  const addressOf = (place: typeof cursor) => HERE + writeSearch(LIST, { cursor: place });
  const pages = pageLinks(request, { cursor, page, addressOf });
  resolveNewsLater(context, userId, news);
  return {
    ...presentStanding(standing, page.items, clock),
    decisions: page.items.map((decision) => presentDecision(decision, clock)),
    pages,
    reports: presentReports(reports, clock),
  };
}

export default function Decisions() {
  const { suspension, limits, decisions, pages, reports } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="font-display text-title-phone md:text-title">Decisions</h1>
      <p className="mt-1 text-muted">Moderators' decisions about you and your content, and the reasons for them.</p>
      {suspension && (
        <Notice variant="danger" title={suspension.title} className="mt-6">
          <p>
            {suspension.until ? `It ends on ${suspension.until}. ` : "It lasts until it's lifted. "}
            Until then you can only appeal, download your data or delete your account.
          </p>
          {suspension.reason && <p className="mt-1 wrap-anywhere whitespace-pre-line">Reason: {suspension.reason}</p>}
          {!suspension.isExplained && (
            <p className="mt-1">
              If you think this is wrong,{" "}
              <Link to="/contact" className="link">
                write to us
              </Link>
              .
            </p>
          )}
        </Notice>
      )}
      {limits.length > 0 && (
        <Notice title="Your account is limited" className="mt-6">
          {limits.map((limit) => (
            <p key={limit}>{limit}</p>
          ))}
        </Notice>
      )}
      {decisions.length > 0 ? (
        <DecisionList decisions={decisions} />
      ) : (
        !suspension && <EmptyState title="No decisions about you." />
      )}
      <Pages {...pages} by="time" />
      {reports.length > 0 && (
        <section aria-labelledby="reports" className="mt-10">
          <h2 id="reports" className="font-display text-section">
            Your reports
          </h2>
          <ul className="mt-3 border-t-2 border-text">
            {reports.map(({ id, about, sent, answer }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2.5">
                <span>
                  Your report of {about}: <strong className="font-semibold">{answer}</strong>
                </span>
                <span className="text-meta text-muted">
                  <RelativeTime moment={sent} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
