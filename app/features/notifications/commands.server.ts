import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { releasePushes } from "#db/pushes";
import { mutedNotifications, notifications } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { NewsGroup } from "#db/words/news-groups";
import type { NewsKind } from "#db/words/news-kinds";
import type { RequestContext } from "~/platform/context";
import { savePushSettings } from "./push/commands.server";
import { type FoundNews, isAsFound } from "./shared/notify.server";
import type { SetSwitch } from "./switches";
import { dropWaiting, saveSwitches } from "./switches.server";

/**
 * Marks one of the player's own notifications as read. Does nothing if it is already read, has changed since the page
 * found it, or belongs to someone else.
 * @param now milliseconds since 1970
 */
export async function markNotificationRead(
  db: Database,
  userId: string,
  { id, createdAt }: FoundNews,
  now: number,
): Promise<void> {
  await db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now}
    WHERE ${notifications.id} = ${id} AND ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      AND ${notifications.createdAt} = ${createdAt}`);
}

/**
 * Marks as read all of the player's notifications that existed when their list was loaded.
 * @param found.until the time up to which the list had all notifications, in milliseconds since 1970, like `now`
 * @param found.news the later ones that it had (`listRecentUnread`)
 */
export async function markAllNotificationsRead(
  db: Database,
  userId: string,
  { until, news }: { until: number; news: readonly FoundNews[] },
  now: number,
): Promise<void> {
  await db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${now}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      AND (+${notifications.createdAt} <= ${until} OR ${isAsFound(news)})`);
}

/** A player's notification settings. Omitted parts stay unchanged. */
interface NotificationSettings {
  /**
   * Every kind of the form, and whether it is turned on. Missing kinds stay unchanged, because a page from an older
   * release doesn't list new ones.
   */
  kinds: readonly { kind: NewsKind; isOn: boolean }[];
  /** The switches of the form. */
  switches?: readonly SetSwitch[];
  push?: Parameters<typeof savePushSettings>[2];
}

/**
 * Saves a player's notification settings: the kinds they get, the channels of each group, and the push settings. Drops
 * the waiting pushes and emails of everything that is turned off. If the push settings are saved, the other waiting
 * pushes become due (`releasePushes`), because the quiet hours may have changed.
 * @returns whether pushes have become due, which the caller then tells the player's inbox
 */
export async function saveNotificationSettings(
  { db, now }: Pick<RequestContext, "db" | "now">,
  userId: string,
  { kinds, switches = [], push }: NotificationSettings,
): Promise<boolean> {
  const off = kinds.flatMap(({ kind, isOn }) => (isOn ? [] : [kind]));
  const { released = [] } = await transact(db, {
    kinds: kinds.map(({ kind, isOn }) =>
      isOn
        ? db.run(sql`DELETE FROM ${mutedNotifications} WHERE ${mutedNotifications.userId} = ${userId}
          AND ${mutedNotifications.kind} = ${kind}`)
        : db.run(sql`
            INSERT INTO ${mutedNotifications} ${columnsOf(mutedNotifications, "userId", "kind")}
              VALUES (${userId}, ${kind}) ON CONFLICT DO NOTHING`),
    ),
    waiting: off.length > 0 ? dropWaiting(db, userId, "bell", off) : undefined,
    switches: saveSwitches(db, userId, switches),
    push: push && savePushSettings(db, userId, push),
    released: push && releasePushes(db, userId, now),
  });
  return released.length > 0;
}

/** Turns off emails about some groups, for a player who follows the link in such an email. */
export async function unsubscribeFrom(db: Database, userId: string, groups: readonly NewsGroup[]): Promise<void> {
  const switches = groups.map((newsGroup) => ({ newsGroup, channel: "email", isOn: false }) as const);
  await transact(db, { switches: saveSwitches(db, userId, switches) });
}
