import { initial } from "~/features/players/rules";
import { type Clock, dateIn, dayWords } from "~/platform/dates/dates";
import { type ShownMoment, showMoment } from "~/platform/dates/time";
import { NOTIFICATION_KINDS } from "./kinds";
import type { NotificationRow } from "./queries.server";
import { describeNotification, groupByDay } from "./rules";
import { newsField } from "./schema";

/** A notification in the list. */
export interface NotificationView {
  id: string;
  sentence: string;
  detail: string | null;
  /** The letter on the banner of the player who caused the notification; null if no player did. */
  letter: string | null;
  /** Null if the notification has no link. */
  href: string | null;
  isUnread: boolean;
  /** The value of `newsField`, for the button that marks it as read. */
  field: string;
  time: ShownMoment;
}

export interface NotificationDay {
  /** As `2026-11-21`. */
  date: string;
  /** "Today" */
  name: string;
  notifications: NotificationView[];
}

/** Presents a page of the list in the viewer's time zone, grouped by day. */
export function presentNotifications(rows: readonly NotificationRow[], clock: Clock): NotificationDay[] {
  const { now, timeZone, order } = clock;
  const today = dateIn(timeZone, now);
  const dated = rows.map((row) => {
    const { sentence, detail, from, href } = describeNotification(row, NOTIFICATION_KINDS);
    const view: NotificationView = {
      id: row.id,
      sentence,
      detail: detail || null,
      letter: from ? initial(from) : null,
      href,
      isUnread: row.isUnread,
      field: newsField(row),
      time: showMoment(new Date(row.createdAt), clock),
    };
    return { date: dateIn(timeZone, row.createdAt), view };
  });
  return groupByDay(dated).map(({ date, items }) => ({
    date,
    name: dayWords(date, today, order),
    notifications: items.map(({ view }) => view),
  }));
}
