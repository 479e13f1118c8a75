import type { NewsKind } from "#db/words/news-kinds";
import { MINUTE } from "~/platform/dates/durations";
import type { NotificationKind, Words } from "./kind";
import { idsOf } from "./shared/subjects";

/** Number of notifications on a page of the list. */
export const NOTIFICATIONS_PAGE = 30;

/**
 * A notification is dated by the moment when its cause reached the Worker, and is stored at most this much later, in
 * milliseconds: as long as Cloudflare lets a run of the cron take.
 */
export const STORED_WITHIN = 15 * MINUTE;

/** Maximum number of recent notifications that `Mark all as read` names one by one; any others stay unread. */
export const MOST_RECENT = 100;

/**
 * The kinds that are worth a push, because someone is waiting for the player. News about the account is pushed only to
 * players who have turned that on (`switches.ts`).
 */
const PUSHED_KINDS: readonly NewsKind[] = [
  "message",
  "contact",
  "join-request",
  "join-accepted",
  "tournament-invitation",
  "tournament-captain",
  "tournament-check-in",
  "match-ready",
  "match-report",
  "match-dispute",
  "feedback-received",
  "riot-claim",
  "report-answered",
  "case-urgent",
  "case-waiting",
];

export const isPushed = (kind: NewsKind): boolean => PUSHED_KINDS.includes(kind);

/** A notification as stored; `data` may have been written by an older or newer release. */
export interface StoredNotification {
  kind: string;
  subject: string;
  data: unknown;
}

/** The wording of a notification whose kind or data this release doesn't know. */
const UNREADABLE: Words = { sentence: "This notification can't be shown any more." };

/** Returns a notification's wording and its link; `href` is null if there is no link. Never throws. */
export function describeNotification(
  { kind: name, subject, data }: StoredNotification,
  kinds: readonly NotificationKind<never>[],
): Words & { href: string | null } {
  const kind = kinds.find((one) => one.name === name);
  const ids = idsOf(subject);
  const parsed = kind?.data.safeParse(data);
  if (!kind || !parsed?.success || !ids[0]) return { ...UNREADABLE, href: null };
  return { ...kind.words(parsed.data), href: kind.href(...ids) };
}

/** Groups items sorted by time into runs of one day each, keeping their order. */
export function groupByDay<Item extends { date: string }>(items: readonly Item[]): { date: string; items: Item[] }[] {
  const days: { date: string; items: Item[] }[] = [];
  for (const item of items) {
    const day = days.at(-1);
    if (day?.date === item.date) day.items.push(item);
    else days.push({ date: item.date, items: [item] });
  }
  return days;
}
