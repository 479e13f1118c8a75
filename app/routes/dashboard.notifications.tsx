import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { markAllNotificationsRead, markNotificationRead } from "~/features/notifications/commands.server";
import { MarkAllAsRead, NotificationDays } from "~/features/notifications/notification-list";
import { presentNotifications } from "~/features/notifications/present.server";
import { listNotifications, listRecentUnread } from "~/features/notifications/queries.server";
import { STORED_WITHIN } from "~/features/notifications/rules";
import { newsField, readSchema } from "~/features/notifications/schema";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import { useUnread } from "~/features/notifications/shared/unread-context";
import { useNewsOnPage } from "~/features/notifications/use-news-on-page";
import { settingsAddress } from "~/features/settings/subjects";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { Cursor } from "~/platform/lists/keyset";
import { pageLinks } from "~/platform/lists/keyset.server";
import { privatePage } from "~/platform/pages/page-meta";
import { readSearch, type SearchParams, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { SettingsIcon } from "~/ui/icons";
import { Pages } from "~/ui/pagination";
import "~/shell";

const HERE = "/dashboard/notifications";

const NOTIFICATION_LIST = { cursor: { kind: "cursor", by: "number" } } satisfies SearchParams;

const cursorOf = (request: Request) => readSearch(NOTIFICATION_LIST, new URL(request.url).searchParams).cursor;

/** Returns the address of a page of the list. */
const addressOf = (cursor: Cursor | null) => HERE + writeSearch(NOTIFICATION_LIST, { cursor });

export const meta: MetaFunction = () => privatePage("Notifications");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const cursor = cursorOf(request);
  const userId = await requireClaimedUserId(context, request);
  const until = context.now.getTime() - STORED_WITHIN;
  const [, recent, page, clock] = await Promise.all([
    requireViewer(context, request),
    listRecentUnread(context.db, userId, until),
    listNotifications(context.db, userId, cursor),
    context.clock(),
  ]);
  return {
    days: presentNotifications(page.items, clock),
    isFirstPage: cursor === null,
    pages: pageLinks(request, { cursor, page, addressOf }),
    unread: { until, news: recent.map(newsField) },
  };
}

/** Marks as read one notification, or all that the page knew of. Returns to the same page of the list. */
export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  const fields = await request.formData();
  const form = readSchema.safeParse({ ...Object.fromEntries(fields), news: fields.getAll("news") });
  return answerButton(args, {
    to: addressOf(cursorOf(request)),
    async run({ viewer }) {
      // For example, the button is on a page that was opened before the last release.
      if (!form.success) return { status: 400, error: "This list is out of date. Open it again." };
      const { db } = context;
      const now = context.now.getTime();
      const { data: button } = form;
      await (button.intent === "read"
        ? markNotificationRead(db, viewer.id, button.news[0], now)
        : markAllNotificationsRead(db, viewer.id, button, now));
      tellInboxes(context, [{ userId: viewer.id }]);
      return button.intent === "read" ? {} : { title: "All marked as read" };
    },
  });
}

export default function NotificationsPage() {
  const { days, isFirstPage, pages, unread } = useLoaderData<typeof loader>();
  const { notifications: count } = useUnread();
  useNewsOnPage();
  return (
    <DashboardPage
      title="Notifications"
      action={
        <div className="-ml-3 flex flex-wrap gap-2 md:ml-0">
          <ButtonLink to={settingsAddress("notifications")} prefetch="intent" variant="quiet">
            <SettingsIcon className="size-[18px]" />
            Notification settings
          </ButtonLink>
          {count > 0 && <MarkAllAsRead {...unread} />}
        </div>
      }
    >
      <div className="max-w-[760px]">
        <NotificationDays days={days} />
      </div>
      {days.length === 0 &&
        (isFirstPage ? (
          <EmptyState title="No notifications yet.">
            <ButtonLink to="/dashboard">Browse posts</ButtonLink>
          </EmptyState>
        ) : (
          <EmptyState title="That was the last notification.">
            <ButtonLink to={HERE}>Back to the newest</ButtonLink>
          </EmptyState>
        ))}
      <div className="max-w-[760px]">
        <Pages {...pages} by="time" />
      </div>
    </DashboardPage>
  );
}
