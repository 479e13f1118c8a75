import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useOutletContext } from "@remix-run/react";
import { useEffect } from "react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { countWaitingAppeals } from "~/features/moderation/appeals/queries.server";
import { QUEUE, type QueueFilters } from "~/features/moderation/queue/filters";
import { presentQueue } from "~/features/moderation/queue/present.server";
import { listCases } from "~/features/moderation/queue/queries.server";
import { QueueFilters as Filters, QueueList } from "~/features/moderation/queue/queue";
import { requireClaimedModeratorId, requireModerator } from "~/features/moderation/shared/require-moderator.server";
import { QUEUE_NEWS } from "~/features/moderation/shared/staff-news.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { pageLinks } from "~/platform/lists/keyset.server";
import { privatePage } from "~/platform/pages/page-meta";
import { readSearch, writeSearch } from "~/platform/search-params/search-params";
import { ButtonLink } from "~/ui/button";
import { useReload } from "~/ui/hooks/use-reload";
import { Pages } from "~/ui/pagination";
import "~/shell";

const HERE = "/moderation";

/**
 * The interval at which the queue is reloaded, in milliseconds. It is also reloaded as soon as the number of waiting
 * cases changes. A hidden tab waits until it is visible, because a loaded queue counts as seen.
 */
const REFRESH_INTERVAL = 30_000;

export const meta: MetaFunction = () => privatePage("Moderation");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { cursor, ...filters } = readSearch(QUEUE, new URL(request.url).searchParams);
  const userId = requireClaimedModeratorId(context, request);
  const [moderator, news, page, appeals, clock] = await Promise.all([
    requireModerator(context, request),
    findUnreadNews(context.db, userId, QUEUE_NEWS),
    listCases(context.db, filters, cursor, userId),
    countWaitingAppeals(context.db),
    context.clock(),
  ]);
  const addressOf = (place: typeof cursor) => HERE + writeSearch(QUEUE, { ...filters, cursor: place });
  const pages = pageLinks(request, { cursor, page, addressOf });
  resolveNewsLater(context, moderator.id, news);
  return {
    filters,
    cases: presentQueue(page.items, clock),
    pages,
    appeals,
    isAdmin: moderator.role === "admin",
  };
}

const isFiltered = ({ state, kind, urgent, flagged, mine, admin }: QueueFilters): boolean =>
  state !== "open" || kind !== null || urgent || flagged || mine || admin;

export default function ModerationPage() {
  const { filters, cases, pages, appeals, isAdmin } = useLoaderData<typeof loader>();
  const reload = useReload();
  const waiting = useOutletContext<number | undefined>();
  useEffect(() => {
    if (waiting !== undefined) reload();
  }, [waiting, reload]);
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_INTERVAL);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <>
      <PageHead
        title="Moderation"
        action={
          <div className="flex flex-wrap gap-3">
            <ButtonLink to="/moderation/appeals">Appeals{appeals > 0 && `: ${appeals}`}</ButtonLink>
            {isAdmin && <ButtonLink to="/moderation/health">Health</ButtonLink>}
          </div>
        }
      />
      <Filters filters={filters} />
      <QueueList cases={cases} isWaiting={!isFiltered(filters)} />
      <div className="max-w-[760px]">
        <Pages {...pages} by="order" />
      </div>
    </>
  );
}
