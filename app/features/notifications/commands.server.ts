import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { mutedNotifications, notifications } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";

/** The time of the list that the player saw: news after it (`until`) stays unread. */
interface Seen {
  until: number;
  now: number;
}

/** Marks one of the player's own notifications as read. For a read one, or another player's, it has no effect. */
export async function markNotificationRead(db: Database, id: string, userId: string, seen: Seen): Promise<void> {
  await db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${seen.now}
    WHERE ${notifications.id} = ${id} AND ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      AND ${notifications.createdAt} <= ${seen.until}`);
}

/** Marks all of the player's notifications as read. */
export async function markAllNotificationsRead(db: Database, userId: string, seen: Seen): Promise<void> {
  await db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${seen.now}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      AND +${notifications.createdAt} <= ${seen.until}`);
}

/**
 * Switches kinds on and off. Kinds missing from the choice stay as they are, because an older page doesn't have them.
 * @param choice every kind of the form, and whether it is switched on
 */
export async function saveMutedKinds(
  db: Database,
  userId: string,
  choice: readonly { kind: NewsKind; isOn: boolean }[],
): Promise<void> {
  await transact(db, {
    choices: choice.map(({ kind, isOn }) =>
      isOn
        ? db.run(sql`DELETE FROM ${mutedNotifications} WHERE ${mutedNotifications.userId} = ${userId}
          AND ${mutedNotifications.kind} = ${kind}`)
        : db.run(sql`
            INSERT INTO ${mutedNotifications} ${columnsOf(mutedNotifications, "userId", "kind")}
              VALUES (${userId}, ${kind}) ON CONFLICT DO NOTHING`),
    ),
  });
}
