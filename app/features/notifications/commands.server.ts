import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { mutedNotifications, notifications } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";

/** What the player saw before they pressed: news that came after that moment (`until`) stays unread. */
interface Seen {
  until: number;
  now: number;
}

/** Takes one notification of the player's own for read. Reading it again, or another's, changes nothing. */
export async function markNotificationRead(db: Database, id: string, userId: string, seen: Seen): Promise<void> {
  await db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${seen.now}
    WHERE ${notifications.id} = ${id} AND ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      AND ${notifications.createdAt} <= ${seen.until}`);
}

/** Takes all of the player's notifications for read. */
export async function markAllNotificationsRead(db: Database, userId: string, seen: Seen): Promise<void> {
  await db.run(sql`
    UPDATE ${notifications} SET ${bare(notifications.readAt)} = ${seen.now}
    WHERE ${notifications.userId} = ${userId} AND ${notifications.readAt} IS NULL
      AND +${notifications.createdAt} <= ${seen.until}`);
}

/**
 * Switches kinds on and off. Kinds that the choice doesn't name stay as they are: an older page doesn't know of them.
 * @param choice every kind of the form, and whether the player wants to hear of it
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
