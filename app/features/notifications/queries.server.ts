import { and, eq, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { mutedNotifications, notificationSwitches, notifications, users } from "#db/schema";
import type { NewsGroup } from "#db/words/news-groups";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { MOST_RECENT, NOTIFICATIONS_PAGE, type StoredNotification } from "./rules";
import type { FoundNews } from "./shared/notify.server";
import { completeSwitches, type Switches } from "./switches";
import { isSwitchedOn } from "./switches.server";

/** One of a player's notifications. */
export interface NotificationRow extends StoredNotification {
  id: string;
  /** When the event last happened, in milliseconds since 1970. */
  createdAt: number;
  isUnread: boolean;
}

/** Lists a page of a player's notifications, newest first. */
export async function listNotifications(
  db: Database,
  userId: string,
  cursor: Cursor | null,
): Promise<Page<NotificationRow>> {
  const walk = planWalk(cursor, { key: sql`created_at`, id: sql`id` });
  const rows = await db.all<{
    id: string;
    kind: string;
    subject: string;
    data: string;
    createdAt: number;
    readAt: number | null;
  }>(sql`
    SELECT ${notifications.id}, ${notifications.kind}, ${notifications.subject},
      ${notifications.data}, ${notifications.createdAt} AS createdAt, ${notifications.readAt} AS readAt
      FROM ${notifications}
    WHERE ${and(sql`${notifications.userId} = ${userId}`, walk.from)}
    ORDER BY ${sql.join(walk.orderBy, sql`, `)} LIMIT ${NOTIFICATIONS_PAGE + 1}`);
  const found = rows.map(({ data, readAt, ...row }) => ({ ...row, data: parseData(data), isUnread: readAt === null }));
  return pageOf({ found, end: null }, NOTIFICATIONS_PAGE, cursor, ({ createdAt, id }) => ({ key: createdAt, id }));
}

/**
 * Lists a player's unread notifications since a time, newest first, for `Mark all as read`. The loader must ask for
 * them before the list. This ensures that each of them is on one of the list's pages.
 * @param since milliseconds since 1970
 */
export const listRecentUnread = (db: Database, userId: string, since: number): Promise<FoundNews[]> =>
  db.all<FoundNews>(sql`
    SELECT ${notifications.id} AS id, ${notifications.createdAt} AS createdAt FROM ${notifications}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.createdAt} > ${since}
      AND +${notifications.readAt} IS NULL
    ORDER BY ${notifications.createdAt} DESC LIMIT ${MOST_RECENT}`);

/** Reads a notification's stored data. */
export function parseData(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // No kind's schema accepts undefined, so the notification is shown with a neutral sentence.
    return undefined;
  }
}

/** Lists the kinds that a player has turned off. */
export async function listMutedKinds(db: Database, userId: string): Promise<string[]> {
  const rows = await db.all<{ kind: string }>(sql`SELECT ${mutedNotifications.kind} FROM ${mutedNotifications}
    WHERE ${mutedNotifications.userId} = ${userId}`);
  return rows.map(({ kind }) => kind);
}

/** Finds the channels on which a player gets each group of kinds. */
export async function findSwitches(db: Database, userId: string): Promise<Switches> {
  const { newsGroup, channel, isOn } = notificationSwitches;
  const set = await db
    .select({ newsGroup, channel, isOn })
    .from(notificationSwitches)
    .where(eq(notificationSwitches.userId, userId));
  return completeSwitches(set);
}

/** Returns whether a player gets emails about any of these groups; nobody does once the account is erased. */
export async function getsEmails(db: Database, userId: string, groups: readonly NewsGroup[]): Promise<boolean> {
  const isOn = groups.map((group) => isSwitchedOn(sql`${userId}`, group, "email"));
  return (await db.$count(users, and(eq(users.id, userId), or(...isOn)))) > 0;
}
