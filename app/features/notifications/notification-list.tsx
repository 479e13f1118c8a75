import { useFetcher } from "@remix-run/react";
import { Avatar } from "~/ui/avatar";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { LfgIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import type { NotificationDay, NotificationView } from "./present.server";

/** The notifications, grouped by day. */
export function NotificationDays({ days }: { days: readonly NotificationDay[] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {days.map(({ date, name, notifications }) => (
        <section key={date} aria-labelledby={`day-${date}`}>
          <h2 id={`day-${date}`} className="pb-2.5 font-display text-rail">
            {name}
          </h2>
          <ul className="border-t-2 border-text">
            {notifications.map((notification) => (
              <Row key={notification.id} notification={notification} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** One notification: its banner hangs from the line above, and its sentence is a link that covers the row. */
function Row({ notification }: { notification: NotificationView }) {
  const { id, sentence, detail, letter, href, field, time } = notification;
  const fetcher = useFetcher();
  // Shown as read while submitting; afterwards the loader's data decides.
  const isUnread = notification.isUnread && fetcher.state === "idle";
  const described = isUnread ? `new-${id}` : undefined;
  const place = `notification-${id}`;
  const weight = isUnread ? "font-semibold" : "font-medium text-muted";
  return (
    <li className="group relative isolate grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-b border-line pr-2 pb-4 pl-[58px] has-[a:hover]:bg-raised md:pl-[72px]">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute -top-px left-2 flex group-first:top-0 md:left-[18px]"
      >
        {letter === null ? (
          <span className="u u-empty text-muted">
            <LfgIcon className="size-5" />
          </span>
        ) : (
          <Avatar letter={letter} />
        )}
      </span>
      <div className="col-span-2 pt-3.5 md:col-span-1">
        <p className="wrap-anywhere">
          {href === null ? (
            <span className={weight} id={isUnread ? undefined : place}>
              {sentence}
            </span>
          ) : (
            // Not prefetched, because loading the page marks the notification as read.
            <Link
              to={href}
              id={isUnread ? undefined : place}
              aria-describedby={described}
              className={`after:absolute after:inset-0 after:-z-1 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-spot-edge ${weight}`}
            >
              {sentence}
            </Link>
          )}
        </p>
        {detail && <p className="mt-0.5 truncate text-[0.875rem] leading-[1.5] text-muted">{detail}</p>}
      </div>
      <p className="mt-1 flex min-h-6 items-center gap-2.5 text-meta text-muted max-md:self-center md:col-start-1">
        {isUnread && (
          <span id={described} className="flex">
            <Badge variant="count">New</Badge>
          </span>
        )}
        <RelativeTime moment={time} />
      </p>
      {isUnread && (
        // The button is beside the text or, on phones, where the text needs the full width, beside the time.
        <fetcher.Form
          method="post"
          preventScrollReset
          className="-mr-2 max-md:-mt-1 max-md:-mb-2 max-md:self-center md:col-start-2 md:row-start-1 md:mr-0 md:pt-3"
        >
          <input type="hidden" name="news" value={field} />
          {/* Once the notification is read, the button disappears: focus moves to the element that gets its id. */}
          <Button id={place} name="intent" value="read" variant="quiet" size="row" aria-describedby={described}>
            Mark as read
          </Button>
        </fetcher.Form>
      )}
    </li>
  );
}

/** The button that marks as read all notifications that existed when the list was loaded. */
export function MarkAllAsRead({
  until,
  news,
}: {
  /** `until` and `news` are as in `markAllNotificationsRead`. */
  until: number;
  /** Values of `newsField`. */
  news: readonly string[];
}) {
  const fetcher = useFetcher();
  return (
    <fetcher.Form method="post" preventScrollReset>
      <input type="hidden" name="until" value={until} />
      {news.map((field) => (
        <input key={field} type="hidden" name="news" value={field} />
      ))}
      <Button name="intent" value="read-all" busy={fetcher.state !== "idle"} busyLabel="Marking">
        Mark all as read
      </Button>
    </fetcher.Form>
  );
}
