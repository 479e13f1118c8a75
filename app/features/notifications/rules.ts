import type { NotificationKind, Words } from "./kind";

/** Notifications on one page of the list. */
export const NOTIFICATIONS_PAGE = 30;

/** A notification as the database holds it: `data` is whatever was written, perhaps by an older or newer release. */
export interface StoredNotification {
  kind: string;
  subject: string;
  data: unknown;
}

/** What is shown of news that this release can't read: true of anything, and it leads nowhere. */
const UNREADABLE: Words = { sentence: "Something happened that this page can't show any more." };

/** The words of a notification and where it leads; `href` is null where it leads nowhere. Never throws. */
export function describeNotification(
  { kind: name, subject, data }: StoredNotification,
  kinds: readonly NotificationKind<never>[],
): Words & { href: string | null } {
  const kind = kinds.find((one) => one.name === name);
  const id = subject.slice(subject.indexOf(":") + 1);
  const parsed = kind?.data.safeParse(data);
  if (!kind || !parsed?.success || !id) return { ...UNREADABLE, href: null };
  return { ...kind.words(parsed.data), href: kind.href(id) };
}

/** Groups what is sorted by time into runs of one day each, in the given order. */
export function groupByDay<Item extends { date: string }>(items: readonly Item[]): { date: string; items: Item[] }[] {
  const days: { date: string; items: Item[] }[] = [];
  for (const item of items) {
    const day = days.at(-1);
    if (day?.date === item.date) day.items.push(item);
    else days.push({ date: item.date, items: [item] });
  }
  return days;
}
